"""doctor, setup and uninstall as a user calls them, with the real launcher and real files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.make_repo import Repo
from tests.support.repo_files import ROOT


def run(directory: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run `engram ARGUMENTS` in a directory with the test's own HOME."""
    argv = [sys.executable, "-m", "engram_hooks", *arguments]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environ}
    return subprocess.run(
        argv, cwd=directory, env=env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )


def examine(directory: Path, *arguments: str) -> dict[str, Any]:
    """Return what doctor says as JSON."""
    found: dict[str, Any] = json.loads(run(directory, "doctor", "--json", *arguments).stdout)
    return found


def slugs(found: dict[str, Any]) -> list[str]:
    """Return the slugs of the findings, those about the programs of this machine left out."""
    return [
        finding["slug"] for finding in found["findings"] if finding["slug"] not in ("other-tool", "hook-slow")
    ]


@pytest.fixture
def ready(repo: Repo, data: str) -> Path:
    """A repository on a machine where setup has run."""
    done = run(repo.path, "setup")
    assert done.returncode == 0, done.stderr
    return repo.path


def test_all_is_well_after_setup(ready: Path) -> None:
    found = examine(ready)
    assert slugs(found) == []
    assert found["ok"] is True
    assert len(found["hooks"]) == 9
    assert [hook["problem"] for hook in found["hooks"]] == [""] * 9
    assert run(ready, "doctor").returncode == 0


def test_trial_leaves_nothing_in_the_user_s_store(ready: Path) -> None:
    before = run(ready, "stats", "--json").stdout
    examine(ready)
    assert run(ready, "stats", "--json").stdout == before


def test_without_setup_doctor_says_what_to_do(repo: Repo, data: str) -> None:
    done = run(repo.path, "doctor")
    assert done.returncode == 1
    assert "hooks-unregistered" in done.stdout
    assert "engram setup" in done.stdout
    assert not os.path.exists(data)


def test_launcher_that_is_gone_comes_back(ready: Path, data: str) -> None:
    launcher = Path(data, "bin", "engram-hook")
    launcher.unlink()
    found = examine(ready)
    assert "launcher-missing" in slugs(found)
    assert found["ok"] is False
    mended = examine(ready, "--fix")
    assert slugs(mended) == []
    assert launcher.exists()
    assert len(mended["done"]) == 1


def test_launcher_of_another_version_is_renewed(ready: Path, data: str) -> None:
    launcher = Path(data, "bin", "engram-hook")
    launcher.write_text(
        launcher.read_text(encoding="utf-8").replace('"version": "', '"version": "0.0-'), "utf-8"
    )
    assert slugs(examine(ready)) == ["launcher-outdated"]
    assert slugs(examine(ready, "--fix")) == []


def test_launcher_whose_package_is_gone_is_found_by_running_it(ready: Path, data: str) -> None:
    launcher = Path(data, "bin", "engram-hook")
    text = launcher.read_text(encoding="utf-8")
    launcher.write_text(text.replace(f"package='{ROOT}'", "package='/nowhere'"), encoding="utf-8")
    assert "hook-failed" in slugs(examine(ready))
    assert slugs(examine(ready, "--fix")) == []


def test_damaged_store_is_set_aside_and_work_goes_on(ready: Path, data: str) -> None:
    Path(data, "engram.db").write_bytes(b"nonsense" * 100)
    assert run(ready, "stats").returncode == 1
    assert slugs(examine(ready)) == ["store-damaged"]
    assert slugs(examine(ready, "--fix")) == []
    assert run(ready, "stats").returncode == 0
    assert len(list(Path(data).glob("engram.db.damaged-*"))) == 1


def test_settings_with_a_comment_are_reported_and_not_touched(ready: Path, home: Path) -> None:
    path = home / ".claude" / "settings.json"
    text = "// mine\n" + path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    assert slugs(examine(ready)) == ["settings-invalid"]
    assert run(ready, "setup").returncode == 1
    assert path.read_text(encoding="utf-8") == text


def test_line_that_is_no_setting_is_found(ready: Path, data: str) -> None:
    Path(data, "config.toml").write_text("[boot]\nmax_chars = 'many'\n", encoding="utf-8")
    Path(data, "config.toml").chmod(0o600)
    assert slugs(examine(ready)) == ["config-unusable"]


@pytest.mark.parametrize("place", ["home", "root"])
def test_setup_and_doctor_work_outside_projects(place: str, home: Path, data: str) -> None:
    directory = home if place == "home" else Path(home.anchor)
    done = run(directory, "setup")
    assert (done.returncode, done.stderr) == (0, "")
    assert run(directory, "doctor").returncode == 0
    assert run(directory, "context").returncode == 0


def test_setup_ends_with_what_the_next_session_is_told(ready: Path) -> None:
    run(ready, "add", "-s", "Postgres over Mongo, for relational integrity")
    done = run(ready, "setup")
    assert "nothing to change" in done.stdout
    assert "relational integrity" in done.stdout


def test_dry_run_changes_nothing(repo: Repo, home: Path, data: str) -> None:
    done = run(repo.path, "setup", "--dry-run")
    assert "adds the Stop hook" in done.stdout
    assert not (home / ".claude").exists()
    assert not os.path.exists(data)


def test_uninstall_gives_the_settings_back(repo: Repo, home: Path, data: str) -> None:
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"model": "opus"}\n', encoding="utf-8")
    run(repo.path, "setup")
    run(repo.path, "add", "-s", "kept")
    assert run(repo.path, "uninstall").returncode == 0
    assert path.read_text(encoding="utf-8") == '{"model": "opus"}\n'
    assert Path(data, "engram.db").exists()
