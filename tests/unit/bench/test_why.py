"""The benchmark of the index: what it asks, how answers are rated, what it prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from engram_hooks.bench import own_history
from engram_hooks.bench.monorepo.story import SPLITS
from engram_hooks.bench.monorepo.wording import Split
from engram_hooks.bench.rewritten import rewrite
from engram_hooks.bench.scores import Partners, average_cochange, average_why, rate_ranking
from engram_hooks.bench.why import measure, quantile
from engram_hooks.cli.bench import group
from engram_hooks.errors import EngramError
from tests.support.make_repo import Repo, make_repo

REASON = "Workers that lost their lease kept writing because nobody had told them."


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository with one telling message and files that keep changing together."""
    repo = make_repo(tmp_path / "theirs")
    repo.commit("Start", {"a.py": "x = 0\n", "b.py": "y = 0\n", "c.py": "z = 0\n"})
    repo.commit(f"Stop early\n\n{REASON}", {"a.py": "x = 1\n"})
    for at in range(2, 10):
        repo.commit(f"Grow {at}", {"a.py": f"x = {at}\n", "b.py": f"y = {at}\n"})
    return repo


@pytest.mark.parametrize(
    ("commits", "files", "expected"),
    [
        pytest.param("ab", "p", [1, 1, 1, 1], id="first"),
        pytest.param("xa", "qp", [0, 1, 0.5, 1], id="second"),
        pytest.param("xxxxxa", "qqqqqp", [0, 0, 1 / 6, 0], id="sixth"),
        pytest.param("", "", [0, 0, 0, 0], id="nothing"),
    ],
)
def test_ranking_is_rated(commits: str, files: str, expected: list[float]) -> None:
    rated = rate_ranking(list(commits), list(files), right={"a"}, right_files={"p"})
    assert rated == pytest.approx(expected)


def test_kinds_are_averaged_and_all_of_them() -> None:
    rows = average_why("engram", {"one": [[1, 1, 1, 1]], "two": [[0, 1, 0.5, 0], [0, 0, 0, 0]]})
    assert [(row.kind, row.questions, row.hit_at_5) for row in rows] == [
        ("one", 1, 1.0),
        ("two", 2, 0.5),
        ("all", 3, 0.6667),
    ]
    assert [row.kind for row in average_why("engram", {"one": [[1, 1, 1, 1]]})] == ["one"]


def test_partners_are_rated() -> None:
    answers = {"a": Partners(["b", "x"], ["b", "x"], {"b", "x"}), "c": Partners(["d"], [], set())}
    right = (("a", {"b", "y"}), ("c", {"d"}))
    row = average_cochange(
        "engram",
        answers,
        right,
        hidden_pairs=[("a", "b"), ("c", "d")],
        linked_pairs=[("a", "x"), ("c", "d")],
    )
    assert (row.questions, row.recall_at_5, row.precision, row.coverage) == (2, 0.75, 0.5, 0.5)
    assert (row.hidden_pairs, row.hidden_found, row.linked_hidden) == (2, 0.5, 0.5)


def test_quantile_of_times() -> None:
    assert quantile([], 0.5) == 0.0
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert quantile([3.0, 1.0, 2.0], 0.95) == 3.0


def test_history_is_rewritten_with_other_messages_and_the_same_trees(repo: Repo, tmp_path: Path) -> None:
    edited = rewrite(repo.path, tmp_path / "new", lambda name, message: message.upper())
    copy = Repo(tmp_path / "new")
    told = "--format=%T %at %an", "main"
    assert copy.git("log", *told) == repo.git("log", *told)
    assert copy.git("log", "--format=%B", "main") == repo.git("log", "--format=%B").upper()
    assert edited[repo.head()] == copy.git("rev-parse", "main")
    assert len(edited) == 11


def test_history_with_an_odd_time_zone_is_rewritten(repo: Repo, tmp_path: Path) -> None:
    odd = tmp_path / "commit"
    odd.write_text(repo.git("cat-file", "commit", "HEAD").replace("+0000", "+051800") + "\n", "utf-8")
    name = repo.git("hash-object", "-t", "commit", "-w", "--literally", str(odd))
    repo.git("update-ref", "HEAD", name)
    assert name in rewrite(repo.path, tmp_path / "new", lambda _, message: message)


def test_questions_of_a_repository_do_not_stand_in_what_is_indexed(repo: Repo, tmp_path: Path) -> None:
    before = sorted((path, path.stat().st_mtime_ns) for path in repo.path.rglob("*"))
    found = own_history.measure(repo.path, tmp_path / "work", on_progress=lambda *_: None)
    assert sorted((path, path.stat().st_mtime_ns) for path in repo.path.rglob("*")) == before
    assert [row.questions for row in found.why] == [1, 1]
    assert {row.kind for row in found.why} == {own_history.KIND}
    indexed = Repo(tmp_path / "work" / "repo").git("log", "--format=%B", "main")
    assert "Stop early" in indexed
    assert "lease" not in indexed
    assert [row.questions for row in found.cochange] == [2, 2]


def test_repository_without_questions_is_refused(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "bare")
    repo.commit("Start", {"a.py": "x = 0\n"})
    with pytest.raises(EngramError, match="no sentence to ask for"):
        own_history.measure(repo.path, tmp_path / "work", on_progress=lambda *_: None)


def test_made_up_repository_gives_figures_of_all_tables(tmp_path: Path) -> None:
    split: Split = SPLITS["dev"]
    stages: list[str] = []
    found = measure(split, tmp_path, commits=240, on_progress=lambda stage, *_: stages.append(stage))
    assert {row.system for row in found.why} == {"engram", "git alone"}
    assert {row.kind for row in found.preflight} >= {"revert", "sibling", "plain", "cosmetic"}
    assert all(0 <= row.named <= row.warned <= 1 for row in found.preflight)
    assert {"questions", "functions", "files"} <= set(stages)
    ours = next(row for row in found.why if (row.system, row.kind) == ("engram", "all"))
    theirs = next(row for row in found.why if (row.system, row.kind) == ("git alone", "all"))
    assert ours.questions == theirs.questions > 5


def test_command_prints_tables_or_json() -> None:
    shown = CliRunner().invoke(group, ["why", "--commits", "80", "--split", "unseen"])
    assert shown.exit_code == 0, shown.output
    assert "commit hit@1" in shown.output
    assert "right commit named" in shown.output
    assert "precision when it speaks" in shown.output
    assert "unseen, seed 29" in shown.output
    assert not shown.stderr
    result = CliRunner().invoke(group, ["why", "--commits", "80", "--seed", "3", "--json"])
    document = json.loads(result.stdout)
    assert set(document) >= {
        "head",
        "commits",
        "why",
        "preflight",
        "cochange",
        "preflight_p95_ms",
        "why_p50_ms",
    }
    assert set(document["why"][0]) >= {"system", "kind", "questions", "hit_at_1", "hit_at_5", "mrr"}
