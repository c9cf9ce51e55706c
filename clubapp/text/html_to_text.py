"""Converts a cleaned fragment of HTML to plain text: its words, link addresses and alternative texts (M1)."""

import re
from html.parser import HTMLParser

from clubapp.text import phone_numbers

_AFTER_TAG = {"td": " ", "th": " ", **dict.fromkeys(("p", "div", "tr", "li", "h1", "h2", "h3", "h4"), "\n")}

_SPACES = re.compile(r"[ \t\r\n]+")
_BLANK_LINES = re.compile(r"\n{3,}")


def convert_to_text(html: str) -> str:
    """The text of a fragment, without empty lines."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return "\n".join(line.strip() for line in reader.text.splitlines() if line.strip())


def convert_blocks(html: str) -> str:
    """The text of paragraphs and lists: a blank line between them, a mark before each item."""
    reader = _BlockReader()
    reader.feed(html)
    reader.close()
    lines = "\n".join(line.strip() for line in reader.text.split("\n"))
    return _BLANK_LINES.sub("\n\n", lines).strip()


class _Reader(HTMLParser):
    """Collects the text of a fragment in `text`; each link is followed by its address."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._link_address, self._link_start = "", 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self.text += "\n"
        elif tag == "img":
            self.text += dict(attrs).get("alt") or ""
        elif tag == "a":
            self._link_address, self._link_start = dict(attrs).get("href") or "", len(self.text)

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            before, words = self.text[: self._link_start], self.text[self._link_start :]
            self.text = before + _add_address(words, self._link_address)
        self.text += _AFTER_TAG.get(tag, "")


class _BlockReader(_Reader):
    """Collects paragraphs and lists; white space between tags is that of the source and says nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._lists: list[int | None] = []  # of each open list: the number of its last item, or None without numbers

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("ul", "ol"):
            self.text += "\n" if self._lists else "\n\n"
            self._lists.append(0 if tag == "ol" else None)
        elif tag == "li":
            number = self._lists[-1] if self._lists else None
            if number is not None:
                self._lists[-1] = number = number + 1
            self.text += "- " if number is None else f"{number}. "
        else:
            super().handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        words = _SPACES.sub(" ", data)
        super().handle_data(words if self.text[-1:].strip(" ") not in ("", "\n") else words.lstrip(" "))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ul", "ol"):
            if self._lists:
                self._lists.pop()
            self.text += "\n"
        elif tag == "p":
            self.text += "\n" if self._lists else "\n\n"
        elif tag == "li":
            self.text = self.text.rstrip(" \n") + "\n"
        else:
            super().handle_endtag(tag)


def _add_address(words: str, address: str) -> str:
    """'notre site (https://club.example)'; the address alone when the words only repeat it, or are none."""
    scheme, _, rest = address.partition(":")
    visible_address = rest.partition("?")[0] if scheme in ("mailto", "tel") else address
    text = words.rstrip()
    if not text.strip():
        return visible_address + words
    if not visible_address or _is_same_address(text.strip(), visible_address):
        return words
    return f"{text} ({visible_address}){words[len(text) :]}"


def _is_same_address(words: str, visible_address: str) -> bool:
    """Whether both name one address or one number, however each is written."""
    alike = words.lower().rstrip("/") == visible_address.lower().rstrip("/")
    return alike or phone_numbers.tel_link(words) == phone_numbers.tel_link(visible_address) != ""
