"""An uploaded image is refused in French, or comes out clean: upright, on white, silent about its owner (W7)."""

from collections.abc import Callable

import pytest
from PIL import Image, ImageFile

from clubapp.refusals import Invalid
from clubapp.services.images import processing
from tests import images

QUARTERS = ["red", "green", "blue", "black"]
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><image href="file:///etc/passwd"/></svg>'
GIF_AND_HTML = b"GIF89a/*<html><script>alert(1)</script></html>*/=1;"


def refusal(content: bytes) -> str:
    """What a person is told about a file."""
    with pytest.raises(Invalid) as refused:
        processing.convert_upload(content)
    return refused.value.text


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photograph_becomes_a_jpeg_of_the_same_look(kind: str) -> None:
    made = images.decoded(processing.convert_upload(images.encoded(images.quarters(), kind, quality=95)))
    assert (made.format, made.mode, made.size) == ("JPEG", "RGB", (400, 300))
    assert images.corners(made) == QUARTERS


@pytest.mark.parametrize(
    ("size", "kept"), [((4000, 3000), (1600, 1200)), ((900, 5000), (288, 1600)), ((30, 20), (30, 20))]
)
def test_it_is_made_smaller_but_never_larger(size: tuple[int, int], kept: tuple[int, int]) -> None:
    made = images.decoded(processing.convert_upload(images.encoded(images.quarters(size), "JPEG")))
    assert made.size == kept
    assert images.corners(made) == QUARTERS


def test_five_megabytes_pass_and_one_byte_more_does_not() -> None:
    photograph = images.encoded(images.quarters(), "JPEG")
    full = photograph + b"\0" * (5 * 1024 * 1024 - len(photograph))
    assert processing.convert_upload(full)
    assert refusal(full + b"\0") == "Image trop volumineuse (5MB maximum)"


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_a_bomb_is_seen_from_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageFile.ImageFile, "load", lambda _image: pytest.fail("it was unpacked"))
    bomb = images.png_that_announces(20_000, 20_000)
    assert len(bomb) < 100_000
    for content in (bomb, images.png_that_announces(8_000, 5_001), images.webp_that_announces(16_000, 16_000)):
        assert refusal(content) == processing.TOO_LARGE


def test_forty_million_pixels_are_still_drawn() -> None:
    made = images.decoded(processing.convert_upload(images.png_that_announces(8_000, 5_000)))
    assert made.size == (1600, 1000)


@pytest.mark.parametrize(
    "content",
    [b"", b"GIF", SVG, GIF_AND_HTML, b"<html>", b"%PDF-1.7", b"BM" + b"\0" * 60, b"II*\0" + b"\0" * 60],
    ids=["empty", "short", "svg", "gif and html", "html", "pdf", "bmp", "tiff"],
)
def test_only_three_formats_are_looked_at(content: bytes) -> None:
    assert refusal(content) == processing.WRONG_FORMAT


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("part", [0.02, 0.3, 0.9])
def test_a_truncated_file_is_refused(kind: str, part: float) -> None:
    whole = images.encoded(Image.effect_noise((300, 300), 80).convert("RGB"), kind)
    assert refusal(whole[: int(len(whole) * part)]) == processing.UNREADABLE


@pytest.mark.parametrize("start", [b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPVP8 ", b"RIFF\0\0\0\0WEBP"])
def test_a_disguise_is_refused(start: bytes) -> None:
    # What stands where the sides of the last one should be happens to announce a huge image.
    assert refusal(start + b"<script>alert(1)</script>" * 9) in (processing.UNREADABLE, processing.TOO_LARGE)


def test_a_jpeg_that_would_be_decoded_a_thousand_times_is_refused() -> None:
    whole = images.encoded(images.quarters(), "JPEG", progressive=True)
    scan = whole[whole.rindex(b"\xff\xda") : -2]
    assert refusal(whole[:-2] + scan * 1000 + whole[-2:]) == processing.UNREADABLE


def test_what_hides_behind_the_image_is_gone() -> None:
    polyglot = images.encoded(images.quarters(), "JPEG") + b"<html><script>alert(1)</script></html>"
    assert b"script" not in processing.convert_upload(polyglot)


def test_a_phone_held_sideways_gives_an_upright_picture_that_says_nothing_else() -> None:
    taken = images.from_a_phone(images.quarters())
    assert b"Telephone" in taken
    assert b"chez moi" in taken
    content = processing.convert_upload(taken)
    made = images.decoded(content)
    assert made.size == (300, 400)
    assert images.corners(made) == ["blue", "red", "black", "green"]
    assert not made.getexif()
    assert not set(made.info) - {"jfif", "jfif_version", "jfif_unit", "jfif_density", "progressive", "progression"}
    for secret in (b"Telephone", b"chez moi", b"Exif", b"secret", b"GPS"):
        assert secret not in content


@pytest.mark.parametrize("orientation", range(1, 9))
def test_each_way_to_hold_a_camera_is_undone(orientation: int) -> None:
    turns = [None, 0, 3, 1, 5, 2, 6, 4]  # what the camera did: the opposite of what will be undone
    turn = turns[orientation - 1]
    held = images.quarters() if turn is None else images.quarters().transpose(Image.Transpose(turn))
    made = images.decoded(processing.convert_upload(images.from_a_phone(held, orientation)))
    assert images.corners(made) == QUARTERS


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
def test_metadata_that_nobody_can_read_is_no_reason_to_refuse() -> None:
    broken = images.encoded(images.quarters(), "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\xff")
    assert images.corners(images.decoded(processing.convert_upload(broken))) == QUARTERS


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_transparency_becomes_white(kind: str) -> None:
    image = images.quarters(mode="RGBA")
    image.paste((0, 0, 0, 0), (200, 150, 400, 300))
    made = images.decoded(processing.convert_upload(images.encoded(image, kind, lossless=True)))
    assert images.corners(made) == ["red", "green", "blue", "white"]


def test_a_palette_with_a_clear_colour_becomes_white() -> None:
    flat = images.quarters().quantize(4)
    black = flat.getpixel((399, 299))
    made = images.decoded(processing.convert_upload(images.encoded(flat, "PNG", transparency=black)))
    assert images.corners(made) == ["red", "green", "blue", "white"]


@pytest.mark.parametrize(
    "make",
    [
        lambda: images.encoded(images.quarters(mode="CMYK"), "JPEG", quality=95),
        lambda: images.encoded(images.quarters(mode="P"), "PNG"),
        lambda: images.animated("WEBP"),
        lambda: images.animated("PNG"),
        lambda: images.with_a_profile(images.quarters()),
    ],
    ids=["cmyk", "palette", "animated webp", "animated png", "a profile that does not fit"],
)
def test_unusual_images_keep_their_colours(make: Callable[[], bytes]) -> None:
    made = images.decoded(processing.convert_upload(make()))
    assert (made.mode, made.size) == ("RGB", (400, 300))
    assert images.corners(made) == QUARTERS
    assert getattr(made, "n_frames", 1) == 1


def test_another_colour_space_is_brought_into_the_common_one() -> None:
    content = processing.convert_upload(images.with_red_and_green_exchanged(images.quarters()))
    assert images.corners(images.decoded(content)) == ["green", "red", "blue", "black"]
    assert b"ICC_PROFILE" not in content


@pytest.mark.parametrize("mode", ["1", "L", "LA"])
def test_black_and_white_stays_so(mode: str) -> None:
    image = Image.new("L", (100, 100), "white")
    image.paste(0, (0, 0, 50, 100))
    made = images.decoded(processing.convert_upload(images.encoded(image.convert(mode), "PNG")))
    assert images.corners(made) == ["black", "white", "black", "white"]


def test_sixteen_bits_become_eight_without_burning_out() -> None:
    made = images.decoded(processing.convert_upload(images.png_of_16_bits()))
    levels = [made.convert("L").getpixel((x, 30)) for x in (5, 64, 128, 192, 250)]
    assert levels == pytest.approx([5, 64, 128, 192, 250], abs=3)


@pytest.mark.parametrize("kind", ["webp", "jpeg"])
@pytest.mark.parametrize(("size", "made"), [((1600, 1600), (192, 192)), ((1600, 800), (192, 96)), ((60, 60), (60, 60))])
def test_a_size_fits_its_square(kind: processing.Kind, size: tuple[int, int], made: tuple[int, int]) -> None:
    content, media_type = processing.resize_image(images.encoded(images.quarters(size), "JPEG"), 192, kind)
    image = images.decoded(content)
    assert (image.format, media_type) == (kind.upper(), f"image/{kind}")
    assert image.size == made
    assert images.corners(image) == QUARTERS
