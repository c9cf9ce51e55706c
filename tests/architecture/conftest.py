"""The parsed program is kept for the tests of this folder only."""

from collections.abc import Iterator

import pytest

from tests.architecture import sources


@pytest.fixture(scope="package", autouse=True)
def parsed() -> Iterator[None]:
    """The trees, until the last of these tests."""
    yield
    sources.forget()
