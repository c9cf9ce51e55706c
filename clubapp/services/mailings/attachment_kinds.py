"""What may be attached to a mail: a document, an image, a calendar file or a text, by content and by name (M15, W8).

Programs, archives, pages and documents with macros are refused: mail servers refuse them too, and whoever opens them.
"""

import base64
import io
import unicodedata
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

from clubapp.refusals import Invalid, TooHeavy

MOST_BYTES = 10 * 1024 * 1024
LONGEST_NAME = 120
# Of its percent-encoded form: a line of a message has 998 characters at most (RFC 5322).
_LONGEST_ENCODED = 850
TOO_HEAVY = "Fichier trop lourd\u00a0: 10 Mo au maximum pour tous les fichiers d’un e-mail."
WRONG_KIND = (
    "Ce fichier ne peut pas être joint. Choisissez un PDF, une image, un document Word, Excel, PowerPoint ou "
    "LibreOffice, un fichier d’agenda (.ics) ou un texte."
)
WRONG_NAME = (
    "Le contenu de ce fichier n’est pas ce que son nom annonce\u00a0: enregistrez-le à nouveau, puis réessayez."
)
MACROS = "Ce document contient des macros, que les messageries refusent\u00a0: enregistrez-le sans macros, ou en PDF."
EMPTY = "Ce fichier est vide."
_MOST_PARTS = 5_000
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OFFICE = "application/vnd.openxmlformats-officedocument"
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument"


@dataclass(frozen=True)
class CheckedFile:
    """A file that may be attached. `encoded` is base64 as messages carry it, `size` counts the bytes of the file."""

    name: str
    media_type: str
    size: int
    encoded: str


def check_file(name: str, content: bytes) -> CheckedFile:
    """Check a file that somebody sent. It may take a second.

    Raises:
        Invalid: when it is empty, of another kind, or not what its name says.
        TooHeavy: when it is larger than MOST_BYTES.
    """
    if len(content) > MOST_BYTES:
        raise TooHeavy(TOO_HEAVY)
    if not content:
        raise Invalid(EMPTY)
    cleaned = clean_name(name)
    kind = _KINDS.get(cleaned.rpartition(".")[2].lower())
    if kind is None:
        raise Invalid(WRONG_KIND)
    media_type, is_of_kind = kind
    if not is_of_kind(content):
        raise Invalid(WRONG_NAME)
    encoded = base64.encodebytes(content).replace(b"\n", b"\r\n").decode("ascii")
    return CheckedFile(cleaned, media_type, len(content), encoded)


def clean_name(name: str) -> str:
    """The name without its folders, and without characters that a header or a file system cannot have."""
    last = unicodedata.normalize("NFC", name).replace("\\", "/").rpartition("/")[2]
    kept = "".join(" " if unicodedata.category(each)[0] in "CZ" or each in '"<>:|?*' else each for each in last)
    stem, dot, extension = " ".join(kept.split()).rpartition(".")
    if not dot:
        return extension[:LONGEST_NAME]
    stem = stem.strip(". ")[: LONGEST_NAME - len(extension[:10]) - 1]
    while len(quote(stem)) > _LONGEST_ENCODED:
        stem = stem[:-1]
    return f"{stem or 'fichier'}.{extension[:10]}"


def _begins(*beginnings: bytes) -> Callable[[bytes], bool]:
    return lambda content: content.startswith(beginnings)


def _is_webp(content: bytes) -> bool:
    return content[:4] == b"RIFF" and content[8:12] == b"WEBP"


def _is_heic(content: bytes) -> bool:
    return content[4:8] == b"ftyp" and content[8:12] in (b"heic", b"heix", b"mif1", b"avif")


def _is_text(content: bytes) -> bool:
    """Readable in UTF-8 or in a Windows code page, without control characters other than tab and line ends."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    return not any(ord(each) < 32 and each not in "\t\n\r\f" for each in text)


def _is_calendar(content: bytes) -> bool:
    return _is_text(content) and content.removeprefix(b"\xef\xbb\xbf").lstrip()[:15].upper() == b"BEGIN:VCALENDAR"


def _is_contact(content: bytes) -> bool:
    return _is_text(content) and content.removeprefix(b"\xef\xbb\xbf").lstrip()[:11].upper() == b"BEGIN:VCARD"


def _open_xml(folder: str) -> Callable[[bytes], bool]:
    """A document of Word, Excel or PowerPoint since 2007."""

    def is_of_kind(content: bytes) -> bool:
        names = _parts_of(content)
        if "[Content_Types].xml" not in names or not any(name.startswith(f"{folder}/") for name in names):
            return False
        if any(name.lower().endswith("vbaproject.bin") or "/macrosheets/" in name.lower() for name in names):
            raise Invalid(MACROS)
        return True

    return is_of_kind


def _open_document(kind: str) -> Callable[[bytes], bool]:
    """A document of LibreOffice."""
    wanted = f"{_OPEN_DOCUMENT}.{kind}".encode()

    def is_of_kind(content: bytes) -> bool:
        names = _parts_of(content)
        if content[30:38] != b"mimetype" or not content[38:].startswith(wanted):
            return False
        if any(name.startswith(("Basic/", "Scripts/")) for name in names):
            raise Invalid(MACROS)
        return True

    return is_of_kind


def _compound(stream: str) -> Callable[[bytes], bool]:
    """A document of Word, Excel or PowerPoint before 2007: its directory names its streams in UTF-16."""

    def is_of_kind(content: bytes) -> bool:
        if not content.startswith(_OLE) or _entry(stream) not in content:
            return False
        if _entry("_VBA_PROJECT") in content or _entry("Macros") in content:
            raise Invalid(MACROS)
        return True

    return is_of_kind


def _entry(name: str) -> bytes:
    """How a directory writes the name of an entry: filled up with zeros, as no text is."""
    return name.encode("utf-16-le") + b"\0" * 8


def _parts_of(content: bytes) -> list[str]:
    """The names of the parts of a package; none for what is no package."""
    if not content.startswith(b"PK\x03\x04") or content.count(b"PK\x01\x02") > _MOST_PARTS:
        return []
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as opened:
            return opened.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        return []


# For each ending of a name: the type that the message names, and the test of the content.
_KINDS: dict[str, tuple[str, Callable[[bytes], bool]]] = {
    "pdf": ("application/pdf", _begins(b"%PDF-")),
    "jpg": ("image/jpeg", _begins(b"\xff\xd8\xff")),
    "jpeg": ("image/jpeg", _begins(b"\xff\xd8\xff")),
    "png": ("image/png", _begins(b"\x89PNG\r\n\x1a\n")),
    "gif": ("image/gif", _begins(b"GIF87a", b"GIF89a")),
    "webp": ("image/webp", _is_webp),
    "heic": ("image/heic", _is_heic),
    "docx": (f"{_OFFICE}.wordprocessingml.document", _open_xml("word")),
    "xlsx": (f"{_OFFICE}.spreadsheetml.sheet", _open_xml("xl")),
    "pptx": (f"{_OFFICE}.presentationml.presentation", _open_xml("ppt")),
    "odt": (f"{_OPEN_DOCUMENT}.text", _open_document("text")),
    "ods": (f"{_OPEN_DOCUMENT}.spreadsheet", _open_document("spreadsheet")),
    "odp": (f"{_OPEN_DOCUMENT}.presentation", _open_document("presentation")),
    "doc": ("application/msword", _compound("WordDocument")),
    "xls": ("application/vnd.ms-excel", _compound("Workbook")),
    "ppt": ("application/vnd.ms-powerpoint", _compound("PowerPoint Document")),
    "ics": ("text/calendar", _is_calendar),
    "vcf": ("text/vcard", _is_contact),
    "txt": ("text/plain", _is_text),
    "csv": ("text/csv", _is_text),
}
ACCEPTED = ",".join(f".{ending}" for ending in _KINDS)
