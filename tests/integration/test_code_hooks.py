"""What hooks say of code in a repository that was indexed: the brief of a file, and advice on a change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.code_client import FIX_LINES, FIXED, PAY, SUBJECT, Client, make_shop
from tests.support.make_repo import Repo


@pytest.fixture
def shop(tmp_path: Path, home: Path, data: str) -> Repo:
    """A repository with a fix in it, indexed."""
    return make_shop(tmp_path / "shop")


@pytest.fixture
def client(shop: Repo, data: str) -> Client:
    """A client in the shop."""
    return Client(shop.path, data)


def test_file_that_is_read_gets_its_brief_once(client: Client) -> None:
    brief = client.read("pay.py")
    assert brief.startswith('<engram file="pay.py" from="git history">\n')
    assert brief.endswith("\n</engram>")
    assert "Lines 7-9 of charge carry a fix" in brief
    assert SUBJECT in brief
    assert client.read("pay.py") == ""


def test_brief_takes_line_numbers_from_what_was_read(client: Client, shop: Repo) -> None:
    shop.write({"pay.py": "# a note\n\n" + FIXED})
    assert "Lines 9-11 of charge carry a fix" in client.read("pay.py")


def test_part_that_was_read_gets_what_it_carries(client: Client) -> None:
    assert client.read("pay.py", limit=3) == ""
    assert "Lines 8-9 of charge carry" in client.read("pay.py", offset=8, limit=2)
    assert client.read("pay.py", offset=7) == ""


def test_lines_that_are_gone_are_not_mentioned(client: Client, shop: Repo) -> None:
    shop.write({"pay.py": PAY})
    assert client.read("pay.py") == ""


@pytest.mark.parametrize("name", ["README.md", "new.py"])
def test_file_without_a_story_gets_nothing(client: Client, shop: Repo, name: str) -> None:
    shop.write({"new.py": FIXED})
    assert client.read(name) == ""


def test_brief_comes_again_after_a_compaction(client: Client) -> None:
    first = client.read("pay.py")
    client.fire("SessionStart", source="compact")
    assert client.read("pay.py") == first != ""


def test_subagent_is_told_what_the_main_conversation_was_told(client: Client) -> None:
    first = client.read("pay.py")
    client.agent = "a1"
    assert client.read("pay.py") == first != ""


def test_another_session_is_told_again(client: Client) -> None:
    first = client.read("pay.py")
    client.session = "s2"
    assert client.read("pay.py") == first


def test_brief_stays_below_its_budget(shop: Repo, data: str) -> None:
    small = Client(shop.path, data, ENGRAM_PREFLIGHT_MAX_CHARS="100")
    assert small.read("pay.py") == ""


def test_edit_of_lines_that_carry_a_fix_is_told_once(client: Client) -> None:
    advice = client.advice("pay.py", FIX_LINES, "    key = order.key")
    assert "This changes 2 lines that carry a fix" in advice
    assert SUBJECT in advice
    assert "`key = order.key or remember_key(order)`" in advice
    assert client.advice("pay.py", FIX_LINES, "    key = order.key") == ""
    assert client.advice("pay.py", FIX_LINES, "") != ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("    if order.paid:", "    if order.paid():", id="a line without a story"),
        pytest.param(FIX_LINES, f"    check(order)\n{FIX_LINES}", id="a line beside"),
        pytest.param(FIX_LINES, FIX_LINES.replace("    ", "\t"), id="only space"),
        pytest.param("", "x = 1", id="nothing goes"),
        pytest.param("no such line", "x", id="a line that is not there"),
    ],
)
def test_edit_of_other_lines_is_not_commented(client: Client, old: str, new: str) -> None:
    assert client.edit("pay.py", old, new) == {}


def test_edit_that_brings_back_what_the_fix_took_out_is_told(client: Client) -> None:
    advice = client.advice("pay.py", "    return send(order, key)", "    return send(order, order.key)")
    assert "changes a line that carries a fix" in advice
    assert "brings back a line that it took out" in advice


def test_write_that_leaves_lines_out_is_told_once(client: Client) -> None:
    given = {"file_path": "pay.py", "content": PAY}
    advice = client.context("PreToolUse", tool_name="Write", tool_input=given)
    assert "This leaves out 3 lines that carry a fix" in advice
    assert client.context("PreToolUse", tool_name="Write", tool_input={**given, "content": PAY + "\n"}) == ""


def test_write_that_keeps_them_is_not_commented(client: Client) -> None:
    given = {"file_path": "pay.py", "content": FIXED.replace("refund", "give_back")}
    assert client.context("PreToolUse", tool_name="Write", tool_input=given) == ""


def test_multi_edit_is_looked_at_edit_by_edit(client: Client) -> None:
    edits = [
        {"old_string": "import time", "new_string": ""},
        {"old_string": FIX_LINES, "new_string": "    key = 1"},
    ]
    given = {"file_path": "pay.py", "edits": edits}
    assert SUBJECT in client.context("PreToolUse", tool_name="MultiEdit", tool_input=given)


def hunk(*lines: str, start: int) -> dict[str, object]:
    return {"oldStart": start, "oldLines": 1, "newStart": start, "newLines": 1, "lines": list(lines)}


def test_part_of_a_line_is_told_behind_the_edit(client: Client) -> None:
    assert client.edit("pay.py", "order.key or remember_key", "remember_key") == {}
    change = hunk(
        "     if order.paid:",
        "-    key = order.key or remember_key(order)",
        "+    key = remember_key(order)",
        start=5,
    )
    given = {"file_path": "pay.py", "old_string": "order.key or remember_key", "new_string": "remember_key"}
    response = {"filePath": "pay.py", "structuredPatch": [change]}
    advice = client.context("PostToolUse", tool_name="Edit", tool_input=given, tool_response=response)
    assert "This changes a line (line 6) that carries a fix" in advice


def test_what_was_told_before_an_edit_is_not_told_behind_it(client: Client) -> None:
    assert client.advice("pay.py", FIX_LINES, "    key = 1")
    change = hunk(*(f"-{line}" for line in FIX_LINES.split("\n")), "+    key = 1", start=7)
    given = {
        "file_path": "pay.py",
        "old_string": FIX_LINES,
        "new_string": "    key = 1",
        "replace_all": False,
    }
    response = {"filePath": "pay.py", "structuredPatch": [change]}
    assert client.context("PostToolUse", tool_name="Edit", tool_input=given, tool_response=response) == ""


def bash(client: Client, command: str, *files: dict[str, object]) -> str:
    diff = {"files": list(files), "moreFiles": 0, "changedFiles": []}
    return client.context(
        "PostToolUse",
        tool_name="Bash",
        tool_input={"command": command},
        tool_response={"stdout": "", "stderr": "", "bashEditDiff": diff},
    )


def test_command_that_changes_a_file_is_told_of(client: Client, shop: Repo) -> None:
    change = hunk(
        "     if order.paid:", "         return None", "-    key = order.key or remember_key(order)", start=5
    )
    file: dict[str, object] = {"filePath": str(shop / "pay.py"), "hunks": [change]}
    assert "(line 7)" in bash(client, "sed -i 7d pay.py", file)
    assert bash(client, "git checkout old", file) == ""
    assert bash(client, "true") == ""
