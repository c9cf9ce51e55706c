"""Each choice of what the site shows is kept with its date, words and author; where the club asks, a yes comes first
(P5)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import select

from clubapp import tokens
from clubapp.database import reading, transaction
from clubapp.mail.messages import welcome as welcome_mail
from clubapp.models import Act, ActChanges, Member
from clubapp.refusals import NotFound
from clubapp.services.base import link_limit
from clubapp.services.base.actors import Actor
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.base.link_limit import LinkSpent
from clubapp.services.directory import for_members, for_visitors, vcard
from clubapp.services.images import uploads
from clubapp.services.members import editing, own_profile, person_page
from clubapp.services.privacy import choices_by_link, data_export, visibility
from clubapp.services.public_site import share_cards
from tests.conftest import on_sqlite
from tests.services.import_export.import_tables import HEADINGS, confirm, csv_of, line, send
from tests.services.privacy.entered_people import (
    HELENE,
    ZOE,
    ZOE_EMAIL,
    ask_before,
    change,
    choices,
    enter,
    kept,
    shown,
)

pytestmark = on_sqlite
ALL = ["shows_email", "shows_phone", "shows_photo"]
PHOTO = "/media/avatars/1795212000000-0123456789abcdef.jpg"


@pytest.fixture(autouse=True)
def days(club: str, later: Callable[[timedelta], None]) -> Callable[[timedelta], None]:
    return later


def own(member_id: str) -> Actor:
    return Actor(ZOE_EMAIL, member_id=member_id, session_id="z")


def token(member_id: str) -> str:
    return welcome_mail.choice_link(kept(member_id)).partition("token=")[2]


def press(member_id: str, choice: str, is_shown: bool) -> choices_by_link.OwnChoices:
    with transaction() as session:
        return choices_by_link.choose(session, member_id, token(member_id), choice, is_shown)


def acts_of(member_id: str) -> int:
    with reading() as session:
        return len(
            session.exec(select(Act).where(Act.subject == member_id, Act.action == choices_by_link.CHANGED)).all()
        )


def test_a_link_writes_what_is_new_alone_and_not_without_end(club: str, days: Callable[[timedelta], None]) -> None:
    zoe = enter()
    days(timedelta(seconds=1))
    entered = len(choices(zoe))
    for _ in range(3):
        press(zoe, "shows_photo", True)  # the club's choice, confirmed by hers
    assert (len(choices(zoe)) - entered, acts_of(zoe)) == (1, 1)
    days(timedelta(seconds=1))
    with pytest.raises(LinkSpent):
        [press(zoe, "shows_phone", number % 2 == 1) for number in range(1000)]
    assert acts_of(zoe) == link_limit.MOST_CHANGES
    assert not kept(zoe).shows_phone
    press(zoe, "is_listed", False)
    assert not kept(zoe).is_listed
    days(link_limit.WINDOW)
    press(zoe, "shows_phone", True)
    assert kept(zoe).shows_phone


def test_everything_is_shown_at_once_and_each_choice_is_kept_with_its_author(
    club: str, days: Callable[[timedelta], None]
) -> None:
    zoe = enter()
    assert shown(zoe) == ALL
    days(timedelta(days=1))
    press(zoe, "shows_phone", False)
    days(timedelta(days=1))
    with transaction() as session:
        own_profile.set_visibility(session, own(zoe), "shows_photo", False)
    days(timedelta(days=1))
    change(zoe, shows_email=False)
    found = [(row.choice, row.is_shown, row.via, row.made_by, row.wording, row.at.day) for row in choices(zoe)]
    assert found == [
        ("is_listed", True, "administrator", HELENE.email, "Présent dans l’annuaire", 20),
        ("shows_email", True, "administrator", HELENE.email, "E-mail visible", 20),
        ("shows_phone", True, "administrator", HELENE.email, "Téléphone visible", 20),
        ("shows_photo", True, "administrator", HELENE.email, "Photo visible", 20),
        ("shows_phone", False, "link", ZOE_EMAIL, "Ne pas montrer mon téléphone", 21),
        ("shows_photo", False, "member", ZOE_EMAIL, "Montrer ma photo", 22),
        ("shows_email", False, "administrator", HELENE.email, "E-mail visible", 23),
    ]
    with reading() as session:
        mine = own_profile.read_own_profile(session, own(zoe))
        theirs = {each.label: each.chosen for each in person_page.read_person(session, HELENE, zoe).visible}
        copy = data_export.export_json(session, own(zoe)).content.decode()
    assert mine.chosen["shows_email"] == "Choisi par le club le 23 novembre 2026"
    assert mine.chosen["shows_photo"] == "Choisi par vous le 22 novembre 2026"
    assert theirs["Son téléphone"] == "choix du membre par le message de bienvenue, 21 novembre 2026"
    assert "Ne pas montrer mon téléphone" in copy


def test_where_the_club_asks_before_nothing_of_them_is_public_until_the_yes(
    club: str, environment: pytest.MonkeyPatch
) -> None:
    ask_before(environment)
    zoe = enter()
    with transaction() as session:
        session.get_one(Member, zoe).image_url = PHOTO

    def public() -> tuple[str, bool]:
        with reading() as session:
            page = for_visitors.read_member_page(session, zoe)
            card = vcard.build_vcard(session, zoe).content.decode()
            shared = share_cards.member_card(session, zoe)
            listed = for_visitors.search_members(session).members[0].picture
            return f"{page} {card} {shared} {listed}", PHOTO in uploads.list_public_addresses(session)

    text, is_public = public()
    assert "Zoé Lefèbvre" in text
    assert not [told for told in (ZOE_EMAIL, "41 12 34", "+33327411234", PHOTO) if told in text]
    assert not is_public
    with reading() as session:
        assert choices_by_link.read_choices(session, zoe, token(zoe)).is_awaited
        assert own_profile.read_own_profile(session, own(zoe)).is_awaited
        assert person_page.read_person(session, HELENE, zoe).is_awaited
    assert press(zoe, "all", True).is_awaited is False
    text, is_public = public()
    assert all(told in text for told in (ZOE_EMAIL, "+33327411234", PHOTO))
    assert is_public
    assert {row.wording for row in choices(zoe) if row.via == "link"} == {visibility.SHOW_CONTACTS}


def test_a_no_is_kept_and_ends_the_waiting(club: str, environment: pytest.MonkeyPatch) -> None:
    ask_before(environment)
    zoe = enter()
    with transaction() as session:
        own_profile.decide_contacts(session, own(zoe), False)
    assert shown(zoe) == []
    with reading() as session:
        assert not own_profile.read_own_profile(session, own(zoe)).is_awaited
    assert [(row.choice, row.is_shown) for row in choices(zoe) if row.via == "member"] == [
        (name, False) for name in ALL
    ]


def test_nobody_shows_them_before_their_yes_but_with_it(club: str, environment: pytest.MonkeyPatch) -> None:
    ask_before(environment)
    zoe = enter()
    with pytest.raises(InvalidForm) as refused:
        change(zoe, shows_phone=True)
    assert refused.value.errors == {"shows_phone": visibility.NEEDS_CONSENT}
    with pytest.raises(InvalidForm):
        change(zoe, shows_phone=True, role="Présidente")
    change(zoe, role="Présidente")
    press(zoe, "shows_email", True)
    change(zoe, shows_email=False)
    change(zoe, shows_email=True)
    with pytest.raises(InvalidForm):
        change(zoe, shows_phone=True)
    change(zoe, shows_phone=True, has_consent=True)
    assert shown(zoe) == ["shows_email", "shows_phone"]
    agreed = [row for row in choices(zoe) if row.via == "consent"]
    assert {row.made_by for row in agreed} == {HELENE.email}
    assert all("Cette personne m’a donné son accord" in row.wording for row in agreed)


def test_who_said_yes_in_person_is_shown_at_once(club: str, environment: pytest.MonkeyPatch) -> None:
    ask_before(environment)
    zoe = enter(replace(ZOE, has_consent=True, shows_phone=False))
    assert shown(zoe) == ["shows_email", "shows_photo"]
    with reading() as session:
        assert not person_page.read_person(session, HELENE, zoe).is_awaited


def test_an_import_shows_nobody_before_their_yes(atelier: None, environment: pytest.MonkeyPatch) -> None:
    ask_before(environment)
    headings = (*HEADINGS, "E-mail visible")
    confirm(send(csv_of([*line(), "oui"], headings=headings)))
    with reading() as session:
        (zoe,) = [card.id for card in for_visitors.search_members(session).members]
    assert shown(zoe) == []
    plan = send(csv_of([*line(), "oui"], headings=headings))
    assert [(each.outcome, visibility.NEEDS_CONSENT in each.details) for each in plan.lines] == [("refuse", True)]
    press(zoe, "shows_email", True)
    assert [each.outcome for each in send(csv_of([*line(), "oui"], headings=headings)).lines] == ["same"]


def test_the_members_of_before_stay_as_they_are(club: str, environment: pytest.MonkeyPatch) -> None:
    zoe = enter()
    ask_before(environment)
    change(zoe, shows_phone=False)
    change(zoe, shows_phone=True)
    assert shown(zoe) == ALL


def test_a_link_is_of_one_member_and_one_address(club: str) -> None:
    zoe, ana = enter(), enter(replace(ZOE, name="Ana Petit", email="ana@atelier.example"))
    former = token(zoe)
    for identifier, given in ((zoe, token(ana)), (zoe, "x"), ("nobody", former), (zoe, "")):
        with pytest.raises(NotFound), transaction() as session:
            choices_by_link.choose(session, identifier, given, "shows_phone", False)
    change(zoe, email="autre@atelier.example")
    with pytest.raises(NotFound), reading() as session:
        choices_by_link.read_choices(session, zoe, former)
    assert shown(zoe) == ALL
    assert former != tokens.derive("unsubscribe", zoe)
    with transaction() as session:
        editing.deactivate(session, HELENE, ana)
    with pytest.raises(NotFound), reading() as session:
        choices_by_link.read_choices(session, ana, token(ana))


def to_members(member_id: str, choice: str, is_shown: bool = True) -> None:
    with transaction() as session:
        own_profile.set_visibility(session, own(member_id), f"{choice}_to_members", is_shown)


def seen_by_members(member_id: str) -> tuple[str, str, bool]:
    """E-mail, telephone, and whether there is a photograph, as another member sees them."""
    with reading() as session:
        other = Actor("other@club.example", member_id="other", session_id="o")
        for one in for_members.search_members(session, other).members:
            if one.id == member_id:
                return one.email, one.phone, one.picture.address == PHOTO
    return "", "", False


def test_the_second_choice_is_kept_with_its_words_and_is_in_the_copy_and_the_journal(
    club: str, days: Callable[[timedelta], None]
) -> None:
    zoe = enter(replace(ZOE, shows_email=False, shows_phone=False))
    assert seen_by_members(zoe)[:2] == ("", "")
    days(timedelta(days=1))
    to_members(zoe, "shows_phone")
    assert seen_by_members(zoe)[:2] == ("", "03 27 41 12 34")
    days(timedelta(days=1))
    press(zoe, "shows_email_to_members", True)
    days(timedelta(days=1))
    change(zoe, shows_phone_to_members=False)
    assert seen_by_members(zoe)[:2] == (ZOE_EMAIL, "")
    assert shown(zoe) == ["shows_photo"]
    found = [(row.choice, row.is_shown, row.via, row.wording) for row in choices(zoe)[4:]]
    assert found == [
        ("shows_phone_to_members", True, "member", "Laisser les membres voir mon téléphone"),
        ("shows_email_to_members", True, "link", "Laisser les membres voir mon e-mail"),
        ("shows_phone_to_members", False, "administrator", "Téléphone pour les membres"),
    ]
    with reading() as session:
        mine = own_profile.read_own_profile(session, own(zoe))
        theirs = {
            each.label: (each.word, each.chosen) for each in person_page.read_person(session, HELENE, zoe).visible
        }
        copy = data_export.export_json(session, own(zoe)).content.decode()
        journal = [row.content for row in session.exec(select(ActChanges))]
    assert mine.chosen["shows_email_to_members"].startswith("Choisi par vous, depuis le message de bienvenue, le ")
    assert theirs["Son e-mail"][0] == "pour les membres"
    assert theirs["Son e-mail"][1].startswith("choix du membre par le message de bienvenue, ")
    assert theirs["Son téléphone"][0] == "masqué"
    assert "Laisser les membres voir mon téléphone" in copy
    assert '"shows_email_to_members": true' in copy
    assert {"shows_phone_to_members": [False, True]} in journal


def test_what_is_public_members_see_whatever_the_second_choice_says(club: str) -> None:
    zoe = enter()
    to_members(zoe, "shows_email")
    to_members(zoe, "shows_email", False)
    assert seen_by_members(zoe)[0] == ZOE_EMAIL
    to_members(zoe, "shows_email")
    press(zoe, "shows_email", False)
    assert (shown(zoe), seen_by_members(zoe)[0]) == (["shows_phone", "shows_photo"], ZOE_EMAIL)
    press(zoe, "is_listed", False)
    assert seen_by_members(zoe) == ("", "", False)
    press(zoe, "is_listed_to_members", True)
    assert seen_by_members(zoe)[0] == ZOE_EMAIL
    with transaction() as session:
        own_profile.decide_contacts(session, own(zoe), False)
    assert seen_by_members(zoe) == ("", "", False)
    to_members(zoe, "shows_email")
    press(zoe, "all", False)  # said already of what the site shows, not of what members see
    assert seen_by_members(zoe) == ("", "", False)


def test_where_the_club_asks_members_see_nothing_before_the_yes_either(
    club: str, environment: pytest.MonkeyPatch
) -> None:
    ask_before(environment)
    zoe = enter(replace(ZOE, shows_phone_to_members=True))
    assert seen_by_members(zoe) == ("", "", False)
    with pytest.raises(InvalidForm) as refused:
        change(zoe, shows_phone_to_members=True)
    assert refused.value.errors == {"shows_phone_to_members": visibility.NEEDS_CONSENT}
    press(zoe, "shows_phone", True)
    press(zoe, "shows_phone", False)
    change(zoe, shows_phone_to_members=True)  # a yes to everyone is one to members
    assert seen_by_members(zoe)[:2] == ("", "03 27 41 12 34")
    change(zoe, shows_email_to_members=True, has_consent=True)
    assert seen_by_members(zoe)[0] == ZOE_EMAIL
    agreed = {row.choice: row.wording for row in choices(zoe) if row.via == "consent"}
    assert agreed["shows_email_to_members"] == "E-mail pour les membres (Cette personne m’a donné son accord)"
