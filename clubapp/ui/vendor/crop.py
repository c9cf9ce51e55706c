"""The field that takes an image: chosen, cropped in a dialog, sent, shown. Its dialog is fetched when it is needed."""

from typing import Any

import reflex as rx

rx.asset("crop_dialog.jsx", shared=True)  # imported by the component when a file is chosen
rx.asset("crop_image.jsx", shared=True)


class ImageField(rx.Component):
    """Keeps the address of the image in a hidden input `name`.

    Calls `on_upload` when an image has been kept, `on_refuse(text)` with the reason when one is not.
    """

    library = f"$/public{rx.asset('crop.jsx', shared=True)}"
    tag = "ImageField"
    lib_dependencies: list[str] = ["react-image-crop@11.1.2"]

    name: rx.Var[str]
    bucket: rx.Var[str]
    value: rx.Var[str]
    fallback: rx.Var[str]
    alt: rx.Var[str]
    label: rx.Var[str]
    error: rx.Var[str]

    on_upload: rx.EventHandler[rx.event.no_args_event_spec]
    on_refuse: rx.EventHandler[rx.event.passthrough_event_spec(str)]


def image_input(**props: Any) -> rx.Component:
    """The bare field; screens use `clubapp.ui.image_field`."""
    return ImageField.create(**props)
