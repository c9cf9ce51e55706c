"""What a cleaned fragment of HTML says to those who read text: its words, links and the words for pictures (M1)."""

from html.parser import HTMLParser

from clubapp.text import phone_numbers

_ENDS = {"td": " ", "th": " ", **dict.fromkeys(("p", "div", "tr", "li", "h1", "h2", "h3", "h4"), "\n")}


def convert_to_text(html: str) -> str:
    """The words of a fragment, one line per line of it."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return "\n".join(line.strip() for line in reader.text.splitlines() if line.strip())


class _Reader(HTMLParser):
    """Gathers the text of a fragment; each link is followed by its address."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._address, self._begin = "", 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self.text += "\n"
        elif tag == "img":
            self.text += dict(attrs).get("alt") or ""
        elif tag == "a":
            self._address, self._begin = dict(attrs).get("href") or "", len(self.text)

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            before, words = self.text[: self._begin], self.text[self._begin :]
            self.text = before + _with_address(words, self._address)
        self.text += _ENDS.get(tag, "")


def _with_address(words: str, address: str) -> str:
    """'notre site (https://club.example)'; the address alone when the words only repeat it, or are none."""
    scheme, _, rest = address.partition(":")
    shown = rest.partition("?")[0] if scheme in ("mailto", "tel") else address
    said = words.rstrip()
    if not said.strip():
        return shown + words
    if not shown or _same(said.strip(), shown):
        return words
    return f"{said} ({shown}){words[len(said) :]}"


def _same(words: str, shown: str) -> bool:
    """Whether both name one address or one number, however each is written."""
    alike = words.lower().rstrip("/") == shown.lower().rstrip("/")
    return alike or phone_numbers.tel_link(words) == phone_numbers.tel_link(shown) != ""
