"""What the landing page says of the club."""

from collections.abc import Callable
from datetime import datetime

import pytest

from clubapp.services.public_site.club_presentation import build_presentation
from tests.conftest import forget_settings


def test_the_year_of_the_copyright_is_the_present_one_unless_a_setting_fixes_it(
    environment: pytest.MonkeyPatch, at: Callable[[str], datetime]
) -> None:
    at("2030-12-31T23:30")  # in Paris the next year has begun
    assert build_presentation().copyright == "© 2031 Cercle du Beffroi"
    environment.setenv("CLUB_COPYRIGHT_YEAR", "2025")
    forget_settings()
    assert build_presentation().copyright == "© 2025 Cercle du Beffroi"
