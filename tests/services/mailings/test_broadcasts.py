"""Free-form mails to everyone: drafted, counted, sent once, paused, stopped; and figures that add up."""

import threading
from collections.abc import Callable
from datetime import datetime

import pytest
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.transport import mime
from clubapp.models import BroadcastEmail, MailState, OutboxMail
from clubapp.refusals import Conflict, Forbidden, NotFound
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.base.edit_conflicts import TextChanged
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.mailings import audiences, broadcasts, overview, previews
from clubapp.services.mailings.broadcasts import BroadcastForm
from tests.factories import add_event, add_member, add_reservation

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")
TYPED = BroadcastForm(subject="La lettre", content="Bonjour,\n\nÀ bientôt.")


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")


def add_everyone(session: Session) -> None:
    """Two who can be written to, one without address, one who opted out, one who left."""
    add_member(session, name="Marie", email="marie@club.example")
    add_member(session, name="Luc", email="luc@club.example")
    add_member(session, name="Anne", email=None)
    add_member(session, name="Paul", email="paul@club.example", opted_out_at=clock.now())
    add_member(session, name="Zoé", email="zoe@club.example", is_active=False)


def draft(**changed: str) -> str:
    with transaction() as session:
        return broadcasts.save(session, HELENE, BroadcastForm(**(vars(TYPED) | changed))).id


def sent() -> str:
    broadcast_id = draft()
    with transaction() as session:
        add_everyone(session)
        broadcasts.send_broadcast(session, HELENE, broadcast_id)
    return broadcast_id


def row(broadcast_id: str) -> overview.BroadcastRow:
    with reading() as session:
        return next(each for each in overview.read_mailings(session, HELENE).broadcasts if each.id == broadcast_id)


def outbox() -> list[OutboxMail]:
    with reading() as session:
        return list(session.exec(select(OutboxMail).order_by(col(OutboxMail.recipient))))


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_an_administrator_writes_to_everyone(club: str, actor: Actor) -> None:
    broadcast_id = draft()
    with transaction() as session:
        for act in (
            broadcasts.open_form,
            broadcasts.delete,
            broadcasts.send_broadcast,
            broadcasts.pause_broadcast,
            broadcasts.stop_broadcast,
        ):
            with pytest.raises(Forbidden):
                act(session, actor, broadcast_id)
        for refused in (
            lambda: broadcasts.save(session, actor, TYPED),
            lambda: broadcasts.count_recipients(session, actor, broadcast_id),
            lambda: audiences.list_choices(session, actor),
            lambda: previews.preview_broadcast(session, actor, ("a", "b")),
        ):
            with pytest.raises(Forbidden):
                refused()


@pytest.mark.parametrize(
    ("changed", "fields"),
    [
        ({"subject": " \n"}, ["subject"]),
        ({"content": ""}, ["content"]),
        ({"subject": "", "content": "  "}, ["subject", "content"]),
        ({"subject": "x" * 201, "content": "x" * 20_001}, ["subject", "content"]),
    ],
)
def test_subject_and_content_are_required(club: str, changed: dict[str, str], fields: list[str]) -> None:
    with pytest.raises(InvalidForm) as refusal:
        draft(**changed)
    assert list(refusal.value.errors) == fields


def test_a_draft_is_kept_gone_on_with_and_thrown_away(club: str) -> None:
    with transaction() as session:
        first = broadcasts.save(session, HELENE, TYPED)
        again = broadcasts.save(session, HELENE, BroadcastForm(first.id, first.seen, "La grande lettre", "Bonjour"))
    assert (row(first.id).subject, row(first.id).line, row(first.id).state) == (
        "La grande lettre",
        "Brouillon",
        "draft",
    )
    with reading() as session:
        assert broadcasts.open_form(session, HELENE, first.id) == again
        assert session.get_one(BroadcastEmail, first.id).sent_by == "helene@beffroi.example"
    with pytest.raises(TextChanged), transaction() as session:
        broadcasts.save(session, HELENE, BroadcastForm(first.id, first.seen, "Une autre", "Bonjour"))
    with transaction() as session:
        broadcasts.delete(session, HELENE, first.id)
    with pytest.raises(NotFound), reading() as session:
        broadcasts.open_form(session, HELENE, first.id)


def test_who_would_receive_it_is_counted_before(club: str) -> None:
    with transaction() as session:
        add_everyone(session)
    broadcast_id = draft()
    with reading() as session:
        counted = broadcasts.count_recipients(session, HELENE, broadcast_id)
    assert counted.sentence.replace("\u00a0", " ") == (
        "Il partira maintenant vers 2 membres. "
        "1 n’a pas d’adresse et 1 ne veut plus d’e-mails : ils ne le recevront pas."
    )
    assert counted.question == "Envoyer cet e-mail à tous les membres\u00a0?"
    assert counted.sent == "L'email a été envoyé avec succès à tous les membres !"
    with transaction() as session:
        add_member(session, name="Ines", email=None)
        add_member(session, name="Omer", email="omer@club.example", opted_out_at=clock.now())
        sentence = broadcasts.count_recipients(session, HELENE, broadcast_id).sentence
    assert sentence.replace("\u00a0", " ").endswith(
        "2 n’ont pas d’adresse et 2 ne veulent plus d’e-mails : ils ne le recevront pas."
    )


def test_a_broadcast_may_go_to_one_domain_or_to_those_of_one_answer(club: str) -> None:
    with transaction() as session:
        event = add_event(session, title="Matinale", date=clock.from_local("2026-12-10T12:00"), invitation_sent=True)
        said = {"marie": True, "luc": False, "lea": None, "paul": True}
        for name, answer in said.items():
            domain = "Formation & Conseil" if name in ("marie", "lea") else "Bâtiment & Travaux"
            email = f"{name}@club.example"
            member = add_member(session, name=name.title(), email=email, activity_domain=domain)
            member.opted_out_at = clock.now() if name == "paul" else None
            add_reservation(session, event, member, will_attend=answer)
        add_member(session, name="Zoé", email="zoe@club.example", activity_domain="Formation & Conseil")
        choices = {each.value: each.label for each in audiences.list_choices(session, HELENE)}
    assert list(choices.values()) == [
        "Tous les membres",
        "Domaine Bâtiment & Travaux",
        "Domaine Formation & Conseil",
        "«\u00a0Matinale\u00a0» du jeudi 10 décembre 2026\u00a0: ont dit oui",
        "«\u00a0Matinale\u00a0» du jeudi 10 décembre 2026\u00a0: ont dit non",
        "«\u00a0Matinale\u00a0» du jeudi 10 décembre 2026\u00a0: sans réponse",
    ]
    expected = [
        (["lea", "luc", "marie", "zoe"], "à tous les membres", "4 membres. 1 ne veut plus d’e-mails et ne le recevra"),
        (["luc"], "à 1 membre", "1 membre (Domaine Bâtiment & Travaux). 1 ne veut plus"),
        (["lea", "marie", "zoe"], "à 3 membres", "3 membres (Domaine"),
        (["marie"], "à 1 membre", "1 membre («"),
        (["luc"], "à 1 membre", "1 membre («"),
        (["lea"], "à 1 membre", "1 membre («"),
    ]
    for audience, (names, who, sentence) in zip(choices, expected, strict=True):
        broadcast_id = draft(audience=audience)
        with transaction() as session:
            counted = broadcasts.count_recipients(session, HELENE, broadcast_id)
            assert broadcasts.send_broadcast(session, HELENE, broadcast_id) == counted
        assert (counted.recipients, counted.question) == (len(names), f"Envoyer cet e-mail {who}\u00a0?")
        assert counted.sentence.replace("\u00a0", " ").startswith(f"Il partira maintenant vers {sentence}")
        mails = [mail for mail in outbox() if mail.broadcast_id == broadcast_id and mail.state == MailState.PENDING]
        assert [mail.recipient.partition("@")[0] for mail in mails] == names


def test_an_audience_that_does_not_exist_is_refused(club: str) -> None:
    for audience in ("domain:Astrologie", "event:no-such:yes", "everyone"):
        with pytest.raises(InvalidForm) as refusal:
            draft(audience=audience)
        assert list(refusal.value.errors) == ["audience"]


def test_sending_reaches_every_active_member_and_names_the_others(club: str) -> None:
    broadcast_id = sent()
    queued = {mail.recipient: (mail.kind, mail.key) for mail in outbox() if mail.state == MailState.PENDING}
    assert set(queued) == {"marie@club.example", "luc@club.example"}
    assert all(kind == "broadcast" and key.startswith(f"broadcast:{broadcast_id}:") for kind, key in queued.values())
    shown = row(broadcast_id)
    assert (shown.line, shown.state) == ("Envoyé le 20/11/2026 à 11:00 à 2 membres", "sending")
    assert shown.content == "Bonjour,\nÀ bientôt."
    left_out = [(one.name, one.reason) for one in shown.figures.excluded]
    assert left_out == [("Anne", "pas d’adresse e-mail"), ("Paul", "désinscrit des envois")]


def test_the_figures_add_up_whatever_becomes_of_the_messages(club: str) -> None:
    broadcast_id = sent()
    with transaction() as session:
        for number, state in enumerate(("sent", "failed", "uncertain", "withdrawn", "handing_over")):
            made = add_member(session, name=f"M{number}", email=f"m{number}@club.example")
            now = clock.now()
            session.add(
                OutboxMail(
                    key=f"k{number}",
                    kind="broadcast",
                    broadcast_id=broadcast_id,
                    member_id=made.id,
                    state=state,
                    available_at=now,
                    created_at=now,
                    updated_at=now,
                )
            )
    found = row(broadcast_id).figures
    assert found.recipients == 7 == found.sent + found.pending + found.failed + found.uncertain + found.withdrawn
    assert (found.sent, found.pending, found.sentence) == (1, 3, "1 message envoyé sur 7")


def test_it_goes_out_once_however_many_press(club: str) -> None:
    broadcast_id = draft()
    with transaction() as session:
        add_everyone(session)
    outcomes: list[str] = []

    def press() -> None:
        try:
            with transaction() as session:
                broadcasts.send_broadcast(session, HELENE, broadcast_id)
            outcomes.append("sent")
        except Conflict as refusal:
            outcomes.append(refusal.text)

    threads = [threading.Thread(target=press) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["Cet e-mail a déjà été envoyé."] * 5 + ["sent"]
    assert len(outbox()) == 4


def test_what_was_sent_can_be_neither_changed_nor_thrown_away(club: str) -> None:
    broadcast_id = sent()
    with transaction() as session:
        for act in (broadcasts.open_form, broadcasts.delete):
            with pytest.raises(Conflict):
                act(session, HELENE, broadcast_id)
        with pytest.raises(Conflict):
            broadcasts.save(session, HELENE, BroadcastForm(broadcast_id, "", "Autre", "Autre"))


def test_nothing_is_sent_to_nobody(club: str) -> None:
    broadcast_id = draft()
    # Nor asked about.
    for act in (broadcasts.send_broadcast, broadcasts.count_recipients):
        with pytest.raises(Conflict, match="Aucun membre"), transaction() as session:
            act(session, HELENE, broadcast_id)
    assert row(broadcast_id).state == "draft"


def test_a_sending_is_paused_resumed_and_stopped_for_good(club: str) -> None:
    broadcast_id = sent()
    with transaction() as session:
        broadcasts.pause_broadcast(session, HELENE, broadcast_id)
    assert row(broadcast_id).state == "paused"
    with transaction() as session:
        broadcasts.resume_broadcast(session, HELENE, broadcast_id)
    assert row(broadcast_id).state == "sending"
    with transaction() as session:
        first = session.exec(select(OutboxMail).where(OutboxMail.recipient == "luc@club.example")).one()
        first.state = MailState.SENT
        broadcasts.stop_broadcast(session, HELENE, broadcast_id)
    shown = row(broadcast_id)
    assert (shown.state, shown.figures.sent, shown.figures.withdrawn, shown.figures.pending) == ("stopped", 1, 1, 0)
    assert shown.line == "Envoyé le 20/11/2026 à 11:00 à 1 membre"
    for act in (broadcasts.pause_broadcast, broadcasts.resume_broadcast, broadcasts.stop_broadcast):
        with pytest.raises(Conflict, match="arrêté"), transaction() as session:
            act(session, HELENE, broadcast_id)


def test_a_draft_has_nothing_to_pause(club: str) -> None:
    broadcast_id = draft()
    with pytest.raises(Conflict, match="pas encore"), transaction() as session:
        broadcasts.pause_broadcast(session, HELENE, broadcast_id)


def test_the_preview_is_what_goes_out(club: str) -> None:
    with transaction() as session:
        marie = add_member(session, name="Marie", email="marie@club.example")
    broadcast_id = draft(content="Bonjour,\nà tous.\n\nVoir https://club.example/lettre & <b>")
    with transaction() as session:
        broadcasts.send_broadcast(session, HELENE, broadcast_id)
    (mail,) = outbox()
    with reading() as session:
        shown = previews.preview_broadcast(
            session, HELENE, ("La lettre", "Bonjour,\nà tous.\n\nVoir https://club.example/lettre & <b>"),
            reader_id=marie.id,
        )  # fmt: skip
        subject, text, html = mime.render_parts(mail_kinds.compose(session, mail))
    assert (shown.subject, shown.addressee) == (subject, "Marie <marie@club.example>")
    assert text.split("-- ")[0] == shown.text.split("-- ")[0]
    assert 'href="https://club.example/lettre"' in html
    assert "&lt;b&gt;" in html
    assert html.count("<p") >= 3
