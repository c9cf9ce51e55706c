"""The texts that administrators write for mails: plain, or formatted.

A formatted text is `MARK` followed by a small part of HTML; any other text is plain, whatever it holds. Formatted texts
are cleaned when they are saved and again when a mail is written (M6).
"""

import re

import nh3
from markupsafe import Markup, escape

from clubapp.infra import image_store
from clubapp.mail.messages.event_variables import fill_variables, one_line
from clubapp.settings import settings
from clubapp.text.html_to_text import convert_blocks

MARK = "<!--html-->"
MOST_PICTURES = 6
# The width of a mail's card without its padding, in pixels.
WIDEST_PICTURE = 526
_TAGS = {"a", "br", "em", "img", "li", "ol", "p", "strong", "ul"}
_ATTRIBUTES = {"a": {"href"}, "img": {"alt", "src", "width"}}
_SCHEMES = ("http://", "https://", "mailto:", "tel:")
_TAG = re.compile(r'(<(?:[^<>"]|"[^"]*")*>)')
_SOURCELESS = re.compile(r'<img(?![^>]* src=")(?:[^<>"]|"[^"]*")*>')
_SOURCE = re.compile(r'(<img (?:[^<>"]|"[^"]*")*?src=")([^"]*)"')
_PICTURE = re.compile(r"/media/logos/[0-9]{1,20}-[0-9a-z]{8,40}\.jpg")
_WIDTH = re.compile(r"[1-9][0-9]{0,2}")


def is_formatted(text: str) -> bool:
    """Whether a text is formatted."""
    return text.startswith(MARK)


def clean_text(text: str) -> str:
    """A text as it may be stored; empty when a formatted one shows nothing (M6)."""
    if not is_formatted(text):
        return text
    html = _clean(text)
    has_words = _TAG.sub("", html).replace("&nbsp;", "").strip()
    return MARK + html if has_words or count_pictures(html) else ""


def fill_text(text: str, values: dict[str, str]) -> str:
    """The text with its variables replaced, each once; values are escaped in a formatted one (M5).

    No value makes a plain text a formatted one, which nobody would have cleaned.
    """
    if not is_formatted(text):
        filled = fill_variables(text, values)
        return f" {filled}" if is_formatted(filled) else filled
    between = {name: str(escape(value)).replace("\n", "<br>") for name, value in values.items()}
    inside = {name: str(escape(one_line(value))) for name, value in values.items()}
    parts = _TAG.split(_clean(text))
    return MARK + "".join(fill_variables(part, inside if at % 2 else between) for at, part in enumerate(parts))


def convert_to_plain(text: str) -> str:
    """The plain text that says the same: lists with their marks, links with their addresses (M1)."""
    return convert_blocks(text.removeprefix(MARK)) if is_formatted(text) else text


def render_html(text: str) -> Markup:
    """The HTML of a formatted text, cleaned before, for a mail: its pictures have whole addresses."""
    base = settings().public_url
    html = _SOURCE.sub(rf'\1{base}\2?w=768"', text.removeprefix(MARK))
    return Markup(html)  # noqa: S704 - fill_text has cleaned the text and escaped its values


def find_pictures(text: str) -> list[str]:
    """The addresses of the club's own pictures that a text or a signature shows."""
    return _PICTURE.findall(text)


def count_pictures(text: str) -> int:
    """How many pictures a formatted text shows."""
    return text.count("<img ")


def _clean(text: str) -> str:
    html = nh3.clean(
        text.removeprefix(MARK),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_keep_attribute,
        url_schemes={"http", "https", "mailto", "tel"},
        url_relative="pass_through",
        link_rel=None,
    )
    return _SOURCELESS.sub("", html).strip()


def _keep_attribute(_tag: str, name: str, value: str) -> str | None:
    """Addresses are whole, pictures the club's own uploads, of which nobody else learns who opens a mail (M14)."""
    if name == "href":
        return value if value.lower().startswith(_SCHEMES) else None
    if name == "src":
        return value if image_store.path_in(value).startswith("logos/") else None
    if name == "width":
        return value if _WIDTH.fullmatch(value) and int(value) <= WIDEST_PICTURE else None
    return value
