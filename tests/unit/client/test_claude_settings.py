"""Setup adds what is ours to the settings and nothing else; uninstall gives the text back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any  # settings are whatever JSON holds

import pytest

from engram_hooks.client.claude_settings import Plan, Undo, make_undo, plan_setup, plan_uninstall
from engram_hooks.client.commands import EVENTS, hook_commands, is_own_hook, statusline_command
from engram_hooks.client.json_spans import JsonTextError

DATA = Path("/home/dev/my dätä/it's")
COMMANDS = hook_commands(DATA, windows=False)
LINE = statusline_command(DATA, windows=False)

RICH = """{
 "model": "some-model",
 "permissions": {"allow": ["Bash(git status:*)"], "defaultMode": "acceptEdits"},
 "env": {"FOO": "bär", "ESCAPED": "b\\u00e4r"},
 "statusLine": {"type": "command", "command": "my-line --fancy", "padding": 0},
 "unknownFutureKey": {"big": 12345678901234567890, "f": 1e-07, "g": 1.0, "h": 1e3},
 "hooks": {
  "PreToolUse": [
   {"matcher": "Bash", "hooks": [{"type": "command", "command": "guard.sh", "timeout": 5}]},
   {"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "fmt.sh"}]}
  ],
  "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
  "Notification": [{"matcher": "", "hooks": [{"type": "command", "command": "ping"}]}]
 }
}
"""

TEXTS = [
    pytest.param(RICH, id="rich"),
    pytest.param("", id="nothing"),
    pytest.param("{}", id="empty without a final newline"),
    pytest.param("{}\n", id="empty"),
    pytest.param("{\n}\n", id="empty on two lines"),
    pytest.param(" \n", id="white space"),
    pytest.param('{"a":1}', id="minified"),
    pytest.param('{ "a": 1.0, "b": [1e3] }\n', id="one line"),
    pytest.param('{\n\t"a": {\n\t\t"b": []\n\t}\n}\n', id="tabs"),
    pytest.param('{\r\n    "a": "ü"\r\n}\r\n', id="Windows line ends"),
    pytest.param('\ufeff{\n  "a": 1\n}', id="byte order mark"),
    pytest.param('{\n  "a": 1\n, "b": 2\n}\n', id="comma first"),
    pytest.param('{\n  "hooks": {}\n}\n', id="empty hooks"),
    pytest.param('{\n  "hooks": {"Stop": [], "Notification": []},\n  "z": 1\n}\n', id="empty lists"),
    pytest.param('{"hooks":{"Stop":[{"hooks":[]}]},"model":"m"}', id="empty group"),
    pytest.param('{\n  "hooks": {"Stop": [7, null, {"hooks": "x"}, {"other": 1}]}\n}\n', id="odd groups"),
    pytest.param('{"a": 1, "a": 2}\n', id="a key twice"),
]


def set_up(text: str, *, undo: Undo | None = None, wrap: bool = False) -> Plan:
    return plan_setup(text, commands=COMMANDS, statusline=LINE, wrap=wrap, undo=undo)


def commands_of(text: str, event: str) -> list[str]:
    groups: list[dict[str, Any]] = json.loads(text.lstrip("\ufeff"))["hooks"].get(event, [])
    return [
        hook["command"]
        for group in groups
        if isinstance(group, dict) and isinstance(group.get("hooks"), list)
        for hook in group["hooks"]
    ]


@pytest.mark.parametrize("text", TEXTS)
def test_every_event_gets_one_command(text: str) -> None:
    planned = set_up(text).text
    for event, _, matcher, timeout_s in EVENTS:
        groups = json.loads(planned.lstrip("\ufeff"))["hooks"][event]
        own = [g for g in groups if isinstance(g, dict) and is_own_hook(str(_first_command(g)))]
        entry = {"type": "command", "command": COMMANDS[event], "timeout": timeout_s}
        assert own == [{"matcher": matcher, "hooks": [entry]} if matcher else {"hooks": [entry]}]
        assert sum(is_own_hook(command) for command in commands_of(planned, event)) == 1


def _first_command(group: dict[str, Any]) -> object:
    hooks = group.get("hooks")
    return hooks[0].get("command") if isinstance(hooks, list) and hooks else ""


@pytest.mark.parametrize("text", TEXTS)
def test_second_and_third_setup_change_nothing(text: str) -> None:
    once = set_up(text)
    undo = make_undo(once, None)
    assert set_up(once.text, undo=undo).text == once.text
    assert set_up(set_up(once.text).text).text == once.text


@pytest.mark.parametrize("text", TEXTS)
def test_uninstall_gives_the_text_back_byte_for_byte(text: str) -> None:
    plan = set_up(text)
    assert plan_uninstall(plan.text, undo=make_undo(plan, None)).text == text


@pytest.mark.parametrize("text", TEXTS)
def test_uninstall_gives_the_text_back_after_an_upgrade(text: str) -> None:
    older = {event: command.replace("my d", "old d") for event, command in COMMANDS.items()}
    first = plan_setup(text, commands=older, statusline=None)
    undo = make_undo(first, None)
    second = set_up(first.text, undo=undo)
    assert second.text != first.text
    assert plan_uninstall(second.text, undo=make_undo(second, undo)).text == text


@pytest.mark.parametrize("text", [RICH, '{"a":1}', '{\n\t"a": 1\n}\n', "{}"])
def test_uninstall_without_a_record_gives_the_text_back(text: str) -> None:
    assert plan_uninstall(set_up(text).text).text == text


def test_source_of_untouched_parts_is_kept() -> None:
    planned = set_up(RICH).text
    for line in RICH.splitlines()[:6]:
        assert line in planned.splitlines()
    assert set(json.loads(RICH)) == set(json.loads(planned))
    assert "adds the Stop hook" in set_up(RICH).changes


def test_new_parts_follow_the_layout_of_the_file() -> None:
    planned = set_up('{\n\t"a": "ü"\n}\n').text
    assert '\n\t\t\t\t"hooks": [\n\t\t\t\t\t{\n\t\t\t\t\t\t"type": "command",' in planned
    assert "dätä" in planned
    assert "\n" not in set_up('{"a":1}').text
    assert '"hooks":{"SessionStart":[{"hooks":[{"type":"command",' in set_up('{"a":1}').text
    windows = set_up('{\r\n  "a": 1\r\n}').text
    assert windows.count("\n") == windows.count("\r\n") > 20


def test_change_made_since_survives_uninstall() -> None:
    plan = set_up('{\n  "hooks": {\n    "Stop": []\n  },\n  "a": 1\n}\n')
    changed = plan.text.replace('"a": 1', '"a": 2,\n  "b": ["new"]')
    after = plan_uninstall(changed, undo=make_undo(plan, None)).text
    assert after == '{\n  "hooks": {\n    "Stop": []\n  },\n  "a": 2,\n  "b": ["new"]\n}\n'


def test_change_made_between_two_setups_survives_the_exact_way_back() -> None:
    first = set_up('{\n  "a": 1\n}\n')
    undo = make_undo(first, None)
    changed = first.text.replace('"a": 1', '"a": 2')
    older = plan_setup(changed, commands=COMMANDS, statusline=None, undo=undo)
    assert plan_uninstall(older.text, undo=make_undo(older, undo)).text == '{\n  "a": 2\n}\n'


def test_older_entries_collapse_and_others_stay() -> None:
    stale = [
        "/opt/old venv/bin/engram hook stop",
        '"/opt/py311/bin/engram" hook stop',
        "C:/Apps/dev/.local/bin/engram.exe hook stop",
    ]
    first, second, third = ({"type": "command", "command": command} for command in stale)
    done = {"type": "command", "command": "say done"}
    groups = [{"hooks": [first, done]}, {"matcher": "", "hooks": [second]}, {"hooks": [third]}]
    plan = set_up(json.dumps({"hooks": {"Stop": groups}}))
    assert commands_of(plan.text, "Stop") == ["say done", COMMANDS["Stop"]]
    assert "replaces 3 older engram entries of Stop" in plan.changes
    undone = plan_uninstall(plan.text, undo=make_undo(plan, None)).text
    assert json.loads(undone) == {"hooks": {"Stop": [{"hooks": [done]}]}}


def test_own_entry_under_an_event_we_no_longer_use_goes() -> None:
    old = {"hooks": {"Notification": [{"hooks": [{"type": "command", "command": "engram hook stop"}]}]}}
    assert "Notification" not in json.loads(set_up(json.dumps(old)).text)["hooks"]


def test_own_entry_with_another_matcher_or_no_timeout_is_replaced() -> None:
    entry = {"type": "command", "command": COMMANDS["PreToolUse"]}
    for group in (
        {"matcher": "Bash", "hooks": [{**entry, "timeout": 5}]},
        {"matcher": EVENTS[2][2], "hooks": [entry]},
    ):
        planned = set_up(json.dumps({"hooks": {"PreToolUse": [group]}})).text
        (found,) = json.loads(planned)["hooks"]["PreToolUse"]
        assert (found["matcher"], found["hooks"][0]["timeout"]) == (EVENTS[2][2], 5)


def test_timeout_that_the_user_chose_stays() -> None:
    plan = set_up("{}\n")
    chosen = plan.text.replace('"timeout": 10', '"timeout": 30')
    assert set_up(chosen).text == chosen


def test_other_tool_of_our_name_is_left_alone() -> None:
    text = json.dumps(
        {
            "mcpServers": {"engram": {"command": "/opt/other/bin/engram", "args": ["mcp", "--tools=agent"]}},
            "hooks": {
                "SessionStart": [
                    {
                        "hooks": [
                            {
                                "type": "command",
                                "command": "bash ~/.claude/plugins/engram/scripts/session-start.sh",
                            }
                        ]
                    }
                ],
                "Stop": [{"hooks": [{"type": "command", "command": "/opt/other/bin/engram save --passive"}]}],
            },
        }
    )
    plan = set_up(text)
    assert commands_of(plan.text, "Stop") == ["/opt/other/bin/engram save --passive", COMMANDS["Stop"]]
    assert plan_uninstall(plan.text).text == plan_uninstall(text).text == text


REFUSED = [
    pytest.param('{"a": 1,}', 1, 8, id="trailing comma"),
    pytest.param("{\n // x\n}", 2, 2, id="comment"),
    pytest.param("[1]", 1, 1, id="a list"),
    pytest.param('"text"', 1, 1, id="a string"),
    pytest.param('{"hooks": []}', 1, 11, id="hooks is a list"),
    pytest.param('{"hooks": null}', 1, 11, id="hooks is null"),
    pytest.param('{"hooks":\n {"Stop": {}}}', 2, 11, id="an event is an object"),
    pytest.param('{"statusLine": "x"}', 1, 16, id="the status line is a string"),
    pytest.param('{\n "hooks": { "Stop": [ ', 2, 23, id="cut off"),
]


@pytest.mark.parametrize(("text", "line", "column"), REFUSED)
def test_what_cannot_be_edited_safely_is_refused(text: str, line: int, column: int) -> None:
    for plan in (set_up, plan_uninstall):
        with pytest.raises(JsonTextError) as caught:
            plan(text)
        assert (caught.value.line, caught.value.column) == (line, column)


def test_switched_off_hooks_are_warned_of() -> None:
    assert any("disableAllHooks" in line for line in set_up('{"disableAllHooks": true}').changes)
    assert not any("disableAllHooks" in line for line in set_up('{"disableAllHooks": false}').changes)
