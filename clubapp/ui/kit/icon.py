"""Icons: line drawings of our own on a square of 20, never without words beside them."""

from typing import Literal

import reflex as rx

Icon = Literal[
    "arrival", "arrow", "bin", "building", "calendar", "check", "chevron", "clock", "cross", "download", "eye",
    "eye_off", "filter", "hourglass", "image", "list", "lock", "mail", "meal", "pause", "people", "pencil", "person",
    "phone", "place", "printer", "pulse", "search", "seat", "shield", "sun", "warning",
]  # fmt: skip
_PATHS: dict[Icon, str] = {
    "arrival": "M8 4h8v12H8M3 10h8m-3-3 3 3-3 3",
    "arrow": "M4 10h12M11 5l5 5-5 5",
    "bin": "M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6M8.5 9v4.5M11.5 9v4.5",
    "building": "M4 17V3h8v14M12 8h4v9M2 17h16M7 6h2M7 9h2M7 12h2",
    "calendar": "M3 5h14v12H3zM3 9h14M7 3v4M13 3v4",
    "check": "M4 10.5 8 14.5 16 6",
    "chevron": "M5 8l5 5 5-5",
    "clock": "M10 3a7 7 0 1 0 .01 0M10 6v4l2.5 2",
    "cross": "M5 5l10 10M15 5 5 15",
    "download": "M10 3v9m-3.500-3.500L10 12l3.500-3.500M4 16h12",
    "eye": "M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 7.8a2.2 2.2 0 1 0 .01 0",
    "eye_off": "M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM3 17 17 3",
    "filter": "M3 6h14M6 10h8M8.500 14h3",
    "hourglass": "M5 3h10M5 17h10M6 3c0 4 8 5 8 7s-8 3-8 7M14 3c0 4-8 5-8 7s8 3 8 7",
    "image": "M3 4h14v12H3zM3 14l4-4 3 3 3-3 4 4M7 7.5h.01",
    "list": "M7.5 5.500H17M7.5 10H17M7.5 14.500H17M3.500 5.500h.01M3.500 10h.01M3.500 14.500h.01",
    "lock": "M4 9h12v8H4zM7 9V6a3 3 0 0 1 6 0v3",
    "mail": "M2.5 4.5h15v11h-15zM3 5l7 6 7-6",
    "meal": "M5 3v5M8 3v5M5 8c0 2 3 2 3 0M6.5 9.5V17M14 3c-2 1-2.5 5-1 7h1zM14 3v14",
    "people": "M7 4a2.8 2.8 0 1 0 .01 0M2 16c0-3 2-5 5-5s5 2 5 5M13 4.5a2.6 2.6 0 0 1 0 5M14.5 11.5c2 .5 3.5 2 3.5 4.5",
    "pause": "M7 4v12M13 4v12",
    "pencil": "M4 16l1-4 8.5-8.5 3 3L8 15zM11.5 5.5l3 3",
    "person": "M10 3.500a3.200 3.200 0 1 0 .01 0M3.500 17c0-3.500 2.700-5.500 6.500-5.500s6.500 2 6.500 5.500",
    "phone": "M5 3h3l1.2 4-2 1.2c.9 2 2.6 3.7 4.6 4.6l1.2-2 4 1.2v3c0 .8-.6 1.5-1.5 1.5C9 16.500 3.500 11 3.500 4.500 "
    "3.500 3.600 4.200 3 5 3z",
    "place": "M10 17.500s-5.500-5-5.500-9a5.500 5.500 0 0 1 11 0c0 4-5.500 9-5.500 9zM10 6.800a1.800 1.800 0 1 0 .01 0",
    "printer": "M6 8V3h8v5M6 14H3V8h14v6h-3M6 12h8v5H6z",
    "pulse": "M2 10h4l2-5 4 10 2-5h4",
    "search": "M9 3.500a5.500 5.500 0 1 0 .01 0M13 13l4 4",
    "seat": "M6 3v7h8V3M4 10h12v3H4zM6 13v4M14 13v4",
    "shield": "M10 2.500 16 5v5c0 4-3 6.500-6 7.500-3-1-6-3.500-6-7.500V5zM7.500 10l2 2 3.500-4",
    "sun": "M10 6.800a3.200 3.200 0 1 0 .01 0M10 2v2M10 16v2M2 10h2M16 10h2M4.300 4.300l1.500 1.500"
    "M14.200 14.200l1.500 1.500M4.300 15.700l1.500-1.500M14.200 5.800l1.500-1.500",
    "warning": "M10 3a7 7 0 1 0 .01 0M10 6.500v4.500M10 13.500h.01",
}


def icon(name: Icon, size: int = 20) -> rx.Component:
    """A drawing in the colour of the text around it, hidden from screen readers."""
    return rx.el.svg(
        rx.el.svg.path(
            d=_PATHS[name],
            stroke="currentColor",
            stroke_width="1.6",
            stroke_linecap="round",
            stroke_linejoin="round",
            fill="none",
        ),
        view_box="0 0 20 20",
        width=str(size),
        height=str(size),
        aria_hidden="true",
        class_name="icon",
    )
