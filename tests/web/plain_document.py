"""A document as a browser without scripts has it: its words, its links, and the forms in it."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

_FIRST_PAINT = re.compile(r"<first-paint [^>]*>(.*)</first-paint>", re.DOTALL)


@dataclass
class Form:
    """A form: its method and action, the fields it sends as they stand, and each button with what it adds."""

    method: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: dict[str, dict[str, str]] = field(default_factory=dict)


class PlainDocument(HTMLParser):
    """What a document says. Of a page with an interface, what the server has written for who has none."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: dict[str, str] = {}
        self.headings: list[str] = []
        self.step = self.text = ""
        self._named: tuple[str, list[str]] = "", []  # the heading, link or button that is open, and its words
        self._button: dict[str, str] = {}
        self._href = ""
        self._is_hidden = False
        painted = _FIRST_PAINT.search(html)
        self.feed(painted[1] if painted else html)

    def form_of(self, button: str) -> tuple[Form, dict[str, str]]:
        """The form of a button, and all that a press of it sends."""
        name = plain(button)
        form = next(form for form in self.forms if name in form.buttons)
        return form, form.fields | form.buttons[name]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note steps, forms and fields, and what is named by its words."""
        given = {name: value or "" for name, value in attrs}
        self.step = given.get("data-step", self.step)
        if tag == "form":
            self.forms.append(Form(given.get("method", "get"), given.get("action", "")))
        elif tag == "input" and self.forms and "name" in given:
            self.forms[-1].fields[given["name"]] = given.get("value", "")
        elif tag in ("a", "button", "h1", "h2"):
            self._named = tag, []
            self._href = given.get("href", "")
            self._button = {given["name"]: given.get("value", "")} if "name" in given else {}
            if given.get("type") == "button":
                self._named = "", []
        self._is_hidden = tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        """A script ends, or what is named by its words."""
        self._is_hidden = False
        if tag != self._named[0]:
            return
        words = plain(" ".join(self._named[1]))
        if tag == "a":
            self.links[words] = self._href
        elif tag == "button" and self.forms:
            self.forms[-1].buttons[words] = self._button
        elif tag in ("h1", "h2"):
            self.headings.append(words)
        self._named = "", []

    def handle_data(self, data: str) -> None:
        """Note the words."""
        if self._is_hidden or not data.strip():
            return
        self.text += f" {data}"
        self._named[1].append(data)


def plain(text: str) -> str:
    """A text with each run of spaces as one, as people read it."""
    return " ".join(text.split())
