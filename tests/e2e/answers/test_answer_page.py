"""An invited person answers in a real browser: with script, without socket, without script; by hand, by keyboard."""

from collections.abc import Callable
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from clubapp import clock
from tests.e2e.answers.event_changes import change, free_a_place, full_disk
from tests.e2e.conftest import SMALL_PHONE
from tests.e2e.invitation_steps import asked, fits, invite, press, shuts_nobody_out
from tests.e2e.site import Site
from tests.e2e.visitors import Visitor

COMES = "Serez-vous des nôtres\u00a0?"
LUNCH = "Resterez-vous déjeuner\u00a0?"
GUESTS = "Combien d’invités vous accompagnent\u00a0?"
THANKS = "Merci pour votre confirmation !"
ABSENT = "Réponse enregistrée"
PROGRAMME = "Les places sont mêlées.\n11:30 Accueil et café\n12h15 : Trois réussites"
COUNT_SHIFTS = """window.moved = 0; new PerformanceObserver(list => list.getEntries().forEach(
    one => { window.moved += one.value; })).observe({type: 'layout-shift', buffered: true});"""
AT_EASE = """() => document.readyState === 'complete' && document.fonts.status === 'loaded'
    && new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true)))))"""
BEGINS = """(list) => {
    const words = list.querySelector("li").firstChild;
    words.data = "Abdelkrim Ould-Hamdaoui-Benmansour";
    const range = document.createRange();
    range.selectNodeContents(words);
    return [...range.getClientRects()].map((line) => line.left - list.getBoundingClientRect().left);
}"""


@pytest.mark.console_errors("status of 422")  # of the browser itself, without script
def test_from_the_mail_to_named_guests_and_a_change_of_mind(site: Site, anywhere: Visitor) -> None:
    invitation, page = invite(site), anywhere.page
    anywhere.open(f"{invitation.path}&answer=oui")
    anywhere.is_asked(COMES)
    anywhere.reads("Rien n’est encore enregistré", "Vous répondez pour Marie Durand")
    assert invitation.answer == (None, None, 0)
    anywhere.press("Oui, je viens")
    anywhere.is_asked(LUNCH)
    anywhere.press("Oui, avec déjeuner")
    anywhere.is_asked(GUESTS)
    anywhere.press("Valider", guest_count="6")
    anywhere.reads("Maximum 5 invités par membre")
    anywhere.has_typed("guest_count", "6")
    anywhere.press("Valider", guest_count="2")
    anywhere.is_asked(THANKS)
    anywhere.reads("Avec déjeuner", "2 invités")
    fits(page)
    assert invitation.answer == (True, True, 2)
    asked_of_google = parse_qs(urlsplit(anywhere.link("Ajouter à Google Agenda")).query)
    assert asked_of_google["text"] == ["Matinale d'hiver à l'Hôtel Élan"]
    for name in ("Ajouter à Google Agenda", "Outlook", "Office 365", "Yahoo"):
        assert invitation.token not in anywhere.link(name)

    anywhere.press("Nommer vos invités")
    anywhere.is_asked("Vos invités")
    first, second = (page.get_by_role("group", name=f"Invité {number}") for number in (1, 2))
    first.get_by_label("Nom", exact=True).fill("Zoé Lys")
    first.get_by_label("Entreprise").fill("Lys & Cie")
    second.get_by_label("Nom", exact=True).fill("Ali Ben")
    second.get_by_label("E-mail").fill("ali chez lui")
    anywhere.press("Enregistrer")
    expect(second.get_by_text("Indiquez une adresse e-mail valide")).to_be_visible()
    expect(first.get_by_label("Nom", exact=True)).to_have_value("Zoé Lys")
    fits(page)
    second.get_by_label("E-mail").fill("ali@ben.example")
    anywhere.press("Enregistrer")
    anywhere.is_asked(THANKS)
    expect(page.get_by_text("Zoé Lys, Lys & Cie", exact=True)).to_be_visible()
    assert invitation.answer == (True, True, 2)

    anywhere.press("Modifier ma réponse")
    anywhere.press("Garder ma réponse")
    anywhere.is_asked(THANKS)
    anywhere.press("Modifier ma réponse")
    anywhere.press("Non, pas cette fois")
    anywhere.is_asked(ABSENT)
    anywhere.misses("Agenda")
    assert invitation.answer == (False, None, 0)


@pytest.mark.usefixtures("usual_font")
def test_on_a_phone_each_step_is_seen_whole_nothing_jumps_and_what_is_typed_outlives_a_reload(
    site: Site, phone: Page
) -> None:
    invitation, visitor = invite(site, title="Le déjeuner des réussites", description=PROGRAMME), Visitor(phone)
    phone.add_init_script(COUNT_SHIFTS)
    phone.goto(f"{invitation.path}&answer=non")
    asked(phone, COMES)
    phone.wait_for_function(AT_EASE)
    assert phone.evaluate("window.moved") < 0.02
    expect(phone.get_by_text("Rien n’est encore enregistré")).to_be_in_viewport()
    expect(phone.locator(".answer-choice-first")).to_have_text("Non, pas cette fois")
    for name in ("Oui, je viens", "Non, pas cette fois"):
        expect(phone.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("link", name="Voir sur la carte")).to_be_visible()
    expect(phone.get_by_role("img", name="Étape 1 sur 4")).to_be_visible()
    expect(phone.get_by_text("Trois réussites").filter(visible=True)).to_have_count(0)
    phone.get_by_text("Programme et intervenants").click()
    expect(phone.locator("details").get_by_text("Trois réussites")).to_be_visible()
    for told in ("Valenciennes, 3 place d'Armes", "Zoé Lefèbvre, Atelier Lefèbvre", "14 encore libres"):
        expect(phone.get_by_text(told).filter(visible=True)).to_have_count(1)
    shuts_nobody_out(phone)

    press(phone, "Oui, je viens")
    expect(phone.get_by_role("heading", name=LUNCH)).to_be_focused()
    took = phone.evaluate("getComputedStyle(document.querySelector('.answer-heading')).animationDuration")
    assert float(took.removesuffix("s")) < 0.001, "something slides for who wants less motion"
    expect(phone.get_by_role("button", name="Non, sans déjeuner")).to_be_in_viewport()
    expect(phone.get_by_role("heading", level=1)).to_be_in_viewport()
    visitor.looks()

    press(phone, "Oui, avec déjeuner")
    asked(phone, GUESTS)
    field = phone.locator("[name=guest_count]")
    press(phone, "Un invité de plus")
    phone.reload()
    expect(field).to_have_value("1")
    field.fill("6")
    press(phone, "Valider")
    expect(phone.get_by_role("alert").get_by_text("Maximum 5 invités par membre")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description("Maximum 5 invités par membre")
    expect(field).to_have_attribute("aria-invalid", "true")
    visitor.looks()
    assert invitation.answer == (True, True, 0)
    field.fill("1")
    press(phone, "Valider")
    asked(phone, THANKS)
    expect(phone.get_by_text("1 invité", exact=True)).to_be_visible()
    visitor.looks()
    for width in (1280, SMALL_PHONE["width"]):
        phone.set_viewport_size({"width": width, "height": SMALL_PHONE["height"]})
        fits(phone)
        assert min(phone.locator(".answer-summary").evaluate(BEGINS)) > 19, "what is further left is cut off"

    press(phone, "Nommer votre invité")
    asked(phone, "Votre invité")
    phone.get_by_label("Nom", exact=True).fill("Zoé Lys")
    phone.get_by_text("Son repas").click()
    phone.get_by_label("Déjeuner").select_option("Ne déjeune pas")
    phone.reload()
    expect(phone.get_by_label("Nom", exact=True)).to_have_value("Zoé Lys")
    press(phone, "Retour")
    asked(phone, THANKS)
    press(phone, "Nommer votre invité")
    expect(phone.get_by_label("Nom", exact=True)).to_have_value("Zoé Lys")
    expect(phone.get_by_label("Déjeuner")).to_have_value("false")
    phone.get_by_label("E-mail").fill("zoe chez elle")
    press(phone, "Enregistrer")
    expect(phone.get_by_label("E-mail")).to_be_focused()
    shuts_nobody_out(phone)
    phone.get_by_label("E-mail").fill("")
    press(phone, "Enregistrer")
    asked(phone, THANKS)
    assert "Zoé" not in phone.evaluate("JSON.stringify({...sessionStorage})")
    press(phone, "Modifier votre invité")
    expect(phone.get_by_label("Déjeuner")).to_have_value("false")


def test_at_a_desk_the_programme_is_above_the_fold_and_the_keyboard_does_it_all(site: Site, page: Page) -> None:
    invitation = invite(site, description=PROGRAMME)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(invitation.path)
    asked(page, COMES)
    expect(page.locator(".answer-programme > *").nth(1)).to_have_text("Les places sont mêlées.")  # as in the mail
    for text in ("12:15", "Trois réussites", "Les places sont mêlées."):
        expect(page.locator(".answer-programme").get_by_text(text, exact=True).first).to_be_in_viewport(ratio=1)
    keys = page.keyboard

    def to(name: str) -> None:
        for _ in range(15):
            keys.press("Tab")
            if page.evaluate("document.activeElement.innerText || document.activeElement.name || ''").strip() == name:
                return
        raise AssertionError(f"Tab never reached {name}")

    to("Oui, je viens")
    keys.press("Enter")
    expect(page.get_by_role("heading", name=LUNCH)).to_be_focused()
    to("Oui, avec déjeuner")
    keys.press("Space")
    expect(page.get_by_role("heading", name="Combien d’invités")).to_be_focused()
    to("guest_count")
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    keys.press("Enter")
    expect(page.get_by_role("heading", name=THANKS)).to_be_focused()
    assert invitation.answer == (True, True, 2)
    to("Modifier ma réponse")
    keys.press("Enter")
    expect(page.get_by_role("heading", name=COMES)).to_be_focused()
    to("Non, pas cette fois")
    keys.press("Enter")
    expect(page.get_by_role("heading", name=ABSENT)).to_be_focused()
    assert invitation.answer == (False, None, 0)


def test_what_changes_meanwhile_is_shown_without_leaving_the_page_and_without_a_socket(site: Site, phone: Page) -> None:
    """From the waiting list over an offer to the end of the answers, each where the page stands."""
    invitation = invite(site, title="Le déjeuner des réussites", description=PROGRAMME, max_participants=2, coming=2)
    visitor, sockets = Visitor(phone), list[str]()
    phone.on("websocket", lambda socket: sockets.append(socket.url))
    phone.clock.install()
    phone.goto(invitation.path)
    phone.evaluate("window.isSame = true")
    visitor.reads("Inscrivez-vous sur la liste d’attente")
    for name in ("Oui, sur la liste d’attente", "Non, pas cette fois"):
        expect(phone.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    visitor.press("Oui, sur la liste d’attente")
    visitor.is_asked("Vous êtes sur la liste d’attente")
    visitor.reads("Vous êtes en tête de la liste.")
    visitor.looks()

    free_a_place(invitation)
    phone.clock.fast_forward(30_000)
    visitor.is_asked("Une place s’est libérée pour vous")
    visitor.reads("Elle vous est réservée jusqu’au")
    visitor.looks()
    assert invitation.row.is_waiting, "looking at the offer takes nothing"
    visitor.press("Oui, je prends la place")
    visitor.is_asked(LUNCH)
    with full_disk(invitation, "with_lunch"):
        visitor.press("Non, sans déjeuner")
        visitor.reads("Erreur lors de l'enregistrement de votre choix")
        visitor.is_asked(LUNCH)
    visitor.press("Non, sans déjeuner")
    visitor.is_asked(GUESTS)
    visitor.misses("Erreur lors de l'enregistrement")
    visitor.press("Valider", guest_count="1")
    visitor.has_typed("guest_count", "1")
    visitor.reads("Il ne reste plus de place pour des invités.")
    visitor.press("Valider", guest_count="0")
    visitor.is_asked(THANKS)
    assert invitation.answer == (True, False, 0)

    change(invitation, answers_until=clock.now())
    visitor.press("Modifier ma réponse")
    visitor.is_asked("Les réponses sont closes depuis le")
    visitor.reads("Vous venez.")
    assert visitor.link("03 53 01 55 01") == "tel:+33353015501"
    visitor.looks()
    change(invitation, status="cancelled")
    phone.clock.fast_forward(30_000)
    visitor.is_asked("Cette rencontre est annulée.")
    visitor.misses("Marie Durand", "Agenda")
    assert phone.evaluate("window.isSame")
    assert not sockets
    visitor.open(f"/event/{invitation.event_id}?token={'x' * 43}")
    visitor.reads("Erreur", "Le lien que vous avez utilisé n'est pas valide ou a expiré.")
    visitor.looks()


# The point of a choice that is nearest to a press: two presses of a finger are a little apart.
NEAREST = """([x, y]) => [...document.querySelectorAll('.answer-choice')].map((choice) => {
  const box = choice.getBoundingClientRect();
  const within = (at, low, high) => Math.min(high - 2, Math.max(low + 2, at));
  return [within(x, box.left, box.right), within(y, box.top, box.bottom)];
}).sort((one, other) => Math.abs(one[1] - y) - Math.abs(other[1] - y))[0]"""


@pytest.mark.parametrize(
    ("size", "motion"), [(SMALL_PHONE, "reduce"), ({"width": 1280, "height": 720}, "no-preference")]
)
def test_a_double_press_answers_one_question(
    site: Site,
    new_context: Callable[..., BrowserContext],
    size: dict[str, int],
    motion: Literal["reduce", "no-preference"],
) -> None:
    """Fails when nothing waits for those who asked for less motion."""
    invitation, sent = invite(site), list[str]()
    device = new_context(site, viewport=size, has_touch=size == SMALL_PHONE).new_page()

    def note(request: Request) -> None:
        if request.method == "POST":
            sent.append(request.post_data or "")

    device.on("request", note)
    device.emulate_media(reduced_motion=motion)
    device.goto(invitation.path)
    asked(device, COMES)
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
    device.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    asked(device, LUNCH)
    expect(device.locator("[data-pending]")).to_have_count(0)
    assert len(sent) == 1, "the second press was sent"
    assert invitation.answer == (True, None, 0)
