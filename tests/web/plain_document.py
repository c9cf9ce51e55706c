"""A document as a browser without scripts has it: its words, and the forms in it."""

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
        self.step = self.text = ""
        self._words: list[str] | None = None  # of the button that is open
        self._button: dict[str, str] = {}
        self._is_hidden = False
        painted = _FIRST_PAINT.search(html)
        self.feed(painted[1] if painted else html)

    def form_of(self, button: str) -> tuple[Form, dict[str, str]]:
        """The form of a button, and all that a press of it sends."""
        name = plain(button)
        form = next(form for form in self.forms if name in form.buttons)
        return form, form.fields | form.buttons[name]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note steps, forms, fields and buttons."""
        given = {name: value or "" for name, value in attrs}
        self.step = given.get("data-step", self.step)
        if tag == "form":
            self.forms.append(Form(given.get("method", "get"), given.get("action", "")))
        elif tag == "input" and self.forms and "name" in given:
            self.forms[-1].fields[given["name"]] = given.get("value", "")
        elif tag == "button" and given.get("type") != "button":
            self._words = []
            self._button = {given["name"]: given.get("value", "")} if "name" in given else {}
        self._is_hidden = tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        """A script or a button ends."""
        self._is_hidden = False
        if tag == "button" and self._words is not None:
            if self.forms:
                self.forms[-1].buttons[plain(" ".join(self._words))] = self._button
            self._words = None

    def handle_data(self, data: str) -> None:
        """Note the words."""
        if self._is_hidden or not data.strip():
            return
        self.text += f" {data}"
        if self._words is not None:
            self._words.append(data)


def plain(text: str) -> str:
    """A text with each run of spaces as one, as people read it."""
    return " ".join(text.split())
