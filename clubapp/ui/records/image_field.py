"""A form's image: a person's photograph or a company's logo, cropped in the browser and kept as soon as it is chosen.

The form submits the address of the kept image under `name`, or an empty text. The service that saves it asks
`uploads.chosen` whether that address belongs to this installation.
"""

from typing import Any

import reflex as rx

from clubapp.infra.image_store import Bucket
from clubapp.ui.kit.text import Text
from clubapp.ui.react.forms.image_input import image_input
from clubapp.web.screens.toasts import ToastState

UPLOADED = "Image uploadée avec succès !"


def image_field(
    label: Text = "Photo",
    name: str = "image_url",
    bucket: Bucket = "avatars",
    *,
    value: Text = "",
    fallback: Text = "",
    alt: Text = "",
    error: Text = "",
    **props: Any,
) -> rx.Component:
    """The image of someone or something. `value` is the address of the kept one, `alt` whose it is.

    `fallback` is the address of what is shown instead, such as `avatars.person_image(name)`; without it, a blank icon.
    """
    return image_input(
        label=label,
        name=name,
        bucket=bucket,
        value=value,
        fallback=fallback,
        alt=alt,
        error=error,
        on_upload=ToastState.show("success", "", UPLOADED),
        on_refuse=lambda text: ToastState.show("error", "Erreur", text),
        **props,
    )
