"""The tokens of colour and what each means (docs/design.md)."""

import reflex as rx

COLOURS = (
    ("Action", "Ce que l’on presse, et rien d’autre.", ("brick", "brick-dark", "brick-soft")),
    ("Focus", "Où l’on est au clavier\u00a0: un anneau de 3\u00a0px.", ("focus", "focus-on-ink")),
    ("Choix, page en cours, progression", "Fond clair et bord d’encre.", ("selected", "ink")),
    ("Erreur", "Avec un signe, et une phrase qui dit quoi faire.", ("error", "error-bg")),
    ("Suppression", "Avec son verbe\u00a0; pleine dans la question seulement.", ("destructive",)),
    ("États", "Toujours avec le mot.", ("amber-bg", "amber-text", "green-bg", "green-text")),
    ("Passé", "Toujours avec le mot.", ("indigo-bg", "indigo-text")),
    ("Annulé", "Toujours avec le mot.", ("red-bg", "red-text")),
    ("Réponses", "Oui et non, avec le mot et le nombre.", ("yes", "no")),
    ("Attend quelqu’un", "Sur l’encre seulement.", ("gold",)),
    ("Texte et fonds", "Les bords des champs sont plus sombres que les filets.", (
        "ink", "muted", "paper", "white", "line", "line-strong",
    )),
)  # fmt: skip


def colours() -> rx.Component:
    """Each meaning with its colours."""
    rows = [
        rx.el.div(
            rx.el.dt(meaning, rx.el.span(rule, class_name="kit-rule")),
            rx.el.dd(*[_swatch(name) for name in names], class_name="kit-swatches"),
            class_name="kit-colour",
        )
        for meaning, rule, names in COLOURS
    ]
    return rx.el.dl(*rows, class_name="kit-colours")


def _swatch(name: str) -> rx.Component:
    sample = rx.el.span(class_name="kit-sample", aria_hidden="true", style={"background": f"var(--{name})"})
    return rx.el.span(sample, rx.el.code(f"--{name}"), class_name="kit-swatch")
