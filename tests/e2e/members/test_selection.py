"""Members chosen in the list by hand, by range, by keys and by filter, and the acts on them."""

from playwright.sync_api import Page, expect

from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import reload, sign_in
from tests.e2e.focus_walk import hidden_or_lost
from tests.e2e.invitation_steps import fits, has_no_barrier
from tests.e2e.member_steps import employed, stored
from tests.e2e.sign_in_steps import admin
from tests.e2e.site import Site


def test_members_are_chosen_and_one_act_reaches_all_of_them(page: Page, site: Site) -> None:
    people = [employed(site, f"Trioletto {name}", expertise=[]) for name in ("Alba", "Bruno", "Carla", "Dina")]
    sign_in(page, site, ADMIN_EMAIL, "/admin/members?q=trioletto&tri=nom")
    boxes, count = page.locator("[data-check]"), page.locator(".selection-count")
    expect(boxes).to_have_count(4)
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
    has_no_barrier(page)
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
    assert [stored(site, person).is_active for person in people] == [False] * 4
    assert stored(site, people[0]).activity_domain == "Sécurité & Qualité"


def test_a_cleared_selection_stays_so_and_who_is_out_of_sight_is_counted(page: Page, site: Site) -> None:
    for name in ("Aldo", "Bice", "Corrado"):
        employed(site, f"Quartettino {name}", expertise=[])
    sign_in(page, site, admin(site, "quartettino"), "/admin/members?q=quartettino&tri=nom")
    boxes, count = page.locator("[data-check]"), page.locator(".selection-count")
    boxes.first.check()
    press(page, "Tout sélectionner (3)")
    expect(count).to_have_text("3 membres choisis")
    press(page, "Ne plus rien choisir")
    expect(count).to_have_count(0)
    reload(page)
    boxes.nth(1).check()
    expect(count).to_have_text("1 membre choisi")

    boxes.nth(2).check()
    search = page.get_by_role("searchbox", name="Rechercher un membre")
    search.fill("quartettino corrado")
    expect(boxes).to_have_count(1)
    expect(count).to_have_text("2 membres choisis, dont 1 non affiché")
    has_no_barrier(page)
    search.fill("quartettino aldo")
    expect(count).to_have_text("2 membres choisis, non affichés")
    page.set_viewport_size({"width": 320, "height": 640})
    fits(page)
    search.fill("quartettino")
    expect(count).to_have_text("2 membres choisis")


def test_the_figure_of_the_menu_follows_an_act(page: Page, site: Site) -> None:
    employed(site, "Cinquettina Rosa", expertise=[])
    sign_in(page, site, admin(site, "cinquettina"), "/admin/members?q=cinquettina")
    figure = page.locator("#menu-admin-figure")
    expect(figure).to_contain_text("actifs")
    before = int(figure.inner_text().split()[0])
    page.locator("[data-check]").check()
    page.get_by_role("region", name="Membres choisis").get_by_role("button", name="Rendre inactif").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Rendre inactif").click()
    expect(page.locator(".toast-success")).to_be_visible()
    expect(figure).to_contain_text(f"{before - 1} actifs", timeout=5_000)  # sooner than the next look of the clock


def test_rows_and_cards_leave_room_for_the_next_one(page: Page, site: Site) -> None:
    people = [
        employed(
            site, f"Quatretto {name}", role="Responsable développement", phone="06 39 98 41 07", expertise=["Reliure"]
        )
        for name in ("Alba", "Bruno")
    ]
    sign_in(page, site, ADMIN_EMAIL, "/admin/members?q=quatretto")
    rows = page.locator(".people-row")
    for width, most in ((1440, 52.5), (1024, 52.5), (390, 156)):
        page.set_viewport_size({"width": width, "height": 844})
        expect(rows).to_have_count(len(people))
        assert max(rows.evaluate_all("all => all.map((row) => row.getBoundingClientRect().height)")) <= most
    box, name = page.locator("[data-check]").first.bounding_box(), page.locator(".people-face").first.bounding_box()
    assert box is not None
    assert name is not None
    assert abs(box["y"] + box["height"] / 2 - name["y"] - name["height"] / 2) < 4, "the box stands beside the name"
    page.locator(".people-row [data-check]").first.check()
    bar = page.get_by_role("region", name="Membres choisis")
    expect(bar.get_by_role("button", name="Rendre inactif", exact=True)).to_be_visible()
    page.locator(".people-row [data-check]").nth(1).check()
    expect(bar.get_by_role("button", name="Rendre inactifs", exact=True)).to_be_visible()
    for act in ("Écrire", "Demander leur photo", "Domaine", "Rendre inactifs", "Exporter"):
        expect(bar.get_by_role("button", name=act, exact=True)).to_be_in_viewport(ratio=1)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
