"""An image is chosen, cropped by mouse, finger or keyboard, and kept; whatever goes wrong is said where one looks."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, FilePayload, Locator, Page, Route, expect

from clubapp.infra import image_store
from clubapp.services.images import processing
from tests import images
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier
from tests.e2e.member_steps import as_member, company_of, employed, stored
from tests.e2e.site import Site

PHOTO = images.encoded(images.quarters((800, 400)), "JPEG", quality=95)
SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 20">
<script>document.title = "pris"; fetch("/pris")</script><image href="file:///etc/passwd" width="9" height="9"/>
<image href="/pris.png" width="9" height="9"/><rect width="40" height="20" fill="#00f"/></svg>"""
# The left edge of the frame, in pixels from that of the picture.
_STANDS_AT = """([frame, left]) => {
    const edge = document.querySelector(".crop-image").getBoundingClientRect().left;
    return Math.abs(frame.getBoundingClientRect().left - edge - left) < 0.2;
}"""
# Something of the browser's is broken until it is mended.
BROKEN = """() => {
    const of = %s.prototype, [[name, broken]] = Object.entries({ %s });
    const usual = Object.getOwnPropertyDescriptor(of, name);
    Object.defineProperty(of, name, { ...broken, configurable: true });
    window.mend = () => Object.defineProperty(of, name, usual);
}"""
DROPPED = """async (bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], "photo.jpg", {type: "image/jpeg"}));
    return transfer;
}"""
NewContext = Callable[..., BrowserContext]


def file(content: bytes, kind: str = "image/jpeg", name: str = "photo.jpg") -> FilePayload:
    return {"name": name, "mimeType": kind, "buffer": content}


def choose(page: Page, content: bytes, kind: str = "image/jpeg") -> Locator:
    """Give the field a file; the dialog it opens."""
    page.locator("input[type=file]").set_input_files(file(content, kind))
    return page.get_by_role("dialog", name="Ajuster votre image")


def drop(page: Page, content: bytes) -> Locator:
    """Drop a file on the field; the dialog it opens."""
    dropped = page.evaluate_handle(DROPPED, list(content))
    page.get_by_role("group", name="Photo", exact=True).dispatch_event("drop", {"dataTransfer": dropped})
    return page.get_by_role("dialog", name="Ajuster votre image")


def frame_of(dialog: Locator) -> tuple[float, float, float, float]:
    """Where the frame stands on the preview, and its size, in pixels, once the dialog has stopped moving."""
    dialog.evaluate("node => Promise.all(node.getAnimations().map(move => move.finished))")
    edge = dialog.locator(".crop-image").bounding_box()
    box = dialog.get_by_role("group", name="Cadre de l’image").bounding_box()
    assert edge
    assert box
    return box["x"] - edge["x"], box["y"] - edge["y"], box["width"], box["height"]


def say(page: Page, text: str) -> None:
    """What was refused is said beside the field or in the dialog, and as a toast."""
    expect(page.locator(".field-error").filter(has_text=text)).to_be_visible()
    expect(page.locator(".toast-error").filter(has_text=text).last).to_be_visible()


def test_a_photograph_is_cropped_and_kept_by_keyboard_alone(page: Page, site: Site) -> None:
    person = employed(site)
    page.on("filechooser", lambda _: None)  # from now on the browser leaves the choice of a file to the test
    as_member(page, site, person)
    opener = page.get_by_role("button", name="Choisir une image")
    opener.focus()
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(file(PHOTO))
    dialog = page.get_by_role("dialog", name="Ajuster votre image")
    crop = dialog.get_by_role("group", name="Cadre de l’image")
    expect(crop).to_be_visible()
    has_no_barrier(page)
    _, y, width, height = frame_of(dialog)
    shown = dialog.locator(".crop-image").bounding_box()
    assert shown
    assert shown["height"] <= 500
    assert (round(y / shown["height"], 2), round(height / shown["height"], 2)) == (0.1, 0.8)
    assert width == pytest.approx(height, abs=1)
    while not crop.evaluate("node => node === document.activeElement"):
        page.keyboard.press("Tab")
    for key, step in (("ArrowLeft", -1), ("Shift+ArrowLeft", -10), ("Control+ArrowLeft", -100)):
        before = frame_of(dialog)[0]
        page.keyboard.press(key)
        page.wait_for_function(_STANDS_AT, arg=[crop.element_handle(), max(before + step, 0)])
    for _ in range(9):
        page.keyboard.press("Control+ArrowLeft")
    page.keyboard.press("Tab")
    expect(dialog.get_by_role("button", name="Poignée en haut à gauche")).to_be_focused()
    while not dialog.get_by_role("button", name="Valider").evaluate("node => node === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Image uploadée avec succès !")).to_be_visible()
    expect(page.get_by_role("button", name="Changer l’image")).to_be_focused()
    page.get_by_role("button", name="Enregistrer").click()
    expect(page.get_by_text("Profil mis à jour avec succès !")).to_be_visible()
    with database_of(site):
        kept = images.decoded(image_store.read(image_store.path_in(stored(site, person).image_url)))
    assert kept.size == (320, 320)
    assert images.corners(kept) == ["red", "red", "blue", "blue"]
    page.goto(f"/membres/{person.id}")
    portrait = page.get_by_role("img", name="Jeanne Delcroix")
    expect(portrait).to_have_attribute("src", re.compile(r"/media/avatars/.+\?w="))
    assert portrait.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100


@pytest.mark.console_errors("422", "ERR_FAILED")
def test_what_goes_wrong_is_said_where_one_looks_and_can_be_tried_again(page: Page, site: Site) -> None:
    """Beside the field, then in the dialog, then of the sending, which is seen and can be given up."""
    as_member(page, site, employed(site))
    heavy = PHOTO + b"\0" * (processing.MOST_BYTES + 1 - len(PHOTO))
    for content, kind, text in (
        (heavy, "image/jpeg", "Image trop volumineuse (5MB maximum)"),
        (images.png_that_announces(20_000, 20_000), "image/png", "40 millions de pixels"),
        (PHOTO[:50], "image/jpeg", "Cette image est illisible"),
        (SVG, "image/svg+xml", "Format non accepté"),
        (b"GIF89a", "image/gif", "JPG, PNG ou WebP."),
        (b"texte", "text/plain", "Format non accepté"),
    ):
        expect(choose(page, content, kind)).to_have_count(0)
        say(page, text)
    has_no_barrier(page)
    dialog = drop(page, images.encoded(images.quarters((300, 400)), "JPEG"))
    expect(dialog).to_be_visible()
    expect(page.locator(".toast-error")).to_have_count(0)
    expect(dialog.get_by_text("Cadre de 300 × 300 pixels")).to_be_visible()
    x, y, _, _ = frame_of(dialog)
    assert (x, y) == (pytest.approx(0, abs=1), pytest.approx(0, abs=1)), "the head of an upright photograph"
    dialog.get_by_role("button", name="Annuler").click()
    expect(dialog).to_have_count(0)

    held: list[Route] = []
    page.route("**/images/avatars", lambda route: held.append(route))  # noqa: PLW0108 - a built-in method is no handler
    choose(page, PHOTO)
    confirm = dialog.get_by_role("button", name="Valider")
    with page.expect_request("**/images/avatars"):
        confirm.click()
    expect(dialog.get_by_role("progressbar", name="Envoi de l’image")).to_be_visible()
    has_no_barrier(page)
    dialog.get_by_role("button", name="Annuler").click()
    expect(dialog).to_have_count(0)
    opener = page.get_by_role("button", name="Choisir une image")
    expect(opener).to_be_focused()

    choose(page, PHOTO)
    dialog.locator(".crop-image").click(position={"x": 3, "y": 3})
    confirm.click()
    say(page, "Veuillez sélectionner une zone à cropper")
    expect(dialog.locator(".toast-error")).to_be_visible()
    has_no_barrier(page)
    dialog.get_by_role("button", name="Rétablir le cadre").click()
    for owner, broken, text in (
        ("HTMLImageElement", "naturalWidth: { get: () => 0 }", "Crop non défini"),
        ("HTMLCanvasElement", "toBlob: { value: (done) => done(null) }", "Erreur création blob"),
        ("HTMLCanvasElement", "getContext: { value: () => null }", "Canvas context non disponible"),
    ):
        page.evaluate(BROKEN % (owner, broken))
        confirm.click()
        say(page, text)
        page.evaluate("window.mend()")

    with page.expect_request("**/images/avatars"):
        confirm.dblclick()
    page.evaluate("fetch('/health')")  # whatever was to be sent before it has been
    assert len(held) == 2
    held[-1].fulfill(status=422, json={"text": "Cette image est illisible."})
    say(page, "Cette image est illisible.")
    page.unroute("**/images/avatars")
    confirm.click()
    expect(page.get_by_text("Image uploadée avec succès !")).to_be_visible()
    expect(page.locator("input[name=image_url]")).to_have_value(re.compile("^/media/avatars/"))
    page.get_by_role("button", name="Retirer l’image").click()
    expect(page.locator("input[name=image_url]")).to_have_value("")
    expect(opener).to_be_focused()


def test_a_logo_is_cropped_freely_and_a_drawing_becomes_an_image_here(page: Page, site: Site) -> None:
    """Also one with the text of a page, as drawing programs export it.

    Chromium reads no canvas that such a drawing came to from a `blob:` address.
    """
    person = employed(site)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    sign_in(page, site, str(person.email), "/member/company")
    uploaded = page.locator(".toast").filter(has_text="Image uploadée avec succès !")
    text = "<foreignObject width='40' height='20'><p xmlns='http://www.w3.org/1999/xhtml'>É #</p></foreignObject></svg>"
    dialog = choose(page, SVG.replace(b"</svg>", text.encode()), "image/svg+xml")
    confirm = dialog.get_by_role("button", name="Valider")
    confirm.click()
    expect(uploaded).to_be_visible()
    uploaded.get_by_role("button", name="Fermer le message").click()
    expect(uploaded).to_have_count(0)

    choose(page, SVG, "image/svg+xml")
    expect(dialog.get_by_text("Cadre de 1600 × 800 pixels")).to_be_visible()
    corner = dialog.get_by_role("button", name="Poignée en bas à droite")
    corner.press("Control+ArrowUp")
    _, _, width, height = frame_of(dialog)
    assert width > 2 * height + 20
    confirm.click()
    expect(uploaded).to_be_visible()
    page.get_by_role("button", name="Enregistrer").click()
    expect(page.get_by_text("Entreprise mise à jour avec succès !")).to_be_visible()
    with database_of(site):
        kept = image_store.read(image_store.path_in(company_of(site, person).logo_url))
    assert images.corners(images.decoded(kept)) == ["blue"] * 4
    assert page.title() != "pris"
    assert not [url for url in asked if "pris" in url or url.startswith("file:")]


def test_on_the_smallest_phone_the_dialog_fits_and_a_finger_moves_the_frame(
    site: Site, new_context: NewContext
) -> None:
    phone = new_context(site, viewport={"width": 320, "height": 568}, has_touch=True, is_mobile=True).new_page()
    as_member(phone, site, employed(site))
    fits(phone)
    dialog = choose(phone, PHOTO)
    expect(dialog.get_by_role("group", name="Cadre de l’image")).to_be_visible()
    fits(phone)
    has_no_barrier(phone)
    x, y, width, height = frame_of(dialog)
    edge: Any = dialog.locator(".crop-image").bounding_box()
    start = {"x": edge["x"] + x + width / 2, "y": edge["y"] + y + height / 2}
    finger = phone.context.new_cdp_session(phone)
    for kind, point in (
        ("touchStart", start),
        ("touchMove", {**start, "x": start["x"] + 20}),
        ("touchMove", {**start, "x": start["x"] + 30}),
    ):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    frame = dialog.get_by_role("group", name="Cadre de l’image").element_handle()
    moved = "([frame, x]) => Math.abs(frame.getBoundingClientRect().x - x) < 2"
    phone.wait_for_function(moved, arg=[frame, edge["x"] + x + 30])
