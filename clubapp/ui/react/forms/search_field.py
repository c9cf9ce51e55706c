"""A search that is made as one types and stands in the address: it can be shared, and the back button keeps it."""

from typing import Any

import reflex as rx
from reflex_base.components.component import field

from clubapp.ui.react.script_path import script


class SearchField(rx.Component):
    """The address is asked for what is searched; `wanted` is the same for who has only the document."""

    library = script(__name__, "search_field.jsx")
    tag = "SearchField"

    parameter: rx.Var[str]
    forgets: rx.Var[str]
    label: rx.Var[str]
    placeholder: rx.Var[str]
    longest: rx.Var[int]
    action: rx.Var[str]
    wanted: rx.Var[str] = field(is_javascript_property=False)

    def first_paint(self) -> rx.Component:
        """An ordinary GET form with the same result."""
        text = rx.el.input(
            type="search",
            name=self.parameter,
            default_value=rx.cond(self.wanted, self.wanted, rx.Var("undefined")),
            placeholder=self.placeholder,
            max_length=self.longest,
            aria_label=self.label,
            auto_complete="off",
            enter_key_hint="search",
            spell_check=False,
            class_name="control",
        )
        attributes = {"role": "search", "method": "get", "action": self.action}
        return rx.el.form(text, *self.children, class_name=self.class_name, custom_attrs=attributes)


def search_field(*children: Any, parameter: str, forgets: str, label: str, action: str, **props: Any) -> rx.Component:
    """A form of one field, sent to a screen of the site as `?parameter=…`; `children` are its hidden fields.

    `forgets` is the parameter of the address that a new search takes away.
    """
    return SearchField.create(*children, parameter=parameter, forgets=forgets, label=label, action=action, **props)
