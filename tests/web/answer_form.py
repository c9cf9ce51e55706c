"""The answer page as a browser without scripts has it: a document, and the forms in it."""

import http.client
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode

from clubapp import routes

TYPE = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass
class Form:
    """A form: its method and action, the fields it sends as they stand, and each button with what it adds."""

    method: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: dict[str, dict[str, str]] = field(default_factory=dict)


class AnswerDocument(HTMLParser):
    """What a document of the answer page says."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.step = self.text = ""
        self._button: tuple[Form, dict[str, str]] | None = None
        self._is_hidden = False
        self.feed(html)

    def form_of(self, button: str) -> tuple[Form, dict[str, str]]:
        """The form of a button, and all that a press of it sends."""
        form = next(form for form in self.forms if button in form.buttons)
        return form, form.fields | form.buttons[button]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note steps, forms, fields and buttons."""
        given = {name: value or "" for name, value in attrs}
        self.step = given.get("data-step", self.step)
        if tag == "form":
            self.forms.append(Form(given["method"], given["action"]))
        elif tag == "input" and self.forms:
            self.forms[-1].fields[given["name"]] = given.get("value", "")
        elif tag == "button" and given["type"] == "submit":
            self._button = self.forms[-1], {given["name"]: given["value"]} if "name" in given else {}
        self._is_hidden = tag in ("script", "style")

    def handle_endtag(self, _tag: str) -> None:
        """A script ends, or a button whose text was read."""
        self._is_hidden = False

    def handle_data(self, data: str) -> None:
        """Note the words."""
        if self._is_hidden or not data.strip():
            return
        self.text += f" {data}"
        if self._button:
            form, added = self._button
            form.buttons[data] = added
            self._button = None


def post_answer(
    connection: http.client.HTTPConnection, event_id: str, token: str, **said: str
) -> http.client.HTTPResponse:
    """Post one step over a connection that is kept; the answer's body is read already."""
    connection.request("POST", f"{routes.answer(event_id)}/answer", urlencode({"token": token, **said}), TYPE)
    answer = connection.getresponse()
    answer.read()
    return answer
