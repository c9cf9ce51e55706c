"""A search that runs while one types and stands in the address, so that it can be shared."""

from typing import Any

import reflex as rx
from reflex_base.components.component import field

from clubapp.ui.react.script_path import script


class SearchField(rx.Component):
    """Reads its text from the address; `query` is the same text for the first paint."""

    library = script(__name__, "search_field.jsx")
    tag = "SearchField"

    parameter: rx.Var[str]
    reset: rx.Var[str]
    label: rx.Var[str]
    placeholder: rx.Var[str]
    max_length: rx.Var[int]
    action: rx.Var[str]
    query: rx.Var[str] = field(is_javascript_property=False)

    def first_paint(self) -> rx.Component:
        """An ordinary GET form with the same result."""
        text = rx.el.input(
            type="search",
            name=self.parameter,
            default_value=rx.cond(self.query, self.query, rx.Var("undefined")),
            placeholder=self.placeholder,
            max_length=self.max_length,
            aria_label=self.label,
            auto_complete="off",
            enter_key_hint="search",
            spell_check=False,
            class_name="control",
        )
        attributes = {"role": "search", "method": "get", "action": self.action}
        return rx.el.form(text, *self.children, class_name=self.class_name, custom_attrs=attributes)


def search_field(*children: Any, parameter: str, reset: str, label: str, action: str, **props: Any) -> rx.Component:
    """A form of one field, sent to a screen of the site as `?parameter=…`; `children` are its hidden fields.

    A new search removes the parameters `reset`, with spaces between them, from the address.
    """
    return SearchField.create(*children, parameter=parameter, reset=reset, label=label, action=action, **props)
