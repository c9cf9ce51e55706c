"""Images that keep their place while they load."""

from typing import Any

import reflex as rx

from clubapp.ui.kit.text import Text


def image(src: Text, alt: Text, width: int, height: int, lazy: bool = False, **props: Any) -> rx.Component:
    """An image with the size of its file; styles may change it. (Reflex makes CSS of plain width and height.)"""
    attributes = {"width": str(width), "height": str(height), "decoding": "async"}
    if lazy:
        attributes["loading"] = "lazy"
    return rx.el.img(src=src, alt=alt, custom_attrs=attributes, **props)


def responsive_image(shown: Any, alt: Text, lazy: bool = False, **props: Any) -> rx.Component:
    """A photograph or logo in the size that fits: a Var of `services.photos.Picture`."""
    attributes = {"width": shown.width, "height": shown.height}
    if lazy:
        props["loading"] = "lazy"
    return rx.el.img(
        src=shown.src,
        src_set=_if_any(shown.srcset),
        sizes=_if_any(shown.sizes),
        alt=alt,
        decoding="async",
        custom_attrs=attributes,
        **props,
    )


def _if_any(text: Any) -> Any:
    """A text as an attribute, which is absent without one."""
    return rx.cond(text, text, rx.Var("undefined"))
