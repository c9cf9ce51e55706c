"""A form that keeps what is typed in the browser, as a draft, until the server has saved it.

    draft_form(
        field("Nom complet", "name", default_value=State.form.name, error=State.errors.name),
        …,
        name=State.draft,            # 'member:new', 'member:<id>'; while it is empty nothing is kept
        on_submit=State.save,        # async def save(self, entries: dict[str, Any])
        on_restore=State.restore,    # the same; only for what the state draws: rows of a list, a preview, `seen`
        busy=State.is_saving,
        attempt=State.attempt,       # incremented after every refusal: the first wrong field gets the focus
        saved=State.saved,           # incremented after every success, and sent before the form is closed
        stored={"services": State.form.services},  # these fields then show what was stored of what they said
        again=True,                  # for a form that stays open: its fields are emptied of what was saved
        class_name="form",
    )

`entries` maps each name to its text, and to a list when the name stands on several fields; read them with `text_of` and
`texts_of`, which survive whatever a forged call sends. An unticked box is absent.

Draw the form once its values are there, and under a `key` of what it is about, so that another person's form starts
afresh. Fields keep their own text (`default_value`): 'Reprendre' writes the kept text back into them, and calls
`on_restore` besides. Of a stored record only what the person had changed comes back, so that what was saved since
stays. A hidden field named `seen`, the version that was opened, is kept with the rest: hand it back in `on_restore`, so
that a draft begun before someone else's change is still refused as stale. `opened` in the entries of `on_restore` maps
the names to the entries that the form was opened with.

Fields that are added and removed in reaction to other fields stand in an element with `data_derived="true"`: their
removal then does not count as a change.

With unsaved changes a question is asked before the person leaves: by a link of the site or the back button, by Esc or
the cross of the dialog around it, and by any button with `data_leaves_form="true"`; the browser asks before it closes
the tab. A button of the form that closes it ('Annuler') asks nothing: the draft is offered when it is opened again, and
`draft_note` on the screen says that it is kept, with the way back.
What is typed while its entries are being saved is a draft again. Whoever leaves meanwhile is asked too, and keeps the
draft: it may be offered although it was saved. There is one draft for each `name`: what is typed replaces an older one,
from another tab too, and a second tab is offered the same. Drafts live for three days, but end at a sign-out and
when another person signs in.
"""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from clubapp.ui.react.forms.entries_form import EntriesForm
from clubapp.ui.react.script_path import script

_ENTRIES = rx.event.passthrough_event_spec(dict[str, Any])


class DraftForm(EntriesForm):
    """`draft` is the name the entries are kept under; the server receives them only on submit or restoration."""

    library = script(__name__, "draft_form.jsx")
    tag = "DraftForm"

    draft: rx.Var[str]
    saved: rx.Var[int]
    stored: rx.Var[dict[str, str]]
    again: rx.Var[bool]

    on_entries: rx.EventHandler[_ENTRIES]
    on_restore: rx.EventHandler[_ENTRIES]


class DraftNote(rx.Component):
    """Says while no form is open that a draft is kept; 'Reprendre' opens its form, filled from it, 'Effacer' ends it.

    For forms named '{draft}:new', opened by `on_new`, and '{draft}:<id>', opened by `on_edit` with the id.
    """

    library = script(__name__, "draft_form.jsx")
    tag = "DraftNote"

    draft: rx.Var[str]

    on_new: rx.EventHandler[rx.event.no_args_event_spec]
    on_edit: rx.EventHandler[rx.event.passthrough_event_spec(str)]

    def first_paint(self) -> rx.Component:
        """Nothing: no form was closed yet."""
        return rx.fragment()


draft_note = DraftNote.create


def draft_form(
    *children: Any,
    name: str | rx.Var[str],
    on_submit: Any,
    on_restore: Any = None,
    busy: Any = False,
    attempt: Any = 0,
    saved: Any = 0,
    **props: Any,
) -> rx.Component:
    """A form with a draft; see the docstring of this module."""
    if on_restore is not None:
        props["on_restore"] = on_restore
    return DraftForm.create(
        *children, draft=name, on_entries=on_submit, busy=busy, attempt=attempt, saved=saved, **props
    )


def text_of(entries: Any, name: str) -> str:
    """The text of a field; empty when it is absent or not a text."""
    return next(iter(texts_of(entries, name)), "")


def texts_of(entries: Any, name: str) -> list[str]:
    """The texts of the fields of one name, in their order."""
    entry = entries.get(name, []) if isinstance(entries, dict) else []
    values: Sequence[Any] = entry if isinstance(entry, list) else [entry]
    return [value for value in values if isinstance(value, str)]
