"""The commands that look after what is kept: log, projects, stats, backup, import, completion, demo."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engram_hooks.memory import Engram
from engram_hooks.store import log, sessions
from tests.support.command_runs import Run, read
from tests.support.make_repo import make_repo

DAY_MS = 86_400_000
OLD_MS = 1_600_000_000_000


@pytest.fixture
def talk(run: Run) -> None:
    """Two logged sessions of the project, one of them old."""
    with Engram() as memory:
        for client_id, at_ms, said in (
            ("aaa-old", OLD_MS, "juniper"),
            ("bbb-new", OLD_MS + 9 * DAY_MS, "quartz"),
        ):
            session = sessions.add_session(
                memory.db,
                client_id,
                project_id=memory.project_id or 0,
                root="",
                branch="main",
                transcript_path="",
                now_ms=at_ms,
            )
            rows = [
                (f"{client_id}-1", "user", "", f"look at {said}", at_ms),
                (f"{client_id}-2", "assistant", "", f"{said} is\n\x1b[31mdone", at_ms + 1),
            ]
            log.append_rows(memory.db, session[0], rows)


@pytest.mark.usefixtures("talk")
class TestLog:
    """`engram log`."""

    def test_sessions_are_listed_newest_first(self, run: Run) -> None:
        found = read(run, "log")
        assert [(row["session"], row["lines"], row["first_prompt"]) for row in found] == [
            ("bbb-new", 2, "look at quartz"),
            ("aaa-old", 2, "look at juniper"),
        ]
        assert "look at quartz" in run("log")[1]

    def test_one_session_is_read_by_the_start_of_its_id(self, run: Run) -> None:
        rows = read(run, "log", "--session", "aaa")
        assert [row["role"] for row in rows] == ["user", "assistant"]
        assert read(run, "log", "--session", "last")[0]["session"] == "bbb-new"

    def test_search_finds_the_line(self, run: Run) -> None:
        assert {row["session"] for row in read(run, "log", "-q", "juniper")} == {"aaa-old"}
        assert read(run, "log", "-q", "nowhere") == []
        assert read(run, "log", "-q", "juniper", "--role", "assistant")[0]["role"] == "assistant"

    def test_since_leaves_older_sessions_out(self, run: Run) -> None:
        assert [row["session"] for row in read(run, "log", "--since", "2020-09-20")] == ["bbb-new"]
        assert run("log", "--since", "soon")[0] == 2

    def test_escapes_do_not_reach_the_terminal(self, run: Run) -> None:
        assert "\x1b" not in run("log", "--session", "aaa", "--full")[1]

    def test_unknown_session_is_named(self, run: Run) -> None:
        code, _, err = run("log", "--session", "zzz")
        assert (code, "zzz" in err) == (1, True)

    def test_export_as_json_lines_and_markdown(self, run: Run, tmp_path: Path) -> None:
        rows = [json.loads(line) for line in run("log", "export")[1].splitlines()]
        assert [row["uuid"] for row in rows] == ["aaa-old-1", "aaa-old-2", "bbb-new-1", "bbb-new-2"]
        target = tmp_path / "log.md"
        assert run("log", "export", "--format", "md", "-o", str(target))[0] == 0
        assert "> look at quartz" in target.read_text(encoding="utf-8")
        assert target.stat().st_mode & 0o077 == 0
        assert run("log", "export", "-o", str(target))[0] == 1

    def test_prune_needs_a_yes(self, run: Run) -> None:
        assert run("log", "prune", "--days", "1")[0] == 2
        assert len(read(run, "log")) == 2
        assert "would be deleted" in run("log", "prune", "--days", "1", "--dry-run")[1]
        assert run("log", "prune", "--days", "1", "--yes")[0] == 0
        assert read(run, "log", "-q", "quartz") == []

    def test_prune_keeps_everything_unless_told(self, run: Run) -> None:
        assert "kept for ever" in run("log", "prune", "--yes")[1]
        assert len(read(run, "log")) == 2

    def test_markdown_cannot_be_broken_by_what_was_said(self, run: Run) -> None:
        lines = run("log", "export", "--format", "md")[1].splitlines()
        assert all(line.startswith((">", "#", "**")) for line in lines if line)


def test_projects_are_listed_renamed_and_merged(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("add", "-s", "one")
    other = make_repo(tmp_path / "other")
    other.commit("Make it another project", {"x": "y"})
    monkeypatch.chdir(other.path)
    run("add", "-s", "two")
    assert {project["name"] for project in read(run, "projects")} == {"shop", "other"}
    assert run("projects", "rename", "other", "spare")[0] == 0
    assert run("projects", "merge", "spare", "shop")[0] == 2
    assert run("projects", "merge", "spare", "shop", "--yes")[0] == 0
    (project,) = read(run, "projects")
    assert (project["name"], project["record_count"], project["is_here"]) == ("shop", 2, True)
    assert run("projects", "merge", "nowhere", "shop", "--yes")[0] == 1


def test_name_of_another_project_is_joined_only_after_trust(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("add", "-s", "one")
    run("projects", "rename", "shop", "payments")
    other = make_repo(tmp_path / "other")
    other.commit("Name another project", {".engram/config.toml": 'project = "payments"\n'})
    monkeypatch.chdir(other.path)
    assert read(run, "list") == []
    assert run("projects", "trust")[0] == 0
    assert [record["summary"] for record in read(run, "list")] == ["one"]


def test_trust_needs_a_name(run: Run) -> None:
    assert run("projects", "trust")[0] == 1


def test_stats_count_what_is_kept(run: Run) -> None:
    run("add", "-s", "one")
    figures = read(run, "stats")
    assert (figures["kinds"], figures["sessions"]) == ({"decision": 1}, 0)
    assert "1 told as true: 1 decision" in run("stats")[1]


def test_backup_and_restore(run: Run, tmp_path: Path) -> None:
    run("add", "-s", "one")
    kept = tmp_path / "copy.db"
    assert read(run, "backup", "create", str(kept))["path"] == str(kept)
    assert run("backup", "create")[0] == 0
    assert len(read(run, "backup", "list")) == 1
    run("add", "-s", "two")
    assert run("restore", str(kept))[0] == 2
    assert run("restore", str(kept), "--yes")[0] == 0
    assert [record["summary"] for record in read(run, "list")] == ["one"]
    assert run("backup", "create", str(kept))[0] == 1
    assert run("backup", "restore", str(tmp_path / "none.db"), "--yes")[0] == 1


def test_restore_without_a_copy_says_so(run: Run) -> None:
    assert run("restore", "--yes")[0] == 1


def test_import_takes_each_row_once(run: Run, tmp_path: Path) -> None:
    rows = [
        {"id": "a", "kind": "decision", "text": "Postgres over Mongo"},
        {"id": "b", "kind": "turn", "session": "s", "role": "user", "text": "hello"},
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)) + "\n\n", encoding="utf-8")
    assert read(run, "import", "--format", "jsonl", str(file)) == {"added": 2, "skipped": 0}
    assert read(run, "import", str(file)) == {"added": 0, "skipped": 2}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("nonsense\n", id="no JSON"),
        pytest.param("[1]\n", id="no object"),
        pytest.param('{"id": "a"}\n', id="no text"),
    ],
)
def test_import_names_the_line_that_is_wrong(run: Run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(text, encoding="utf-8")
    code, _, err = run("import", str(file))
    assert code == 2
    assert " 1 " in err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_names_the_variable_that_main_answers(run: Run, shell: str) -> None:
    code, out, _ = run("completion", shell)
    assert (code, "_ENGRAM_COMPLETE" in out) == (0, True)


def test_shell_is_told_the_commands(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_ENGRAM_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "engram ba")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert run()[1].splitlines() == ["plain,backup"]


def test_demo_shows_the_whole_way_and_touches_nothing(run: Run, home: Path, data: str) -> None:
    scenes = read(run, "demo")
    texts = [scene["text"] for scene in scenes]
    assert texts[0].startswith("<engram ")
    assert "ERR_PAYMENT_DUPLICATE" in texts[2]
    assert texts[3] == ""
    assert "logged" in texts[4]
    assert "pnpm" in texts[5]
    assert "Where we stopped" in texts[6]
    assert list(home.iterdir()) == []
    assert not Path(data).exists()
