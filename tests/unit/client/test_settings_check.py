"""What doctor says about the client's settings files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from engram_hooks.client.commands import EVENTS, hook_commands
from engram_hooks.client.settings_check import check_program, check_settings, list_entries, read_settings

DATA = Path("/srv/data/engram")
COMMANDS = hook_commands(DATA, windows=False)


def make_settings(**changes: object) -> dict[str, object]:
    """Return settings as setup writes them, with other top-level values on top."""
    hooks = {
        event: [
            {
                "matcher": matcher,
                "hooks": [{"type": "command", "command": COMMANDS[event], "timeout": timeout}],
            }
            if matcher
            else {"hooks": [{"type": "command", "command": COMMANDS[event], "timeout": timeout}]}
        ]
        for event, _, matcher, timeout in EVENTS
    }
    return {"hooks": hooks, **changes}


def slugs_of(folder: Path, *texts: str) -> list[str]:
    """Return the slugs that settings files with these texts give."""
    files = []
    for number, text in enumerate(texts):
        path = folder / f"{number}.json"
        path.write_text(text, encoding="utf-8")
        settings = read_settings(path)
        assert settings is not None
        files.append(settings)
    return [finding.slug for finding in check_settings(files, COMMANDS)]


def without(event: str) -> dict[str, object]:
    """Return our settings without one event."""
    settings = make_settings()
    hooks = settings["hooks"]
    assert isinstance(hooks, dict)
    del hooks[event]
    return settings


def hook(command: str) -> list[object]:
    """Return the groups of an event with one command."""
    return [{"hooks": [{"type": "command", "command": command}]}]


OLD = "sh '/old/place/bin/engram-hook' stop || :"
OTHER = "engram capture --stop"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param({}, ["hooks-unregistered"], id="nothing registered"),
        pytest.param(without("Stop"), ["hooks-incomplete"], id="one event missing"),
        pytest.param(make_settings(disableAllHooks=True), ["hooks-disabled"], id="switched off"),
        pytest.param(make_settings(statusLine="x"), ["settings-refused"], id="status line is text"),
        pytest.param(make_settings(permissions="x"), ["settings-refused"], id="permissions are text"),
        pytest.param({"hooks": {**COMMANDS}}, ["hooks-unregistered"], id="wrong shape"),
    ],
)
def test_trouble_in_one_file_is_found(
    tmp_path: Path, settings: dict[str, object], expected: list[str]
) -> None:
    assert slugs_of(tmp_path, json.dumps(settings)) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{// no comments\n}", id="comment"),
        pytest.param('{"a": 1,}', id="trailing comma"),
        pytest.param("[]", id="list"),
        pytest.param("nonsense", id="text"),
    ],
)
def test_file_that_the_client_ignores_is_found(tmp_path: Path, text: str) -> None:
    assert slugs_of(tmp_path, text) == ["settings-invalid"]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, id="as written by setup"),
        pytest.param({"disableAllHooks": False}, id="hooks explicitly on"),
        pytest.param({"statusLine": {"type": "command", "command": "x"}}, id="own status line"),
        pytest.param({"model": "opus", "permissions": {}}, id="other keys"),
    ],
)
def test_good_settings_give_nothing(tmp_path: Path, changes: dict[str, object]) -> None:
    assert slugs_of(tmp_path, json.dumps(make_settings(**changes))) == []


def test_same_command_in_two_files_runs_once(tmp_path: Path) -> None:
    text = json.dumps(make_settings())
    assert slugs_of(tmp_path, text, text) == []


def test_older_form_in_a_second_file_is_found(tmp_path: Path) -> None:
    older = json.dumps({"hooks": {"Stop": hook(OLD)}})
    assert slugs_of(tmp_path, json.dumps(make_settings()), older) == ["hooks-outdated", "hooks-doubled"]


def test_another_tool_is_named_and_not_taken_for_ours(tmp_path: Path) -> None:
    other = json.dumps({"hooks": {"Stop": hook(OTHER)}})
    assert slugs_of(tmp_path, json.dumps(make_settings()), other) == ["other-tool"]


def test_older_form_of_the_status_line_is_found(tmp_path: Path) -> None:
    line = {"type": "command", "command": "sh '/old/place/bin/engram-statusline'"}
    assert slugs_of(tmp_path, json.dumps(make_settings(statusLine=line))) == ["hooks-outdated"]


def test_missing_file_is_no_file(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "none.json") is None
    assert read_settings(tmp_path / "none" / "none.json") is None


def test_empty_file_counts_as_no_settings(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(" \n", encoding="utf-8")
    settings = read_settings(path)
    assert settings is not None
    assert list(list_entries(settings)) == []


@pytest.mark.skipif(os.name == "nt", reason="not on Windows: programs are found by their ending there")
def test_another_program_of_the_same_name_is_found(tmp_path: Path) -> None:
    other = tmp_path / "engram"
    other.write_text("#!/bin/sh\n", encoding="utf-8")
    other.chmod(0o755)
    assert [finding.slug for finding in check_program({"PATH": str(tmp_path)})] == ["other-tool"]
    other.write_text("#!/bin/sh\nexec python3 -m engram_hooks\n", encoding="utf-8")
    assert check_program({"PATH": str(tmp_path)}) == []
    assert check_program({"PATH": str(tmp_path / "nothing")}) == []
