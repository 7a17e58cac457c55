"""For any settings in any layout: setup changes only what is ours, and uninstall undoes it exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any  # settings are whatever JSON holds

from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.client.claude_settings import make_undo, plan_setup, plan_uninstall
from engram_hooks.client.commands import hook_commands, is_own_hook, statusline_command

COMMANDS = hook_commands(Path("/data"), windows=False)
LINE = statusline_command(Path("/data"), windows=False)

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
entries = st.fixed_dictionaries(
    {
        "type": st.just("command"),
        "command": st.sampled_from(["say done", "engram hook stop", "engram mcp", "x y"]),
    },
    optional={"timeout": st.integers(1, 60)},
)
groups = st.fixed_dictionaries(
    {"hooks": st.lists(entries, max_size=2)}, optional={"matcher": st.sampled_from(["", "Bash"])}
)
events = st.sampled_from(["Stop", "PreToolUse", "Notification", "SessionStart"])
documents = st.fixed_dictionaries(
    {},
    optional={
        "hooks": st.dictionaries(events, st.lists(groups, max_size=3), max_size=3),
        "statusLine": st.just({"type": "command", "command": "theirs"}),
        "model": st.text(max_size=5),
        "other": values,
    },
)
layouts = st.sampled_from(
    [
        {"indent": 2},
        {"indent": 1, "ensure_ascii": False},
        {"indent": "\t"},
        {"separators": (",", ":")},
        {},
        {"indent": 0},
    ]
)


def without_own(document: dict[str, Any]) -> dict[str, Any]:
    """The document without our entries; lists and objects that this leaves empty are dropped as well."""
    result = dict(document)
    if "hooks" in document:
        hooks = {event: _others(found) for event, found in document["hooks"].items()}
        result["hooks"] = {event: found for event, found in hooks.items() if found}
        if not result["hooks"]:
            del result["hooks"]
    if result.get("statusLine", {}).get("command") == LINE:
        del result["statusLine"]
    return result


def _others(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    rest = []
    for group in found:
        hooks = [hook for hook in group["hooks"] if not is_own_hook(hook["command"])]
        if hooks or not group["hooks"]:
            rest.append({**group, "hooks": hooks})
    return rest


def has_own(document: dict[str, Any]) -> bool:
    return any(
        is_own_hook(hook["command"])
        for found in document.get("hooks", {}).values()
        for group in found
        for hook in group["hooks"]
    )


@given(document=documents, layout=layouts, newline=st.booleans())
def test_setup_and_uninstall_are_inverse(
    document: dict[str, Any], layout: dict[str, Any], newline: bool
) -> None:
    text = json.dumps(document, **layout) + "\n" * newline
    plan = plan_setup(text, commands=COMMANDS, statusline=LINE)
    planned = json.loads(plan.text)
    assert without_own(planned) == without_own(document)
    assert [key for key in planned if key in document] == list(document)
    for event, command in COMMANDS.items():
        own = [h["command"] for g in planned["hooks"][event] for h in g["hooks"] if is_own_hook(h["command"])]
        assert own == [command]
    assert plan_setup(plan.text, commands=COMMANDS, statusline=LINE).text == plan.text
    undone = plan_uninstall(plan.text, undo=make_undo(plan, None)).text
    if has_own(document):
        assert without_own(json.loads(undone)) == without_own(document)
        assert not has_own(json.loads(undone))
    else:
        assert undone == text


@given(document=documents, layout=layouts)
def test_cutting_out_without_a_record_loses_nothing_of_others(
    document: dict[str, Any], layout: dict[str, Any]
) -> None:
    text = json.dumps(document, **layout)
    plan = plan_setup(text, commands=COMMANDS, statusline=LINE)
    assert without_own(json.loads(plan_uninstall(plan.text).text)) == without_own(document)
