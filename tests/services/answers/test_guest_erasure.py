"""What is kept of a guest is erased by their own link, wherever they were named, and with their member (P2)."""

import pytest
from sqlalchemy import update
from sqlmodel import col, select

from clubapp.database import reading, transaction
from clubapp.mail.messages import guest_notice
from clubapp.mail.messages.letter import Letter
from clubapp.models import Act, EventGuest, MailState, OutboxMail
from clubapp.services.answers import guest_link
from clubapp.services.answers.guest_link import GuestGone
from clubapp.services.answers.guests import GuestEntry
from clubapp.services.members import editing
from clubapp.services.privacy import erased_people
from tests.conftest import on_sqlite
from tests.factories import add_admin, add_member
from tests.services.answers.invitees import ADMIN, Invitee, change_event
from tests.services.answers.test_guest_link import letter, link, notices
from tests.services.answers.test_guests import ALI, ZOE, kept, names


@on_sqlite
def test_who_has_their_data_erased_still_counts_and_eats(people: list[Invitee]) -> None:
    marie, _ = people
    names(marie, GuestEntry("Zoé Lys", "Lys & Cie", "zoe@lys.example", True, "végétarien"), ALI)
    own = link(marie)
    with transaction() as session:
        guest_link.erase(session, *own)
    assert kept(marie) == (GuestEntry(with_lunch=True), ALI)
    (mail,) = notices("withdrawn")
    assert (mail.recipient, mail.context, "zoe" in mail.key) == ("", {}, False)
    with reading() as session:
        assert "Zoé" not in repr(session.exec(select(EventGuest)).all())
    with pytest.raises(GuestGone), transaction() as session:
        guest_link.erase(session, *own)


@on_sqlite
@pytest.mark.parametrize("which", ["removed", "present"])
def test_a_guest_who_was_removed_is_erased_by_either_link(people: list[Invitee], which: str) -> None:
    """Fails when a page says that nothing is kept while the journal of mails still has their address."""
    marie, _ = people
    former = link(marie)
    for said in ((ALI,), (ZOE, ALI), (ALI,)):
        with transaction() as session:
            session.execute(update(OutboxMail).values(state=MailState.SENT))
        names(marie, *said)
    assert len(notices("sent", "pending")) == 4, "twice told that they are expected, twice that they are not"
    with reading() as session:
        found = guest_link.open_invitation(session, *former)
    assert (found.title, found.closed) == ("", guest_link.REMOVED)
    with pytest.raises(GuestGone), transaction() as session:
        guest_link.decline(session, *former)

    change_event(marie.event_id, max_participants=None)
    people[1].says(False)
    people[1].says(True, 1)
    names(people[1], ZOE)
    if which == "present":
        names(marie, ZOE, ALI)
    with transaction() as session:
        guest_link.erase(session, *(former if which == "removed" else link(marie)))
    with pytest.raises(GuestGone), transaction() as session:
        guest_link.erase(session, *former)
    assert "Zoé" not in repr((kept(marie), kept(people[1]))), "neither as the guest of another"
    assert ALI in kept(marie)
    kept_of_zoe = [mail for mail in notices("sent", "pending", "withdrawn") if mail.recipient or "zoe" in mail.key]
    assert kept_of_zoe == []


@on_sqlite
def test_the_mails_to_the_guests_of_an_erased_member_are_emptied(people: list[Invitee]) -> None:
    marie, _ = people
    with transaction() as session:
        editing.delete(session, ADMIN, marie.member_id)
    assert [(mail.recipient, mail.context) for mail in notices("withdrawn")] == [("", {})]


@on_sqlite
def test_a_guest_who_was_told_of_the_meeting_learns_that_their_member_has_left(people: list[Invitee]) -> None:
    marie, _ = people
    with transaction() as session:
        session.execute(update(OutboxMail).values(state=MailState.SENT))
    with transaction() as session:
        editing.delete(session, ADMIN, marie.member_id)
    (mail,) = notices("pending")
    told = letter(mail)
    assert isinstance(told, Letter)
    assert (mail.recipient, told.context["is_removed"], told.context["host"]) == ("zoe@lys.example", True, "")
    assert [each.recipient for each in notices("sent")] == [""]


@pytest.mark.parametrize("is_admin", [False, True])
def test_what_others_gave_of_a_member_as_their_guest_is_erased_with_them(people: list[Invitee], is_admin: bool) -> None:
    """Fails when the record of a member goes, and a meeting still names them as somebody's guest."""
    marie, _ = people
    own, _ = link(marie)
    with transaction() as session:
        if is_admin:
            add_admin(session, str(ZOE.email))
        zoe = add_member(session, "Zoé Lys", ZOE.email).id
        session.execute(update(OutboxMail).values(state=MailState.SENT))
        editing.delete(session, ADMIN, zoe)
    assert kept(marie) == ((ZOE, ALI) if is_admin else (GuestEntry(), ALI)), "an administrator goes on being known"
    assert marie.row.guest_count == 2
    with reading() as session:
        acts = session.exec(select(Act.action).order_by(col(Act.number))).all()
        assert acts == (["member.deleted"] if is_admin else ["guest.erased", "member.deleted"])
        assert erased_people.is_known(session, own) is not is_admin
    assert [mail.recipient for mail in notices("sent", "pending")] == ([ZOE.email] if is_admin else [""])


@pytest.mark.parametrize("has_left", [True, False], ids=["sent", "waiting"])
@pytest.mark.parametrize("how", ["by link", "by address", "as a member"])
def test_who_declined_and_is_erased_is_named_in_no_mail_to_their_member(
    people: list[Invitee], how: str, has_left: bool
) -> None:
    """Fails when nothing can be erased of who declined, while the mail that told their member has their name."""
    marie, _ = people
    own = link(marie)
    with transaction() as session:
        guest_link.decline(session, *own)
    if has_left:
        with transaction() as session:
            session.execute(update(OutboxMail).values(state=MailState.SENT))
    with transaction() as session:
        if how == "by link":
            guest_link.erase(session, *own)
        if how == "by address":
            guest_link.erase_by_address(session, ADMIN, ZOE.email)
        if how == "as a member":
            editing.delete(session, ADMIN, add_member(session, "Zoé Lys", ZOE.email).id)
    (mail,) = marie.mails("guest_declined", MailState.SENT if has_left else MailState.PENDING)
    assert (mail.recipient, mail.context) == ("marie@club.example", {})
    told = letter(mail)
    assert isinstance(told, Letter), "that somebody does not come is still true"
    assert told.context["guest"] == guest_notice.ERASED_GUEST
    for again in (guest_link.open_invitation, guest_link.erase):
        with pytest.raises(GuestGone), transaction() as session:
            again(session, *own)
