"""People at the pages that need neither script nor websocket, in three modes, by the same names of the same things.

As usual; on a small phone whose network cuts websockets; and without script. What a browser does without script is all
in the documents, so it is done here over HTTP, in milliseconds; `test_a_true_browser_without_script_…` says it is so.
"""

from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urljoin, urlsplit

import httpx
from playwright.sync_api import Locator, Page, expect

from tests.e2e.invitation_steps import asked, fits, has_no_barrier
from tests.e2e.site import Site
from tests.web.plain_document import PlainDocument, plain


class Visitor(Protocol):
    """Somebody at a page. Whatever is not there fails the test."""

    has_script: bool

    def open(self, path: str) -> None:
        """Follow a link from elsewhere."""

    def press(self, name: str, **typed: str) -> None:
        """Type into the fields of a form, then press one of its buttons; or follow a link of that name."""

    def reads(self, *sentences: str) -> None:
        """These are shown."""

    def misses(self, *sentences: str) -> None:
        """These are not."""

    def is_asked(self, question: str) -> None:
        """This is the heading of the step."""

    def has_typed(self, field_name: str, value: str) -> None:
        """This still stands in a field."""

    def link(self, name: str) -> str:
        """Where the one link whose name begins so leads."""
        ...

    def is_at(self, path: str) -> None:
        """The page has this address, whatever follows it."""

    def looks(self) -> None:
        """Nothing is cut off, and axe finds nothing wrong, where somebody sees the page."""


@dataclass
class InBrowser:
    """Somebody in a browser that runs scripts."""

    page: Page
    has_script: bool = True

    def open(self, path: str) -> None:
        self.page.goto(path)

    def press(self, name: str, **typed: str) -> None:
        for field_name, text in typed.items():
            self._field(field_name).fill(text)
        named = self.page.get_by_role("button", name=name, exact=True)
        named.or_(self.page.get_by_role("link", name=name, exact=True)).click()
        expect(self.page.locator("[data-pending]")).to_have_count(0)  # a press meanwhile would count for nothing

    def reads(self, *sentences: str) -> None:
        for sentence in sentences:
            expect(self.page.get_by_text(sentence).filter(visible=True).first).to_be_visible()

    def misses(self, *sentences: str) -> None:
        for sentence in sentences:
            expect(self.page.get_by_text(sentence).filter(visible=True)).to_have_count(0)

    def is_asked(self, question: str) -> None:
        asked(self.page, question)

    def has_typed(self, field_name: str, value: str) -> None:
        expect(self._field(field_name)).to_have_value(value)

    def link(self, name: str) -> str:
        return self.page.get_by_role("link", name=name).get_attribute("href") or ""

    def is_at(self, path: str) -> None:
        self.page.wait_for_url(lambda url: urlsplit(url).path.rstrip("/") == path, wait_until="commit")

    def looks(self) -> None:
        fits(self.page)
        has_no_barrier(self.page)

    def _field(self, name: str) -> Locator:
        return self.page.locator(f"[name={name}]").filter(visible=True)


@dataclass
class WithoutScript:
    """Somebody whose browser does what a document says, and nothing else."""

    site: Site
    client: httpx.Client
    has_script: bool = False
    address: str = ""
    document: PlainDocument = field(default_factory=lambda: PlainDocument(""))

    def open(self, path: str) -> None:
        self._show(self.client.get(urljoin(self.site.url, path)))

    def press(self, name: str, **typed: str) -> None:
        if not any(plain(name) in form.buttons for form in self.document.forms):
            self.open(urljoin(self.address, self.document.links[plain(name)]))
            return
        form, sent = self.document.form_of(name)
        assert typed.keys() <= form.fields.keys(), f"{typed} into {form.fields}"
        action = urljoin(self.address, form.action)
        if form.method == "get":
            self._show(self.client.get(action, params=sent | typed))
        else:
            self._show(self.client.post(action, data=sent | typed, headers={"Origin": self._origin}))

    def reads(self, *sentences: str) -> None:
        for sentence in sentences:
            assert plain(sentence) in self._text, self._text

    def misses(self, *sentences: str) -> None:
        for sentence in sentences:
            assert plain(sentence) not in self._text, self._text

    def is_asked(self, question: str) -> None:
        assert any(plain(question) in heading for heading in self.document.headings), self._text

    def has_typed(self, field_name: str, value: str) -> None:
        assert [form.fields[field_name] for form in self.document.forms if field_name in form.fields] == [value]

    def link(self, name: str) -> str:
        (found,) = [href for words, href in self.document.links.items() if words.startswith(plain(name))]
        return found

    def is_at(self, path: str) -> None:
        assert urlsplit(self.address).path.rstrip("/") == path, self._text

    def looks(self) -> None:
        """Nobody sees it."""

    @property
    def _text(self) -> str:
        return plain(self.document.text)

    def _show(self, answer: httpx.Response) -> None:
        # A page that tells nobody its address says nothing of where its forms stand either.
        self._origin = "null" if answer.headers.get("Referrer-Policy") == "no-referrer" else self.site.url
        self.address, self.document = str(answer.url), PlainDocument(answer.text)
