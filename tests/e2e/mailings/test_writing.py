"""A mail to a choice of people: to whom, files, preview, sent once, and followed in the log (M3, M15)."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import FrameLocator, Page, expect
from sqlmodel import col, select

from clubapp import routes
from clubapp.database import reading
from clubapp.models import Member
from clubapp.pages.admin.mailings.writing.whom_part import FEW
from clubapp.services.demo import ADMIN_EMAIL
from clubapp.ui.mail.text_area import EDITOR
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, has_no_barrier, shuts_nobody_out
from tests.e2e.mailings.test_editor import PASTE
from tests.e2e.site import Site

PDF = b"%PDF-1.7 le plan"
TABLE = """<table><tr><td><p class=Mso>12:00<o:p></o:p></p></td><td><p><b>Accueil</b></p></td></tr>
<tr><td>14:30</td><td>&nbsp;</td><td>Fin</td></tr></table><table><tr><td><p>un</p><p>deux</p></td><td>trois</td></tr></table>"""
OF_A_MEETING = "cette variable est celle d’une rencontre"
SENT = "L'email a été envoyé avec succès à 1 membre !"


def two_members(site: Site) -> list[Member]:
    with database_of(site), reading() as session:
        reachable = select(Member).where(col(Member.is_active), col(Member.email).is_not(None))
        unspoilt = reachable.where(col(Member.opted_out_at).is_(None), col(Member.email_failed_at).is_(None))
        return list(session.exec(unspoilt.order_by(col(Member.name)).limit(2)))


def preview(page: Page) -> FrameLocator:
    return page.frame_locator("iframe[title='Aperçu sur ordinateur']")


@pytest.mark.console_errors("nom=jeu.exe")
def test_a_mail_to_named_people_carries_files_and_is_followed_in_the_log(page: Page, site: Site) -> None:
    begins_on_the_first_screen(page, site)
    first, second = two_members(site)
    page.goto(site.url + routes.write_to(membres=[first.id, second.id]))
    people = page.get_by_role("region", name="Destinataires")
    expect(people.get_by_text("2 membres", exact=True)).to_be_visible()
    people.get_by_role("button", name=f"Retirer {second.name}").click()
    expect(people.get_by_text("1 membre", exact=True)).to_be_visible()
    expect(people.get_by_role("button", name=f"Remettre {second.name}")).to_be_visible()
    page.get_by_role("button", name="Envoyer…").click()
    expect(page.get_by_text("Indiquez l’objet de l’e-mail.")).to_be_visible()
    subject, message = page.get_by_label("Objet", exact=True), page.get_by_label("Message", exact=True)
    subject.fill("Le plan d’accès")
    carries_files(page)
    is_refused_for_a_word_of_a_meeting(page)
    shuts_nobody_out(page)

    page.reload()
    resume = page.get_by_role("button", name="Reprendre")
    expect(resume).to_be_visible()
    expect(subject).to_have_value("")
    expect(page.get_by_text(OF_A_MEETING)).to_have_count(0)
    expect(message).to_have_attribute("aria-invalid", "false")
    expect(preview(page).get_by_text("EVENT_TITLE")).to_have_count(0)
    resume.click()
    expect(subject).to_have_value("Le plan d’accès")
    expect(page.get_by_role("button", name="Retirer Plan d’accès.pdf")).to_be_visible()
    expect(people.get_by_text("1 membre", exact=True)).to_be_visible()
    steps = page.evaluate("history.length")
    message.fill(f"Les photos\u00a0: https://photos.example/{'AF1QipMx7' * 25}")
    expect(preview(page).get_by_role("paragraph").filter(has_text="Les photos")).to_be_visible()
    has_room = preview(page).locator("html").evaluate("(root) => root.scrollWidth <= root.clientWidth")
    assert has_room, "a long address makes the mail wider than its reader's screen"
    message.fill("Bonjour {{PRENOM}},\n\nVoici le plan.")
    expect(preview(page).get_by_text("Voici le plan.", exact=True)).to_be_visible()
    assert page.evaluate("history.length") == steps  # the back button leads out, not to a former preview

    page.get_by_role("button", name="Envoyer…").click()
    question = page.get_by_role("alertdialog")
    expect(question.get_by_text("Envoyer cet e-mail à 1 membre")).to_be_visible()
    question.get_by_role("button", name="Envoyer", exact=True).click()
    expect(page.get_by_text(SENT)).to_be_visible()
    expect(page.get_by_role("heading", name="C’est parti")).to_be_focused()
    has_no_barrier(page)
    arrived = site.wait_for_mail(str(first.email), "broadcast", about="Le plan d’accès")
    assert [part.get_filename() for part in arrived.iter_attachments()] == ["Plan d’accès.pdf"]
    page.get_by_role("link", name="Suivre l’envoi").click()
    expect(page.get_by_text("Un seul e-mail")).to_be_visible()
    expect(page.get_by_role("cell", name=re.compile(re.escape(first.name)))).to_have_count(1)
    assert quote(second.name) not in page.url


def begins_on_the_first_screen(page: Page, site: Site) -> None:
    """To however many one writes: subject and text stand on a desk's first screen, the people unfold."""
    with database_of(site), reading() as session:
        ids = list(session.exec(select(Member.id).where(col(Member.email).is_not(None)).limit(FEW + 12)))
    page.set_viewport_size({"width": 1440, "height": 900})
    sign_in(page, site, ADMIN_EMAIL, routes.write_to(membres=ids))
    expect(page.get_by_label("Objet", exact=True)).to_be_focused()
    expect(page.get_by_label("Objet", exact=True)).to_be_in_viewport()
    expect(page.get_by_role("toolbar", name="Mise en forme")).to_be_in_viewport(ratio=1)
    here = page.get_by_role("navigation", name="Écrans des e-mails").locator("[aria-current=page]")
    expect(here).to_have_text("Emails")
    people = page.get_by_role("region", name="Destinataires")
    removals = people.get_by_role("button", name=re.compile("^Retirer"))
    expect(removals).to_have_count(0)
    people.get_by_text(re.compile(r"^Voir les \d+$")).click()
    expect(removals.first).to_be_visible()


def carries_files(page: Page) -> None:
    """What may be attached is, what may not is told, and what is a table or no picture does not break the text."""
    page.get_by_label("Joindre des fichiers").set_input_files(
        [
            {"name": "Plan d’accès.pdf", "mimeType": "application/pdf", "buffer": PDF},
            {"name": "jeu.exe", "mimeType": "application/octet-stream", "buffer": b"MZ"},
            {"name": "note.txt", "mimeType": "text/plain", "buffer": b"Bonjour"},
        ]
    )
    expect(page.get_by_role("button", name="Retirer Plan d’accès.pdf")).to_be_visible()
    expect(page.get_by_role("button", name="Retirer note.txt")).to_be_visible()
    expect(page.get_by_text(re.compile("Ce fichier ne peut pas être joint"))).to_be_visible()
    page.get_by_role("button", name="Retirer note.txt").click()
    expect(page.get_by_role("button", name="Retirer note.txt")).to_have_count(0)
    written = page.get_by_role("textbox", name=EDITOR)
    written.click()
    written.evaluate(PASTE, TABLE)
    expect(page.get_by_label("Message", exact=True)).to_have_value(
        "<!--html--><p>12:00 | <strong>Accueil</strong></p>\n<p>14:30 | Fin</p>\n<p>un</p>\n<p>deux</p>\n<p>trois</p>"
    )
    page.get_by_label("Image à insérer").set_input_files(
        {"name": "note.txt", "mimeType": "text/plain", "buffer": b"Bonjour"}
    )
    alert = page.locator(".editor > .field-error")
    expect(alert).to_be_visible()
    assert alert.evaluate("node => parseFloat(getComputedStyle(node).paddingLeft)") >= 8, "it keeps off the border"


def is_refused_for_a_word_of_a_meeting(page: Page) -> None:
    """It becomes no chip, and is told where it stands."""
    written = page.get_by_role("textbox", name=EDITOR)
    written.press("Control+a")
    page.keyboard.type("{{EVENT_TITLE}} {{PRENOM}}")
    expect(written.locator(".variable-chip")).to_have_text(["Prénom"])
    expect(written).to_contain_text("{{EVENT_TITLE}}")
    page.get_by_role("button", name="Enregistrer en brouillon").click()
    expect(page.get_by_text(OF_A_MEETING)).to_be_visible()
