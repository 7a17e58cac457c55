"""How advice on an edit is given, and for which paths: modes, spellings, other repositories, no or a broken index."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from engram_hooks.errors import StoreBusy
from engram_hooks.store import told
from tests.support.code_client import (
    FIX_LINES,
    FIXED,
    PAY,
    SUBJECT,
    Client,
    context_of,
    decision_of,
    index,
    make_shop,
)
from tests.support.make_repo import Repo, make_repo


@pytest.fixture
def shop(tmp_path: Path, home: Path, data: str) -> Repo:
    """A repository with a fix in it, indexed."""
    return make_shop(tmp_path / "shop")


@pytest.fixture
def client(shop: Repo, data: str) -> Client:
    """A client in the shop."""
    return Client(shop.path, data)


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


@pytest.mark.parametrize("mode", ["advise", "confirm", "ask"])
def test_nobody_is_held_up_without_a_word(shop: Repo, data: str, mode: str) -> None:
    client = Client(shop.path, data, ENGRAM_PREFLIGHT_MODE=mode, ENGRAM_PREFLIGHT_MAX_CHARS="60")
    assert client.edit("pay.py", FIX_LINES, "    key = 1") == {}


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
    bare = make_repo(tmp_path / "bare", {"pay.py": FIXED})
    for name in [name for name in sys.modules if name.startswith("engram_hooks.hooks.code")]:
        del sys.modules[name]
    client = Client(bare.path, data)
    assert client.edit("pay.py", FIX_LINES, "") == {}
    assert client.read("pay.py") == ""
    assert "engram_hooks.hooks.code" not in sys.modules
