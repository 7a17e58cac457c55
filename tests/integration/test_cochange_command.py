"""`engram cochange` and `engram inspect` on real repositories."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from engram_hooks.cli.main import main
from engram_hooks.memory import Engram
from tests.support.coupled_shop import fill_shop, make_retry
from tests.support.make_repo import Repo


@pytest.fixture
def shop(repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """The shop, in which the commands are called."""
    fill_shop(repo)
    monkeypatch.chdir(repo.path)
    return repo


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(call(capsys, *arguments, "--json"))["files"]
    return found


def test_files_that_change_along_are_told(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "index")
    found = {str(row["path"]): row for row in ask(capsys, "cochange", "pay/retry.py")}
    parser, gateway = found["app/parser.ts"], found["pay/gateway.py"]
    assert (parser["support"], parser["total"], parser["confidence"]) == (6, 8, 0.75)
    assert (gateway["support"], gateway["total"]) == (3, 8)
    assert (parser["hidden"], gateway["hidden"]) == (True, False)
    assert parser["speak"] is True
    assert set(found) == {"app/parser.ts", "pay/gateway.py"}


def test_the_direction_counts(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "index")
    (parser, *_) = ask(capsys, "cochange", "app/parser.ts")
    assert (parser["path"], parser["support"], parser["total"]) == ("pay/retry.py", 6, 6)


def test_a_symbol_has_partners_of_its_own(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "index")
    answer = json.loads(call(capsys, "cochange", "pay/retry.py", "--symbol", "refund", "--json"))
    assert answer["asked"] == ["refund"]
    assert answer["files"][0]["path"] == "pay/gateway.py"
    support = {row["path"]: row["support"] for row in answer["files"]}
    assert support == {"pay/gateway.py": 3, "app/parser.ts": 1}
    assert {row["symbol"]: row["support"] for row in answer["symbols"]} == {"charge": 1, "send": 1}


def test_names_are_as_typed_in_a_folder(
    shop: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    call(capsys, "index")
    monkeypatch.chdir(shop / "pay")
    for name in ("retry.py", "../pay/retry.py", os.path.join(shop, "pay/retry.py")):
        assert ask(capsys, "cochange", name)[0]["path"] == "app/parser.ts"


def test_k_bounds_the_list(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "index")
    assert len(ask(capsys, "cochange", "pay/retry.py", "-k", "1")) == 1


def test_a_person_reads_sentences(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "index")
    text = call(capsys, "cochange", "pay/retry.py")
    assert "app/parser.ts   changed with it in 6 of 8 commits, no import between them" in text
    assert "pay/gateway.py  changed with it in 3 of 8 commits\n" in text
    assert "symbols" in call(capsys, "cochange", "pay/retry.py", "--symbol", "refund")
    assert call(capsys, "cochange", "README.md") == "Nothing is known that changes along with it.\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cochange", "nothing.py"], "nothing.py is not in the index"),
        (["cochange", "pay/retry.py", "--symbol", "refunt"], "no symbol 'refunt'"),
        (["cochange", "../outside.py"], "outside the repository"),
    ],
)
def test_what_the_index_does_not_know(
    shop: Repo, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    call(capsys, "index")
    assert main(arguments) == 1
    shown = capsys.readouterr().err
    assert message in shown
    assert "hint: " in shown or message == "outside the repository"


@pytest.mark.parametrize("command", [["cochange", "pay/retry.py"], ["inspect"]])
def test_without_an_index(shop: Repo, capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    assert main(command) == 1
    assert "no index yet\nhint: engram index" in capsys.readouterr().err


def test_a_deleted_file_is_no_partner_and_has_none(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "index")
    shop.commit("chore: no parser", {"app/parser.ts": None})
    call(capsys, "index")
    assert [row["path"] for row in ask(capsys, "cochange", "pay/retry.py")] == ["pay/gateway.py"]
    assert main(["cochange", "app/parser.ts"]) == 1
    assert "is not in the indexed head any more" in capsys.readouterr().err


def test_the_history_of_a_former_name_counts(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "index")
    shop.git("mv", "app/parser.ts", "app/reader.ts")
    shop.commit("refactor: rename")
    call(capsys, "index")
    (reader, *_) = ask(capsys, "cochange", "pay/retry.py")
    assert (reader["path"], reader["support"], reader["total"]) == ("app/reader.ts", 6, 8)


def test_an_import_ends_the_hiding(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    shop.commit("feat: more", {"pay/keys.py": "x = 1\n", "pay/retry.py": make_retry(7)})
    shop.commit("feat: more", {"pay/keys.py": "x = 2\n", "pay/retry.py": make_retry(8)})
    call(capsys, "index")
    before = {row["path"]: row["hidden"] for row in ask(capsys, "cochange", "pay/retry.py")}
    shop.commit("feat: alone", {"pay/keys.py": "import retry\nx = 2\n"})
    call(capsys, "index")
    after = {row["path"]: row["hidden"] for row in ask(capsys, "cochange", "pay/retry.py")}
    assert (before["pay/keys.py"], after["pay/keys.py"]) == (True, False)
    assert before["app/parser.ts"] is after["app/parser.ts"] is True


def test_the_facade_tells_the_same(shop: Repo, data: str) -> None:
    with Engram(cwd=shop.path) as memory:
        memory.index()
        found = memory.cochange("pay/retry.py", k=1)
        assert [(one.path, one.is_hidden) for one in found.files] == [("app/parser.ts", True)]
        assert memory.inspect().hidden[0].other in ("app/parser.ts", "pay/retry.py")


def test_inspect_shows_what_is_hot(shop: Repo, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    call(capsys, "index")
    found = json.loads(call(capsys, "inspect", "--json"))
    assert [(row["path"], row["other"], row["hidden"]) for row in found["hidden"]] == [
        ("app/parser.ts", "pay/retry.py", True)
    ]
    assert found["index"]["head"] == shop.head()
    assert (found["index"]["shallow"], found["index"]["commits"]) == (False, 9)
    assert found["churn"][0] == {
        "path": "pay/retry.py",
        "commits": 8,
        "added": 16,
        "removed": 7,
        "last": "2024-05-01",
    }
    text = call(capsys, "inspect")
    assert "Change together, no import between them" in text
    assert "app/parser.ts  pay/retry.py  6 of 6" in text
    page = tmp_path / "page.html"
    assert call(capsys, "inspect", "--html", os.fspath(page)) == f"Written to {page}.\n"
    assert "pay/retry.py" in page.read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written_is_an_error(
    shop: Repo, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    call(capsys, "index")
    assert main(["inspect", "--html", os.fspath(tmp_path / "no" / "page.html")]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_a_repository_without_commits_is_said_to_be_one(
    tmp_path: Path, data: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "empty")
    Repo(tmp_path / "empty").git("init", "-q")
    call(capsys, "index")
    assert call(capsys, "inspect").startswith("The repository has no commit yet")
