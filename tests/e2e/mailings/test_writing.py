"""A mail to a choice of people: to whom, files, preview, sent once, and followed in the log (M3, M15)."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect
from sqlmodel import col, select

from clubapp import routes
from clubapp.database import reading
from clubapp.models import Member
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, has_no_barrier, shuts_nobody_out
from tests.e2e.site import Site

PDF = b"%PDF-1.7 le plan"
SENT = "L'email a été envoyé avec succès à 1 membre !"


def two_members(site: Site) -> list[Member]:
    with database_of(site), reading() as session:
        reachable = select(Member).where(col(Member.is_active), col(Member.email).is_not(None))
        unspoilt = reachable.where(col(Member.opted_out_at).is_(None), col(Member.email_failed_at).is_(None))
        return list(session.exec(unspoilt.order_by(col(Member.name)).limit(2)))


@pytest.mark.console_errors("nom=jeu.exe")
def test_a_mail_to_named_people_carries_files_and_is_followed_in_the_log(page: Page, site: Site) -> None:
    first, second = two_members(site)
    sign_in(page, site, ADMIN_EMAIL, routes.ADMIN_WRITE)
    expect(page.get_by_role("heading", name="À qui voulez-vous écrire")).to_be_visible()
    has_no_barrier(page)
    page.goto(site.url + routes.write_to(membres=[first.id, second.id]))
    people = page.get_by_role("region", name="Destinataires")
    expect(people.get_by_text("2 membres", exact=True)).to_be_visible()
    people.get_by_role("button", name=f"Retirer {second.name}").click()
    expect(people.get_by_text("1 membre", exact=True)).to_be_visible()
    expect(people.get_by_role("button", name=f"Remettre {second.name}")).to_be_visible()

    page.get_by_role("button", name="Envoyer…").click()
    expect(page.get_by_text("Indiquez l’objet de l’e-mail.")).to_be_visible()
    steps = page.evaluate("history.length")
    page.get_by_label("Objet", exact=True).fill("Le plan d’accès")
    page.get_by_label("Message", exact=True).fill("Bonjour {{PRENOM}},\n\nVoici le plan.")
    frame = page.frame_locator("iframe[title='Aperçu sur ordinateur']")
    expect(frame.get_by_text("Voici le plan.", exact=True)).to_be_visible()
    assert page.evaluate("history.length") == steps  # the back button leads out, not to a former preview
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
    shuts_nobody_out(page)

    page.reload()
    page.get_by_role("button", name="Reprendre").click()
    expect(page.get_by_label("Objet", exact=True)).to_have_value("Le plan d’accès")
    expect(page.get_by_role("button", name="Retirer Plan d’accès.pdf")).to_be_visible()
    expect(people.get_by_text("1 membre", exact=True)).to_be_visible()

    page.get_by_role("button", name="Envoyer…").click()
    question = page.get_by_role("alertdialog")
    expect(question.get_by_text("Envoyer cet e-mail à 1 membre")).to_be_visible()
    question.get_by_role("button", name="Envoyer", exact=True).click()
    expect(page.get_by_text(SENT)).to_be_visible()
    has_no_barrier(page)
    arrived = site.wait_for_mail(str(first.email), "broadcast", about="Le plan d’accès")
    assert [part.get_filename() for part in arrived.iter_attachments()] == ["Plan d’accès.pdf"]
    page.get_by_role("link", name="Suivre l’envoi").click()
    expect(page.get_by_text("Un seul e-mail")).to_be_visible()
    expect(page.get_by_role("cell", name=re.compile(re.escape(first.name)))).to_have_count(1)
    assert quote(second.name) not in page.url
