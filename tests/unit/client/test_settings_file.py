"""A settings file is replaced in one step, through its links, and never against another writer."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from engram_hooks.client.claude_settings import Plan, plan_setup
from engram_hooks.client.settings_file import apply, find_settings
from engram_hooks.errors import EngramError, UsageError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for the settings."""
    path = tmp_path / "claude"
    path.mkdir()
    return path


def append_x(text: str) -> Plan:
    return Plan(text + "x", ("adds an x",), text)


def keep(text: str) -> Plan:
    return Plan(text, (), text)


def plan_hooks(text: str) -> Plan:
    return plan_setup(text, commands={"Stop": "sh '/data/bin/engram-hook' stop"}, statusline=None)


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640])
def test_mode_of_the_file_is_kept(folder: Path, mode: int) -> None:
    file = folder / "settings.json"
    file.write_text("{}")
    file.chmod(mode)
    apply(file, append_x, dry_run=False)
    assert file.read_text() == "{}x"
    assert stat.S_IMODE(file.stat().st_mode) == mode
    assert os.listdir(folder) == ["settings.json"]


def test_missing_file_and_folder_are_created_for_the_user_alone(folder: Path) -> None:
    file = folder / "new" / "folder" / "settings.json"
    plan = apply(file, append_x, dry_run=False)
    assert plan.created
    assert file.read_text() == "x"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_dry_run_and_empty_plan_write_nothing(folder: Path) -> None:
    file = folder / "new" / "settings.json"
    assert apply(file, append_x, dry_run=True).changes == ("adds an x",)
    apply(file, keep, dry_run=False)
    assert not file.parent.exists()


def test_chain_of_links_stays_and_the_real_file_changes(folder: Path) -> None:
    (folder / "dot").mkdir()
    (folder / "home").mkdir()
    real = folder / "dot" / "real.json"
    real.write_text("{}")
    (folder / "dot" / "middle.json").symlink_to("real.json")
    (folder / "linked").symlink_to("dot")
    file = folder / "home" / "settings.json"
    file.symlink_to("../linked/middle.json")
    apply(file, append_x, dry_run=False)
    assert file.is_symlink()
    assert (folder / "dot" / "middle.json").is_symlink()
    assert real.read_text() == "{}x"
    assert sorted(os.listdir(folder / "dot")) == ["middle.json", "real.json"]


def test_link_to_a_file_that_is_not_there_yet_is_followed(folder: Path) -> None:
    file = folder / "settings.json"
    file.symlink_to("real.json")
    apply(file, append_x, dry_run=False)
    assert file.is_symlink()
    assert (folder / "real.json").read_text() == "x"


def test_change_by_another_between_reading_and_writing_is_kept(folder: Path) -> None:
    file = folder / "settings.json"
    file.write_text("a")
    seen: list[str] = []

    def interfere(text: str) -> Plan:
        seen.append(text)
        if len(seen) == 1:
            file.write_text("b")
        return append_x(text)

    apply(file, interfere, dry_run=False)
    assert seen == ["a", "b"]
    assert file.read_text() == "bx"
    assert os.listdir(folder) == ["settings.json"]


def test_file_that_changes_all_the_time_is_left_to_the_other(folder: Path) -> None:
    file = folder / "settings.json"
    file.write_text("a")

    def interfere(text: str) -> Plan:
        file.write_text(text + "b")
        return append_x(text)

    with pytest.raises(EngramError, match="all the time"):
        apply(file, interfere, dry_run=False)
    assert "x" not in file.read_text()
    assert os.listdir(folder) == ["settings.json"]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        pytest.param(b'{\n  "a": 1,\n}', "line 2, column 9", id="trailing comma"),
        pytest.param(b"{\n  // x\n}", "line 2, column 3", id="comment"),
        pytest.param(b'{"hooks": 3}', "line 1, column 11", id="wrong type"),
        pytest.param(b'{\n"a": "\xff"}', "line 2, column 7", id="not UTF-8"),
        pytest.param(b'{\n "hooks": { "Stop": [ ', "line 2, column 23", id="cut off"),
    ],
)
def test_broken_file_is_named_with_its_place_and_left_alone(folder: Path, content: bytes, place: str) -> None:
    file = folder / "settings.json"
    file.write_bytes(content)
    with pytest.raises(EngramError) as caught:
        apply(file, plan_hooks, dry_run=False)
    assert str(file) in caught.value.message
    assert place in caught.value.message
    assert caught.value.hint
    assert file.read_bytes() == content
    assert os.listdir(folder) == ["settings.json"]


def test_folder_in_the_place_of_the_file_is_an_expected_failure(folder: Path) -> None:
    with pytest.raises(EngramError, match="not a regular file"):
        apply(folder, append_x, dry_run=False)


def test_file_in_the_place_of_the_folder_is_an_expected_failure(folder: Path) -> None:
    (folder / "folder").write_text("")
    with pytest.raises(EngramError, match="cannot change"):
        apply(folder / "folder" / "settings.json", append_x, dry_run=False)


def test_link_that_leads_to_itself_is_an_expected_failure(folder: Path) -> None:
    file = folder / "settings.json"
    file.symlink_to("settings.json")
    with pytest.raises(EngramError, match="cannot change"):
        apply(file, append_x, dry_run=False)
    assert file.is_symlink()


def test_nothing_is_left_behind_when_replacing_fails(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "settings.json"
    file.write_text("{}")

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(EngramError, match="Operation not permitted"):
        apply(file, append_x, dry_run=False)
    assert file.read_text() == "{}"
    assert os.listdir(folder) == ["settings.json"]


def test_settings_of_each_scope_are_found() -> None:
    home, here = Path("/home/dev"), Path("/src/shop")

    def find(scope: str, **environ: str) -> str:
        return str(find_settings(scope, environ=environ, home=home, directory=here))

    assert find("user") == "/home/dev/.claude/settings.json"
    assert find("user", CLAUDE_CONFIG_DIR="/etc/claude") == "/etc/claude/settings.json"
    assert find("user", CLAUDE_CONFIG_DIR="") == "/home/dev/.claude/settings.json"
    assert find("project", CLAUDE_CONFIG_DIR="/etc/claude") == "/src/shop/.claude/settings.json"
    assert find("local") == "/src/shop/.claude/settings.local.json"
    with pytest.raises(UsageError):
        find("global")
