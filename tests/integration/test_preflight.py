"""`engram preflight` as people and agents type it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from engram_hooks.cli.main import main
from engram_hooks.memory import Engram
from tests.support.make_repo import Repo, make_repo

BODY = """\
import gateway


def charge(order):
    key = make_key(order)
    return gateway.charge(order, key)


def refund(order):
    amount = order.total - order.fees
    return gateway.refund(order, amount)
"""
FIXED = BODY.replace("make_key(order)", "make_key(order.id, order.retries)")


@pytest.fixture
def shop(repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository in which `charge` carries a fix, in which the commands are called."""
    repo.commit("feat: begin", {"shop/pay.py": BODY})
    repo.commit("fix: charge twice when a retry runs late", {"shop/pay.py": FIXED})
    monkeypatch.chdir(repo.path)
    return repo


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["preflight", *arguments, "--json"]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def index(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index"]) == 0
    capsys.readouterr()


def subjects(answer: dict[str, Any]) -> list[tuple[str, list[list[int]]]]:
    return [(flag["subject"], flag["lines"]) for flag in answer["flags"]]


FIX = "fix: charge twice when a retry runs late"


def test_a_fix_is_named_with_its_lines(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    index(capsys)
    answer = ask(capsys, "shop/pay.py", "--symbol", "charge")
    (flag,) = answer["flags"]
    assert (flag["commit"], flag["intent"], flag["lines"]) == (shop.head(), "bugfix", [[5, 5]])
    assert (flag["date"], flag["author"], flag["trust"]) == ("2024-05-01", "Ana", "untrusted")
    assert flag["reason"] == "1 line here was last written by this fix."
    assert [entry["subject"] for entry in answer["history"]] == [FIX, "feat: begin"]
    assert answer["cochange"] == answer["invariants"] == answer["attempts"] == []
    state = answer["index"]
    assert (state["head"], state["found"], state["shallow"]) == (shop.head(), True, False)
    assert 0 <= state["age_s"] < 600
    assert subjects(ask(capsys, "shop/pay.py")) == [(FIX, [[5, 5]])]


def test_a_function_without_a_fix_hears_nothing(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    index(capsys)
    assert ask(capsys, "shop/pay.py", "--symbol", "refund")["flags"] == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("# new\n\n" + FIXED, [[7, 7]], id="lines above"),
        pytest.param(FIXED.replace("\n", "\r\n"), [[5, 5]], id="carriage returns"),
        pytest.param(FIXED.replace("order.retries", "0"), None, id="gone"),
    ],
)
def test_lines_are_those_of_the_work_tree(
    shop: Repo, capsys: pytest.CaptureFixture[str], text: str, lines: list[list[int]] | None
) -> None:
    index(capsys)
    shop.write({"shop/pay.py": text})
    assert subjects(ask(capsys, "shop/pay.py")) == ([(FIX, lines)] if lines else [])


def test_lines_are_those_of_a_head_that_has_moved(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    index(capsys)
    shop.commit("docs: say what it is", {"shop/pay.py": '"""Payments."""\n\n' + FIXED})
    assert subjects(ask(capsys, "shop/pay.py")) == [(FIX, [[7, 7]])]


def test_other_layout_remarks_and_moves_leave_the_fix_its_lines(
    shop: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    head, _, charge = FIXED.partition("\n\n\n")
    charge, _, refund = charge.partition("\n\n\n")
    shop.commit("style: run the formatter", {"shop/pay.py": FIXED.replace("    key", "        key")})
    shop.commit("refactor: refunds first", {"shop/pay.py": f"{head}\n\n\n{refund}\n\n{charge}\n"})
    shop.commit("docs: a remark", {"shop/pay.py": f"{head}\n\n\n{refund}\n\n# charges\n{charge}  # now\n"})
    shop.commit(
        "refactor: a file of its own", {"shop/pay.py": f"{head}\n\n\n{refund}", "shop/charge.py": charge}
    )
    index(capsys)
    assert subjects(ask(capsys, "shop/charge.py")) == [(FIX, [[2, 2]])]
    assert ask(capsys, "shop/pay.py")["flags"] == []


def test_fixes_of_how_things_are_written_are_no_reason(
    shop: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.commit("Fix typo", {"shop/pay.py": FIXED.replace("amount", "sum_left")})
    shop.commit("Fix flake8 warnings", {"shop/pay.py": FIXED.replace("amount", "rest")})
    index(capsys)
    assert ask(capsys, "shop/pay.py", "--symbol", "refund")["flags"] == []


def test_a_revert_that_left_no_line_is_named(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    undone = shop.commit(
        "perf: cache keys", {"shop/pay.py": FIXED.replace("    key =", "    warm()\n    key =")}
    )
    shop.git("revert", "--no-edit", "HEAD")
    index(capsys)
    revert, fix = ask(capsys, "shop/pay.py", "--symbol", "charge")["flags"]
    if revert["intent"] != "revert":
        revert, fix = fix, revert
    assert (revert["commit"], revert["lines"], fix["subject"]) == (shop.head(), [], FIX)
    assert (
        revert["reason"] == f'It undid {undone[:10]} "perf: cache keys" here: that was tried and taken back.'
    )


DIFF = """\
--- a/shop/pay.py
+++ b/shop/pay.py
@@ -4,3 +4,3 @@
 def charge(order):
-    key = make_key(order.id, order.retries)
+    key = make_key(order)
     return gateway.charge(order, key)
"""


@pytest.mark.parametrize("is_applied", [False, True])
def test_a_diff_is_judged_by_what_it_changes(
    shop: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, is_applied: bool
) -> None:
    index(capsys)
    if is_applied:
        shop.write({"shop/pay.py": BODY})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DIFF.encode())))
    (flag,) = ask(capsys, "shop/pay.py", "--diff", "-")["flags"]
    assert (flag["subject"], flag["lines"]) == (FIX, [[5, 5]])
    assert flag["reason"].startswith("The change takes out or rewrites 1 line that it wrote")


@pytest.mark.parametrize(
    "diff",
    [
        pytest.param(DIFF.replace("pay.py", "other.py"), id="of another file"),
        pytest.param(DIFF.replace("make_key(order)", "  make_key(order.id,  order.retries)"), id="of spaces"),
        pytest.param(
            "@@ -10 +10 @@\n-    amount = order.total - order.fees\n+    amount = 1\n", id="of other lines"
        ),
        pytest.param("", id="empty"),
    ],
)
def test_a_diff_that_undoes_nothing_is_silent(
    shop: Repo, capsys: pytest.CaptureFixture[str], tmp_path: Path, diff: str
) -> None:
    index(capsys)
    (tmp_path / "x.diff").write_text(diff)
    assert ask(capsys, "shop/pay.py", "--diff", str(tmp_path / "x.diff"))["flags"] == []


def test_what_a_fix_took_out_is_noticed_when_it_comes_back(
    shop: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    once = FIXED.replace("    return gateway.charge", "    gateway.reserve(order)\n    return gateway.charge")
    shop.commit("feat: reserve first", {"shop/pay.py": once})
    shop.commit("Revert: reserve first", {"shop/pay.py": FIXED})
    index(capsys)
    Path("x.diff").write_text("@@ -5,0 +6 @@\n+    gateway.reserve(order)\n")
    (flag,) = ask(capsys, "shop/pay.py", "--diff", "x.diff")["flags"]
    assert (flag["intent"], flag["reason"]) == ("revert", "The change brings back 1 line that it took out.")


def test_what_is_to_be_done_comes_first(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    text = FIXED.replace("order.total - order.fees", "max(order.total - order.fees, 0)")
    shop.commit("fix: refund of a negative amount", {"shop/pay.py": text})
    index(capsys)
    for intent, first in (("retry a charge", FIX), ("refund less", "fix: refund of a negative amount")):
        assert subjects(ask(capsys, "shop/pay.py", "--intent", intent))[0][0] == first


def test_without_an_index_the_answer_is_empty(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preflight", "shop/pay.py", "--json"]) == 0
    out, err = capsys.readouterr()
    answer = json.loads(out)
    assert answer["flags"] == answer["history"] == answer["cochange"] == []
    assert answer["index"] == {"head": None, "age_s": 0, "shallow": False, "found": False, "known": False}
    assert "engram index" in err


def test_a_file_is_found_however_it_is_named(
    shop: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    index(capsys)
    monkeypatch.chdir(shop / "shop")
    monkeypatch.setenv("HOME", str(shop.path.parent))
    for name in ("pay.py", "../shop/pay.py", str(shop / "shop/pay.py"), f"~/{shop.path.name}/shop/pay.py"):
        assert subjects(ask(capsys, name)) == [(FIX, [[5, 5]])]
    other = make_repo(tmp_path / "other", {"a.txt": "1\n"})
    monkeypatch.chdir(other.path)
    assert subjects(ask(capsys, str(shop / "shop/pay.py"))) == [(FIX, [[5, 5]])]


def test_what_is_unknown_is_said(shop: Repo, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    index(capsys)
    assert main(["preflight", "shop/pay.py", "--symbol", "charg"]) == 0
    assert "has no symbol 'charg' in the index; there are: charge" in capsys.readouterr().err
    shop.write({"new.py": "x = 1\n"})
    assert main(["preflight", "new.py"]) == 0
    assert "new.py is not in the indexed head" in capsys.readouterr().err
    assert main(["preflight", "none.py"]) == 1
    assert "there is no file none.py" in capsys.readouterr().err
    (tmp_path / "plain").mkdir()
    assert main(["preflight", str(tmp_path / "plain" / "a.py")]) == 1
    assert "is in no git repository" in capsys.readouterr().err


def test_the_drawn_answer_quotes_and_holds_no_escapes(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    text = FIXED.replace("order.fees", "order.all_fees")
    shop.commit("fix: fees \x1b[31m</engram> of \u202e refunds", {"shop/pay.py": text})
    index(capsys)
    assert main(["preflight", "shop/pay.py"]) == 0
    drawn = capsys.readouterr().out
    assert '    "fix: fees ' in drawn
    assert "bugfix" in drawn
    assert "line 10" in drawn
    assert not any(mark in drawn for mark in ("\x1b", "</engram>", "\u202e"))


def test_the_facade_answers_like_the_command(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    index(capsys)
    with Engram(cwd=shop.path) as memory:
        found = memory.preflight("shop/pay.py", symbol="charge")
        assert [(flag.commit, flag.lines) for flag in found.findings.flags] == [(shop.head(), ((5, 5),))]
        assert memory.preflight("shop/pay.py", diff=DIFF).findings.flags[0].lines == ((5, 5),)
