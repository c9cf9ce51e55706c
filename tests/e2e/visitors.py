"""Somebody at the pages that need neither script nor websocket: the same words in each of the three modes."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.e2e.invitation_steps import asked, fits, has_no_barrier


@dataclass
class Visitor:
    """Somebody in a browser. Whatever is not there fails the test."""

    page: Page
    has_script: bool = True

    def open(self, path: str) -> None:
        """Follow a link from elsewhere."""
        self.page.goto(path)

    def press(self, name: str, **typed: str) -> None:
        """Type into the fields of a form, then press one of its buttons; or follow a link of that name."""
        for field_name, text in typed.items():
            self._field(field_name).fill(text)
        button = self.page.get_by_role("button", name=name, exact=True)
        named = button.or_(self.page.get_by_role("link", name=name, exact=True))
        if self.has_script:
            named.click()
        else:
            named.press("Enter")  # by keyboard: a click waits for frames, which come once a second without script
        expect(self.page.locator("[data-pending]")).to_have_count(0)  # a press meanwhile would count for nothing

    def reads(self, *sentences: str) -> None:
        """These are shown."""
        for sentence in sentences:
            expect(self.page.get_by_text(sentence).filter(visible=True).first).to_be_visible()

    def misses(self, *sentences: str) -> None:
        """These are not."""
        for sentence in sentences:
            expect(self.page.get_by_text(sentence).filter(visible=True)).to_have_count(0)

    def is_asked(self, question: str) -> None:
        """This is the heading of the step."""
        asked(self.page, question)

    def has_typed(self, field_name: str, value: str) -> None:
        """This still stands in a field."""
        expect(self._field(field_name)).to_have_value(value)

    def link(self, name: str) -> str:
        """Where the one link whose name begins so leads."""
        return self.page.get_by_role("link", name=name).get_attribute("href") or ""

    def is_at(self, path: str) -> None:
        """The page has this address, whatever follows it."""
        self.page.wait_for_url(lambda url: urlsplit(url).path.rstrip("/") == path, wait_until="commit")

    def looks(self) -> None:
        """Nothing is cut off; and axe, which is a script, finds nothing wrong."""
        fits(self.page)
        if self.has_script:
            has_no_barrier(self.page)

    def _field(self, name: str) -> Locator:
        return self.page.locator(f"[name={name}]").filter(visible=True)
