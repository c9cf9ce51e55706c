"""Images that keep their place while they load."""

from typing import Any

import reflex as rx

from clubapp.ui.text import Text


def image(src: Text, alt: Text, width: int, height: int, lazy: bool = False, **props: Any) -> rx.Component:
    """An image with the size of its file; styles may change it. (Reflex makes CSS of plain width and height.)"""
    attributes = {"width": str(width), "height": str(height), "decoding": "async"}
    if lazy:
        attributes["loading"] = "lazy"
    return rx.el.img(src=src, alt=alt, custom_attrs=attributes, **props)
