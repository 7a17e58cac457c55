"""The made-up repository: the same every time, and what it claims of itself is what git says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engram_hooks.bench.monorepo.story import SPLITS, write_monorepo
from engram_hooks.bench.monorepo.truth import Truth
from engram_hooks.errors import EngramError
from tests.support.make_repo import run_git

COMMITS = 260
SUFFIXES = {".py", ".ts", ".go", ".rs", ".java", ".c"}
STOP_WORDS = frozenset(
    """a an the of to in on at by is are be it i we me my our this that these those and or not no for from with as so
    up out when why what how who where which can could did does do was has have after before all one""".split()
)
Written = tuple[Path, Truth]


def words_of(text: str) -> set[str]:
    """The words of a text that say something."""
    return set(re.findall(r"[a-z]{3,}", text.lower())) - STOP_WORDS


@pytest.fixture(scope="module", params=sorted(SPLITS))
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Written:
    """A small repository of each split."""
    folder = tmp_path_factory.mktemp(request.param) / "repo"
    return folder, write_monorepo(folder, SPLITS[request.param], commits=COMMITS)


def test_same_seed_gives_the_same_commits(tmp_path: Path) -> None:
    heads = {
        write_monorepo(tmp_path / str(at), SPLITS["dev"], commits=90, seed=seed).head
        for at, seed in enumerate((5, 5, 6))
    }
    assert len(heads) == 2


def test_repository_is_whole_and_has_all_kinds_of_files(written: Written) -> None:
    folder, truth = written
    assert run_git(folder, "rev-parse", "HEAD") == truth.head
    assert run_git(folder, "fsck", "--strict", "--no-dangling") == ""
    assert run_git(folder, "status", "--short") == ""
    assert int(run_git(folder, "rev-list", "--count", "--all")) == truth.commits
    files = run_git(folder, "ls-files").splitlines()
    assert {Path(path).suffix for path in files} >= SUFFIXES
    assert any(path.startswith("third_party/") for path in files)
    assert run_git(folder, "rev-list", "--merges", "HEAD")
    authors = run_git(folder, "log", "--format=%an%x09%ad", "--date=format:%Y").splitlines()
    assert len({row.split("\t")[0] for row in authors}) >= 5
    assert len({row.split("\t")[1] for row in authors}) >= 3


def test_blame_of_a_guarded_line_names_the_fix(written: Written) -> None:
    folder, truth = written
    owned = [one for one in truth.guarded if one.lines]
    assert len(owned) >= 10
    for one in owned:
        rows = run_git(folder, "blame", "-w", "-M", "-l", "-s", one.path).splitlines()
        assert {rows[line - 1].split()[0] for line in one.lines} == set(one.commits)


def test_no_fix_owns_a_line_of_a_quiet_function(written: Written) -> None:
    folder, truth = written
    named = {name for one in truth.guarded for name in one.commits}
    guarded = {(one.path, one.symbol) for one in truth.guarded}
    assert {one.kind for one in truth.quiet} == {"sibling", "plain", "cosmetic", "grown"}
    for one in truth.quiet:
        assert (one.path, one.symbol) not in guarded
        start, end = one.span
        lines = Path(folder, one.path).read_text("utf-8").splitlines()
        assert f"{one.symbol.rpartition('.')[2]}(" in lines[start - 1]
        blamed = run_git(folder, "blame", "-w", "-M", "-l", "-s", f"-L{start},{end}", one.path)
        assert not {row.split()[0] for row in blamed.splitlines()} & named


def test_revert_restores_the_text_and_names_what_it_undid(written: Written) -> None:
    folder, truth = written
    assert truth.reversals
    for one in truth.reversals:
        paths = run_git(folder, "show", "--format=", "--name-only", one.reverted).splitlines()
        assert len(paths) == 1
        blobs = [
            run_git(folder, "rev-parse", f"{name}:{paths[0]}")
            for name in (one.undone, one.reverted, f"{one.undone}^")
        ]
        assert blobs[0] != blobs[1] == blobs[2]
        message = run_git(folder, "show", "-s", "--format=%B", one.reverted)
        assert f"This reverts commit {one.undone}." in message or not message.startswith("Revert")
        if one.restored:
            assert run_git(folder, "rev-parse", f"{one.restored}:{paths[0]}") == blobs[0]


def test_coupled_files_change_together_and_name_each_other_nowhere(written: Written) -> None:
    folder, truth = written
    assert truth.pairs
    renamed = set(run_git(folder, "log", "-M", "--diff-filter=R", "--format=", "--name-only").splitlines())
    log = run_git(folder, "log", "--no-merges", "--no-renames", "--name-only", "--format=%x00%H")
    commits = [set(block.split()[1:]) for block in log.split("\0")[1:]]
    for pair in truth.pairs:
        both = sum(1 for paths in commits if {pair.first, pair.second} <= paths)
        made_together = pair.kind != "client"
        assert both == pair.together + made_together or {pair.first, pair.second} & renamed
        for one, other in ((pair.first, pair.second), (pair.second, pair.first)):
            text = Path(folder, one).read_text("utf-8")
            name = Path(other).stem if Path(other).suffix in SUFFIXES else Path(other).name
            assert name not in text


def test_questions_use_other_words_than_the_messages(written: Written) -> None:
    folder, truth = written
    nouns = {entity.noun for split in SPLITS.values() for entity in split.entities}
    files = set(run_git(folder, "ls-files").splitlines())
    asked = [one for one in truth.questions if one.kind in ("symptom", "other words", "taken back")]
    assert len(asked) >= 12
    for one in asked:
        message = run_git(folder, "show", "-s", "--format=%B", one.commits[0])
        allowed = set() if one.kind == "other words" else nouns
        assert words_of(one.text) & words_of(message) <= allowed
        assert set(one.files) <= files


def test_splits_share_no_sentence() -> None:
    first, second = (SPLITS[name] for name in ("dev", "unseen"))
    for kind in ("subject", "cause", "question"):
        sets = [{getattr(fault, kind) for fault in split.faults} for split in (first, second)]
        assert not sets[0] & sets[1]
    assert not {one.noun for one in first.entities} & {one.noun for one in second.entities}
    assert not {one.question for one in first.trials} & {one.question for one in second.trials}


def test_missing_git_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngramError, match="git is not installed"):
        write_monorepo(tmp_path / "repo", SPLITS["dev"], commits=90)
