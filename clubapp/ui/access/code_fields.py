"""The fields in which codes are typed."""

import reflex as rx

from clubapp.ui.kit.field import field
from clubapp.ui.kit.text import Text


def six_digits(label: Text, control_id: str, error: Text = "") -> rx.Component:
    """The field of a code of six digits, from an app or from a mail."""
    return field(
        label,
        "code",
        id=control_id,
        required=True,
        auto_complete="one-time-code",
        input_mode="numeric",
        max_length=7,
        class_name="control-code",
        error=error,
    )


def recovery_code(control_id: str, error: Text = "") -> rx.Component:
    """The field of a recovery code."""
    return field(
        "Code de secours",
        "code",
        id=control_id,
        required=True,
        auto_complete="off",
        auto_capitalize="none",
        max_length=40,
        hint="L’un des dix codes que vous avez notés\u00a0; il ne servira qu’une fois.",
        error=error,
    )
