"""A member keeps their profile and company, changes their address, sees their sessions, takes their data away."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, expect
from sqlmodel import col, select

from clubapp import clock, tokens
from clubapp.database import reading, transaction
from clubapp.models import EmailChange, Member
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, has_no_barrier
from tests.e2e.member_steps import alone, as_member, company_of, employed, stored
from tests.e2e.members.test_members import fits_a_phone
from tests.e2e.site import Site

NewContext = Callable[..., BrowserContext]
SAVED = "Profil mis à jour avec succès !"


def save(page: Page, told: str) -> None:
    page.get_by_role("button", name="Enregistrer").click()
    toast = page.locator(".toast").filter(has_text=told)
    expect(toast).to_be_visible()
    toast.get_by_role("button", name="Fermer le message").click()  # the next one is then another
    expect(toast).to_have_count(0)


def expect_path(page: Page, path: str) -> None:
    page.wait_for_url(lambda url: urlsplit(url).path.rstrip("/") == path)


def test_a_member_corrects_their_profile_and_looks_at_their_page_first(page: Page, site: Site) -> None:
    """A wrong field is shown focused, and keeps what was typed, also when the page is loaded again."""
    person = employed(site, "Marie-Charlotte Vandenbroucke-Delannoy", role="x" * 180)
    as_member(page, site, person)
    name, phone = page.get_by_label("Nom complet"), page.get_by_label("Téléphone", exact=True)
    description, services = page.get_by_label("Description"), page.get_by_label("Services proposés")
    expect(name).not_to_be_editable()
    expect(name).to_have_accessible_description("Contactez un admin pour modifier")
    expect(page.get_by_label("Domaines d'expertise")).to_have_value("Charpente, Zinc")
    phone.fill("appelez-moi")
    page.get_by_label("Site web").fill("pas une adresse")
    description.fill("Un texte que je ne veux pas perdre.")
    page.get_by_role("button", name="Enregistrer").click()
    expect(phone).to_be_focused()
    expect(phone).to_have_accessible_description(re.compile("Indiquez un numéro de téléphone"))
    expect(page.get_by_label("Site web")).to_have_accessible_description(re.compile("Indiquez une adresse web"))
    expect(page.locator(".toast-error")).to_contain_text("Indiquez un numéro de téléphone")
    expect(description).to_have_value("Un texte que je ne veux pas perdre.")
    fits_a_phone(page)
    assert stored(site, person).description == "Je construis."
    page.wait_for_function("() => Object.values(localStorage).some((draft) => draft.includes('perdre'))")
    page.on("dialog", lambda question: question.accept())
    page.reload()
    page.get_by_role("button", name="Reprendre").click()
    expect(description).to_have_value("Un texte que je ne veux pas perdre.")

    page.get_by_label("Fonction").fill("Directrice générale")
    phone.fill("03 20 55 55 01")
    page.get_by_label("Site web").fill("")
    page.get_by_label("LinkedIn").fill("linkedin.com/in/jeanne")
    services.fill("Toitures ,, Étanchéité, ")
    page.get_by_role("button", name="Aperçu").click()
    preview = page.get_by_role("dialog", name="Aperçu de votre page publique")
    expect(preview.get_by_text("Directrice générale")).to_be_visible()
    expect(preview.get_by_text("Étanchéité")).to_be_visible()
    has_no_barrier(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Aperçu")).to_be_focused()
    assert stored(site, person).role == "x" * 180
    save(page, SAVED)
    expect(services).to_have_value("Toitures, Étanchéité")
    found = stored(site, person)
    assert found.linkedin == "https://linkedin.com/in/jeanne"
    assert (found.services, found.description) == (["Toitures", "Étanchéité"], "Un texte que je ne veux pas perdre.")
    page.get_by_role("link", name="Voir ma page publique").click()
    expect(page.get_by_role("heading", level=1, name=person.name)).to_be_visible()
    expect(page.get_by_text("Directrice générale")).to_be_visible()


def test_a_text_that_is_too_long_is_kept_whole_and_what_others_changed_meanwhile_is_not_lost(
    page: Page, site: Site
) -> None:
    """Fails when what is beyond ten thousand characters is cut off without a word."""
    person = employed(site)
    as_member(page, site, person)
    description, role = page.get_by_label("Description"), page.get_by_label("Fonction", exact=True)
    counted = page.get_by_text(re.compile(r"caractères$"))
    description.fill("x" * 7_000)
    expect(counted).to_have_count(0)
    description.fill("x" * 12_000)
    expect(counted).to_have_text(re.compile(r"^12\s000 / 10\s000 caractères$"))
    expect(page.get_by_text(re.compile(r"Ce texte est trop long\s: 10\s000 caractères au maximum"))).to_be_visible()
    page.get_by_role("button", name="Enregistrer").click()
    expect(description).to_be_focused()
    expect(description).to_have_value("x" * 12_000)
    assert stored(site, person).description == "Je construis."
    description.fill("x" * 10_000)
    expect(counted).to_have_text(re.compile(r"^10\s000 / 10\s000 caractères$"))

    role.fill("Ma version")
    with database_of(site), transaction() as session:
        row = session.get_one(Member, person.id)
        row.role, row.phone, row.updated_at = "La leur", "03 20 00 00 00", clock.now()
    page.get_by_role("button", name="Enregistrer").click()
    both = page.locator(".differences")
    expect(both).to_be_focused()
    expect(both.get_by_role("group", name="Fonction")).to_contain_text("La leur")
    expect(both.locator("[name=keep_role][value=mine]")).to_be_checked()
    expect(both.locator("[name=keep_phone]")).to_have_count(0)
    expect(role).to_have_value("Ma version")
    has_no_barrier(page)
    assert stored(site, person).role == "La leur"
    save(page, SAVED)
    found = stored(site, person)
    assert (found.role, found.phone, found.description) == ("Ma version", "03 20 00 00 00", "x" * 10_000)
    expect(both).to_have_count(0)


def test_what_the_site_shows_is_chosen_and_takes_effect_at_once(
    page: Page, site: Site, new_context: NewContext
) -> None:
    person = employed(site, "Agathe Visible", phone="03 20 55 55 01")
    as_member(page, site, person)
    visitor = new_context(site).request

    def public(path: str = f"/membres/{person.id}") -> str:
        return visitor.get(path).text()

    assert "03 20 55 55 01" in public()
    page.get_by_role("switch", name="Montrer mon téléphone").click()
    expect(page.get_by_text("le site public en tient compte")).to_be_visible()
    assert "03 20 55 55 01" not in public()
    page.get_by_role("switch", name="Laisser les membres voir mon téléphone").click()
    expect(page.get_by_text("l’annuaire des membres en tient compte")).to_be_visible()
    assert "03 20 55 55 01" not in public()
    page.get_by_role("link", name="Annuaire des membres", exact=True).click()
    page.get_by_role("searchbox").fill("visible agathe")
    line = page.get_by_role("listitem").filter(has_text="Agathe Visible")
    expect(line.get_by_role("link", name="03 20 55 55 01")).to_have_attribute("href", "tel:+33320555501")
    assert urlsplit(visitor.get(urlsplit(page.url).path).url).path == "/connexion"
    fits_a_phone(page)
    page.get_by_role("link", name="Mon profil").click()
    page.get_by_role("switch", name="Figurer dans l’annuaire").click()
    expect(page.get_by_text("Vous ne figurez pas dans l’annuaire.")).to_be_visible()
    assert visitor.get(f"/membres/{person.id}").status == 404
    assert "Agathe Visible" not in public("/membres")
    page.get_by_label("Fonction").fill("Toujours là")
    save(page, SAVED)
    assert not stored(site, person).is_listed


def newest_link(site: Site, person: Member) -> str:
    """The link of the wish for an address that somebody uttered last."""
    wishes = select(EmailChange.id).where(EmailChange.member_id == person.id)
    with database_of(site), reading() as session:
        last = session.exec(wishes.order_by(col(EmailChange.created_at).desc())).first()
        return f"/auth/adresse#token={tokens.derive('email-change', str(last))}"


def test_a_new_address_is_confirmed_by_its_link_and_signs_the_old_one_out(
    page: Page, site: Site, new_context: NewContext
) -> None:
    person = employed(site)
    new = f"nouvelle-{person.email}"
    as_member(page, site, person)
    address, awaited = page.get_by_label("E-mail", exact=True), page.get_by_text("En attente de confirmation")
    address.fill(new)
    save(page, f"{SAVED}Ouvrez le lien envoyé à {new}")
    expect(awaited).to_be_visible()
    expect(address).to_have_value(str(person.email))
    has_no_barrier(page)
    other = new_context(site).new_page()
    other.goto(newest_link(site, person))
    confirm = other.get_by_role("button", name="Confirmer ma nouvelle adresse")
    expect(confirm).to_be_visible()
    assert "token" not in other.url
    has_no_barrier(other)
    page.get_by_role("button", name="Annuler le changement").click()
    expect(awaited).to_have_count(0)
    confirm.click()
    expect(other.get_by_text("Ce lien a déjà servi, a expiré ou a été remplacé")).to_be_visible()

    address.fill(new)
    save(page, SAVED)
    page.get_by_role("button", name="Renvoyer le lien").click()
    expect(page.get_by_text("Un nouveau lien vient de partir.")).to_be_visible()
    other.goto("about:blank")
    other.goto(newest_link(site, person))
    expect(confirm).to_be_visible()
    assert stored(site, person).email == person.email
    confirm.click()
    expect(other.get_by_role("heading", name="C’est confirmé")).to_be_focused()
    assert stored(site, person).email == new
    expect_path(page, "/connexion")


def test_a_member_corrects_their_company_and_only_its_own_fields(page: Page, site: Site) -> None:
    """Who has none is told so."""
    person = employed(site)
    sign_in(page, site, str(person.email), "/member/company")
    name, address = page.get_by_label("Nom de l'entreprise"), page.get_by_label("E-mail", exact=True)
    expect(name).not_to_be_editable()
    expect(name).to_have_accessible_description("Contactez un admin pour modifier")
    page.get_by_label("Ville").fill("Roubaix")
    page.get_by_label("Certifications").fill("Qualibat, RGE")
    page.get_by_label("Description").fill("Toits et façades depuis 1962.")
    page.get_by_role("button", name="Aperçu").click()
    preview = page.get_by_role("dialog", name="Aperçu de la page publique")
    expect(preview.get_by_text("Toits et façades depuis 1962.")).to_be_visible()
    has_no_barrier(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Aperçu")).to_be_focused()
    assert company_of(site, person).description == "Nous bâtissons."
    address.fill("contact")
    page.get_by_role("button", name="Enregistrer").click()
    expect(address).to_be_focused()
    fits_a_phone(page)
    address.fill("contact@maison.example")
    save(page, "Entreprise mise à jour avec succès !")
    found = company_of(site, person)
    assert (found.city, found.certifications, found.services) == ("Roubaix", ["Qualibat", "RGE"], ["Toits"])

    sign_in(page, site, str(alone(site).email), "/member/company")
    expect(page.get_by_text("Aucune entreprise associée")).to_be_visible()
    expect(page.get_by_role("link", name="Écrire au club")).to_have_attribute("href", "mailto:contact@beffroi.example")
    has_no_barrier(page)


def test_sessions_are_seen_and_ended_at_once(page: Page, site: Site, new_context: NewContext) -> None:
    person = employed(site)
    phone = new_context(site).new_page()
    sign_in(phone, site, str(person.email), "/member/data", user_agent="Mozilla/5.0 (iPhone) Safari/604.1")
    sign_in(page, site, str(person.email), "/member/sessions")
    rows = page.get_by_role("listitem").filter(has_text="Depuis le")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Cette session")
    fits_a_phone(page)
    expect(phone.get_by_role("heading", level=1, name="Mes données")).to_be_visible()
    rows.filter(has_text="Safari sur iPhone").get_by_role("button").click()
    expect(rows).to_have_count(1)
    phone.wait_for_url("**/connexion?motif=expiree")
    expect(phone.get_by_role("textbox", name="Adresse e-mail")).to_be_visible()
    sign_in(phone, site, str(person.email), "/member/data")
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="Tout fermer et me déconnecter").click()
    for one in (page, phone):
        expect_path(one, "/connexion")
        expect(one.get_by_role("textbox", name="Adresse e-mail")).to_be_visible()


def test_a_member_takes_their_data_away_asks_to_be_erased_and_is_answered(
    page: Page, site: Site, new_context: NewContext
) -> None:
    person = employed(site, "Solange Carpentier")
    sign_in(page, site, str(person.email), "/member/data")
    for kind in ("JSON", "CSV"):
        with page.expect_download() as download:
            page.get_by_role("link", name=f"Télécharger en {kind}").click()
        assert download.value.suggested_filename == f"mes-donnees.{kind.lower()}"
        assert "Solange Carpentier" in download.value.path().read_text()
    ask = page.get_by_role("button", name="Envoyer ma demande")
    ask.click()
    expect(page.get_by_text("Choisissez ce qui est demandé.")).to_be_visible()
    page.get_by_role("radio", name="Faire effacer mes données").check()
    page.get_by_label("Précisions").fill("Je prends ma retraite.")
    fits_a_phone(page)
    ask.click()
    asked = page.get_by_role("list", name="Mes demandes")
    expect(asked).to_contain_text("En attente")
    expect(asked).to_contain_text("Effacement")
    expect(page.get_by_role("radio", name="Faire effacer mes données")).not_to_be_checked()

    desk = new_context(site).new_page()
    sign_in(desk, site, ADMIN_EMAIL, "/admin/demandes")
    opener = desk.get_by_role("button", name="Noter une demande")
    opener.click()
    expect(desk.get_by_role("heading", name="Noter une demande reçue par lettre")).to_be_focused()
    desk.get_by_role("button", name="Annuler").click()
    expect(opener).to_be_focused()
    row = desk.get_by_role("listitem").filter(has_text="Solange Carpentier demande l’effacement")
    expect(row).to_contain_text("Je prends ma retraite.")
    row.get_by_role("button", name="Répondre").click()
    expect(row.get_by_role("radio", name="C’est fait")).to_be_focused()
    row.get_by_role("radio", name="C’est refusé").check()
    row.get_by_role("button", name="Envoyer la réponse").click()
    expect(row.get_by_text("Dites pourquoi")).to_be_visible()
    fits_a_phone(desk)
    row.get_by_role("radio", name="C’est fait").check()
    row.get_by_label("Ce que vous lui dites").fill("Merci pour toutes ces années.")
    row.get_by_role("button", name="Envoyer la réponse").click()
    question = desk.get_by_role("alertdialog", name="Effacer Solange Carpentier")
    expect(question.get_by_text("C’est définitif")).to_be_visible()
    has_no_barrier(desk)
    question.get_by_role("button", name="Annuler").click()
    expect(row.get_by_label("Ce que vous lui dites")).to_have_value("Merci pour toutes ces années.")
    row.get_by_role("button", name="Envoyer la réponse").click()
    question.get_by_role("button", name="Effacer").click()
    expect(desk.locator(".toast-success")).to_contain_text("La réponse part par e-mail.")
    expect(row).to_have_count(0)
    expect(desk.get_by_text("Merci pour toutes ces années.")).to_be_visible()
    desk.get_by_role("link", name="Mes sessions").click()  # an administrator has the same screen
    expect_path(desk, "/admin/sessions")
    expect(desk.get_by_text("Cette session", exact=True)).to_be_visible()
