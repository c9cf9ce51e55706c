"""A member keeps their profile and company, changes their address, sees their sessions, takes their data away."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, expect

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Member
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier, shuts_nobody_out
from tests.e2e.member_steps import alone, as_member, company_of, employed, stored
from tests.e2e.site import Site, link_in

NewContext = Callable[..., BrowserContext]


def save(page: Page, told: str) -> None:
    page.get_by_role("button", name="Enregistrer").click()
    toast = page.locator(".toast").filter(has_text=told)
    expect(toast).to_be_visible()
    toast.get_by_role("button", name="Fermer le message").click()  # the next one is then another
    expect(toast).to_have_count(0)


def expect_path(page: Page, path: str) -> None:
    page.wait_for_url(lambda url: urlsplit(url).path.rstrip("/") == path)


def test_a_member_corrects_their_profile_and_looks_at_their_page_first(page: Page, site: Site) -> None:
    person = employed(site)
    as_member(page, site, person)
    name = page.get_by_label("Nom complet")
    expect(name).not_to_be_editable()
    expect(name).to_have_accessible_description("Contactez un admin pour modifier")
    expect(page.get_by_label("Domaines d'expertise")).to_have_value("Charpente, Zinc")
    page.get_by_label("Fonction").fill("Directrice générale")
    page.get_by_label("LinkedIn").fill("linkedin.com/in/jeanne")
    page.get_by_label("Services proposés").fill("Toitures ,, Étanchéité, ")
    page.get_by_role("button", name="Aperçu").click()
    preview = page.get_by_role("dialog", name="Aperçu de votre page publique")
    expect(preview.get_by_text("Directrice générale")).to_be_visible()
    expect(preview.get_by_text("Étanchéité")).to_be_visible()
    has_no_barrier(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Aperçu")).to_be_focused()
    assert stored(site, person).role == "Gérante"
    save(page, "Profil mis à jour avec succès !")
    assert stored(site, person).services == ["Toitures", "Étanchéité"]
    page.reload()
    expect(page.get_by_label("Services proposés")).to_have_value("Toitures, Étanchéité")
    expect(page.get_by_label("LinkedIn")).to_have_value("https://linkedin.com/in/jeanne")
    page.get_by_role("link", name="Voir ma page publique").click()
    expect(page.get_by_role("heading", level=1, name="Jeanne Delcroix")).to_be_visible()
    expect(page.get_by_text("Directrice générale")).to_be_visible()


def test_a_wrong_field_is_shown_focused_and_keeps_what_was_typed(page: Page, site: Site) -> None:
    person = employed(site)
    as_member(page, site, person)
    page.get_by_label("Téléphone", exact=True).fill("appelez-moi")
    page.get_by_label("Site web").fill("pas une adresse")
    page.get_by_label("Description").fill("Un texte que je ne veux pas perdre.")
    page.get_by_role("button", name="Enregistrer").click()
    phone = page.get_by_label("Téléphone", exact=True)
    expect(phone).to_be_focused()
    expect(phone).to_have_accessible_description(re.compile("Indiquez un numéro de téléphone"))
    expect(page.get_by_label("Site web")).to_have_accessible_description(re.compile("Indiquez une adresse web"))
    expect(page.locator(".toast-error")).to_contain_text("Indiquez un numéro de téléphone")
    expect(page.get_by_label("Description")).to_have_value("Un texte que je ne veux pas perdre.")
    has_no_barrier(page)
    assert stored(site, person).description == "Je construis."
    page.wait_for_timeout(600)
    page.on("dialog", lambda question: question.accept())
    page.reload()
    page.get_by_role("button", name="Reprendre").click()
    expect(page.get_by_label("Description")).to_have_value("Un texte que je ne veux pas perdre.")
    page.get_by_label("Téléphone", exact=True).fill("03 20 55 55 01")
    page.get_by_label("Site web").fill("")
    services = page.get_by_label("Services proposés")
    services.fill("Sauvegarde ,, Référencement")
    save(page, "Profil mis à jour avec succès !")
    assert stored(site, person).description == "Un texte que je ne veux pas perdre."
    expect(services).to_have_value("Sauvegarde, Référencement")


def test_a_text_that_is_too_long_is_counted_refused_and_kept_whole(page: Page, site: Site) -> None:
    """Fails when what is beyond ten thousand characters is cut off without a word."""
    person = employed(site)
    as_member(page, site, person)
    description = page.get_by_label("Description")
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
    save(page, "Profil mis à jour avec succès !")
    assert stored(site, person).description == "x" * 10_000


def test_two_people_change_one_profile_and_nothing_is_lost(page: Page, site: Site) -> None:
    person = employed(site)
    as_member(page, site, person)
    page.get_by_label("Fonction").fill("Ma version")
    with database_of(site), transaction() as session:
        row = session.get(Member, person.id)
        assert row
        row.role, row.phone, row.updated_at = "La leur", "03 20 00 00 00", clock.now()
    page.get_by_role("button", name="Enregistrer").click()
    both = page.locator(".differences")
    expect(both).to_be_focused()
    expect(both.get_by_role("group", name="Fonction")).to_contain_text("La leur")
    expect(both.locator("[name=keep_role][value=mine]")).to_be_checked()
    expect(both.locator("[name=keep_phone]")).to_have_count(0)
    expect(page.get_by_label("Fonction", exact=True)).to_have_value("Ma version")
    has_no_barrier(page)
    assert stored(site, person).role == "La leur"
    save(page, "Profil mis à jour avec succès !")
    found = stored(site, person)
    assert (found.role, found.phone) == ("Ma version", "03 20 00 00 00")
    expect(both).to_have_count(0)


def test_what_the_site_shows_is_chosen_and_takes_effect_at_once(
    page: Page, site: Site, new_context: NewContext
) -> None:
    person = employed(site, "Agathe Visible", phone="03 20 55 55 01")
    as_member(page, site, person)
    visitor = new_context(site).new_page()
    visitor.goto(f"/membres/{person.id}")
    expect(visitor.get_by_role("link", name="Téléphone")).to_be_visible()
    page.get_by_role("switch", name="Montrer mon téléphone").click()
    expect(page.get_by_text("le site public en tient compte")).to_be_visible()
    visitor.reload()
    expect(visitor.get_by_role("link", name="Email", exact=False).first).to_be_visible()
    expect(visitor.get_by_role("link", name="Téléphone")).to_have_count(0)
    page.get_by_role("switch", name="Laisser les membres voir mon téléphone").click()
    expect(page.get_by_text("l’annuaire des membres en tient compte")).to_be_visible()
    colleague = new_context(site, viewport={"width": 320, "height": 700}).new_page()
    sign_in(colleague, site, str(alone(site).email), "/member/annuaire?q=visible%20agathe")
    line = colleague.get_by_role("listitem").filter(has_text="Agathe Visible")
    expect(line.get_by_role("link", name="03 20 55 55 01")).to_have_attribute("href", "tel:+33320555501")
    has_no_barrier(colleague)
    fits(colleague)
    visitor.goto("/member/annuaire")
    expect_path(visitor, "/connexion")
    visitor.goto(f"/membres/{person.id}")
    expect(visitor.get_by_role("link", name="Téléphone")).to_have_count(0)
    page.get_by_role("switch", name="Figurer dans l’annuaire").click()
    expect(page.get_by_text("Vous ne figurez pas dans l’annuaire.")).to_be_visible()
    assert visitor.request.get(f"/membres/{person.id}").status == 404
    assert "Agathe Visible" not in visitor.request.get("/membres").text()
    page.get_by_label("Fonction").fill("Toujours là")
    save(page, "Profil mis à jour avec succès !")
    assert not stored(site, person).is_listed


def confirming_links(site: Site, address: str) -> set[str]:
    return {link_in(mail, "/auth/adresse") for mail in site.mails_to(address, "email_change")}


def next_link(page: Page, site: Site, address: str, known: set[str]) -> str:
    """The link that reaches an address after those that are known."""
    while not (links := confirming_links(site, address) - known):
        page.wait_for_timeout(200)
    return links.pop()


def test_a_new_address_is_confirmed_by_its_link_and_signs_the_old_one_out(
    page: Page, site: Site, new_context: NewContext
) -> None:
    person = employed(site)
    new = f"nouvelle-{person.email}"
    as_member(page, site, person)
    page.get_by_label("E-mail", exact=True).fill(new)
    save(page, f"Profil mis à jour avec succès !Ouvrez le lien envoyé à {new}")
    expect(page.get_by_text("En attente de confirmation")).to_be_visible()
    expect(page.get_by_label("E-mail", exact=True)).to_have_value(str(person.email))
    has_no_barrier(page)
    given_up = next_link(page, site, new, set())
    page.get_by_role("button", name="Annuler le changement").click()
    expect(page.get_by_text("En attente de confirmation")).to_have_count(0)
    page.get_by_label("E-mail", exact=True).fill(new)
    save(page, "Profil mis à jour avec succès !")
    first = next_link(page, site, new, {given_up})
    page.get_by_role("button", name="Renvoyer le lien").click()
    expect(page.get_by_text("Un nouveau lien vient de partir.")).to_be_visible()
    second = next_link(page, site, new, {given_up, first})
    other = new_context(site).new_page()
    other.goto(first)
    assert "token" not in other.url
    other.get_by_role("button", name="Confirmer ma nouvelle adresse").click()
    expect(other.get_by_text("Ce lien a déjà servi, a expiré ou a été remplacé")).to_be_visible()
    other.goto("about:blank")
    other.goto(second)
    has_no_barrier(other)
    assert stored(site, person).email == person.email
    other.get_by_role("button", name="Confirmer ma nouvelle adresse").click()
    expect(other.get_by_role("heading", name="C’est confirmé")).to_be_focused()
    assert stored(site, person).email == new
    expect_path(page, "/connexion")
    told = site.wait_for_mail(str(person.email), "email_changed").get_body(("plain",))
    assert told
    assert "no•••@espace.example" in told.get_content()
    sign_in(other, site, new, "/member")
    expect(other.get_by_label("E-mail", exact=True)).to_have_value(new)


def test_a_member_corrects_their_company_and_only_its_own_fields(page: Page, site: Site) -> None:
    person = employed(site)
    as_member(page, site, person)
    page.get_by_role("link", name="Mon entreprise").click()
    name = page.get_by_label("Nom de l'entreprise")
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
    page.get_by_label("E-mail", exact=True).fill("contact")
    page.get_by_role("button", name="Enregistrer").click()
    expect(page.get_by_label("E-mail", exact=True)).to_be_focused()
    page.get_by_label("E-mail", exact=True).fill("contact@maison.example")
    save(page, "Entreprise mise à jour avec succès !")
    found = company_of(site, person)
    assert (found.city, found.certifications, found.services) == ("Roubaix", ["Qualibat", "RGE"], ["Toits"])
    has_no_barrier(page)


def test_a_member_without_a_company_is_told_so(page: Page, site: Site) -> None:
    as_member(page, site, alone(site))
    page.get_by_role("link", name="Mon entreprise").click()
    expect(page.get_by_text("Aucune entreprise associée")).to_be_visible()
    expect(page.get_by_role("link", name="Écrire au club")).to_have_attribute("href", "mailto:contact@beffroi.example")
    has_no_barrier(page)


def test_sessions_are_seen_and_ended_at_once(page: Page, site: Site, new_context: NewContext) -> None:
    person = employed(site)
    phone = as_member(new_context(site).new_page(), site, person, user_agent="Mozilla/5.0 (iPhone) Safari/604.1")
    as_member(page, site, person)
    page.get_by_role("link", name="Mes sessions").click()
    expect_path(page, "/member/sessions")
    rows = page.get_by_role("listitem").filter(has_text="Depuis le")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Cette session")
    has_no_barrier(page)
    rows.filter(has_text="Safari sur iPhone").get_by_role("button").click()
    expect(rows).to_have_count(1)
    phone.wait_for_url("**/connexion?motif=expiree")
    expect(phone.get_by_role("textbox", name="Adresse e-mail")).to_be_visible()
    as_member(phone, site, person)
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="Tout fermer et me déconnecter").click()
    for one in (page, phone):
        expect_path(one, "/connexion")
        expect(one.get_by_role("textbox", name="Adresse e-mail")).to_be_visible()


def test_a_member_takes_their_data_away_asks_to_be_erased_and_is_answered(
    page: Page, site: Site, new_context: NewContext
) -> None:
    person = employed(site, "Solange Carpentier")
    as_member(page, site, person)
    page.get_by_role("link", name="Mes données").click()
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
    has_no_barrier(page)
    ask.click()
    asked = page.get_by_role("list", name="Mes demandes")
    expect(asked).to_contain_text("En attente")
    expect(page.get_by_role("radio", name="Faire effacer mes données")).not_to_be_checked()
    page.reload()
    expect(asked).to_contain_text("Effacement")
    site.wait_for_mail(ADMIN_EMAIL, "rights_asked", about="Solange Carpentier")
    desk = new_context(site).new_page()
    sign_in(desk, site, ADMIN_EMAIL, "/admin")
    desk.goto("/admin/demandes")
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
    has_no_barrier(desk)
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
    site.wait_for_mail(str(person.email), "rights_answered")
    shuts_nobody_out(desk)


def test_an_administrator_has_the_same_screen_and_a_way_to_their_own_area(page: Page, site: Site) -> None:
    person = employed(site, "Odile Vanhove")
    site.command("admin", "add", str(person.email))
    sign_in(page, site, str(person.email), "/admin")
    page.get_by_role("link", name="Mes sessions").click()
    expect_path(page, "/admin/sessions")
    expect(page.get_by_text("Cette session", exact=True)).to_be_visible()
    page.get_by_role("link", name="Mon espace membre").click()
    expect_path(page, "/member")
    expect(page.get_by_label("Nom complet")).to_have_value("Odile Vanhove")
    page.get_by_role("link", name="Administration").click()
    expect_path(page, "/admin")


def test_the_member_area_fits_and_shuts_nobody_out(page: Page, site: Site) -> None:
    as_member(page, site, employed(site, "Marie-Charlotte Vandenbroucke-Delannoy", role="x" * 180))
    for path in ("/member", "/member/company", "/member/sessions", "/member/data"):
        page.goto(path)
        page.locator(".panel").first.wait_for()
        shuts_nobody_out(page)
