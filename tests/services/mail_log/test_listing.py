"""The journal tells administrators, and nobody else, what became of every message (M12)."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages.mail_kinds import MAIL_KINDS
from clubapp.mail.queue import outbox
from clubapp.mail.transport.delivery import deliver
from clubapp.models import BroadcastEmail, MailState, OutboxMail
from clubapp.refusals import Forbidden
from clubapp.services.base.actors import VISITOR
from clubapp.services.mail_log import listing, queue_pause, resending
from clubapp.services.mail_log.listing import MailLog, MailLogQuery
from tests.factories import add_event
from tests.mail.mailings import ask_for_link, invite, mails
from tests.services.mail_log.mail_log_steps import ADMIN, MARIE, ZOE, only, opened
from tests.smtp_server import Relay, only_for


def test_what_the_event_says_is_filled_into_the_subject_of_a_broadcast(club: str) -> None:
    with transaction() as session:
        event = add_event(session, "Matinale d'hiver")
        written = BroadcastEmail(subject="{{PRENOM}}, {{EVENT_TITLE}}", content="", created_at=clock.now())
        session.add(written)
        session.flush()
        outbox.queue_mail(
            session, kind="broadcast", key="b", recipient=MARIE, context={}, event_id=event.id, broadcast_id=written.id
        )
    assert only().about == "[Prénom], Matinale d'hiver"


def counted(found: MailLog) -> dict[str, int]:
    return {one.state: one.count for one in found.counts}


@pytest.mark.parametrize(
    "call",
    [
        lambda session: listing.read_page(session, VISITOR, MailLogQuery()),
        lambda session: listing.list_filter_options(session, VISITOR),
        lambda session: listing.read_entry(session, VISITOR, "x"),
        lambda session: resending.resend_mail(session, VISITOR, "x"),
        lambda session: resending.mark_as_arrived(session, VISITOR, "x"),
        lambda session: resending.correct_and_resend(session, VISITOR, "x", "a@b.example"),
        lambda session: queue_pause.read_pause(session, VISITOR),
        lambda session: queue_pause.pause_queue(session, VISITOR),
        lambda session: queue_pause.end_pause(session, VISITOR),
    ],
)
def test_only_administrators_see_it_and_act_on_it(club: str, call: Callable[..., object]) -> None:
    with transaction() as session, pytest.raises(Forbidden):
        call(session)


def test_every_message_is_told_with_its_person_its_fate_and_the_relays_words(relay: Relay) -> None:
    relay.at_rcpt = only_for(ZOE, "550 5.1.1 no such mailbox")
    invite("Marie Durand", "Zoe Lefebvre", title="Matinale d'hiver")
    deliver()
    sent, failed = only(state="sent"), only(state="failed")
    assert (sent.kind, sent.about, sent.person, sent.address) == (
        "Invitation",
        "Matinale d'hiver",
        "Marie Durand",
        MARIE,
    )
    assert (sent.state_label, sent.attempts, sent.words) == ("Envoyé", "", "250 queued as 1")
    assert failed.reason == "Le serveur d’envoi a refusé le message."
    assert "550 5.1.1 no such mailbox" in failed.words
    assert (failed.can_resend, failed.can_correct, failed.can_settle) == (True, True, False)
    assert (sent.can_resend, sent.can_correct) == (False, False)


def test_the_counts_add_up_and_each_narrows_to_its_own(club: str) -> None:
    invite(*(f"Membre {number}" for number in range(len(MailState))))
    with transaction() as session:
        for mail, state in zip(mails(), MailState, strict=True):
            session.merge(mail).state = state
    found = opened()
    assert found.total == len(MailState) == sum(one.count for one in found.counts)
    assert counted(found) == {"sent": 1, "waiting": 3, "failed": 1, "uncertain": 1, "withdrawn": 1, "excluded": 1}
    for state, count in counted(found).items():
        narrowed = opened(state=state)
        assert len(narrowed.messages) == count
        assert {one.state for one in narrowed.messages} == {state}
        assert counted(narrowed) == counted(found)


def test_it_is_searched_by_name_and_address_and_narrowed_by_kind_and_event(club: str) -> None:
    first = invite("Marie Durand", "Zoé Lefèbvre")
    invite("Paul 100%_Vasseur", date=clock.now() + timedelta(days=80))
    ask_for_link()
    assert opened(text="durand marie").total == 2  # her invitation, and her sign-in mail by its address
    assert opened(text="100%_").total == 1
    assert opened(text="%").total == 1
    assert opened(text="x" * 60_000).total == 0  # more than a pattern of SQLite may have
    assert opened(kind="sign_in").total == 1
    assert opened(event_id=first.event.id).total == 2
    assert opened(text="personne").messages == ()
    with reading() as session:
        filters = listing.list_filter_options(session, ADMIN)
    assert [choice.value for choice in filters.kinds] == ["invitation", "sign_in"]
    assert len(filters.events) == 2


def test_every_kind_is_told_by_its_label_in_the_list_and_in_the_filter(club: str) -> None:
    with transaction() as session:
        for kind in MAIL_KINDS:
            outbox.queue_mail(session, kind=kind, key=kind, recipient=MARIE)
    labels = {kind.name: kind.label for kind in MAIL_KINDS.values()}
    assert labels["rights_asked"] == "Demande sur des données"
    assert {one.kind for one in opened().messages} == set(labels.values())
    with reading() as session:
        filters = listing.list_filter_options(session, ADMIN)
    assert {choice.value: choice.label for choice in filters.kinds} == labels


def test_a_long_journal_is_read_by_pages_and_a_page_too_far_is_the_last(club: str) -> None:
    invite(*(f"Membre {number}" for number in range(listing.PAGE + 3)))
    seen = [len(opened(page=page).messages) for page in (1, 2, 3, -5)]
    assert seen == [listing.PAGE, 3, 3, listing.PAGE]
    assert opened(page=99).page == 2


def a_mail(number: int, state: MailState, at: datetime) -> OutboxMail:
    times = dict.fromkeys(("available_at", "created_at", "updated_at"), at)
    return OutboxMail(kind="invitation", key=str(number), recipient=f"{number}@club.example", state=state, **times)


def test_recent_problems_come_first_and_old_ones_in_their_time(club: str, at: Callable[[str], datetime]) -> None:
    now = at("2026-11-20T10:00")
    fates = {1: MailState.SENT, 2: MailState.FAILED, 3: MailState.SENT, 4: MailState.UNCERTAIN, 40: MailState.FAILED}
    with transaction() as session:
        for days, state in fates.items():
            session.add(a_mail(days, state, now - timedelta(days=days)))
    with reading() as session:
        found = listing.read_page(session, ADMIN, MailLogQuery())
        narrowed = listing.read_page(session, ADMIN, MailLogQuery(state="failed"))
    assert [one.address.split("@")[0] for one in found.messages] == ["2", "4", "1", "3", "40"]
    assert [one.address.split("@")[0] for one in narrowed.messages] == ["2", "40"]


def test_pages_go_on_where_the_problems_end(club: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "PAGE", 2)
    with transaction() as session:
        for number in range(7):
            state = MailState.FAILED if number in (1, 3, 6) else MailState.SENT
            session.add(a_mail(number, state, clock.now() - timedelta(minutes=number)))
    with reading() as session:
        pages = [listing.read_page(session, ADMIN, MailLogQuery(page=page)).messages for page in range(1, 5)]
    assert ["".join(one.address[0] for one in page) for page in pages] == ["13", "60", "24", "5"]


def test_no_secret_is_in_it(relay: Relay) -> None:
    invited = invite("Marie Durand")
    ask_for_link()
    deliver()
    told = str(opened())
    assert invited.answer_tokens[MARIE] not in told
    assert "link_id" not in told
    assert mails()[0].message_id not in told


def test_an_address_asks_for_messages_and_what_it_does_not_know_asks_for_nothing() -> None:
    asked = {"etat": "failed", "type": "invitation", "evenement": "e1", "message": "b1", "q": "zoé", "page": "3"}
    assert listing.parse_query(asked) == MailLogQuery("failed", "invitation", "e1", "b1", "zoé", 3)
    for page in ("", "0", "-1", "x", "²", "9" * 9):
        assert listing.parse_query({"etat": "perdu", "type": "lettre", "page": page}) == MailLogQuery()
