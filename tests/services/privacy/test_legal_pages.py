"""The legal pages say who, what and how long, from the settings and from the rules themselves (P4)."""

from datetime import timedelta

import pytest

from clubapp.services.privacy import legal_pages, retention
from clubapp.web.security.current_actor import sign_in_cookie_name
from tests.conftest import forget_settings


def text_of(page: legal_pages.LegalPage) -> str:
    parts = [page.title, page.lead]
    for section in page.sections:
        parts += [section.title, *section.paragraphs, *section.points]
    return "\n".join(parts)


def test_the_notice_is_filled_from_the_settings(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_LEGAL_PUBLISHER", "Réseau Escaut {SARL}, 1 rue Haute, Douai.")
    environment.setenv("CLUB_LEGAL_HOST", "Nuage du Nord, 3 rue Basse, Lens")
    environment.setenv("CLUB_ANIMATOR_NAME", "Ana Petit")
    forget_settings()
    written = text_of(legal_pages.build_legal_notice())
    for told in ("Réseau Escaut {SARL}, 1 rue Haute, Douai.", "Nuage du Nord", "Ana Petit.", "03 53 01 55 01"):
        assert told in written
    assert "Douai.." not in written
    assert "Réseau Escaut {SARL}, 1 rue Haute, Douai, est" in text_of(legal_pages.build_privacy_page())


def test_the_host_has_a_telephone_and_the_association_its_numbers(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_NAME", "Réseau Escaut")
    forget_settings()
    assert not [told for told in ("RNA", "SIRET", "55 02") if told in text_of(legal_pages.build_legal_notice())]
    environment.setenv("CLUB_LEGAL_HOST_PHONE", "+33327000000")
    environment.setenv("CLUB_LEGAL_RNA", "w595 001234")
    environment.setenv("CLUB_LEGAL_SIRET", "732 829 320 00074")
    forget_settings()
    written = text_of(legal_pages.build_legal_notice())
    for told in ("03 27 00 00 00", "RNA\u00a0: W595001234", "SIRET\u00a0: 732\u00a0829\u00a0320\u00a000074"):
        assert told in written


def test_someone_else_may_direct_the_publication(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_LEGAL_DIRECTOR", "Luc Grand")
    forget_settings()
    assert "Luc Grand." in text_of(legal_pages.build_legal_notice())


def test_the_durations_are_those_of_the_rules(environment: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch) -> None:
    written = text_of(legal_pages.build_privacy_page())
    for told in ("24\u00a0heures", "1\u00a0heure", "30\u00a0jours", "12\u00a0mois", "2\u00a0ans"):
        assert told in written
    monkeypatch.setattr(retention, "MAIL_CONTENT", timedelta(days=90))
    assert "90\u00a0jours" in text_of(legal_pages.build_privacy_page())


@pytest.mark.parametrize(("address", "name"), [("https://club.example", "__Host-session"), ("", "session")])
def test_the_cookie_has_the_name_it_has(environment: pytest.MonkeyPatch, address: str, name: str) -> None:
    environment.setenv("CLUB_PUBLIC_URL", address)
    forget_settings()
    told = text_of(legal_pages.build_privacy_page())
    assert f"Cookie «\u00a0{name}\u00a0»" in told
    assert f"Cookie «\u00a0{sign_in_cookie_name()}\u00a0»" in told


def test_what_only_members_see_is_told(environment: pytest.MonkeyPatch) -> None:
    written = text_of(legal_pages.build_privacy_page())
    assert "montré à tous ou aux seuls membres connectés, avec sa date et les mots qui ont été lus" in written
    assert "Les membres connectés ont leur annuaire" in written


def test_everything_is_written_the_french_way(environment: pytest.MonkeyPatch) -> None:
    for page in (legal_pages.build_legal_notice(), legal_pages.build_privacy_page()):
        written = text_of(page)
        assert "'" not in written
        assert not [sign for sign in (" :", " ;", " ?", "« ", " »") if sign in written]
