"""Image files as people, cameras and attackers make them."""

import io
import struct
import zlib
from typing import Any

from PIL import Image, ImageCms, ImageDraw

GPS, ORIENTATION, MAKER = 0x8825, 0x0112, 0x010F


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    """A file of that kind."""
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def decoded(content: bytes) -> Image.Image:
    """The image of a file, read to its end."""
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


def quarters(size: tuple[int, int] = (400, 300), mode: str = "RGB") -> Image.Image:
    """Red, green, blue and black, from the upper left, row by row: shows any turn or loss of colour."""
    image = Image.new("RGB", size)
    width, height = size
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width // 2, height // 2), "#FF0000")
    draw.rectangle((width // 2, 0, width, height // 2), "#00FF00")
    draw.rectangle((0, height // 2, width // 2, height), "#0000FF")
    return image.convert(mode)


def corners(image: Image.Image) -> list[str]:
    """The colours near the four corners, row by row, as one would name them."""
    width, height = image.size
    places = ((0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8))
    return [_named(image.convert("RGB").getpixel((int(x * width), int(y * height)))) for x, y in places]


def _named(colour: Any) -> str:
    known = {
        "red": (255, 0, 0),
        "green": (0, 255, 0),
        "blue": (0, 0, 255),
        "black": (0, 0, 0),
        "white": (255, 255, 255),
    }
    near = [name for name, like in known.items() if all(abs(a - b) < 40 for a, b in zip(colour, like, strict=True))]
    return near[0] if near else str(colour)


def from_a_phone(image: Image.Image, orientation: int = 6) -> bytes:
    """A JPEG that says where it was taken, by what, and how it was held."""
    exif = Image.Exif()
    exif[ORIENTATION], exif[MAKER] = orientation, "Telephone"
    exif[GPS] = {1: "N", 2: (50.0, 21.0, 30.0), 3: "E", 4: (3.0, 31.0, 24.0)}
    return encoded(image, "JPEG", quality=95, exif=exif, comment=b"chez moi", xmp=b"<x:xmpmeta>secret</x:xmpmeta>")


def with_a_profile(image: Image.Image) -> bytes:
    """A PNG whose profile is not one of red, green and blue."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    return encoded(image, "PNG", icc_profile=profile)


def with_red_and_green_exchanged(image: Image.Image) -> bytes:
    """A PNG whose profile says that what it calls red is green, and the other way round."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    exchanged = profile.replace(b"rXYZ", b"????").replace(b"gXYZ", b"rXYZ").replace(b"????", b"gXYZ")
    return encoded(image, "PNG", icc_profile=exchanged)


def png_that_announces(width: int, height: int) -> bytes:
    """A PNG of black pixels of that size: some 50 kB for 400 million of them."""
    packer = zlib.compressobj(9)
    row = b"\0" * (1 + (width + 7) // 8)
    rows = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in parts)


def webp_that_announces(width: int, height: int) -> bytes:
    """The beginning of an animated WebP with a canvas of that size."""
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    extended = b"VP8X" + struct.pack("<I", 10) + b"\x02\0\0\0" + sides
    return b"RIFF" + struct.pack("<I", 4 + len(extended)) + b"WEBP" + extended


def png_of_16_bits(size: tuple[int, int] = (256, 64)) -> bytes:
    """A grey ramp from black to white, 65 536 levels deep."""
    width, height = size
    ramp = [x * 65535 // (width - 1) for _ in range(height) for x in range(width)]
    deep = Image.frombytes("I;16", size, struct.pack(f"<{len(ramp)}H", *ramp))
    return encoded(deep, "PNG")


def animated(kind: str) -> bytes:
    """Two frames; the first is the four quarters, the second white."""
    frames = [Image.new("RGB", (400, 300), "white")]
    return encoded(quarters(), kind, save_all=True, append_images=frames, duration=100, lossless=True)


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
