"""An installation of its own in this process, with the demo club, for measurements."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clubapp import migrations
from clubapp.database import transaction
from clubapp.services import demo
from tests.conftest import forget_settings


@contextmanager
def installation(folder: Path, members: int, **settings: str) -> Iterator[None]:
    """SQLite as an installation has it, durable writes included."""
    for name in [name for name in os.environ if name.startswith("CLUB_") and not name.startswith("CLUB_TEST_")]:
        del os.environ[name]
    os.environ.update({"CLUB_DATA_DIR": str(folder)} | settings)
    forget_settings()
    migrations.migrate()
    with transaction() as session:
        demo.load_club(session, members=members)
    yield
    forget_settings()
