"""A field that uploads an image after cropping it in a dialog, whose script is fetched when it is needed."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script

script(__name__, "image_crop_dialog.jsx")  # imported by the component when a file is chosen
script(__name__, "image_crop.jsx")


class ImageInput(rx.Component):
    """Keeps the address of the image in a hidden input `name`.

    Calls `on_upload` when an image has been kept, `on_refuse(text)` with the reason when one is not.
    """

    library = script(__name__, "image_input.jsx")
    tag = "ImageInput"
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
    """The field without its toasts; screens use `ui.records.image_field`."""
    return ImageInput.create(**props)
