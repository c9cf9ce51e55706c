"""An event's own words for its three mails: kept, refused by name, put back; and shown before they are sent."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import pytest
from sqlmodel import Session, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import text_choice
from clubapp.mail.messages.formatted_text import MARK
from clubapp.models import EmailReminderSetting, Event, EventSpeaker, ReminderType
from clubapp.refusals import Forbidden, Invalid, NotFound, ProofRequired
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.base.edit_conflicts import TextChanged
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.events import mailing_schedule
from clubapp.services.mailings import event_templates, previews
from tests.factories import add_event, add_member, add_reservation
from tests.services.events.planned_mailings import setting

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")
COLUMNS = [name for columns in text_choice.COLUMNS.values() for name in columns]


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")


@pytest.fixture
def event_id(club: str) -> str:
    with transaction() as session:
        return add_event(session, title="Matinale d'hiver", date=clock.from_local("2027-01-14T12:00")).id


def typed(session: Session, event_id: str, **changed: str) -> tuple[str, dict[str, str]]:
    """The version and the six texts that the dialog opens with, some of them changed."""
    form = event_templates.open_form(session, HELENE, event_id)
    shown = (form.invitation, form.reminder_1, form.reminder_2)
    texts = [text for one in shown for text in (one.subject, one.content)]
    return form.seen, dict(zip(COLUMNS, texts, strict=True)) | changed


def save(event_id: str, **changed: str) -> None:
    with transaction() as session:
        event_templates.save(session, HELENE, event_id, *typed(session, event_id, **changed))


def columns(event_id: str) -> dict[str, str | None]:
    with reading() as session:
        event = session.get_one(Event, event_id)
        return {name: getattr(event, name) for name in COLUMNS}


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_an_administrator_reads_or_writes_them(event_id: str, actor: Actor) -> None:
    with reading() as session:
        for act in (
            lambda: event_templates.open_form(session, actor, event_id),
            lambda: event_templates.save(session, actor, event_id, "", {}),
            lambda: previews.preview_event_mail(session, actor, event_id, "invitation", ("a", "b")),
            lambda: previews.list_readers(session, actor),
        ):
            with pytest.raises(Forbidden):
                act()


def test_saving_the_defaults_keeps_no_text_of_its_own(event_id: str) -> None:
    save(event_id)
    assert set(columns(event_id).values()) == {None}


def test_only_what_differs_from_the_default_is_kept(event_id: str) -> None:
    save(event_id, email_subject="Venez tous", reminder_2_template="Demain !\r\n\r\nÀ bientôt.")
    kept = {name: text for name, text in columns(event_id).items() if text is not None}
    assert kept == {"email_subject": "Venez tous", "reminder_2_template": "Demain !\n\nÀ bientôt."}
    with reading() as session:
        form = event_templates.open_form(session, HELENE, event_id)
    assert form.invitation.subject == "Venez tous"
    assert form.invitation.default_subject == "Invitation\u00a0: {{EVENT_TITLE}}, {{EVENT_DATE}}"
    save(event_id, email_subject=form.invitation.default_subject)
    assert columns(event_id)["email_subject"] is None


def test_the_default_is_the_club_s_own_text_when_there_is_one(event_id: str) -> None:
    own = EmailReminderSetting(reminder_type="event_reminder_1", template_subject="Venez", template_content="Bientôt.")
    with transaction() as session:
        session.add(own)
    with reading() as session:
        text = event_templates.open_form(session, HELENE, event_id).reminder_1
    assert (text.subject, text.default_subject, text.default_content) == ("Venez", "Venez", "Bientôt.")


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("Bonjour {{VILLE}}", "Variable inconnue\u00a0: {{VILLE}}."),
        ("{{event_title}}", "Variable inconnue\u00a0: {{event_title}}."),
        ("{{EVENT TITLE}} et {{ RUE }}", "Variables inconnues\u00a0: {{EVENT TITLE}}, {{RUE}}."),
        ("", "Indiquez le contenu de l’e-mail."),
        ("x" * 10_001, "Ce texte est trop long"),
    ],
)
def test_a_text_that_could_not_be_sent_is_refused_beside_its_field(event_id: str, text: str, refused: str) -> None:
    with pytest.raises(InvalidForm) as refusal:
        save(event_id, reminder_1_template=text)
    assert list(refusal.value.errors) == ["reminder_1_template"]
    assert refusal.value.errors["reminder_1_template"].startswith(refused)
    assert set(columns(event_id).values()) == {None}


PICTURE = '<img src="/media/logos/1795212000000-9f2c4a7b1d3e5f60.jpg" alt="La salle">'


def test_a_formatted_text_is_kept_clean_and_says_the_same_in_both_parts(event_id: str) -> None:
    hostile = f"{MARK}<p onclick=x>Bonjour <strong>{{{{PRENOM}}}}</strong>,</p><script>alert(1)</script>"
    hostile += "<ul><li>{{EVENT_TITLE}}</li></ul>"
    save(event_id, email_template=f"{hostile}<p>{PICTURE}</p>")
    kept = columns(event_id)["email_template"]
    assert kept is not None
    assert kept.startswith(f"{MARK}<p>Bonjour <strong>{{{{PRENOM}}}}</strong>,</p><ul>")
    with transaction() as session:
        zoe = add_member(session, name="Zoé <b>Lefèbvre", email="zoe@lefebvre.example")
        session.get_one(Event, event_id).title = "<i>Matinale"
    with reading() as session:
        shown = previews.preview_event_mail(session, HELENE, event_id, "invitation", ("a", hostile), reader_id=zoe.id)
    assert "Bonjour Zoé,\n\n- <i>Matinale" in shown.text
    assert "<strong>Zoé</strong>," in shown.html
    assert "<li style" in shown.html
    assert "&lt;i&gt;Matinale</li>" in shown.html
    assert "alert(1)" not in shown.html


def test_a_formatted_text_is_refused_as_a_plain_one_and_for_too_many_pictures(event_id: str) -> None:
    for text, refused in (
        (f"{MARK}<p> </p>", "Indiquez le contenu de l’e-mail."),
        (f"{MARK}<p>{{{{VILLE}}}}</p>", "Variable inconnue\u00a0: {{VILLE}}."),
        (f"{MARK}<p>{PICTURE * 7}</p>", "6 images au maximum dans un e-mail."),
    ):
        with pytest.raises(InvalidForm) as refusal:
            save(event_id, reminder_1_template=text)
        assert refusal.value.errors["reminder_1_template"].startswith(refused)


def test_every_wrong_field_is_told_at_once(event_id: str) -> None:
    with pytest.raises(InvalidForm) as refusal:
        save(event_id, email_subject=" ", reminder_2_subject="{{X}}", reminder_2_template="")
    assert list(refusal.value.errors) == ["email_subject", "reminder_2_subject", "reminder_2_template"]


def test_the_second_of_two_administrators_is_told_and_may_insist(event_id: str) -> None:
    with reading() as session:
        seen, texts = typed(session, event_id, email_subject="La mienne")
    save(event_id, email_subject="La sienne")
    with pytest.raises(TextChanged) as refusal, transaction() as session:
        event_templates.save(session, HELENE, event_id, seen, texts)
    assert columns(event_id)["email_subject"] == "La sienne"
    with transaction() as session:
        event_templates.save(session, HELENE, event_id, refusal.value.seen, texts)
    assert columns(event_id)["email_subject"] == "La mienne"


def test_a_change_of_the_event_itself_is_no_conflict(event_id: str) -> None:
    with reading() as session:
        seen, texts = typed(session, event_id, email_subject="Venez")
    with transaction() as session:
        session.get_one(Event, event_id).updated_at = clock.from_local("2026-11-21T09:00")
    with transaction() as session:
        event_templates.save(session, HELENE, event_id, seen, texts)
    assert columns(event_id)["email_subject"] == "Venez"


def test_the_texts_of_a_deleted_event_are_gone(club: str) -> None:
    with pytest.raises(NotFound), transaction() as session:
        event_templates.open_form(session, HELENE, "no-such-event")


def test_each_variable_says_what_it_means(club: str) -> None:
    names = [name for name, meaning in event_templates.VARIABLES if meaning]
    assert names == [
        "EVENT_TITLE", "EVENT_DATE", "EVENT_TIME", "EVENT_LOCATION", "EVENT_ADDRESS", "SPEAKERS_LIST",
        "ATTENDING_COUNT", "LUNCH_COUNT", "DAYS_UNTIL", "NEXT_EVENT", "LAST_EVENT_STATS",
        "PRENOM", "NOM",
    ]  # fmt: skip


def test_the_first_reader_of_a_preview_is_one_who_would_get_it(event_id: str) -> None:
    with transaction() as session:
        event = session.get_one(Event, event_id)
        event.invitation_sent = True
        silent = add_member(session, name="Anne Muette", email="anne@club.example")
        comes = add_member(session, name="Zoé Lefèbvre", email="zoe@lefebvre.example")
        add_reservation(session, event, silent)
        add_reservation(session, event, comes, will_attend=True)
    with reading() as session:
        first = partial(previews.find_first_recipient, session, HELENE, event_id)
        assert (first("invitation"), first("reminder_2")) == (silent.id, comes.id)
        assert first("autre") == ""


def test_a_preview_is_the_mail_as_a_chosen_member_reads_it(event_id: str) -> None:
    with transaction() as session:
        zoe = add_member(session, name="Zoé Lefèbvre", email="zoe@lefebvre.example")
        add_member(session, name="Sans Adresse", email=None)
        add_member(session, name="Partie", email="partie@club.example", is_active=False)
        session.add(EventSpeaker(event_id=event_id, name="Paul Vasseur"))
    words = ("Le {{EVENT_DATE}} !", "Bonjour,\n\n{{SPEAKERS_LIST}}\nDans {{DAYS_UNTIL}} jours.")
    with reading() as session:
        assert [reader.name for reader in previews.list_readers(session, HELENE)] == ["Zoé Lefèbvre"]
        shown = previews.preview_event_mail(session, HELENE, event_id, "invitation", words, reader_id=zoe.id)
    assert (shown.addressee, shown.subject) == ("Zoé Lefèbvre <zoe@lefebvre.example>", "Le jeudi 14 janvier 2027 !")
    for said in ("- Paul Vasseur", "Dans 55 jours.", "Oui, je viens"):
        assert said in shown.text
        assert said in shown.html
    assert "[TEST]" not in shown.subject
    assert not re.search(r"token=", shown.text + shown.html)
    assert '<base target="_blank">' in shown.html


def test_a_reminder_is_previewed_as_those_who_come_read_it(event_id: str) -> None:
    with reading() as session:
        shown = previews.preview_event_mail(session, HELENE, event_id, "reminder_1", ("Objet", "À lundi."))
        with pytest.raises(Invalid):
            previews.preview_event_mail(session, HELENE, event_id, "broadcast", ("Objet", "Contenu"))
    assert "À lundi." in shown.text
    assert "Voir ou changer ma réponse" in shown.html
    assert set(ReminderType) == set(text_choice.COLUMNS)


def test_the_club_s_own_texts_are_previewed_over_the_next_event(event_id: str) -> None:
    words = ("{{EVENT_TITLE}} !", "{{PRENOM}}, dans {{DAYS_UNTIL}} jours.")
    with transaction() as session:
        add_event(session, title="Annulée", date=clock.now() + timedelta(days=3), status="cancelled")
        add_member(session, "Zoé Lefèbvre", "zoe@lefebvre.example")
    with reading() as session:
        coming = previews.preview_club_mail(session, HELENE, "event_reminder_1", words)
        silent = previews.preview_club_mail(session, HELENE, "event_reminder_1", words, is_asking=True)
        invited = previews.preview_club_mail(session, HELENE, "event_invitation", words)
        with pytest.raises(Invalid):
            previews.preview_club_mail(session, HELENE, "broadcast", words)
        with pytest.raises(Forbidden):
            previews.preview_club_mail(session, VISITOR, "event_invitation", words)
    assert coming.about.endswith("jeudi 14 janvier 2027")
    assert "Zoé, dans 55 jours." in silent.text
    for shown, asks in ((coming, False), (silent, True), (invited, True)):
        assert ("Oui, je viens" in shown.html, "Voir ou changer ma réponse" in shown.html) == (asks, not asks)
        assert not re.search(r"token=", shown.text + shown.html)


def test_an_invitation_is_shown_before_it_leaves_as_a_member_reads_it(event_id: str) -> None:
    with transaction() as session:
        add_member(session, "Zoé Lefèbvre", "zoe@lefebvre.example")
    with reading() as session:
        shown = previews.preview_invitation(session, HELENE, event_id)
        with pytest.raises(Forbidden):
            previews.preview_invitation(session, VISITOR, event_id)
    assert shown.addressee == "Zoé Lefèbvre <zoe@lefebvre.example>"
    assert "Bonjour Zoé," in shown.text


def test_without_an_event_to_come_they_are_previewed_over_an_example(club: str) -> None:
    with reading() as session:
        shown = previews.preview_club_mail(
            session, HELENE, "event_reminder_1", ("{{EVENT_TITLE}}", "Le {{EVENT_DATE}}.")
        )
        assert session.exec(select(Event)).all() == []
    assert shown.subject == "Exemple de rencontre"
    assert shown.about.startswith("Exemple de rencontre, ")


def test_the_text_of_an_automatic_mailing_is_changed_with_a_recent_proof_only(event_id: str) -> None:
    """A mail to all members is a mailing like others, whenever it leaves (S13)."""
    stale = replace(HELENE, needs_proof=True)

    def save_unproven(**changed: str) -> None:
        with transaction() as session:
            event_templates.save(session, stale, event_id, *typed(session, event_id, **changed))

    setting(ReminderType.INVITATION, days_before=1, is_active=True)
    with pytest.raises(ProofRequired):
        save_unproven(email_template="Un texte à soi.")
    save_unproven()
    with transaction() as session:
        session.exec(select(EmailReminderSetting)).one().is_active = False
        session.flush()
        mailing_schedule.plan_all_mailings(session)
    save_unproven(email_template="Un texte à soi.")
