"""The user's own status line stays the user's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engram_hooks.client.claude_settings import Plan, make_undo, plan_setup, plan_uninstall
from engram_hooks.client.commands import statusline_command

LINE = statusline_command(Path("/data"), windows=False)
OWN = {"type": "command", "command": LINE, "refreshInterval": 2}
THEIRS = '{\n  "statusLine": {"type": "command", "command": "my-line \\u0041 --für", "padding": 0}\n}\n'


def set_up(text: str, *, line: str | None = LINE, wrap: bool = False) -> Plan:
    return plan_setup(text, commands={}, statusline=line, wrap=wrap)


def test_line_is_added_where_there_is_none() -> None:
    assert json.loads(set_up("{}").text) == {"statusLine": OWN}


def test_own_line_of_another_place_is_updated() -> None:
    old = json.dumps(
        {"statusLine": {"type": "command", "command": "sh '/old/bin/engram-statusline'", "padding": 1}}
    )
    assert json.loads(set_up(old).text)["statusLine"] == {"type": "command", "command": LINE, "padding": 1}


@pytest.mark.parametrize("theirs", [THEIRS, '{"statusLine": {}}', '{"statusLine": {"type": "command"}}'])
def test_line_of_the_user_is_kept(theirs: str) -> None:
    plan = set_up(theirs)
    assert plan.text == theirs
    assert plan.changes == ("keeps your own status line",)


def test_line_is_taken_out_when_it_is_not_wanted() -> None:
    assert set_up(set_up('{"a": 1}').text, line=None).text == '{"a": 1}'
    assert set_up(THEIRS, line=None).text == THEIRS


@pytest.mark.parametrize("change", ["", '"padding": 3'])
def test_wrapped_line_is_given_back_as_it_was_written(change: str) -> None:
    plan = set_up(THEIRS, wrap=True)
    assert json.loads(plan.text)["statusLine"] == {**OWN, "padding": 0}
    assert plan.wrapped is not None
    assert plan.wrapped.command == "my-line A --für"
    text, expected = plan.text, THEIRS
    if change:
        text, expected = text.replace('"padding": 0', change), expected.replace('"padding": 0', change)
    assert plan_uninstall(text, undo=make_undo(plan, None)).text == expected


def test_interval_of_the_user_is_kept_when_wrapping() -> None:
    text = THEIRS.replace('"padding": 0', '"refreshInterval": 30')
    plan = set_up(text, wrap=True)
    assert json.loads(plan.text)["statusLine"]["refreshInterval"] == 30
    undo = make_undo(plan, None)
    assert plan_uninstall(plan.text, undo=undo).text == text
    assert plan_uninstall(plan.text + "\n", undo=undo).text == text + "\n"


def test_wrapping_twice_wraps_once() -> None:
    plan = set_up(THEIRS, wrap=True)
    again = set_up(plan.text, wrap=True)
    assert again.text == plan.text
    undo = make_undo(again, make_undo(plan, None))
    assert plan_uninstall(again.text, undo=undo).text == THEIRS


def test_wrapped_line_is_given_back_when_ours_is_switched_off() -> None:
    plan = set_up(THEIRS, wrap=True)
    undo = make_undo(plan, None)
    assert plan_setup(plan.text, commands={}, statusline=None, undo=undo).text == THEIRS
