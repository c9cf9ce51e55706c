"""Conversion of uploaded images before they are stored, and resizing of stored ones (W7, W8).

Works on bytes only and writes nothing. The output is encoded anew from pixels, without anything else of the file.
"""

import io
import warnings
from typing import Literal

from PIL import Image, ImageCms

from clubapp.refusals import Invalid, TooHeavy

MOST_BYTES = 5 * 1024 * 1024
MOST_PIXELS = 40_000_000
LONGEST_SIDE = 1600
WIDTHS = (64, 128, 192, 384, 768)

TOO_HEAVY = "Image trop volumineuse (5MB maximum)"
TOO_LARGE = "Image trop grande\u00a0: 40 millions de pixels au maximum."
WRONG_FORMAT = "Format non accepté\u00a0: choisissez une image JPG, PNG ou WebP."
UNREADABLE = "Cette image est illisible\u00a0: le fichier est peut-être incomplet ou endommagé."

Kind = Literal["jpeg", "webp"]

_SIGNATURES = {"JPEG": (0, b"\xff\xd8\xff"), "PNG": (0, b"\x89PNG\r\n\x1a\n"), "WEBP": (8, b"WEBP")}
# Scans of a progressive JPEG: a photograph has about ten, and each one decodes the whole image again.
_MOST_SCANS = 100
_START_OF_SCAN = b"\xff\xda"
_ORIENTATION = 0x0112
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_SRGB = ImageCms.createProfile("sRGB")

Image.MAX_IMAGE_PIXELS = MOST_PIXELS
# Between one and two times that number Pillow only warns; `_drawn` refuses such images.
warnings.simplefilter("ignore", Image.DecompressionBombWarning)


def convert_upload(content: bytes) -> bytes:
    """Convert an uploaded image to JPEG: upright, on white, in sRGB, at most 1600 pixels a side, without metadata.

    Raises:
        TooHeavy: over 5 MB.
        Invalid: when it has too many pixels, another format, or cannot be read.
    """
    if len(content) > MOST_BYTES:
        raise TooHeavy(TOO_HEAVY)
    return _encoded(_drawn(content, LONGEST_SIDE), "jpeg", quality=95)


def resize_image(content: bytes, width: int, kind: Kind = "webp") -> tuple[bytes, str]:
    """Fit a stored image in a square of `width` pixels, without enlarging it; return it with its media type.

    Raises:
        Invalid: when the stored file is not an image.
    """
    return _encoded(_drawn(content, width), kind, quality=80), f"image/{kind}"


def _drawn(content: bytes, side: int) -> Image.Image:
    """The first frame of an image, fit in a square of that side."""
    name = next((name for name, (at, sign) in _SIGNATURES.items() if content[at : at + len(sign)] == sign), "")
    if not name:
        raise Invalid(WRONG_FORMAT)
    if name == "JPEG" and content.count(_START_OF_SCAN) > _MOST_SCANS:
        raise Invalid(UNREADABLE)
    if name == "WEBP" and _webp_pixels(content) > MOST_PIXELS:
        raise Invalid(TOO_LARGE)
    try:
        with Image.open(io.BytesIO(content), formats=[name]) as image:
            if image.width * image.height > MOST_PIXELS:
                raise Invalid(TOO_LARGE)
            return _on_white(_upright(_scaled(image, side)))
    except Image.DecompressionBombError:
        raise Invalid(TOO_LARGE) from None
    except Invalid:
        raise
    # Pillow raises errors of any type on malformed files: all of them mean that the file is unreadable.
    except Exception as error:  # Pillow raises of every kind
        raise Invalid(UNREADABLE) from error


def _webp_pixels(content: bytes) -> int:
    """The number of pixels in a WebP header, read here since the decoder allocates the whole canvas on opening."""
    if content[12:16] == b"VP8X":
        sides = (int.from_bytes(content[24:27], "little") + 1, int.from_bytes(content[27:30], "little") + 1)
    elif content[12:16] == b"VP8L":
        packed = int.from_bytes(content[21:25], "little")
        sides = ((packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1)
    else:
        sides = (int.from_bytes(content[26:28], "little") & 0x3FFF, int.from_bytes(content[28:30], "little") & 0x3FFF)
    return sides[0] * sides[1]


def _scaled(image: Image.Image, side: int) -> Image.Image:
    """Scale the image first, so that the next steps are cheap. A JPEG is decoded near that size."""
    if image.mode.startswith("I"):
        image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    elif image.has_transparency_data:
        image = image.convert("RGBA")
    elif image.mode in ("1", "P", "PA"):
        image = image.convert("RGB")
    image.thumbnail((side, side), Image.Resampling.LANCZOS)
    return image


def _upright(image: Image.Image) -> Image.Image:
    try:
        turn = _TURNS.get(image.getexif().get(_ORIENTATION, 1))
    except Exception:  # unreadable metadata is ignored
        turn = None
    return image.transpose(turn) if turn is not None else image


def _on_white(image: Image.Image) -> Image.Image:
    """Paste on a new image, which has no metadata."""
    drawn = Image.new("RGB", image.size, "white")
    drawn.paste(_in_srgb(image), mask=image.getchannel("A") if image.mode == "RGBA" else None)
    return drawn


def _in_srgb(image: Image.Image) -> Image.Image:
    profile = image.info.get("icc_profile")
    opaque = image.convert("RGB") if image.mode == "RGBA" else image
    if not profile:
        return opaque.convert("RGB")
    try:
        converted = ImageCms.profileToProfile(opaque, io.BytesIO(profile), _SRGB, outputMode="RGB")
    except (ImageCms.PyCMSError, OSError, ValueError):  # a broken profile, or one of another colour mode
        converted = None
    return converted or opaque.convert("RGB")


def _encoded(image: Image.Image, kind: Kind, quality: int) -> bytes:
    kept = io.BytesIO()
    if kind == "webp":
        image.save(kept, "WEBP", quality=quality, method=5)
    else:
        image.save(kept, "JPEG", quality=quality, optimize=True, progressive=True)
    return kept.getvalue()
