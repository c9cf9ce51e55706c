"""/admin and /admin/members: the members of the club."""

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.members.form_part import member_form
from clubapp.pages.admin.members.list_part import TEXTS, deletion_effects, member_rows
from clubapp.pages.admin.members.selection_part import selection_questions
from clubapp.pages.admin.members.selection_state import SelectionState
from clubapp.pages.admin.members.state import MemberFormState, MembersState
from clubapp.pages.admin.members.task_part import member_tasks
from clubapp.ui import button
from clubapp.ui.frame.layouts import admin_layout
from clubapp.ui.records.layout import delete_question
from clubapp.ui.records.rows import table_links
from clubapp.web.screens.page import Page


def content() -> rx.Component:
    """The screen."""
    return admin_layout(
        rx.el.div(member_form(), member_tasks(), member_rows(), class_name="records-screen"),
        delete_question(MembersState, MemberFormState, TEXTS, deletion_effects()),
        selection_questions(),
        title="Membres",
        hint=MembersState.listing.count_label,
        actions=[
            table_links(routes.members_export, routes.IMPORT_MEMBERS),
            button("Nouveau membre", on_click=MemberFormState.toggle_new, data_leaves_form="true", data_press="new"),
        ],
        on_arrive=[MemberFormState.begin, MembersState.keep, SelectionState.close],
    )


PAGES = [
    Page(route=route, title="Membres", content=content, on_load=[MembersState.load])
    for route in (routes.ADMIN, routes.ADMIN_MEMBERS)
]
