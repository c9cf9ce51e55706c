"""What breaks, or weighs, or opens a door in Reflex is not used (decisions 0002 and 0006)."""

import ast
import gzip
import json
import re

import brotli
import pytest

from clubapp import frontend_build
from tests.architecture.sources import ROOT, dotted, nodes

# They need `unsafe-eval`, and fail silently without it.
NEEDS_EVAL = {"rx.toast", "rx.call_script", "rx.set_clipboard", "rx.console_log"}
# An upload route of their own that nobody guards; storage that a browser can change.
UNGUARDED = {"rx.upload", "rx.upload_files", "rx.get_upload_url", "rx.Cookie", "rx.SessionStorage"}
# One of these brings 115 kB to every page.
THEMES = {
    "rx.alert_dialog", "rx.avatar", "rx.badge", "rx.blockquote", "rx.box", "rx.button", "rx.callout", "rx.card",
    "rx.center", "rx.checkbox", "rx.code", "rx.color_mode", "rx.container", "rx.context_menu", "rx.data_list",
    "rx.dialog", "rx.dropdown_menu", "rx.em", "rx.flex", "rx.grid", "rx.heading", "rx.hover_card", "rx.hstack",
    "rx.icon_button", "rx.input", "rx.inset", "rx.link", "rx.markdown", "rx.popover", "rx.progress", "rx.radio",
    "rx.scroll_area", "rx.segmented_control", "rx.select", "rx.separator", "rx.skeleton", "rx.slider", "rx.spacer",
    "rx.spinner", "rx.stack", "rx.strong", "rx.switch", "rx.table", "rx.tabs", "rx.text", "rx.text_area", "rx.theme",
    "rx.theme_panel", "rx.tooltip", "rx.vstack",
}  # fmt: skip


@pytest.mark.parametrize("forbidden", [NEEDS_EVAL, UNGUARDED, THEMES], ids=["eval", "unguarded", "themes"])
def test_no_forbidden_part_of_reflex_is_named(forbidden: set[str]) -> None:
    assert not [
        f"{path}:{node.lineno} {dotted(node)}" for path, node in nodes(ast.Attribute) if dotted(node) in forbidden
    ]


def test_the_pairs_of_a_form_are_read_by_the_one_reader_that_bears_a_forged_call() -> None:
    assert not [
        f"{path}:{node.lineno} {node.name}"
        for path, node in nodes(ast.FunctionDef, ast.AsyncFunctionDef)
        for argument in node.args.args
        if argument.annotation and ast.unparse(argument.annotation) == "list[list[str]]"
        if f"pairs_of({argument.arg})" not in ast.unparse(node)
    ]


def test_no_event_is_given_a_callback() -> None:
    assert not [
        f"{path}:{node.lineno}"
        for path, node in nodes(ast.Call)
        if dotted(node.func).startswith("rx.") and any(keyword.arg == "callback" for keyword in node.keywords)
    ]


def test_every_state_declares_who_may_call_it() -> None:
    states = [
        (path, node)
        for path, node in nodes(ast.ClassDef)
        if any(dotted(base) in ("rx.State", "State") for base in node.bases)
        and not any(keyword.arg == "mixin" for keyword in node.keywords)  # the states made with it declare their own
    ]
    assert states
    assert not [f"{path} {node.name}" for path, node in states if "ACCESS" not in map(_target, node.body)]


def _target(statement: ast.stmt) -> str:
    return dotted(statement.target) if isinstance(statement, ast.AnnAssign) else ""


@pytest.fixture(scope="module")
def client() -> str:
    """Everything the browser may download, in one text."""
    frontend_build.build()
    kinds = ("*.js", "*.html", "*.json", "*.css")
    return "\n".join(path.read_text() for kind in kinds for path in frontend_build.CLIENT.rglob(kind))


def test_radix_themes_is_not_in_the_bundle(client: str) -> None:
    packages = json.loads((frontend_build.WEB / "package.json").read_text())
    assert not [name for name in packages.get("dependencies", {}) if name.startswith("@radix-ui/themes")]
    assert "radix-themes" not in client


def test_what_no_page_needs_is_not_in_the_bundle(client: str) -> None:
    assert "data-emotion" not in client
    assert not re.search(r"(?<![\w$.)])eval\(", client)


def test_the_bundle_belongs_to_no_club_and_no_address(client: str) -> None:
    for baked in ("Cercle du Beffroi", "beffroi.example", "Caudrelier", "ws://localhost", str(ROOT)):
        assert baked not in client


@pytest.mark.parametrize(("area", "holds"), [("admin", ".health"), ("member", ".own-event"), ("event", ".answer-step")])
def test_an_area_asks_for_one_sheet_that_holds_all_of_its_own(client: str, area: str, holds: str) -> None:
    sheet = frontend_build.CLIENT / frontend_build.area_style(area).lstrip("/")
    assert holds in sheet.read_text()
    assert brotli.decompress(sheet.with_name(f"{sheet.name}.br").read_bytes()) == sheet.read_bytes()
    assert gzip.decompress(sheet.with_name(f"{sheet.name}.gz").read_bytes()) == sheet.read_bytes()
