"""A guest with an address is written to once, declines or is erased by their own link, and their member is told."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from sqlmodel import col, select

from clubapp import tokens
from clubapp.database import commit_with_retry, reading, transaction
from clubapp.mail.messages import guest_notice, mail_kinds
from clubapp.mail.messages.event_change import AnnouncedFacts
from clubapp.mail.messages.letter import Letter, Withdrawn
from clubapp.mail.transport import mime
from clubapp.models import Act, Event, MailState, OutboxMail
from clubapp.refusals import Conflict, NotFound
from clubapp.services.answers import by_phone, guest_link
from clubapp.services.answers.answer_form import Answer, parse_answer
from clubapp.services.answers.guest_link import GuestGone
from clubapp.services.answers.guests import GuestEntry
from clubapp.services.events import change_notices
from clubapp.services.events.change_notices import NoticeDecisionRequired, NoticePlan
from tests.conftest import on_sqlite
from tests.services.answers.invitees import ADMIN, Invitee, Move, change_event, figures
from tests.services.answers.test_guests import ALI, ZOE, kept, names, rows


def notices(*states: str) -> list[OutboxMail]:
    with reading() as session:
        mine = select(OutboxMail).where(
            OutboxMail.kind == "guest_notice", col(OutboxMail.state).in_(states or ["pending"])
        )
        return list(session.exec(mine.order_by(col(OutboxMail.created_at))))


def letter(mail: OutboxMail) -> Letter | str:
    """What would leave now, or why it is withdrawn."""
    try:
        with reading() as session:
            return mail_kinds.compose(session, mail)
    except Withdrawn as gone:
        return gone.reason


def link(person: Invitee) -> tuple[str, str]:
    """The first guest's id and token, as the mail has them."""
    guest = rows(person)[0].id
    assert guest_notice.guest_link(guest).endswith(f"/guest/{guest}?token={tokens.derive('guest', guest)}")
    return guest, tokens.derive("guest", guest)


@on_sqlite
def test_a_guest_with_an_address_is_written_to_once_whatever_is_saved(people: list[Invitee]) -> None:
    marie, _ = people
    names(marie, ZOE, GuestEntry("Ali Ben", "Ben & Fils"))
    names(marie, ALI, ZOE)
    (mail,) = notices()
    assert (mail.recipient, mail.reservation_id) == ("zoe@lys.example", marie.reservation_id)
    made = letter(mail)
    assert isinstance(made, Letter)
    assert (made.context["host"], made.context["guest"], made.to_name) == ("Marie", "Zoé Lys", "Zoé Lys")
    assert made.calendar
    assert b"mailto:zoe@lys.example" in made.calendar.content


@on_sqlite
def test_a_new_address_gets_its_own_mail_and_the_former_one_none(people: list[Invitee]) -> None:
    marie, _ = people
    former = link(marie)
    names(marie, GuestEntry("Zoé Lys", email="zoe@autre.example"), ALI)
    assert [(mail.recipient, isinstance(letter(mail), Letter)) for mail in notices()] == [
        ("zoe@lys.example", False),
        ("zoe@autre.example", True),
    ]
    with reading() as session:
        assert guest_link.open_invitation(session, *former).closed == guest_link.REMOVED


@on_sqlite
def test_who_is_no_longer_expected_is_not_written_to(people: list[Invitee]) -> None:
    marie, _ = people
    marie.says(False)
    assert [letter(mail) for mail in notices()] == ["L’invité a été retiré, ou son adresse a changé."]
    marie.says(True, 1)
    names(marie, ZOE)
    change_event(marie.event_id, status="cancelled")
    assert letter(notices()[-1]) == "L’événement est annulé."


@on_sqlite
@pytest.mark.parametrize("how", ["no", "fewer", "unnamed", "another"])
def test_whom_a_member_takes_back_after_the_mail_left_is_told_once(people: list[Invitee], how: str) -> None:
    marie, _ = people
    first_mails_leave()
    if how == "no":
        marie.says(False)
    if how == "fewer":
        marie.says(True, 0)
    if how == "unnamed":
        names(marie, GuestEntry("Zoé Lys"), ALI)
    if how == "another":
        names(marie, ALI)
    (mail,) = notices()
    told = letter(mail)
    assert isinstance(told, Letter)
    assert (mail.recipient, told.to_name, told.calendar and told.calendar.method) == (
        "zoe@lys.example",
        "Zoé Lys",
        "CANCEL",
    )
    subject, *parts = mime.render_parts(told)
    assert subject.startswith("Invitation retirée")
    for part in parts:
        assert "annoncée par Marie, n’est plus prévue" in " ".join(part.split())
        assert "/guest/" not in part
    marie.says(True, 1)
    names(marie, ZOE)
    assert letter(mail) == guest_notice.BACK


@on_sqlite
def test_who_declined_or_was_erased_or_whose_mail_has_not_left_is_not_told_of_a_removal(people: list[Invitee]) -> None:
    marie, _ = people
    marie.says(True, 1)
    names(marie, ALI)
    assert [isinstance(letter(mail), Letter) for mail in notices()] == [False]
    names(marie, ZOE)
    first_mails_leave()
    own = link(marie)
    with transaction() as session:
        guest_link.decline(session, *own)
    assert notices() == []
    marie.says(True, 1)
    names(marie, ZOE)
    first_mails_leave()
    own = link(marie)
    with transaction() as session:
        guest_link.erase(session, *own)
    marie.says(False)
    assert notices() == []


@on_sqlite
def test_the_notice_says_truly_who_reads_and_names_the_wish_when_one_was_given(people: list[Invitee]) -> None:
    marie, _ = people
    (mail,) = notices()
    for wish, given in (
        ("", "adresse, votre nom et votre entreprise"),
        ("Végétarien", "et votre souhait pour le repas"),
    ):
        names(marie, replace(ZOE, meal_wish=wish), ALI)
        made = letter(mail)
        assert isinstance(made, Letter)
        for part in mime.render_parts(made)[1:]:
            assert given in part
            assert "par l’hôte de la rencontre, qui reçoit la liste des présents" in part
            assert "Seuls" not in part


@on_sqlite
def test_a_correction_after_the_event_writes_to_nobody(people: list[Invitee], at: Move) -> None:
    marie, _ = people
    at("2027-01-14T13:00")
    with transaction() as session:
        by_phone.record_answer(
            session, ADMIN, marie.reservation_id, Answer(guests=(ZOE, GuestEntry(email="b@c.example")))
        )
    assert [mail.recipient for mail in notices()] == ["zoe@lys.example"]


def test_who_declines_is_counted_no_more_the_place_goes_on_and_the_member_is_told(people: list[Invitee]) -> None:
    marie, paul = people
    own = link(marie)
    with reading() as session:
        shown = guest_link.open_invitation(session, *own)
    assert (shown.host, shown.closed, kept(marie)) == ("Marie", "", (ZOE, ALI))
    with transaction() as session:
        guest_link.decline(session, *own)
    assert (kept(marie), marie.row.guest_count, rows(marie)[0].position) == ((ALI,), 1, 2)
    assert figures(marie.event_id) == (1, 1, 1)
    assert paul.row.offer_until, "the freed place is offered"
    (mail,) = notices("withdrawn")
    assert (mail.recipient, mail.context, "zoe" in mail.key) == ("", {}, False)
    (mail,) = marie.mails("guest_declined")
    told = letter(mail)
    assert isinstance(told, Letter)
    assert (told.context["guest"], told.context["answer_text"]) == ("Zoé Lys", "vous venez, avec 1 invité")
    assert [(answer.via, answer.guest_count) for answer in marie.history] == [("link", 1)], "not confirmed yet"
    assert len(marie.mails("answer_confirmed")) == 1
    with reading() as session:
        assert "guest.declined" in session.exec(select(Act.action)).all()
        assert guest_link.open_invitation(session, *own).closed == guest_link.REMOVED
    with pytest.raises(GuestGone, match="ne figurez plus"), transaction() as session:
        guest_link.decline(session, *own)
    assert marie.row.guest_count == 1


@on_sqlite
def test_a_decline_after_the_confirmation_is_a_line_of_history_and_confirms_nothing_anew(people: list[Invitee]) -> None:
    marie, _ = people
    with transaction() as session:
        for mail in session.exec(select(OutboxMail)):
            mail.state = MailState.SENT
    with transaction() as session:
        guest_link.decline(session, *link(marie))
    assert [(answer.via, answer.guest_count) for answer in marie.history] == [("link", 2), ("guest", 1)]
    assert marie.mails("answer_confirmed") == []
    assert marie.row.answered_via == "link"


def test_two_declines_at_once_count_once(people: list[Invitee]) -> None:
    marie, _ = people
    own = link(marie)

    def post() -> str:
        try:
            commit_with_retry(lambda session: guest_link.decline(session, *own))
        except GuestGone:
            return "gone"
        return "declined"

    with ThreadPoolExecutor(6) as pool:
        outcomes = [done.result() for done in [pool.submit(post) for _ in range(8)]]
    assert (outcomes.count("declined"), marie.row.guest_count) == (1, 1)
    assert len(marie.mails("guest_declined")) == 1


@on_sqlite
@pytest.mark.parametrize("change", [{"status": "cancelled"}, {}], ids=["off", "begun"])
def test_once_the_event_is_off_or_has_begun_nobody_declines_but_data_are_erased(
    people: list[Invitee], at: Move, change: dict[str, str]
) -> None:
    marie, _ = people
    own = link(marie)
    change_event(marie.event_id, **change) if change else at("2027-01-14T13:00")
    with reading() as session:
        assert guest_link.open_invitation(session, *own).closed
    with pytest.raises(Conflict), transaction() as session:
        guest_link.decline(session, *own)
    with transaction() as session:
        guest_link.erase(session, *own)
    assert (kept(marie), marie.row.guest_count) == ((GuestEntry(), ALI), 2)


@on_sqlite
def test_the_deadline_of_members_does_not_bind_guests(people: list[Invitee], at: Move) -> None:
    marie, _ = people
    change_event(marie.event_id, answers_until=at("2026-12-01T10:00"))
    with transaction() as session:
        guest_link.decline(session, *link(marie))
    assert marie.row.guest_count == 1


@on_sqlite
@pytest.mark.parametrize("token", ["", "x" * 43, "autre"])
def test_a_token_is_good_for_one_guest(people: list[Invitee], token: str) -> None:
    marie, _ = people
    names(marie, ZOE, GuestEntry("Ali", email="ali@ben.example"))
    other = tokens.derive("guest", rows(marie)[1].id) if token == "autre" else token
    for act in (guest_link.open_invitation, guest_link.decline, guest_link.erase):
        with pytest.raises(NotFound, match="n’est pas valable"), transaction() as session:
            act(session, rows(marie)[0].id, other)
    assert marie.row.guest_count == 2


@on_sqlite
def test_fewer_guests_keep_those_who_have_a_name(people: list[Invitee]) -> None:
    marie, _ = people
    with transaction() as session:
        guest_link.decline(session, *link(marie))
    with transaction() as session:
        by_phone.record_answer(session, ADMIN, marie.reservation_id, parse_answer(True, None, 1))
    assert kept(marie) == (ALI,)


def first_mails_leave() -> None:
    with transaction() as session:
        for mail in session.exec(select(OutboxMail)):
            mail.state = MailState.SENT


def changes(event_id: str, *, tell: bool | None = True, **columns: Any) -> None:
    """An administrator changes an announced event, and has those invited told, or is asked."""
    change_event(event_id, invitation_sent=True)
    with transaction() as session:
        event = session.get_one(Event, event_id)
        before = AnnouncedFacts.of(event)
        event.sqlmodel_update(columns)
        change_notices.queue_notices(session, ADMIN, event, before, tell)


def test_the_question_before_a_change_counts_and_names_the_guests_who_are_told(people: list[Invitee]) -> None:
    marie, _ = people

    def plan(**columns: Any) -> NoticePlan:
        with pytest.raises(NoticeDecisionRequired) as asked:
            changes(marie.event_id, tell=None, **columns)
        return asked.value.plan

    def about_guests(told: NoticePlan) -> list[tuple[int, tuple[str, ...]]]:
        return [(group.count, group.names) for group in told.groups if group.label == change_notices.GUESTS]

    members = plan(location="Lille")
    assert about_guests(members) == [], "their first mail waits, and tells what is true when it leaves"
    first_mails_leave()
    for told in (plan(location="Lille"), plan(status="cancelled")):
        assert about_guests(told) == [(1, ("Zoé Lys",))]
        assert told.message_count == sum(group.count for group in told.groups if group.gets)
    with transaction() as session:
        event = session.get_one(Event, marie.event_id)
        preview = change_notices.plan_deletion_notices(session, event)
        assert about_guests(preview) == [(1, ("Zoé Lys",))]


def test_guests_are_told_of_a_change_and_of_a_cancellation(people: list[Invitee]) -> None:
    marie, _ = people
    first_mails_leave()
    changes(marie.event_id, location="Lille")
    (mail,) = notices()
    moved = letter(mail)
    assert isinstance(moved, Letter)
    assert (moved.context["is_change"], moved.context["facts"].location) == (True, "Lille")
    first_mails_leave()
    changes(marie.event_id, status="cancelled")
    (mail,) = notices()
    off = letter(mail)
    assert isinstance(off, Letter)
    assert (mail.recipient, off.template, off.calendar and off.calendar.method) == (
        "zoe@lys.example",
        "event_cancelled",
        "CANCEL",
    )


@on_sqlite
def test_whose_first_mail_has_not_left_learns_of_a_change_from_it(people: list[Invitee]) -> None:
    marie, _ = people
    changes(marie.event_id, location="Lille")
    (mail,) = notices()
    made = letter(mail)
    assert isinstance(made, Letter)
    assert (made.context["is_change"], made.context["facts"].location) == (False, "Lille")


@on_sqlite
def test_the_guests_of_a_deleted_event_are_told(people: list[Invitee]) -> None:
    marie, _ = people
    first_mails_leave()
    change_event(marie.event_id, invitation_sent=True)
    with transaction() as session:
        event = session.get_one(Event, marie.event_id)
        change_notices.queue_deletion_notices(session, event)
        session.delete(event)
    (mail,) = notices()
    off = letter(mail)
    assert isinstance(off, Letter)
    assert (off.template, off.context["title"], off.personal["PRENOM"]) == (
        "event_cancelled",
        "Matinale d'hiver",
        "Zoé",
    )
