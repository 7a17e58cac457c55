"""Settings files: judged with file and line, compiled into rows, changed in place."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.client.config import (
    SETTINGS,
    change_file,
    compile_settings,
    find_problems,
    parse_file,
    parse_value,
    read_project_names,
    refresh_settings,
    user_file,
)
from engram_hooks.errors import EngramError, UsageError
from engram_hooks.store.places import locate
from engram_hooks.store.settings import DEFAULTS, read
from tests.conftest import NOW_MS
from tests.support.make_repo import Repo, make_repo

Environ = dict[str, str]


@pytest.fixture
def environ(home: Path, data: str) -> Environ:
    """The environment of a user whose everything is in the folder `data`."""
    return {"HOME": str(home), "ENGRAM_HOME": data}


def write(file: Path | str, text: str) -> str:
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return str(path)


def effective(db: Connection, environ: Environ, directory: object) -> dict[str, object]:
    """What differs from the defaults in a directory."""
    project_id, _ = locate(db, str(directory), environ, now_ms=NOW_MS, create=False)
    return {key: value for key, value in read(db, project_id or 0, environ).items() if value != DEFAULTS[key]}


def test_every_setting_is_described() -> None:
    assert list(SETTINGS) == list(DEFAULTS)
    for knob in SETTINGS.values():
        assert knob.help.endswith(".")
        assert knob.expects


def test_values_come_with_their_lines(tmp_path: Path) -> None:
    file = write(tmp_path / "c.toml", '# x\n[boot]\nmax_chars = 100\n\n[minder]\neagerness = "low"\n')
    parsed = parse_file(file, is_repository=False)
    assert parsed.values == {"boot.max_chars": (100, 3), "minder.eagerness": ("low", 6)}
    assert parsed.problems == []


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        pytest.param("[boot]\nmax_char = 1\n", 2, "did you mean boot.max_chars", id="misspelt"),
        pytest.param("nonsense = 1\n", 1, "no setting nonsense", id="unknown"),
        pytest.param("\nboot = 1\n", 2, "no setting boot", id="value for a table"),
        pytest.param('[boot]\n\nmax_chars = "4000"\n', 3, "a whole number from 0 to 9,000", id="wrong type"),
        pytest.param("[boot]\nmax_chars = 10_000\n", 2, "from 0 to 9,000", id="too large"),
        pytest.param("[boot]\nmax_chars = true\n", 2, "whole number", id="yes or no for a number"),
        pytest.param('[preflight]\nmode = "loud"\n', 2, "one of off, advise, confirm, ask", id="no choice"),
        pytest.param("[precommit]\nstrict = 1\n", 2, "true or false", id="number for yes or no"),
        pytest.param("[boot]\nmax_chars = [1,\n2]\n", 2, "whole number", id="list"),
        pytest.param('project = "x"\n', 1, "repository", id="project in the user's file"),
        pytest.param("boot.max_chars.more = 1\n", 1, "no setting", id="below a setting"),
    ],
)
def test_fault_is_named_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    file = write(tmp_path / "c.toml", text + "[core]\nuser_chars = 5\n")
    parsed = parse_file(file, is_repository=False)
    (problem,) = parsed.problems
    assert (problem.path, problem.line) == (file, line)
    assert words in problem.message
    assert str(problem).startswith(f"{file}:{line}: ")
    assert [value for value, _ in parsed.values.values()] == [5]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"[boot\n", "line 1", id="broken"),
        pytest.param(b"a = 1\na = 2\n", "line 2", id="twice"),
        pytest.param(b"\xff\xfe", "not TOML", id="other encoding"),
        pytest.param(b"a = " + b"[" * 3000, "not TOML", id="deep"),
        pytest.param(b"#" * 300_000, "larger", id="large"),
    ],
)
def test_unreadable_file_is_one_problem(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "c.toml").write_bytes(content)
    parsed = parse_file(str(tmp_path / "c.toml"), is_repository=True)
    assert not parsed.is_readable
    assert [words in str(problem) for problem in parsed.problems] == [True]


@pytest.mark.parametrize("kind", ["missing", "empty", "comments", "folder", "pipe"])
def test_file_without_settings_gives_none(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "c.toml"
    if kind == "folder":
        file.mkdir()
    elif kind == "pipe":
        os.mkfifo(file)
    elif kind != "missing":
        write(file, "# nothing\n[boot]\n" if kind == "comments" else "")
    parsed = parse_file(str(file), is_repository=True)
    assert parsed.values == {}
    assert bool(parsed.problems) == (kind in ("folder", "pipe"))


@pytest.mark.parametrize("key", [knob.key for knob in SETTINGS.values() if not knob.repository])
def test_repository_may_not_set_what_is_the_users(tmp_path: Path, key: str) -> None:
    file = write(tmp_path / "c.toml", f'{key} = "x"\n')
    parsed = parse_file(file, is_repository=True)
    assert parsed.values == {}
    assert "only by you" in parsed.problems[0].message


def test_both_files_reach_the_hooks(store: Connection, environ: Environ, repo: Repo) -> None:
    write(user_file(environ), "[boot]\nmax_chars = 3000\n[minder]\nmax_chars = 300\n")
    write(repo / ".engram" / "config.toml", '[boot]\nmax_chars = 2000\n[preflight]\nmode = "off"\n')
    assert compile_settings(store, environ, str(repo.path)) == []
    assert effective(store, environ, repo.path) == {"boot.max_chars": 2000, "minder.max_chars": 300}
    assert effective(store, environ, "/") == {"boot.max_chars": 3000, "minder.max_chars": 300}


def test_value_that_left_the_file_leaves_the_store(store: Connection, environ: Environ, repo: Repo) -> None:
    file = write(repo / ".engram" / "config.toml", "[boot]\nmax_chars = 2000\n")
    compile_settings(store, environ, str(repo.path))
    Path(file).unlink()
    compile_settings(store, environ, str(repo.path))
    assert effective(store, environ, repo.path) == {}


def test_broken_file_keeps_the_last_good_state(store: Connection, environ: Environ, repo: Repo) -> None:
    file = write(user_file(environ), "[boot]\nmax_chars = 2000\n")
    compile_settings(store, environ, str(repo.path))
    write(file, "[boot\n")
    (problem,) = compile_settings(store, environ, str(repo.path))
    assert "not TOML" in str(problem)
    assert effective(store, environ, repo.path) == {"boot.max_chars": 2000}
    assert refresh_settings(store, environ, str(repo.path)) == []
    assert len(find_problems(environ, str(repo.path))) == 1


def test_changed_files_are_compiled_again(store: Connection, environ: Environ, repo: Repo) -> None:
    refresh_settings(store, environ, str(repo.path))
    file = write(repo / ".engram" / "config.toml", "[boot]\nmax_chars = 2000\n")
    refresh_settings(store, environ, str(repo.path))
    assert effective(store, environ, repo.path) == {"boot.max_chars": 2000}
    write(file, "[boot]\nmax_chars = 25\n")
    refresh_settings(store, environ)  # the worker knows the file from the store
    assert effective(store, environ, repo.path) == {"boot.max_chars": 25}
    write(user_file(environ), "[minder]\nmax_chars = 1\n")
    refresh_settings(store, environ)
    assert effective(store, environ, repo.path) == {"boot.max_chars": 25, "minder.max_chars": 1}


def test_place_without_settings_is_not_created(store: Connection, environ: Environ, repo: Repo) -> None:
    assert compile_settings(store, environ, str(repo.path)) == []
    assert store.execute("SELECT count(*) FROM projects").fetchone() == (0,)


def test_home_has_only_the_users_settings(store: Connection, environ: Environ, home: Path) -> None:
    write(home / ".engram" / "config.toml", "[boot]\nmax_chars = 1\n")
    assert compile_settings(store, environ, str(home)) == []
    assert effective(store, environ, home) == {}


def test_project_name_of_another_waits_for_trust(
    store: Connection, environ: Environ, repo: Repo, tmp_path: Path
) -> None:
    other = make_repo(tmp_path / "other")
    for one in (repo, other):
        write(one / ".engram" / "config.toml", 'project = "shop"\n')
    assert compile_settings(store, environ, str(repo.path)) == []
    (problem,) = compile_settings(store, environ, str(other.path))
    assert "engram projects trust" in problem.message


def test_names_are_looked_for_within_the_checkout(environ: Environ, repo: Repo, home: Path) -> None:
    write(repo.path.parent / ".engram" / "config.toml", 'project = "outside"\n')
    write(repo / "packages" / "web" / ".engram" / "config.toml", 'project = " web "\n')
    (repo / "packages" / "web" / "src").mkdir()
    names = read_project_names(str(repo / "packages" / "web" / "src"), str(home))
    assert {os.path.relpath(folder, repo): name for folder, name in names.items()} == {
        "packages/web/src": "",
        "packages/web": "web",
        "packages": "",
        ".": "",
    }


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [("boot.max_chars", " 12 ", 12), ("index.auto", "yes", True), ("preflight.mode", "ask", "ask")],
)
def test_text_becomes_a_value(key: str, text: str, value: object) -> None:
    assert parse_value(key, text) == value


@pytest.mark.parametrize(
    ("key", "text", "words"),
    [
        ("boot.max_chars", "x", "a whole number"),
        ("boot.max_chars", "9001", "from 0 to 9,000"),
        ("preflight.mode", "loud", "one of off"),
        ("index.auto", "2", "true or false"),
        ("boot.maxchars", "1", "did you mean boot.max_chars"),
    ],
)
def test_impossible_value_is_refused(key: str, text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        parse_value(key, text)


def test_change_keeps_comments_and_the_file_private(environ: Environ) -> None:
    path = user_file(environ)
    assert change_file(path, "boot.max_chars", 100, is_repository=False)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    write(path, "# mine\n[boot]\nmax_chars = 100 # enough\n")
    assert change_file(path, "boot.max_chars", 200, is_repository=False)
    assert Path(path).read_text(encoding="utf-8") == "# mine\n[boot]\nmax_chars = 200 # enough\n"
    assert not change_file(path, "boot.max_chars", 200, is_repository=False)
    assert change_file(path, "boot.max_chars", None, is_repository=False)
    assert not change_file(path, "boot.max_chars", None, is_repository=False)
    assert Path(path).read_text(encoding="utf-8") == "# mine\n[boot]\n"
    assert os.listdir(os.path.dirname(path)) == ["config.toml"]


def test_link_to_a_settings_file_stays_a_link(environ: Environ, tmp_path: Path) -> None:
    real = write(tmp_path / "dotfiles" / "engram.toml", "[boot]\nmax_chars = 1\n")
    os.chmod(real, 0o640)
    path = Path(user_file(environ))
    path.parent.mkdir(parents=True)
    path.symlink_to(real)
    change_file(str(path), "boot.max_chars", 2, is_repository=False)
    assert path.is_symlink()
    assert "max_chars = 2" in Path(real).read_text(encoding="utf-8")
    assert stat.S_IMODE(os.stat(real).st_mode) == 0o640


@pytest.mark.parametrize("key", ["brain.command", "log.retention_days", "embed.model"])
def test_users_setting_is_not_written_into_a_repository(repo: Repo, key: str) -> None:
    with pytest.raises(UsageError, match="only by you"):
        change_file(str(repo / ".engram" / "config.toml"), key, "x", is_repository=True)
    assert not (repo / ".engram").exists()


def test_broken_file_is_not_overwritten(environ: Environ) -> None:
    path = write(user_file(environ), "[boot\n")
    with pytest.raises(EngramError, match="cannot be changed"):
        change_file(path, "boot.max_chars", 1, is_repository=False)
    assert Path(path).read_text(encoding="utf-8") == "[boot\n"


def test_no_place_for_settings_is_explained() -> None:
    with pytest.raises(EngramError, match="HOME"):
        change_file(user_file({}), "boot.max_chars", 1, is_repository=False)
