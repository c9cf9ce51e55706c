"""What a first visit weighs, counted as the browser received it: headers included, far pictures left out."""

from dataclasses import dataclass

from playwright.sync_api import Browser

# The addresses of the pictures that stand in the window.
_SEEN = """() => [...document.images].filter((image) => {
  const box = image.getBoundingClientRect();
  return box.width && box.top < innerHeight && box.bottom > 0;
}).map((image) => image.currentSrc)"""
_PICTURES = "/media/"


@dataclass(frozen=True)
class Weight:
    """Kilobytes: all of a first visit with its visible pictures, and what the first paint needs of it."""

    visit: float
    first_paint: float


def first_visit(browser: Browser, url: str, width: int = 390, height: int = 844) -> Weight:
    """A visit by a new browser, on a phone unless told."""
    context = browser.new_context(
        locale="fr-FR", viewport={"width": width, "height": height}, device_scale_factor=2 if width < 600 else 1
    )
    page = context.new_page()
    addresses: dict[str, tuple[str, str]] = {}
    sizes: dict[str, float] = {}
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.on(
        "Network.requestWillBeSent",
        lambda event: addresses.update({event["requestId"]: (event["type"], event["request"]["url"])}),
    )
    devtools.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto(url, wait_until="networkidle")
    seen = set(page.evaluate(_SEEN))
    context.close()
    counted = [(addresses[request], size / 1000) for request, size in sizes.items() if request in addresses]
    visit = sum(size for (_, address), size in counted if _PICTURES not in address or address in seen)
    first_paint = sum(size for (kind, _), size in counted if kind in ("Document", "Stylesheet"))
    return Weight(visit, first_paint)
