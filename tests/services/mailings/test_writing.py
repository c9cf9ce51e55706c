"""A mail to a choice of people: to whom, who is left out and why, once, with words of their meeting (M3, M5, M12)."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlmodel import Session, col, select

from clubapp import clock, routes
from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds, recipients_now
from clubapp.mail.messages.built_in_event_texts import THANKS
from clubapp.mail.messages.letter import Withdrawn
from clubapp.mail.transport import mime
from clubapp.models import Arrival, EventGuest, EventReservation, MailState, Member, OutboxMail, new_id
from clubapp.refusals import Conflict, Forbidden
from clubapp.services.answers import guests
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.mail_log import listing as mail_listing
from clubapp.services.mail_log.listing import MailLogQuery
from clubapp.services.mailings import audiences, broadcasts, overview, unsubscribe, writing
from clubapp.services.mailings.writing import ToWhom, WritingForm
from tests.conftest import on_sqlite
from tests.factories import add_event, add_member, add_reservation

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
PAUL = Actor(email="paul@beffroi.example", is_admin=True, session_id="p")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")
WORDS = {"subject": "Merci {{PRENOM}}", "content": "Merci d’être venus à {{EVENT_TITLE}}."}


@pytest.fixture
def meeting(club: str, at: Callable[[str], datetime]) -> str:
    """A meeting that is over: Anne said yes and came with Zoé, Bruno said yes and did not, Chloé is silent, David said
    no and came all the same."""
    at("2026-11-20T10:00")
    with transaction() as session:
        event = add_event(session, "Matinale", clock.now() - timedelta(days=1), invitation_sent=True)
        said = {"Anne": True, "Bruno": True, "Chloé": None, "David": False}
        made = {}
        for name, answer in said.items():
            member = add_member(session, name, f"{name[0].lower()}@club.example")
            made[name] = (member, add_reservation(session, event, member, will_attend=answer)[0])
        anne, reservation = made["Anne"]
        reservation.guest_count = 2
        add_guest(session, reservation, 1, "Zoé Lys", "zoe@lys.example")
        add_guest(session, reservation, 2, "Ali Ben", "")
        for person in (anne.id, made["David"][0].id, f"{reservation.id}-1"):
            session.add(Arrival(event_id=event.id, person=person, arrived_at=clock.now(), created_at=clock.now()))
        return event.id


def add_guest(session: Session, reservation: EventReservation, position: int, name: str, email: str) -> EventGuest:
    now = clock.now()
    given = {"event_id": reservation.event_id, "reservation_id": reservation.id, "created_at": now, "updated_at": now}
    made = EventGuest(position=position, name=name, email=email, **given)
    session.add(made)
    session.flush()
    return made


def asked(**query: str) -> ToWhom:
    with reading() as session:
        form = writing.begin(session, HELENE, query)
        return writing.read_to_whom(session, HELENE, form.audience) if form else ToWhom()


def names(found: ToWhom) -> list[str]:
    return [one.name for one in found.chosen]


def saved(actor: Actor = HELENE, **typed: str) -> WritingForm:
    with transaction() as session:
        return writing.save(session, actor, WritingForm(**({"id": new_id()} | WORDS | typed)))


def outbox() -> list[OutboxMail]:
    with reading() as session:
        return list(session.exec(select(OutboxMail).order_by(col(OutboxMail.recipient))))


@on_sqlite
@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_an_administrator_writes(meeting: str, actor: Actor) -> None:
    with reading() as session:
        for refused in (
            lambda: writing.begin(session, actor, {}),
            lambda: writing.read_to_whom(session, actor, ""),
            lambda: writing.save(session, actor, WritingForm(new_id())),
        ):
            with pytest.raises(Forbidden):
                refused()


@on_sqlite
def test_thanks_are_proposed_to_those_who_came_to_what_is_over(meeting: str, at: Callable[[str], datetime]) -> None:
    def proposed(answer: str) -> WritingForm:
        with reading() as session:
            form = writing.begin(session, HELENE, {"evenement": meeting, "reponse": answer})
        assert form is not None
        return form

    thanks = proposed("venus")
    assert saved(subject=thanks.subject, content=thanks.content, audience=thanks.audience).content == THANKS.body
    assert "{{PRENOM}}" in thanks.content
    assert proposed("oui").content == thanks.content
    assert proposed("absents").content == proposed("sans").content == proposed("non").subject == ""
    at("2026-11-18T10:00")
    assert proposed("oui").content == "", "it is still to come"


@on_sqlite
def test_each_answer_names_its_people(meeting: str) -> None:
    expected = {
        "oui": ["Anne", "Bruno"],
        "non": ["David"],
        "sans": ["Chloé"],
        "attente": [],
        "invites": ["Zoé Lys"],
        "venus": ["Anne", "David", "Zoé Lys"],
        "absents": ["Bruno"],
    }
    assert {word: names(asked(evenement=meeting, reponse=word)) for word in expected} == expected
    found = asked(evenement=meeting, reponse="venus")
    assert (found.number, found.label) == (
        "2 membres et 1 invité",
        "«\u00a0Matinale\u00a0» du jeudi 19 novembre 2026\u00a0: sont venus",
    )
    left_out = asked(evenement=meeting, reponse="absents").left_out
    assert [(one.name, one.reason) for one in left_out] == [("Ali Ben", "pas d’adresse e-mail")]


@on_sqlite
def test_before_anybody_came_nobody_is_absent(meeting: str) -> None:
    with transaction() as session:
        for row in session.exec(select(Arrival)).all():
            session.delete(row)
    assert names(asked(evenement=meeting, reponse="absents")) == []


@on_sqlite
def test_who_is_left_out_is_named_with_the_reason(club: str) -> None:
    with transaction() as session:
        made = [
            add_member(session, "Anne", "a@club.example"),
            add_member(session, "Bruno", None),
            add_member(session, "Chloé", "c@club.example", opted_out_at=clock.now()),
            add_member(session, "David", "d@club.example", email_failed_at=clock.now()),
            add_member(session, "Émile", "e@club.example", is_active=False),
        ]
    found = asked(membres=",".join([*(member.id for member in made), "nobody", made[0].id]))
    assert (names(found), found.number) == (["Anne"], "1 membre")
    assert [(one.name, one.reason) for one in found.left_out] == [
        ("Bruno", "pas d’adresse e-mail"),
        ("Chloé", "désinscrit des envois"),
        ("David", "adresse refusée par son serveur"),
        ("Émile", "fiche inactive"),
    ]
    assert found.left_out_label == "1 sans adresse, 1 désinscrit, 1 adresse refusée, 1 inactif"


@on_sqlite
def test_an_address_gets_one_copy_and_a_guest_has_the_wishes_of_the_member_with_it(meeting: str) -> None:
    with transaction() as session:
        anne = session.exec(select(EventReservation).join(Member).where(Member.name == "Anne")).one()
        anne.guest_count = 5
        add_guest(session, anne, 3, "Encore Anne", "a@club.example")
        add_guest(session, anne, 4, "Chloé en invitée", "c@club.example")
        add_guest(session, anne, 5, "Zoé encore", "zoe@lys.example")
        session.exec(select(Member).where(Member.name == "Chloé")).one().opted_out_at = clock.now()
        for position in (3, 4, 5):
            person = f"{anne.id}-{position}"
            session.add(Arrival(event_id=meeting, person=person, arrived_at=clock.now(), created_at=clock.now()))
    found = asked(evenement=meeting, reponse="venus")
    assert [one.email for one in found.chosen] == ["a@club.example", "d@club.example", "zoe@lys.example"]
    assert {one.name: one.reason for one in found.left_out} == {
        "Encore Anne": "même adresse qu’une autre personne",
        "Chloé en invitée": "désinscrit des envois",
        "Zoé encore": "même adresse qu’une autre personne",
    }
    assert told(f"event:{meeting}:came").endswith(
        "1 invité ne veut plus d’e-mails et ne le recevra pas. "
        "2 invités ont la même adresse qu’une autre personne : un seul message part à chaque adresse."
    )


def told(audience: str) -> str:
    """What is said before it is sent."""
    with reading() as session:
        found = audiences.resolve_audience(session, audience)
        return f"{audiences.count_people(found.chosen)}. {audiences.describe_left_out(found)}".replace("\u00a0", " ")


@on_sqlite
def test_a_guest_of_whom_nothing_is_known_is_among_those_without_an_address(meeting: str) -> None:
    with transaction() as session:
        (anne,) = session.exec(select(EventReservation).where(EventReservation.guest_count == 2))
        anne.guest_count = 3
        session.add(Arrival(event_id=meeting, person=f"{anne.id}-3", arrived_at=clock.now(), created_at=clock.now()))
    found = asked(evenement=meeting, reponse="venus")
    assert [(one.name, one.reason) for one in found.left_out] == [("invité d’Anne", "pas d’adresse e-mail")]
    with reading() as session:
        assert len(session.exec(select(EventGuest)).all()) == 2, "nobody is added"


@on_sqlite
def test_who_gets_nothing_for_want_of_an_address_is_said_to_get_nothing(meeting: str) -> None:
    with transaction() as session:
        picked = [add_member(session, f"Sans {name}", None).id for name in ("Un", "Deux")]
        picked.append(add_member(session, "Avec Un", "avec@club.example").id)
    assert told(f"members:{','.join(picked)}") == "1 membre. 2 n’ont pas d’adresse et ne le recevront pas."
    assert told(f"event:{meeting}:guests") == "1 invité. 1 invité n’a pas d’adresse et ne le recevra pas."


@on_sqlite
def test_three_hundred_people_fit_into_an_address_and_no_more_are_taken(club: str) -> None:
    ids = [new_id() for _ in range(300)]
    address = routes.write_to(membres=ids)
    assert len(address) < 7_000
    assert routes.unpack_ids(address.partition("membres=")[2]) == ids
    assert routes.write_to(membres=["a", "b"]) == "/admin/emails/ecrire?membres=a,b"
    assert routes.write_to(domaine="Sécurité & Qualité").endswith("?domaine=S%C3%A9curit%C3%A9%20%26%20Qualit%C3%A9")
    with reading() as session:
        assert writing.begin(session, HELENE, {"membres": ",".join(ids)}) is not None
        for wrong in (
            {},
            {"membres": ",".join([*ids, "x"])},
            {"membres": "~x"},
            {"evenement": "e", "reponse": "peut-être"},
        ):
            assert writing.begin(session, HELENE, wrong) is None
    assert not asked(evenement="no-such", reponse="oui").is_known


def test_it_is_queued_once_for_members_and_guests_but_whom_was_taken_off(meeting: str) -> None:
    """On both engines: the row is made under an id that the screen chose."""
    audience = f"event:{meeting}:came"
    with reading() as session:
        david = session.exec(select(Member).where(Member.name == "David")).one()
    first = saved(audience=audience, left_off=david.id)
    assert saved(id=first.id, audience=audience, left_off=david.id) == first, "the same press twice"
    with transaction() as session:
        asked_before = broadcasts.count_recipients(session, HELENE, first.id)
        assert asked_before.question == "Envoyer cet e-mail à 1 membre et 1 invité\u00a0?"
        broadcasts.send_broadcast(session, HELENE, first.id)
    with pytest.raises(Conflict), transaction() as session:
        broadcasts.send_broadcast(session, HELENE, first.id)
    with pytest.raises(Conflict):
        saved(id=first.id)
    mails = outbox()
    assert [(mail.recipient, mail.kind, mail.event_id) for mail in mails] == [
        ("a@club.example", "broadcast", meeting),
        ("zoe@lys.example", "broadcast", meeting),
    ]
    with reading() as session:
        subject, text, html = mime.render_parts(mail_kinds.compose(session, mails[1]))
    assert (subject, "Merci d’être venus à Matinale." in text) == ("Merci Zoé", True)
    assert "comme invité d’une rencontre du réseau" in text
    assert "comme invité d’une rencontre du réseau" in html


@on_sqlite
def test_words_of_a_meeting_need_one(meeting: str) -> None:
    for content in ("Le {{EVENT_DATE}}", "{{EVENT_DATUM}}"):
        with pytest.raises(InvalidForm) as refused:
            saved(content=content)
        assert list(refused.value.errors) == ["content"]
    with pytest.raises(InvalidForm) as refused:
        saved(subject="", content="", audience="event:no-such:came")
    assert list(refused.value.errors) == ["subject", "content", "audience"]


@on_sqlite
def test_a_guest_leaves_the_mailings_by_one_post_and_comes_back(meeting: str) -> None:
    with reading() as session:
        zoe = session.exec(select(EventGuest).where(EventGuest.name == "Zoé Lys")).one()
    token = recipients_now.unsubscribe_link(zoe).partition("token=")[2]
    for act, subscribed in (
        (unsubscribe.unsubscribe, False),
        (unsubscribe.resubscribe, True),
        (unsubscribe.unsubscribe, False),
    ):
        with transaction() as session:
            assert act(session, token).is_subscribed is subscribed
    assert [one.reason for one in asked(evenement=meeting, reponse="invites").left_out] == [
        "pas d’adresse e-mail",
        "désinscrit des envois",
    ]
    with transaction() as session:  # the member changes another guest: the wish stays
        reservation = session.get_one(EventReservation, zoe.reservation_id)
        entries = guests.read_guests(session, reservation)
        guests._rewrite(session, reservation, guests._rows(session, reservation), {2: entries[0]})
        assert session.get_one(EventGuest, zoe.id, populate_existing=True).opted_out_at is not None


@on_sqlite
def test_what_a_guest_has_erased_is_erased_in_the_mails_to_them(meeting: str) -> None:
    form = saved(audience=f"event:{meeting}:guests")
    with transaction() as session:
        broadcasts.send_broadcast(session, HELENE, form.id)
        guests.erase_guest(session, session.exec(select(EventGuest).where(EventGuest.name == "Zoé Lys")).one())
    (mail,) = [mail for mail in outbox() if mail.state != MailState.EXCLUDED]
    assert (mail.state, mail.recipient, mail.context) == (MailState.WITHDRAWN, "", {})


@on_sqlite
def test_a_mail_with_the_words_of_a_deleted_meeting_is_withdrawn(meeting: str) -> None:
    form = saved(audience=f"event:{meeting}:came")
    with transaction() as session:
        broadcasts.send_broadcast(session, HELENE, form.id)
        mail = session.exec(select(OutboxMail).where(OutboxMail.recipient == "a@club.example")).one()
        mail.event_id = None
        with pytest.raises(Withdrawn, match="supprimé"):
            mail_kinds.compose(session, mail)


@on_sqlite
def test_a_draft_that_somebody_changed_is_refused_once(meeting: str) -> None:
    form = saved(content="Bonjour")
    with reading() as session:
        assert writing.begin(session, PAUL, {"brouillon": form.id}) == form
    theirs = saved(PAUL, id=form.id, seen=form.seen, subject="Autre", content="Bonjour")
    with pytest.raises(Conflict):
        saved(id=form.id, seen=form.seen, subject="Encore autre", content="Bonjour")
    assert saved(id=form.id, seen=theirs.seen, subject="Encore autre", content="Bonjour").subject == "Encore autre"


@on_sqlite
def test_the_log_shows_the_messages_of_one_mail(meeting: str) -> None:
    forms = [saved(audience=f"event:{meeting}:{answer}") for answer in ("came", "absent")]
    with transaction() as session:
        for form in forms:
            broadcasts.send_broadcast(session, HELENE, form.id)
    with reading() as session:
        shown = mail_listing.read_page(session, HELENE, MailLogQuery(broadcast_id=forms[0].id))
        every = mail_listing.read_page(session, HELENE, MailLogQuery(event_id=meeting))
    assert (sorted(one.person for one in shown.messages), shown.only) == (
        ["Anne", "David", "Zoé Lys"],
        "Merci [Prénom]",
    )
    assert (every.total, every.only) == (5, "")


@on_sqlite
def test_only_a_draft_that_the_form_of_broadcasts_cannot_show_opens_the_other_screen(meeting: str) -> None:
    picked = saved(audience=f"members:{new_id()}", content="Bonjour")
    guests_too = saved(audience=f"event:{meeting}:came")
    plain = [saved(audience=audience, content="Bonjour") for audience in ("", f"event:{meeting}:yes")]
    with reading() as session:
        rows = {row.id: row.opens_writing for row in overview.read_mailings(session, HELENE).broadcasts}
    assert rows == {picked.id: True, guests_too.id: True, plain[0].id: False, plain[1].id: False}
