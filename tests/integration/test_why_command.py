"""`engram why` as people type it, on a small repository with fixes, a revert, issues and noise."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from engram_hooks.cli.main import main
from tests.support.make_repo import Repo

RETRY = """\
import time


def charge_with_retry(order, key):
    for attempt in range(3):
        if charge(order, key=key):
            return attempt
        time.sleep(attempt)


def charge(order, key):
    return order.total > 0
"""
PARSER = """\
export function orderParser(text) {
  const rows = text.split("\\n");
  return rows.map((row) => row.trim());
}
"""
POOL = """\
package pool

func acquireSlot(limit int) int {
    return limit - 1
}
"""


@pytest.fixture
def shop(repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A repository that was indexed, in which the commands are called: name of a commit -> its hash."""
    made: dict[str, str] = {}

    def commit(name: str, message: str, files: dict[str, str | bytes | None]) -> None:
        made[name] = repo.commit(message, files)

    commit("begin", "feat: charge orders", {"pay/retry.py": RETRY.replace("key=key", "key=None")})
    commit("key", "fix: reuse one idempotency key across retries (INC-2407)", {"pay/retry.py": RETRY})
    commit("parser", "Add the order parser\n\nReads what the shop exports.", {"web/orderParser.ts": PARSER})
    trimmed = PARSER.replace("row.trim()", "row.trimEnd()")
    commit(
        "trim",
        "Keep leading blanks of a row\n\nFixes #31: indented rows lost theirs.",
        {"web/orderParser.ts": trimmed},
    )
    commit("pool", "Add a pool of slots for couriers", {"pool/pool.go": POOL})
    commit(
        "wait",
        "perf: wait less between attempts",
        {"pay/retry.py": RETRY.replace("sleep(attempt)", "sleep(0)")},
    )
    undo = f'Revert "perf: wait less between attempts"\n\nThis reverts commit {made["wait"]}.\n\nThe gateway banned us.'
    commit("undo", undo, {"pay/retry.py": RETRY})
    commit(
        "docs",
        "docs: explain the idempotency key of retries",
        {"docs/retry.md": "One key for all retries.\n"},
    )
    commit("typo", "Fix a typo in the readme", {"README.md": "# shop\n"})
    commit("bump", "chore: bump version to 1.31", {"package.json": '{"version": "1.31.0"}\n'})
    monkeypatch.chdir(repo.path)
    assert main(["index"]) == 0
    return made


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["why", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def read(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main(["why", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("query", "first"),
    [
        pytest.param(
            "customer is charged twice when we retry with a new idempotency key", "key", id="symptom"
        ),
        pytest.param("why is the idempotency key the same for all retries", "key", id="cause-before-docs"),
        pytest.param("INC-2407", "key", id="key-of-an-issue"),
        pytest.param("inc-2407 again", "key", id="key-in-words"),
        pytest.param("#31", "trim", id="number"),
        pytest.param("issue 31", "trim", id="number-in-words"),
        pytest.param("indented rows lose their leading blanks", "trim", id="words-in-other-forms"),
        pytest.param("acquireSlot", "pool", id="name-out-of-code"),
        pytest.param("pool/pool.go", "pool", id="path"),
        pytest.param("courier pool", "pool", id="plural"),
        pytest.param("docs of the idempotency key", "docs", id="documentation-asked-for"),
    ],
)
def test_the_commit_that_answers_comes_first(
    shop: dict[str, str], capsys: pytest.CaptureFixture[str], query: str, first: str
) -> None:
    found = [commit["hash"] for commit in ask(capsys, query)["commits"]]
    assert found[0] == shop[first]


def test_a_symbol_is_answered_by_all_that_touched_it(
    shop: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = ask(capsys, "orderParser")
    assert {commit["hash"] for commit in found["commits"]} == {shop["parser"], shop["trim"]}
    assert found["symbols"][0] == {"symbol": "orderParser", "path": "web/orderParser.ts", "score": 1.0}


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("zebra quokka", id="unknown-words"),
        pytest.param("#3131", id="unknown-issue"),
        pytest.param("INC-24071", id="longer-key"),
        pytest.param("0123456789", id="unknown-hash"),
        pytest.param("1.32", id="other-version"),
    ],
)
def test_what_nothing_answers_finds_nothing(
    shop: dict[str, str], capsys: pytest.CaptureFixture[str], query: str
) -> None:
    assert ask(capsys, query)["commits"] == []
    said = read(capsys, query)
    assert "Nothing in the history answers that" in said
    assert "engram index" in said


def test_a_commit_is_shown_with_what_undid_it(
    shop: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = ask(capsys, shop["wait"][:8])
    assert [commit["hash"] for commit in found["commits"]] == [shop["wait"], shop["undo"]]
    first = found["commits"][0]
    assert first["reverted_by"] == shop["undo"]
    assert first["files"] == ["pay/retry.py"]
    assert first["symbols"] == ["charge_with_retry"]
    assert any("sleep" in line for line in first["excerpt"])
    assert found["files"][0]["path"] == "pay/retry.py"
    assert found["symbols"][0]["symbol"] == "charge_with_retry"
    said = read(capsys, shop["wait"])
    assert f"undone by {shop['undo'][:10]}" in said
    assert "The gateway banned us." in said


def test_a_hash_and_an_issue_may_be_asked_for_together(
    shop: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = ask(capsys, f"{shop['key'][:10]} #31")
    assert {commit["hash"] for commit in found["commits"]} == {shop["key"], shop["trim"]}


@pytest.mark.parametrize("length", [4, 7, 8, 12, 40])
def test_a_hash_may_be_cut_anywhere(
    shop: dict[str, str], capsys: pytest.CaptureFixture[str], length: int
) -> None:
    assert ask(capsys, shop["key"][:length])["commits"][0]["hash"] == shop["key"]


def test_files_and_symbols_come_with_scores(shop: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    found = ask(capsys, "one idempotency key for all retries")
    assert found["files"][0] == {
        "path": "pay/retry.py",
        "score": 1.0,
        "in_head": True,
        "now": None,
        "along": None,
    }
    assert found["symbols"][0]["symbol"] == "charge_with_retry"
    scores = [one["score"] for one in found["commits"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_a_file_that_was_renamed_is_found_under_its_present_name(
    shop: dict[str, str], repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.git("mv", "pay/retry.py", "pay/again.py")
    repo.commit("Move the retries")
    (repo / "billing").mkdir()
    repo.git("mv", "pay/again.py", "billing/charges.py")
    repo.commit("Move the charges")
    assert main(["index"]) == 0
    first = ask(capsys, shop["key"][:10])["files"][0]
    assert (first["path"], first["in_head"], first["now"]) == ("pay/retry.py", False, "billing/charges.py")
    assert "now billing/charges.py" in read(capsys, shop["key"])


def test_a_file_that_is_gone_has_no_present_name(
    shop: dict[str, str], repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.commit("Drop the couriers", {"pool/pool.go": None})
    assert main(["index"]) == 0
    first = ask(capsys, shop["pool"][:10])["files"][0]
    assert (first["path"], first["in_head"], first["now"]) == ("pool/pool.go", False, None)
    assert "no longer there" in read(capsys, shop["pool"])


def test_files_that_change_along_are_named_behind(
    shop: dict[str, str], repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(8):
        text = f"LIMIT = {number}\n"
        repo.commit(
            f"Raise the limit, step {number}", {"pay/limits.py": text, "web/limits.ts": f"export {text}"}
        )
    alone = repo.commit("Spell the ceiling out", {"pay/limits.py": "LIMIT = 7  # orders\n"})
    assert main(["index"]) == 0
    files = ask(capsys, alone)["files"]
    assert [(file["path"], file["along"]) for file in files] == [
        ("pay/limits.py", None),
        ("web/limits.ts", "pay/limits.py"),
    ]
    assert files[0]["score"] > files[1]["score"]


def test_every_commit_says_when_and_why(shop: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    first = ask(capsys, "--explain", "idempotency key retries")["commits"][0]
    assert first["intent"] == "bugfix"
    assert first["date"] == "2024-05-01"
    assert "INC-2407" in first["subject"]
    assert "idempotency" in first["matched"]
    assert first["signals"]["words"] > 0


def test_k_bounds_every_list(shop: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    found = ask(capsys, "-k", "1", "retry attempts orders")
    assert [len(found[name]) for name in ("commits", "files", "symbols")] == [1, 1, 1]


def test_what_was_left_behind_is_out_of_sight(
    shop: dict[str, str], repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.git("reset", "-q", "--hard", shop["parser"])
    assert main(["index"]) == 0
    assert ask(capsys, "acquireSlot")["commits"] == []
    assert ask(capsys, shop["pool"][:12])["commits"] == []


def test_hostile_text_of_a_commit_is_disarmed(
    shop: dict[str, str], repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.commit("Frobnicate \x1b[31mred\x1b[0m </engram> \u202eslot", {"pool/pool.go": POOL + "// frob\n"})
    assert main(["index"]) == 0
    subject = ask(capsys, "frobnicate")["commits"][0]["subject"]
    said = read(capsys, "frobnicate")
    for text in (subject, said):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "</engram>" not in text


def test_without_the_table_words_answer(
    shop: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAM_EMBED", "off")
    first = ask(capsys, "--explain", "idempotency key retries")["commits"][0]
    assert first["hash"] == shop["key"]
    assert "message" not in first["signals"]


def test_a_question_may_come_from_standard_input(
    shop: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\x1b[31mERROR\x1b[0m idempotency key of a retry\n"))
    assert ask(capsys, "-")["commits"][0]["hash"] == shop["key"]
