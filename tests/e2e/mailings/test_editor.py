"""The editor of a mail's text: chips, formatting, a paste from Word, and the field that stays what is submitted."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Event
from clubapp.services.demo import ADMIN_EMAIL
from clubapp.ui.mail.text_area import EDITOR
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, shuts_nobody_out
from tests.e2e.site import Site
from tests.factories import add_event
from tests.images import encoded, quarters

WORD = """<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0}</style></head>
<body><!--StartFragment--><h1>Le programme</h1>
<p class=MsoNormal style='color:red'><b>Café</b> <span style='font-size:9pt'>puis <i>visite</i></span><o:p></o:p></p>
<p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp; </span></span>un</p>
<p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp; </span></span>deux</p>
<p><a href="javascript:alert(1)">non</a> <a href="https://club.example/">oui</a> {{PRENOM}}</p>
<img src="https://ailleurs.example/p.gif" onerror="document.title='atteint'"><script>document.title='atteint'</script>
<!--EndFragment--></body></html>"""
PASTE = """(node, html) => { const data = new DataTransfer(); data.setData('text/html', html);
  node.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); }"""


@pytest.fixture
def form(page: Page, site: Site) -> Iterator[Locator]:
    with database_of(site), transaction() as session:
        date = clock.from_local("2073-05-11T12:00")
        event_id = add_event(session, title="Atelier de l'éditeur", date=date, status="confirmed").id
    sign_in(page, site, ADMIN_EMAIL, "/admin/emails")
    page.locator(f"li[data-event-id='{event_id}']").get_by_role("button", name="Modifier les templates").click()
    yield page.locator(f"dialog[data-event-id='{event_id}']")
    with database_of(site), transaction() as session:
        session.delete(session.get_one(Event, event_id))


# A picture that no saved mail shows is not public: the frame of the preview, which has no session, does not get it.
@pytest.mark.console_errors("NotSameOrigin")
def test_a_text_is_formatted_by_keyboard_pasted_clean_and_kept(page: Page, form: Locator) -> None:
    written, field = form.get_by_role("textbox", name=EDITOR).first, form.locator("[name=email_template]")
    expect(written.locator(".variable-chip", has_text="Titre")).to_be_visible()
    written.press("Control+a")
    page.keyboard.type("Bonjour {{PRENOM}},")
    expect(written.locator(".variable-chip")).to_have_text("Prénom")
    expect(field).to_have_value("Bonjour {{PRENOM}},")
    page.keyboard.press("Enter")
    page.keyboard.type("Venez ")
    page.keyboard.press("Control+b")
    page.keyboard.type("tous")
    page.keyboard.press("Control+b")
    page.keyboard.type(" !")
    page.keyboard.press("Enter")
    page.keyboard.type("- un")
    page.keyboard.press("Enter")
    page.keyboard.type("deux ")
    form.get_by_role("button", name="Insérer une variable").press("Enter")
    form.get_by_role("button", name="Insérer «\u00a0Heure\u00a0»").press("Enter")
    expect(written).to_be_focused()
    expect(field).to_have_value(
        "<!--html--><p>Bonjour {{PRENOM}},</p>\n<p>Venez <strong>tous</strong> !</p>\n"
        "<ul><li>un</li><li>deux {{EVENT_TIME}}</li></ul>"
    )
    page.keyboard.press("Shift+Home")
    page.keyboard.press("Control+k")
    form.get_by_label("Adresse du lien").fill("pas une adresse")
    page.keyboard.press("Enter")
    expect(form.get_by_text("Indiquez une adresse web complète")).to_be_visible()
    shuts_nobody_out(page)
    form.get_by_label("Adresse du lien").fill("www.club.example")
    page.keyboard.press("Enter")
    link = '<li><a href="https://www.club.example">deux {{EVENT_TIME}}</a></li></ul>'
    expect(field).to_have_value(re.compile(re.escape(link) + "$"))
    mail = page.frame_locator("iframe[title='Aperçu sur ordinateur']").locator("body")
    expect(mail.get_by_role("link", name="deux 12:00")).to_have_attribute("href", "https://www.club.example")
    expect(mail.locator("strong", has_text="tous")).to_be_visible()

    form.get_by_label("Image à insérer").first.set_input_files(
        {"name": "place.png", "mimeType": "image/png", "buffer": encoded(quarters(), "PNG")}
    )
    page.get_by_role("button", name="Valider").click()
    form.get_by_label("Ce que montre l’image").fill("La place du beffroi")
    form.get_by_role("button", name="Insérer l’image").click()
    expect(field).to_have_value(re.compile('<img [^>]*src="/media/logos/[^"]+"[^>]*>'))
    expect(mail.get_by_role("img", name="La place du beffroi")).to_be_visible()

    written.press("Control+a")
    written.evaluate(PASTE, WORD)
    expect(field).to_have_value(
        "<!--html--><p><strong>Le programme</strong></p>\n<p><strong>Café</strong> puis <em>visite</em></p>\n"
        '<ul><li>un</li><li>deux</li></ul>\n<p>non <a href="https://club.example/">oui</a> {{PRENOM}}</p>'
    )
    written.press("Control+z")
    expect(written.get_by_role("link")).to_have_text("deux Heure")
    written.press("Control+Shift+z")
    form.get_by_role("button", name="Texte brut").first.click()
    field.fill("Bonjour {{NOM}}.")
    form.get_by_role("button", name="Texte brut").first.click()
    expect(written.locator(".variable-chip")).to_have_text("Nom")
    written.press("Control+z")
    expect(field).to_have_value(re.compile("^<!--html--><p><strong>Le programme</strong>"))
    form.get_by_role("button", name="Enregistrer").click()
    expect(page.get_by_text("Modèles enregistrés avec succès !")).to_be_visible()
