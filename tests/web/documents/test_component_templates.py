"""The first paint is made of the same components as the screen."""

from typing import Any

import pytest
import reflex as rx

from clubapp.pages.public.profile.state import MemberPageState
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.frame.takeover import takeover
from clubapp.ui.react.lists.tabs import tabs
from clubapp.web.documents.component_templates import JINJA, template_source

SHOWN: Any = MemberPageState.profile


def drawn(component: rx.Component, **profile: Any) -> str:
    return JINJA.from_string(template_source(component)).render(member_page_state={"profile": profile})


def test_text_is_escaped_whether_it_is_written_or_read() -> None:
    paragraph = rx.el.p("<b> {{ 1 }} & ", SHOWN.name, title=SHOWN.name, class_name=["a", f"b-{SHOWN.role}"])
    told = drawn(paragraph, name='"<i>', role="'{{ 2 }}")
    assert told == ('<p class="a b-&#39;{{ 2 }}" title="&#34;&lt;i&gt;">&lt;b&gt; {{ 1 }} &amp; &#34;&lt;i&gt;</p>')


@pytest.mark.parametrize(("services", "shown"), [((), "<p>rien</p>"), (("A", "B"), "<ul><li>A</li><li>B</li></ul>")])
def test_conditions_and_loops_are_those_of_the_screen(services: tuple[str, ...], shown: str) -> None:
    entries = rx.el.ul(rx.foreach(SHOWN.services[:1], rx.el.li), rx.foreach(SHOWN.services[1:], rx.el.li))
    assert drawn(rx.cond(SHOWN.services.length() > 0, entries, rx.el.p("rien")), services=services) == shown


@pytest.mark.parametrize(
    ("role", "attributes"), [("", 'aria-busy="false"'), ("x", 'aria-busy="true" disabled title="x"')]
)
def test_an_attribute_may_be_absent(role: str, attributes: str) -> None:
    title = rx.cond(SHOWN.role, SHOWN.role, rx.Var("undefined"))
    is_busy = SHOWN.role != ""
    button = rx.el.button(title=title, aria_busy=is_busy, disabled=is_busy)
    assert drawn(button, role=role) == f"<button {attributes}></button>"


def test_behaviour_is_not_drawn() -> None:
    assert drawn(rx.fragment(takeover(SHOWN.id != ""), rx.el.p(on_click=MemberPageState.load, key="k"))) == "<p></p>"


@pytest.mark.parametrize(
    "component",
    [
        rx.el.p(tabs([("a", "A", rx.el.p())])),
        rx.el.p(SHOWN.name.upper()),
        show_if(rx.Var("window.name"), rx.el.p()),
    ],
)
def test_what_cannot_be_drawn_alike_is_refused(component: rx.Component) -> None:
    with pytest.raises(TypeError):
        template_source(component)
