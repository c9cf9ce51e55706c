"""Images with their dimensions, so that the page does not move while they load."""

from typing import Any

import reflex as rx

from clubapp.ui.kit.text import Text


def image(src: Text, alt: Text, width: int, height: int, lazy: bool = False, **props: Any) -> rx.Component:
    """An image with the size of its file, which style sheets may change.

    Width and height are custom attributes because Reflex turns the props of these names into CSS.
    """
    attributes = {"width": str(width), "height": str(height), "decoding": "async"}
    if lazy:
        attributes["loading"] = "lazy"
    return rx.el.img(src=src, alt=alt, custom_attrs=attributes, **props)


def responsive_image(picture: Any, alt: Text, lazy: bool = False, **props: Any) -> rx.Component:
    """A photograph or logo of which the browser chooses the variant; `picture` is a Var of `Picture`."""
    attributes = {"width": picture.width, "height": picture.height}
    if lazy:
        props["loading"] = "lazy"
    return rx.el.img(
        src=picture.src,
        src_set=_if_any(picture.srcset),
        sizes=_if_any(picture.sizes),
        alt=alt,
        decoding="async",
        custom_attrs=attributes,
        **props,
    )


def _if_any(text: Any) -> Any:
    """The value of an attribute that is left out while the text is empty."""
    return rx.cond(text, text, rx.Var("undefined"))
