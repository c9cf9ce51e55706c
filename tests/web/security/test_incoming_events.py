"""What comes around an event: the parts that the front end sends, no longer than an address is."""

from typing import Any

import pytest

from clubapp.web.security.address_limit import LONGEST_ADDRESS
from clubapp.web.security.incoming_events import is_readable

PAGE = {"pathname": "/membres", "asPath": "/membres?recherche=bois", "query": {"recherche": "bois"}}
EVENT: dict[str, Any] = {"name": "state.load", "payload": {}, "router_data": PAGE}


def test_what_the_front_end_sends_is_read() -> None:
    assert is_readable(EVENT)
    assert is_readable({"name": "state.load"})
    unknown = {"pathname": "/a/b", "asPath": "/a/b", "query": {"splat": ["a", "b"]}}
    assert is_readable({**EVENT, "router_data": unknown})


@pytest.mark.parametrize(
    "event",
    [
        None,
        [],
        "{}",
        {},
        {**EVENT, "payload": None},
        {**EVENT, "name": 1},
        {**EVENT, "name": "load"},
        {**EVENT, "name": "state." + "x" * 300},
        {**EVENT, "router_data": []},
        {**EVENT, "router_data": {**PAGE, "headers": {}}},
        {**EVENT, "router_data": {**PAGE, "pathname": "/" * 1000}},
        {**EVENT, "router_data": {**PAGE, "pathname": ["/"]}},
        {**EVENT, "router_data": {**PAGE, "asPath": "x["}},
        {**EVENT, "router_data": {**PAGE, "asPath": "/\n/["}},
        {**EVENT, "router_data": {**PAGE, "asPath": "/" + "x" * LONGEST_ADDRESS}},
        {**EVENT, "router_data": {**PAGE, "asPath": "//["}},
        {**EVENT, "router_data": {**PAGE, "query": "x"}},
        {**EVENT, "router_data": {**PAGE, "query": {"x": 1}}},
        {**EVENT, "router_data": {**PAGE, "query": {"splat": ["a", ["b"]]}}},
        {**EVENT, "router_data": {**PAGE, "query": {"splat": ["a"] * 5000}}},
        {**EVENT, "router_data": {**PAGE, "query": {f"{n}": "" for n in range(1000)}}},
    ],
)
def test_anything_else_is_passed_over(event: Any) -> None:
    assert not is_readable(event)
