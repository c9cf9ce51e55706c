"""When the automatic mails go out: there from the first look on, 0 to 365 days, all or none."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import text_choice
from clubapp.mail.messages.built_in_event_texts import DEFAULT_TEMPLATES, UNANSWERED_TEMPLATES, EventTemplate
from clubapp.models import EmailReminderSetting, PlannedMailing, ReminderType
from clubapp.refusals import Forbidden, ProofRequired
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.base.edit_conflicts import TextChanged
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.events import mailing_schedule
from clubapp.services.reminders import settings as reminder_settings
from clubapp.services.reminders.settings import ReminderCard, TypedReminder
from tests.factories import add_event

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")


def cards() -> dict[str, ReminderCard]:
    with transaction() as session:
        return {card.kind: card for card in reminder_settings.open_settings(session, HELENE).cards}


def save(seen: str = "", actor: Actor = HELENE, **changed: dict[str, Any]) -> None:
    """Save every card as it stands, but for what is `changed` of one kind."""
    with transaction() as session:
        settings = reminder_settings.open_settings(session, HELENE)
        typed = [
            TypedReminder(
                **{
                    "id": card.id,
                    "days_before": str(card.days_before),
                    "is_active": card.is_active,
                    "template_subject": card.subject,
                    "template_content": card.content,
                    "to_unanswered": card.to_unanswered,
                    "unanswered_subject": card.unanswered_subject,
                    "unanswered_content": card.unanswered_content,
                }
                | changed.get(card.kind, {})
            )
            for card in settings.cards
        ]
        reminder_settings.save(session, actor, seen or settings.seen, typed)


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_an_administrator_sets_them(club: str, actor: Actor) -> None:
    with transaction() as session:
        for act in (
            lambda: reminder_settings.open_settings(session, actor),
            lambda: reminder_settings.read_settings(session, actor),
            lambda: reminder_settings.save(session, actor, "", []),
        ):
            with pytest.raises(Forbidden):
                act()


def test_a_new_club_has_its_three_settings_once(club: str) -> None:
    first = cards()
    assert first == cards()
    assert [(card.name, card.days_before, card.is_active, card.to_unanswered) for card in first.values()] == [
        ("Invitation", 30, False, False),
        ("1re relance", 14, True, False),
        ("2e relance", 7, True, False),
    ]
    assert not first["event_invitation"].asks
    assert all(card.subject and card.content for card in first.values())


def test_the_note_says_who_is_reminded(club: str) -> None:
    def note() -> str:
        with transaction() as session:
            return reminder_settings.open_settings(session, HELENE).recipients

    assert note() == "Les relances partent automatiquement vers les membres ayant confirmé leur présence."
    save(event_reminder_2={"to_unanswered": True})
    assert note().endswith("présence. La 2e relance part aussi à ceux qui n’ont pas répondu.")
    save(event_reminder_1={"to_unanswered": True})
    assert note().endswith("La 1re relance et la 2e relance partent aussi à ceux qui n’ont pas répondu.")


def test_those_who_come_read_a_reminder(club: str) -> None:
    for kind in ("event_reminder_1", "event_reminder_2"):
        card = cards()[kind]
        assert "rappel" in card.subject.lower()
        assert "rappel" in card.content.lower()
        assert "rappel" not in card.unanswered_content.lower()


def test_they_are_listed_the_earliest_first(club: str) -> None:
    save(event_reminder_2={"days_before": "40"})
    assert list(cards()) == ["event_reminder_2", "event_invitation", "event_reminder_1"]


@pytest.mark.parametrize(
    ("typed", "kept"), [("0", 0), ("365", 365), (" 21 ", 21), ("", 0), ("abc", 0), ("?", 0), ("4e1", 0), ("٣", 0)]
)
def test_days_are_a_number_and_what_is_none_is_zero(club: str, typed: str, kept: int) -> None:
    save(event_reminder_1={"days_before": typed})
    assert cards()["event_reminder_1"].days_before == kept


@pytest.mark.parametrize("typed", ["366", "-1", "99999"])
def test_a_number_out_of_range_is_refused_and_nothing_is_saved(club: str, typed: str) -> None:
    before = cards()
    with pytest.raises(InvalidForm) as refusal:
        save(event_invitation={"is_active": True}, event_reminder_2={"days_before": typed})
    identifier = before["event_reminder_2"].id
    assert refusal.value.errors == {f"days_before:{identifier}": "Indiquez un nombre de jours entre 0 et 365."}
    assert cards() == before


def test_the_text_for_those_who_have_not_answered_may_be_changed(club: str) -> None:
    words = {"to_unanswered": True, "unanswered_subject": "Alors ?", "unanswered_content": "Venez-vous\u00a0?"}
    save(event_reminder_2=words)
    card = cards()["event_reminder_2"]
    assert (card.to_unanswered, card.unanswered_subject, card.unanswered_content) == (
        True,
        "Alors ?",
        "Venez-vous\u00a0?",
    )
    with pytest.raises(InvalidForm) as refusal:
        save(event_reminder_2={**words, "unanswered_content": "{{VILLE}} ?"})
    assert list(refusal.value.errors) == [f"unanswered_content:{card.id}"]


def test_the_club_s_own_text_is_what_events_without_one_use(club: str) -> None:
    save(
        event_reminder_1={"template_subject": "À bientôt à {{EVENT_TITLE}}", "template_content": "Venez.\r\n\r\nMerci."}
    )
    card = cards()["event_reminder_1"]
    assert (card.subject, card.content) == ("À bientôt à {{EVENT_TITLE}}", "Venez.\n\nMerci.")
    with transaction() as session:
        event = add_event(session)
        text = text_choice.event_text(session, event, ReminderType.FIRST)
    assert text.subject == "À bientôt à {{EVENT_TITLE}}"
    with pytest.raises(InvalidForm) as refusal:
        save(event_reminder_1={"template_subject": "", "template_content": "{{RUE}}"})
    assert list(refusal.value.errors) == [f"template_subject:{card.id}", f"template_content:{card.id}"]


def rows() -> dict[str, tuple[str, ...]]:
    """The texts that the table holds, by kind."""
    with reading() as session:
        return {
            row.reminder_type: (
                row.template_subject, row.template_content, row.unanswered_subject, row.unanswered_content,
            )
            for row in session.exec(select(EmailReminderSetting))
        }  # fmt: skip


def test_a_club_that_changed_no_text_keeps_none_and_gets_tomorrow_s_better_one(
    club: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards()
    assert set(rows().values()) == {("",) * 4}
    save(event_reminder_1={"days_before": "20"})
    assert set(rows().values()) == {("",) * 4}
    better = EventTemplate("Bientôt : {{EVENT_TITLE}}", "À très vite.")
    monkeypatch.setitem(DEFAULT_TEMPLATES, ReminderType.FIRST, better)
    monkeypatch.setitem(UNANSWERED_TEMPLATES, ReminderType.FIRST, EventTemplate("Et vous\u00a0?", "Venez-vous\u00a0?"))
    card = cards()["event_reminder_1"]
    assert (card.subject, card.content) == (better.subject, better.body)
    assert (card.unanswered_subject, card.unanswered_content) == ("Et vous\u00a0?", "Venez-vous\u00a0?")
    with transaction() as session:
        assert text_choice.event_text(session, add_event(session), ReminderType.FIRST) == better
        assert text_choice.unanswered_text(session, ReminderType.FIRST) == EventTemplate(
            "Et vous\u00a0?", "Venez-vous\u00a0?"
        )


def test_only_what_differs_from_the_built_in_text_is_kept_and_it_can_be_put_back(club: str) -> None:
    built_in = cards()["event_reminder_1"]
    save(event_reminder_1={"template_subject": "Venez", "unanswered_content": "Venez-vous\u00a0?"})
    assert rows()["event_reminder_1"] == ("Venez", "", "", "Venez-vous\u00a0?")
    typed_again = built_in.content.replace("\n", "\r\n") + "\r\n"
    save(
        event_reminder_1={
            "template_subject": f" {built_in.subject} ",
            "template_content": typed_again,
            "unanswered_content": built_in.unanswered_content,
        }
    )
    assert set(rows().values()) == {("",) * 4}
    assert cards()["event_reminder_1"] == built_in


def test_an_invitation_never_asks_again(club: str) -> None:
    save(event_invitation={"to_unanswered": True, "unanswered_subject": "x", "unanswered_content": "y"})
    with reading() as session:
        query = select(EmailReminderSetting).where(EmailReminderSetting.reminder_type == ReminderType.INVITATION)
        row = session.exec(query).one()
    assert (row.to_unanswered, row.unanswered_subject) == (False, "")


def test_what_is_no_card_of_the_club_is_left_alone(club: str) -> None:
    before = cards()
    with transaction() as session:
        seen = reminder_settings.read_settings(session, HELENE).seen
        reminder_settings.save(session, HELENE, seen, [TypedReminder("no-such-card", "3", True)])
    assert cards() == before


def test_the_second_of_two_administrators_is_told(club: str) -> None:
    with transaction() as session:
        opened = reminder_settings.open_settings(session, HELENE).seen
    save(event_reminder_1={"days_before": "20"})
    with pytest.raises(TextChanged):
        save(opened, event_reminder_1={"days_before": "10"})
    assert cards()["event_reminder_1"].days_before == 20


def test_the_events_to_come_follow_at_once(club: str) -> None:
    cards()
    with transaction() as session:
        event = add_event(session, date=clock.from_local("2027-01-14T12:00"), status="confirmed")
        mailing_schedule.plan_mailings(session, event)
    save(event_reminder_1={"days_before": "21"}, event_reminder_2={"is_active": False})
    with reading() as session:
        plans = {plan.reminder_type: plan for plan in session.exec(select(PlannedMailing))}
    assert clock.to_form(plans["event_reminder_1"].due_at) == "2026-12-24T09:00"
    assert plans["event_reminder_2"].state == "dropped"


STALE = replace(HELENE, needs_proof=True)
INVITATION, FIRST = ReminderType.INVITATION.value, ReminderType.FIRST.value


@pytest.mark.parametrize(
    "changed",
    [
        {INVITATION: {"is_active": True}},
        {INVITATION: {"is_active": True, "template_content": "Un texte à soi."}},
        {FIRST: {"template_subject": "Un autre objet"}},
        {FIRST: {"template_content": "Un texte à soi."}},
        {FIRST: {"days_before": "3"}},
        {FIRST: {"to_unanswered": True}},
    ],
)
def test_turning_a_mail_on_or_changing_one_that_is_on_needs_a_recent_proof(club: str, changed: Any) -> None:
    """A mail to all members is a mailing like others, whenever it leaves (S13)."""
    before = cards()
    with pytest.raises(ProofRequired):
        save(actor=STALE, **changed)
    assert cards() == before
    save(**changed)
    assert cards() != before


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {FIRST: {"is_active": False}},
        {FIRST: {"is_active": False, "template_content": "Un texte à soi.", "days_before": "3"}},
        {INVITATION: {"template_content": "Un texte à soi.", "days_before": "3"}},
        {FIRST: {"unanswered_content": "Un texte à soi."}},
    ],
)
def test_turning_a_mail_off_or_changing_one_that_is_off_needs_none(club: str, changed: Any) -> None:
    save(actor=STALE, **changed)


def test_fewer_recipients_need_no_proof(club: str) -> None:
    save(event_reminder_1={"to_unanswered": True})
    save(actor=STALE, event_reminder_1={"to_unanswered": False})
