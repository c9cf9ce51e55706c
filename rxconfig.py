"""Reflex's configuration. Nothing of one installation is in it: settings are read at run time."""

from typing import Any

import reflex as rx

from clubapp.frontend_build import WEB
from clubapp.settings import settings

_redis_url = settings().redis_url
_managers = rx.constants.StateManagerMode
# Elements are made by React itself: Emotion, by which Reflex makes them, is for styles that hang on components, and
# ours are in style sheets (decision 0006). The few attributes of drawings that Reflex takes for such are plain styles.
_ELEMENTS = """import { createElement } from "react";

export const jsx = (type, { css, ...props } = {}, ...children) =>
  createElement(type, css ? { ...props, style: css } : props, ...children);
"""
_INSTEAD = '{ find: "@emotion/react", replacement: fileURLToPath(new URL("./utils/elements.js", import.meta.url)) },'

# A browser fetches six files at a time: what every page needs are two files, what those behind the sign-in need is one.
_ROUTER = ("react-router.+",)
_INTERFACE = ("utils.context", "live_region", "frame.frame")
_WORKSPACE = ("session", "factor", "menu_link", "polling", "modal", "action_menu", "entries_form", "draft_form")
# After the bundling the build writes this module anew, without its compressed copies: it stays small, by itself.
_WRITTEN_LATER = 'name: "reflex-env",'


class Lighter(rx.plugins.Plugin):
    """Leaves out of the bundle what no page of ours needs, 9 kB of every first visit, and joins its small modules."""

    def pre_compile(self, **context: Any) -> None:
        """Called by Reflex before it writes what the bundle is made of."""
        context["add_save_task"](lambda: (str(WEB / "utils" / "elements.js"), _ELEMENTS))
        context["add_modify_task"]("vite.config.js", lambda text: _changed(text, "alias: [", f"alias: [{_INSTEAD}"))
        joined = _join("router", 3, _ROUTER) + _join("interface", 2, _INTERFACE) + _join("workspace", 1, _WORKSPACE)
        later = f"{_WRITTEN_LATER} priority: 4,"
        context["add_modify_task"]("vite.config.js", lambda text: _changed(text, "groups: [", f"groups: [{joined}"))
        context["add_modify_task"]("vite.config.js", lambda text: _changed(text, _WRITTEN_LATER, later))
        # No policy of ours allows it, and what calls it by this name keeps its own long names.
        context["add_modify_task"]("utils/state.js", lambda text: _changed(text, " eval(", " (0, eval)("))


def _join(name: str, priority: int, modules: tuple[str, ...]) -> str:
    """A group of the bundler: these modules, and all they need that no group of a higher priority has, in one file."""
    return f'{{ name: "{name}", priority: {priority}, test: /[\\\\/]({"|".join(modules)})\\.m?jsx?$/ }},'


def _changed(text: str, old: str, new: str) -> str:
    if old not in text and new not in text:
        raise RuntimeError(f"{old!r} was not found: Reflex changed how it writes the sources of the bundle")
    return text if new in text else text.replace(old, new)


config = rx.Config(
    app_name="clubapp",
    # Replaced after the build by the page's own origin, see clubapp/frontend_build.py.
    api_url="http://localhost:3000",
    telemetry_enabled=False,
    show_built_with_reflex=False,
    default_color_mode="light",
    frontend_compression_formats=["brotli", "gzip"],
    frontend_lazy_bundled_libraries=True,
    plugins=[Lighter()],
    disable_plugins=[rx.plugins.SitemapPlugin],
    cors_allowed_origins=list(settings().origins),
    redis_url=_redis_url or None,
    # In milliseconds: how long one press may keep its tab's state. Beyond it the change stands, but its screen says no.
    redis_lock_expiration=60_000,
    redis_lock_warning_threshold=10_000,
    state_manager_mode=_managers.REDIS if _redis_url else _managers.MEMORY,
)
