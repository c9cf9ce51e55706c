"""One colour, one meaning: brick is for what one presses, never for a state (docs/design.md)."""

import re

from clubapp.settings import ROOT

SHEETS = sorted([*ROOT.glob("assets/*.css"), *ROOT.glob("clubapp/**/*.css")])
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
# What is chosen, current, done or refused, what has the focus, what must be filled in.
STATE = re.compile(
    r"aria-(?:selected|current|pressed|checked|invalid|busy)|:checked|:focus|:invalid|::selection|\[data-required\]"
    r"|progress|spinner|-done|-missed|-error|:disabled"
)


def brick_states() -> list[str]:
    """Each rule that paints a state in brick, or the box of a choice."""
    return [
        f"{sheet.name}: {' '.join(selector.split())}"
        for sheet in SHEETS
        for selector, body in RULE.findall(COMMENT.sub("", sheet.read_text()))
        if ("--brick" in body and STATE.search(selector))
        or re.search(r"accent-color:\s*var\(--brick|focus-color:.*brick", body)
    ]


def test_no_state_wears_the_colour_of_action() -> None:
    assert brick_states() == []
