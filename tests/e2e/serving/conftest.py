"""Servers that the tests of one file share."""

import shutil
from collections.abc import Callable, Iterator

import pytest

from tests.e2e.site import Site


@pytest.fixture(scope="module")
def file_site(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Site]]:
    """A server for the tests of one file, started, with the demo club: `file_site(CLUB_PUBLIC_URL="https://…")`."""
    made: list[Site] = []

    def make(**environment: str) -> Site:
        made.append(Site(tmp_path_factory.mktemp("of-this-file") / "data", environment=environment))
        if site.is_embedded and made[-1].is_embedded:
            shutil.copytree(site.demo_dir, made[-1].data_dir)
        return made[-1].start()

    yield make
    for one in made:
        one.stop()
