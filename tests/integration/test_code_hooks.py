"""What hooks say of code in a repository that was indexed: the brief of a file, advice, an edit that is held up."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from engram_hooks import Engram, entry
from tests.support.make_repo import Repo, make_repo

PAY = """\
import time


def charge(order):
    if order.paid:
        return None
    return send(order, order.key)


def refund(order):
    return send(order, None)
"""
FIXED = PAY.replace(
    "    return send(order, order.key)\n",
    "    key = order.key or remember_key(order)\n    lock_key(key)\n    return send(order, key)\n",
)
SUBJECT = "fix: use one idempotency key across retries (INC-2407)"
FIX_LINES = "    key = order.key or remember_key(order)\n    lock_key(key)"


@pytest.fixture
def shop(tmp_path: Path, home: Path, data: str) -> Repo:
    """A repository with a fix in it, indexed."""
    repo = make_repo(tmp_path / "shop", {"pay.py": PAY, "README.md": "# shop\n"})
    repo.commit("feat: refunds", {"refund.md": "refunds\n"})
    repo.commit(SUBJECT, {"pay.py": FIXED})
    index(repo)
    return repo


def index(repo: Repo) -> None:
    """Index a repository as `engram index` does."""
    with Engram(cwd=repo.path) as memory:
        memory.index()


class Client:
    """A client with one session, whose hooks run in this process."""

    def __init__(self, repo: Path, data: str, **environ: str) -> None:
        self.repo = repo
        self.data = data
        self.session = "s1"
        self.agent = ""
        self.environ = {"ENGRAM_HOME": data, "HOME": os.environ["HOME"], **environ}

    def fire(self, event: str, **more: object) -> dict[str, object]:
        """Run one hook; return its document, {} for none."""
        payload: dict[str, object] = {
            "session_id": self.session,
            "transcript_path": "",
            "cwd": str(self.repo),
        }
        payload |= {"agent_id": self.agent} if self.agent else {}
        text = entry.serve("", {**payload, "hook_event_name": event, **more}, self.data, self.environ)
        return json.loads(text) if text else {}

    def context(self, event: str, **more: object) -> str:
        """Run one hook; return the context that it gives to the model."""
        output = self.fire(event, **more).get("hookSpecificOutput", {})
        assert isinstance(output, dict)
        assert "permissionDecision" not in output
        return str(output.get("additionalContext", ""))

    def read(self, path: str | Path, *, offset: int = 1, limit: int = 10_000) -> str:
        """Read a file as the tool does; return what the hook adds."""
        lines = (self.repo / path).read_text(encoding="utf-8").split("\n")
        part = lines[offset - 1 : offset - 1 + limit]
        file = {"filePath": str(path), "content": "\n".join(part), "startLine": offset, "numLines": len(part)}
        response = {"type": "text", "file": {**file, "totalLines": len(lines)}}
        return self.context(
            "PostToolUse", tool_name="Read", tool_input={"file_path": str(path)}, tool_response=response
        )

    def edit(self, path: str | Path, old: str, new: str) -> dict[str, object]:
        """Return what the hook answers before an edit."""
        given = {"file_path": str(path), "old_string": old, "new_string": new, "replace_all": False}
        return self.fire("PreToolUse", tool_name="Edit", tool_input=given)

    def advice(self, path: str | Path, old: str, new: str) -> str:
        """Return the context that an edit gets."""
        return context_of(self.edit(path, old, new))


def context_of(document: Mapping[str, object]) -> str:
    output = document.get("hookSpecificOutput", {})
    assert isinstance(output, dict)
    return str(output.get("additionalContext", ""))


def decision_of(document: Mapping[str, object]) -> tuple[str, str]:
    output = document.get("hookSpecificOutput", {})
    assert isinstance(output, dict)
    return str(output.get("permissionDecision", "")), str(output.get("permissionDecisionReason", ""))


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


def test_confirm_denies_once_and_lets_the_same_edit_through(shop: Repo, data: str) -> None:
    client = Client(shop.path, data, ENGRAM_PREFLIGHT_MODE="confirm")
    decision, reason = decision_of(client.edit("pay.py", FIX_LINES, "    key = 1"))
    assert decision == "deny"
    assert SUBJECT in reason
    assert "make the same edit again" in reason
    assert client.edit("pay.py", FIX_LINES, "    key = 1") == {}
    assert decision_of(client.edit("pay.py", FIX_LINES, "    key = 2"))[0] == "deny"


def test_confirming_counts_for_one_context_only(shop: Repo, data: str) -> None:
    client = Client(shop.path, data, ENGRAM_PREFLIGHT_MODE="confirm")
    client.edit("pay.py", FIX_LINES, "    key = 1")
    client.agent = "a1"
    assert decision_of(client.edit("pay.py", FIX_LINES, "    key = 1"))[0] == "deny"
    client.agent = ""
    client.fire("SessionStart", source="compact")
    assert decision_of(client.edit("pay.py", FIX_LINES, "    key = 1"))[0] == "deny"


def test_confirm_lets_other_edits_pass(shop: Repo, data: str) -> None:
    client = Client(shop.path, data, ENGRAM_PREFLIGHT_MODE="confirm")
    assert client.edit("pay.py", "import time", "import os") == {}


def test_denial_that_cannot_be_kept_is_advice(shop: Repo, data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from engram_hooks.errors import StoreBusy
    from engram_hooks.store import told

    def refuse(*_: object, **__: object) -> bool:
        raise StoreBusy("the store is in use by another process")

    monkeypatch.setattr(told, "hold_up", refuse)
    client = Client(shop.path, data, ENGRAM_PREFLIGHT_MODE="confirm")
    document = client.edit("pay.py", FIX_LINES, "    key = 1")
    assert decision_of(document) == ("", "")
    assert SUBJECT in context_of(document)


def test_ask_asks_a_person_and_confirms_where_there_is_none(shop: Repo, data: str) -> None:
    present = Client(shop.path, data, ENGRAM_PREFLIGHT_MODE="ask", CLAUDE_CODE_ENTRYPOINT="cli")
    assert decision_of(present.edit("pay.py", FIX_LINES, "    key = 1"))[0] == "ask"
    absent = Client(shop.path, data, ENGRAM_PREFLIGHT_MODE="ask", CLAUDE_CODE_ENTRYPOINT="sdk-cli")
    assert decision_of(absent.edit("pay.py", FIX_LINES, "    key = 1"))[0] == "deny"


def test_off_is_silent(shop: Repo, data: str) -> None:
    client = Client(shop.path, data, ENGRAM_PREFLIGHT_MODE="off")
    assert client.read("pay.py") == ""
    assert client.edit("pay.py", FIX_LINES, "    key = 1") == {}


def test_every_spelling_of_a_path_finds_its_file(
    client: Client, shop: Repo, tmp_path: Path, home: Path
) -> None:
    (home / "shop").symlink_to(shop.path)
    (shop / "link.py").symlink_to("pay.py")
    (shop / "sub").mkdir()
    names = [
        "pay.py",
        str(shop / "pay.py"),
        "./sub/../pay.py",
        "~/shop/pay.py",
        str(home / "shop" / "pay.py"),
        str(shop / "link.py"),
    ]
    told = [client.advice(name, FIX_LINES, f"    key = {number}") for number, name in enumerate(names)]
    assert all(SUBJECT in text for text in told), told


@pytest.mark.parametrize(
    "name", ["", ".", "/", "~", "~nobody/pay.py", "\0", "sub/pay.py", "pay.py/x", "/pay.py", "PAY.PY"]
)
def test_path_that_means_no_known_file_is_silent(client: Client, name: str) -> None:
    assert client.edit(name, FIX_LINES, "    key = 1") == {}


def test_file_of_another_repository_is_looked_up_in_its_own_index(
    client: Client, tmp_path: Path, data: str
) -> None:
    other = make_repo(tmp_path / "other", {"pay.py": PAY})
    other.commit("fix: another story", {"pay.py": FIXED})
    path = other / "pay.py"
    assert client.edit(path, FIX_LINES, "    key = 1") == {}
    index(other)
    assert "another story" in client.advice(path, FIX_LINES, "    key = 1")
    assert SUBJECT in client.advice("pay.py", FIX_LINES, "    key = 1")


def test_worktree_shares_the_index(client: Client, shop: Repo, tmp_path: Path) -> None:
    shop.git("worktree", "add", "-q", str(tmp_path / "wt"), "-b", "side")
    assert SUBJECT in client.advice(tmp_path / "wt" / "pay.py", FIX_LINES, "    key = 1")


def test_notebook_is_looked_at_line_by_line(client: Client, shop: Repo) -> None:
    def notebook(*lines: str) -> str:
        cell = {"cell_type": "code", "id": "c1", "metadata": {}, "outputs": [], "source": list(lines)}
        return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)

    shop.commit("feat: notebook", {"n.ipynb": notebook("def load(p):\n", "    return p\n")})
    shop.commit("fix: empty input", {"n.ipynb": notebook("def load(p):\n", "    return p or 1\n")})
    index(shop)
    given: dict[str, object] = {"notebook_path": str(shop / "n.ipynb"), "cell_id": "c1"}
    kept = {**given, "new_source": "def load(p):\n    return p or 1\n"}
    assert client.context("PreToolUse", tool_name="NotebookEdit", tool_input=kept) == ""
    lost = {**given, "new_source": "def load(p): return p"}
    assert "empty input" in client.context("PreToolUse", tool_name="NotebookEdit", tool_input=lost)


def test_index_that_cannot_be_read_is_no_trouble(client: Client, data: str) -> None:
    (path,) = (Path(data) / "index").glob("*.db")
    path.write_bytes(b"this is no database\n" * 400)
    assert client.read("pay.py") == ""
    assert client.edit("pay.py", FIX_LINES, "    key = 1") == {}
    assert not (Path(data) / "trouble").exists()


def test_session_without_an_index_loads_nothing_of_it(
    tmp_path: Path, home: Path, data: str, store: object
) -> None:
    import sys

    bare = make_repo(tmp_path / "bare", {"pay.py": FIXED})
    for name in [name for name in sys.modules if name.startswith("engram_hooks.hooks.code")]:
        del sys.modules[name]
    client = Client(bare.path, data)
    assert client.edit("pay.py", FIX_LINES, "") == {}
    assert client.read("pay.py") == ""
    assert "engram_hooks.hooks.code" not in sys.modules
