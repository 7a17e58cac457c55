"""Setup and uninstall on real files: wiring, status line, records, and a reader that never sees half a file."""

from __future__ import annotations

import json
import os
import stat
import threading
from pathlib import Path

import pytest

from engram_hooks.client.claude_settings import digest
from engram_hooks.client.setup import setup, uninstall
from engram_hooks.errors import EngramError, UsageError

THEIRS = '{\n  "statusLine": {"type": "command", "command": "printf theirs", "padding": 0}\n}\n'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The data folder."""
    return tmp_path / "data"


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """A settings file with something of the user's in it."""
    file = tmp_path / "claude" / "settings.json"
    file.parent.mkdir()
    file.write_text('{\n  "model": "some-model"\n}\n')
    file.chmod(0o640)
    return file


def files_of(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_setup_wires_and_uninstall_leaves_the_memory(place: Path, settings: Path) -> None:
    before = settings.read_bytes()
    report = setup(place, settings)
    assert report.changed
    assert "adds the Stop hook" in report.changes
    command = json.loads(settings.read_text())["hooks"]["Stop"][0]["hooks"][0]["command"]
    assert command.startswith(f"sh '{place}/bin/engram-hook' stop")
    assert files_of(place)[:2] == ["bin/engram-hook", "bin/engram-statusline"]
    assert all(stat.S_IMODE((place / name).stat().st_mode) & 0o077 == 0 for name in files_of(place))
    (place / "engram.db").write_text("memory")
    gone = uninstall(place, settings)
    assert settings.read_bytes() == before
    assert files_of(place) == ["engram.db"]
    assert any(f"keeps your memory in {place}" in line for line in gone.changes)


def test_second_setup_says_that_nothing_changed(place: Path, settings: Path) -> None:
    setup(place, settings)
    content, moment = settings.read_bytes(), settings.stat().st_mtime_ns
    again = setup(place, settings)
    assert (again.changes, again.changed) == ((), False)
    assert (settings.read_bytes(), settings.stat().st_mtime_ns) == (content, moment)


@pytest.mark.parametrize("act", [setup, uninstall])
def test_dry_run_writes_nothing(place: Path, settings: Path, act: object) -> None:
    before = settings.read_bytes()
    report = (
        setup(place, settings, dry_run=True) if act is setup else uninstall(place, settings, dry_run=True)
    )
    assert report.dry_run
    assert settings.read_bytes() == before
    assert not place.exists()


def test_created_file_is_removed_again(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "home" / ".claude" / "settings.json"
    setup(place, file)
    assert file.read_bytes().endswith(b"}\n")
    setup(place, file, statusline="off")
    uninstall(place, file)
    assert not file.exists()


def test_created_file_with_something_new_in_it_stays(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    setup(place, file)
    file.write_text(file.read_text().replace("{\n", '{\n  "model": "m",\n', 1))
    uninstall(place, file)
    assert json.loads(file.read_text()) == {"model": "m"}


def test_broken_settings_stop_setup_before_anything_is_written(place: Path, settings: Path) -> None:
    settings.write_text('{"a": 1,}')
    for act in (setup, uninstall):
        with pytest.raises(EngramError, match="line 1, column 8"):
            act(place, settings)
    assert settings.read_text() == '{"a": 1,}'
    assert not place.exists()
    assert os.listdir(settings.parent) == ["settings.json"]


def test_same_command_is_written_from_every_folder(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path / name))
        setup(Path("..") / "data", tmp_path / f"{name}.json")
        texts.append((tmp_path / f"{name}.json").read_text())
    assert texts[0] == texts[1]
    assert "CLAUDE_PROJECT_DIR" not in texts[0]
    assert str(place) in texts[0]


def test_scripts_stay_while_another_settings_file_uses_them(
    place: Path, settings: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.json"
    setup(place, settings)
    setup(place, other)
    kept = uninstall(place, settings)
    assert (place / "bin" / "engram-hook").exists()
    assert any(str(other) in line for line in kept.changes)
    uninstall(place, other)
    assert files_of(place) == []


def test_wrapped_line_is_kept_for_the_script_and_given_back(place: Path, settings: Path) -> None:
    settings.write_text(THEIRS)
    setup(place, settings, statusline="wrap")
    assert (place / "statusline-wrapped").read_text() == "printf theirs\n"
    assert not setup(place, settings).changed
    uninstall(place, settings)
    assert settings.read_text() == THEIRS
    assert files_of(place) == []


def test_wrapped_line_is_given_back_when_ours_is_switched_off(place: Path, settings: Path) -> None:
    settings.write_text(THEIRS)
    setup(place, settings, statusline="wrap")
    setup(place, settings, statusline="off")
    assert json.loads(settings.read_text())["statusLine"] == json.loads(THEIRS)["statusLine"]
    assert not (place / "statusline-wrapped").exists()
    uninstall(place, settings)
    assert settings.read_text() == THEIRS


def test_second_wrapped_line_in_one_data_folder_is_refused(
    place: Path, settings: Path, tmp_path: Path
) -> None:
    settings.write_text(THEIRS)
    setup(place, settings, statusline="wrap")
    other = tmp_path / "other.json"
    other.write_text(THEIRS.replace("theirs", "another"))
    with pytest.raises(EngramError, match="wrapped already"):
        setup(place, other, statusline="wrap")
    assert "another" in other.read_text()


def test_unknown_choice_is_wrong_usage(place: Path, settings: Path) -> None:
    with pytest.raises(UsageError):
        setup(place, settings, statusline="maybe")


def test_other_program_of_our_name_is_warned_of(place: Path, settings: Path, tmp_path: Path) -> None:
    other = tmp_path / "bin" / "engram"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    for dry_run in (True, False):
        report = setup(place, settings, dry_run=dry_run, search_path=str(other.parent))
        assert f"warning: another program is called engram too: {other}" in report.changes
    assert not any("another program" in line for line in setup(place, settings).changes)


def test_record_holds_nothing_of_the_user(place: Path, settings: Path) -> None:
    settings.write_text(json.dumps({"env": {"TOKEN": "very-" + "private"}}))
    setup(place, settings)
    (record,) = (place / "setup").iterdir()
    content = record.read_text()
    assert "very-" not in content
    assert digest(settings.read_text()) in content


def test_reader_never_sees_half_a_file(place: Path, settings: Path) -> None:
    before = settings.read_bytes()
    done = threading.Event()
    bad: list[str] = []
    reads = 0

    def poll() -> None:
        nonlocal reads
        while not done.is_set():
            try:
                json.loads(settings.read_text())
                reads += 1
            except (OSError, ValueError) as error:
                bad.append(repr(error))

    reader = threading.Thread(target=poll)
    reader.start()
    for _ in range(15):
        setup(place, settings)
        uninstall(place, settings)
    done.set()
    reader.join()
    assert bad == []
    assert reads > 30
    assert settings.read_bytes() == before
    assert stat.S_IMODE(settings.stat().st_mode) == 0o640
