"""An invited person answers in a real browser, on a small phone and at a desk, by hand or by keyboard."""

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from clubapp import clock
from tests.e2e.invitation_steps import asked, fits, has_no_barrier, invite, press, unfold
from tests.e2e.site import Site


def test_yes_with_lunch_and_two_guests(site: Site, device: Page) -> None:
    invitation = invite(site)
    device.goto(invitation.path)
    asked(device, "Serez-vous des nôtres\u00a0?")
    expect(device.get_by_text("Vous répondez pour Marie Durand")).to_be_visible()
    expect(device.get_by_role("heading", level=1)).to_have_text("Matinale d'hiver à l'Hôtel Élan")
    unfold(device)
    for told in (
        "Valenciennes, 3 place d'Armes",
        "Zoé Lefèbvre, Atelier Lefèbvre",
        "14 encore libres",
    ):
        expect(device.get_by_text(told).filter(visible=True)).to_have_count(1)
    expect(device.get_by_role("img", name="Étape 1 sur 4")).to_be_visible()
    fits(device)
    has_no_barrier(device)

    press(device, "Oui, je viens")
    asked(device, "Resterez-vous déjeuner\u00a0?")
    expect(device.get_by_role("heading", name="Resterez-vous déjeuner\u00a0?")).to_be_focused()
    expect(device.get_by_role("button", name="Non, sans déjeuner")).to_be_in_viewport()
    expect(device.get_by_role("heading", level=1)).to_be_in_viewport()
    fits(device)
    has_no_barrier(device)

    press(device, "Oui, avec déjeuner")
    asked(device, "Combien d’invités vous accompagnent\u00a0?")
    expect(device.get_by_text("Maximum 5 invités par membre")).to_be_visible()
    press(device, "Un invité de plus")
    press(device, "Un invité de plus")
    expect(device.locator("[name=guest_count]")).to_have_value("2")
    fits(device)
    has_no_barrier(device)

    press(device, "Valider")
    asked(device, "Merci pour votre confirmation !")
    expect(device.get_by_text("2 invités", exact=True)).to_be_visible()
    expect(device.get_by_text("Avec déjeuner", exact=True)).to_be_visible()
    fits(device)
    has_no_barrier(device)
    assert invitation.answer == (True, True, 2)


def test_a_long_name_is_shown_to_its_last_letter(site: Site, device: Page) -> None:
    invitation = invite(site, has_lunch=False)
    device.goto(invitation.path)
    press(device, "Oui, je viens")
    press(device, "Valider")
    asked(device, "Merci pour votre confirmation !")
    begins = device.locator(".answer-summary").evaluate(
        """(list) => {
            const words = list.querySelector("li").firstChild;
            words.data = "Abdelkrim Ould-Hamdaoui-Benmansour";
            const range = document.createRange();
            range.selectNodeContents(words);
            return [...range.getClientRects()].map((line) => line.left - list.getBoundingClientRect().left);
        }"""
    )
    assert min(begins) > 19  # what is further left is cut off


PROGRAMME = "Les places sont mêlées.\n11:30 Accueil et café\n12h15 : Trois réussites"


@pytest.mark.parametrize(
    ("answer", "places", "yes"),
    [
        ("", 42, "Oui, je viens"),
        ("&answer=non", 42, "Oui, je viens"),
        ("", 2, "Oui, sur la liste d’attente"),
    ],
)
def test_yes_and_no_are_both_in_view_on_the_smallest_phone(
    site: Site, new_context: Callable[..., BrowserContext], answer: str, places: int, yes: str
) -> None:
    invitation = invite(
        site, title="Le déjeuner des réussites", description=PROGRAMME, max_participants=places, coming=2
    )
    phone = new_context(site, viewport={"width": 320, "height": 568}).new_page()
    phone.goto(f"{invitation.path}{answer}")
    asked(phone, "Serez-vous des nôtres\u00a0?")
    for name in (yes, "Non, pas cette fois"):
        expect(phone.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    expect(phone.get_by_text("Trois réussites").filter(visible=True)).to_have_count(0)
    phone.get_by_text("Programme et intervenants").click()
    expect(phone.locator("details").get_by_text("Trois réussites")).to_be_visible()
    has_no_barrier(phone)


def test_a_desk_shows_the_programme_above_the_fold(site: Site, new_context: Callable[..., BrowserContext]) -> None:
    invitation = invite(site, description=PROGRAMME)
    desk = new_context(site, viewport={"width": 1440, "height": 900}).new_page()
    desk.goto(invitation.path)
    asked(desk, "Serez-vous des nôtres\u00a0?")
    expect(desk.locator(".answer-programme > *").nth(1)).to_have_text("Les places sont mêlées.")  # as in the mail
    for text in ("12:15", "Trois réussites", "Les places sont mêlées."):
        expect(desk.locator(".answer-programme").get_by_text(text, exact=True).first).to_be_in_viewport(ratio=1)
    has_no_barrier(desk)


def test_no_in_the_mail_after_a_yes_that_was_left_halfway(site: Site, phone: Page) -> None:
    invitation = invite(site)
    device, halfway = phone, "Resterez-vous déjeuner\u00a0?"
    device.goto(invitation.path)
    press(device, "Oui, je viens")
    asked(device, halfway)
    fits(device)
    device.goto(f"{invitation.path}&answer=non")
    asked(device, "Serez-vous des nôtres\u00a0?")
    expect(device.get_by_text("Dans l’e-mail, vous avez choisi «\u00a0Non\u00a0». Votre réponse reste")).to_be_visible()
    expect(device.get_by_text("Rien n’est encore enregistré")).to_have_count(0)
    expect(device.locator(".answer-choice-first")).to_contain_text("Non, pas cette fois")
    has_no_barrier(device)
    press(device, "Garder ma réponse")
    asked(device, halfway)
    assert invitation.answer == (True, None, 0)
    press(device, "Modifier ma réponse")
    press(device, "Non, pas cette fois")
    asked(device, "Réponse enregistrée")
    assert invitation.row.will_attend is False


def test_a_second_visit_shows_the_answer_given(
    site: Site, page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    invitation = invite(site)
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    asked(page, "Resterez-vous déjeuner\u00a0?")
    elsewhere = new_context(site).new_page()
    elsewhere.goto(invitation.path)
    asked(elsewhere, "Resterez-vous déjeuner\u00a0?")
    press(elsewhere, "Oui, avec déjeuner")
    elsewhere.locator("[name=guest_count]").fill("3")
    press(elsewhere, "Valider")
    asked(elsewhere, "Merci pour votre confirmation !")
    page.goto(invitation.path)
    asked(page, "Merci pour votre confirmation !")
    expect(page.get_by_text("3 invités", exact=True)).to_be_visible()


def test_the_whole_answer_by_keyboard(site: Site, page: Page) -> None:
    invitation = invite(site)
    page.goto(invitation.path)
    asked(page, "Serez-vous des nôtres\u00a0?")
    keys = page.keyboard

    def to(name: str) -> None:
        for _ in range(15):
            keys.press("Tab")
            if page.evaluate("document.activeElement.innerText || document.activeElement.name || ''").strip() == name:
                return
        raise AssertionError(f"Tab never reached {name}")

    to("Oui, je viens")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Resterez-vous déjeuner\u00a0?")).to_be_focused()
    to("Oui, avec déjeuner")
    keys.press("Space")
    expect(page.get_by_role("heading", name="Combien d’invités")).to_be_focused()
    to("guest_count")
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Merci pour votre confirmation !")).to_be_focused()
    assert invitation.answer == (True, True, 2)
    to("Modifier ma réponse")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Serez-vous des nôtres\u00a0?")).to_be_focused()
    to("Non, pas cette fois")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Réponse enregistrée")).to_be_focused()
    assert invitation.answer == (False, None, 0)


@pytest.mark.parametrize(("typed", "stored"), [("", 0), ("5", 5)])
def test_guests_are_typed_too(site: Site, page: Page, typed: str, stored: int) -> None:
    invitation = invite(site, has_lunch=False)
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    page.locator("[name=guest_count]").fill(typed)
    press(page, "Valider")
    asked(page, "Merci pour votre confirmation !")
    assert invitation.answer == (True, False, stored)


@pytest.mark.parametrize("typed", ["6", "-1", "99999"])
def test_more_than_five_guests_are_refused_beside_the_field(site: Site, page: Page, typed: str) -> None:
    invitation = invite(site, has_lunch=False)
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    field = page.locator("[name=guest_count]")
    field.fill(typed)
    press(page, "Valider")
    expect(page.get_by_role("alert").get_by_text("Maximum 5 invités par membre")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description("Maximum 5 invités par membre")
    expect(field).to_have_attribute("aria-invalid", "true")
    has_no_barrier(page)
    assert invitation.answer == (True, None, 0)
    field.fill("4")
    press(page, "Valider")
    asked(page, "Merci pour votre confirmation !")
    assert invitation.answer == (True, False, 4)


# The point of a choice that is nearest to a press: two presses of a finger are a little apart.
NEAREST = """([x, y]) => [...document.querySelectorAll('.answer-choice')].map((choice) => {
  const box = choice.getBoundingClientRect();
  const within = (at, low, high) => Math.min(high - 2, Math.max(low + 2, at));
  return [within(x, box.left, box.right), within(y, box.top, box.bottom)];
}).sort((one, other) => Math.abs(one[1] - y) - Math.abs(other[1] - y))[0]"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_double_press_answers_one_question(
    site: Site, device: Page, motion: Literal["reduce", "no-preference"]
) -> None:
    """Fails when nothing waits for those who asked for less motion."""
    invitation = invite(site)
    device.emulate_media(reduced_motion=motion)
    device.goto(invitation.path)
    asked(device, "Serez-vous des nôtres\u00a0?")
    pace = device.context.new_cdp_session(device)
    pace.send("Animation.enable")
    pace.send("Animation.setPlaybackRate", {"playbackRate": 0.1})  # however long this machine takes to press
    device.clock.set_fixed_time(clock.now())  # and the server to answer
    yes = device.get_by_role("button", name="Oui, je viens").bounding_box()
    assert yes is not None
    x, y = yes["x"] + yes["width"] / 2, yes["y"] + yes["height"] / 2
    device.mouse.click(x, y)
    device.locator(".answer-step", has_text="déjeuner").wait_for()
    beside, below = device.evaluate(NEAREST, [x, y])
    assert abs(below - y) < 20, "nothing can be pressed by mistake"
    device.mouse.click(beside, below)
    device.wait_for_timeout(600)
    asked(device, "Resterez-vous déjeuner\u00a0?")
    assert invitation.answer == (True, None, 0)


def test_without_motion_nothing_slides(site: Site, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(site, reduced_motion="reduce").new_page()
    page.goto(invite(site).path)
    press(page, "Oui, je viens")
    asked(page, "Resterez-vous déjeuner\u00a0?")
    took = page.evaluate("getComputedStyle(document.querySelector('.answer-heading')).animationDuration")
    assert float(took.removesuffix("s")) < 0.001
