"""How many messages of a mailing are pending, failed, uncertain or withdrawn."""

from typing import Any

import reflex as rx

from clubapp.ui.kit.text import show_if


def delivery_counts(figures: Any, withdrawn: tuple[str, str]) -> rx.Component:
    """Each count that is not zero; `withdrawn` is the reason in the singular and in the plural."""
    return rx.el.ul(
        _count(figures.pending, "en attente", "en attente"),
        _count(
            figures.failed, "en échec\u00a0: l’adresse a été refusée", "en échec\u00a0: les adresses ont été refusées"
        ),
        _count(
            figures.uncertain,
            "incertain\u00a0: l’envoi a été coupé, peut-être reçu, jamais renvoyé tout seul",
            "incertains\u00a0: les envois ont été coupés, peut-être reçus, jamais renvoyés tout seuls",
        ),
        _count(figures.withdrawn, f"retiré\u00a0: {withdrawn[0]}", f"retirés\u00a0: {withdrawn[1]}"),
        class_name="event-sending-counts",
    )


def _count(number: Any, one: str, several: str) -> rx.Component:
    """0 and 1 are singular in French (C6)."""
    return show_if(number > 0, rx.el.li(rx.el.strong(number), " ", rx.cond(number > 1, several, one)))
