"""Members chosen in the list by hand, by range, by keys and by filter, and the acts on them."""

from playwright.sync_api import Page, expect
from sqlmodel import col, func, select

from clubapp.database import reading
from clubapp.models import Member
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import reload, sign_in
from tests.e2e.focus_walk import hidden_or_lost
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier
from tests.e2e.member_steps import employed, stored
from tests.e2e.site import Site


def test_members_are_chosen_and_one_act_reaches_all_of_them(page: Page, site: Site) -> None:
    people = [employed(site, f"Trioletto {name}", expertise=[]) for name in ("Alba", "Bruno", "Carla", "Dina")]
    sign_in(page, site, ADMIN_EMAIL, "/admin/members?q=trioletto&tri=nom")
    boxes, count = page.locator("[data-check]"), page.locator(".selection-count")
    figure, active = page.locator("#menu-admin-figure"), count_active(site)
    expect(figure).to_contain_text("actifs")
    boxes.first.check()
    press(page, "Tout sélectionner (4)")
    expect(count).to_have_text("4 membres choisis")
    press(page, "Ne plus rien choisir")
    expect(count).to_have_count(0)
    reload(page)  # it stays so
    boxes.nth(1).check()
    expect(count).to_have_text("1 membre choisi")
    boxes.nth(2).check()
    search = page.get_by_role("searchbox", name="Rechercher un membre")
    search.fill("trioletto carla")
    expect(boxes).to_have_count(1)
    expect(count).to_have_text("2 membres choisis, dont 1 non affiché")
    search.fill("trioletto alba")
    expect(count).to_have_text("2 membres choisis, non affichés")
    page.set_viewport_size({"width": 320, "height": 640})
    fits(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    search.fill("trioletto")
    expect(boxes).to_have_count(4)
    expect(count).to_have_text("2 membres choisis")
    press(page, "Ne plus rien choisir")

    boxes.first.click()
    boxes.nth(2).click(modifiers=["Shift"])
    expect(count).to_have_text("3 membres choisis")
    boxes.nth(1).press("Space")
    expect(count).to_have_text("2 membres choisis")
    boxes.nth(2).press("Shift+ArrowDown")
    expect(boxes.nth(3)).to_be_focused()
    expect(count).to_have_text("3 membres choisis")
    press(page, "Tout sélectionner (4)")
    expect(count).to_have_text("4 membres choisis")
    page.set_viewport_size({"width": 320, "height": 640})
    has_no_barrier(page)
    fits(page)
    assert hidden_or_lost(page) == [], "the bar leaves the rows in sight (A7)"
    page.locator(".people-open").first.click()
    expect(page.get_by_role("button", name="Mettre à jour")).to_be_visible()
    expect(page.locator(".selection-bar")).to_be_hidden()
    page.get_by_role("button", name="Annuler").click()
    page.set_viewport_size({"width": 1280, "height": 800})
    boxes.nth(3).uncheck()
    press(page, "Écrire")
    page.wait_for_url("**/admin/emails/ecrire?membres=*")
    for person in people[:3]:
        expect(page.get_by_role("main")).to_contain_text(person.name)
    page.go_back()
    expect(count).to_have_text("3 membres choisis")  # the way back finds them again

    with page.expect_download() as taken:
        press(page, "Exporter")
    lines = taken.value.path().read_text("utf-8-sig").splitlines()
    assert [name in "".join(lines) for name in ("Alba", "Bruno", "Carla", "Dina")] == [True, True, True, False]

    press(page, "Domaine")
    sheet = page.get_by_role("dialog", name="Changer de domaine")
    press(page, "Changer de domaine")
    expect(sheet.get_by_text("Choisissez le domaine dans la liste.")).to_be_visible()
    sheet.get_by_label("Nouveau domaine").select_option("Sécurité & Qualité")
    press(page, "Changer de domaine")
    expect(page.locator(".toast-success")).to_contain_text("3 membres ont changé de domaine.")
    expect(count).to_have_count(0)

    page.get_by_role("checkbox", name="Choisir tous les membres affichés").check()
    page.get_by_role("region", name="Membres choisis").get_by_role("button", name="Rendre inactifs").click()
    question = page.get_by_role("alertdialog", name="Rendre inactifs 4 membres")
    has_no_barrier(page)
    question.get_by_role("button", name="Rendre inactifs").click()
    expect(page.locator(".toast-success").last).to_contain_text("4 membres sont maintenant inactifs.")
    expect(page.locator("[data-record-id]").filter(has_text="Inactif")).to_have_count(4)
    expect(figure).to_contain_text(f"{active - 4} actifs", timeout=5_000)  # sooner than the next look of the clock
    assert [stored(site, person).is_active for person in people] == [False] * 4
    assert stored(site, people[0]).activity_domain == "Sécurité & Qualité"


def count_active(site: Site) -> int:
    with database_of(site), reading() as session:
        return session.exec(select(func.count()).select_from(Member).where(col(Member.is_active))).one()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
