"""Tools that write the hook of git themselves: where their settings say what runs, and what ours is there."""

from __future__ import annotations

from pathlib import Path

from engram_hooks.client.git_hook_place import FRAMEWORK, GIT, HUSKY_4, LEFTHOOK, HookPlace
from engram_hooks.client.settings_file import write_file
from engram_hooks.errors import EXIT_BLOCKED, EngramError

_SETTINGS = {
    FRAMEWORK: (".pre-commit-config.yaml", ".pre-commit-config.yml"),
    HUSKY_4: ("package.json", ".huskyrc", ".huskyrc.json", ".huskyrc.yml", ".huskyrc.yaml", ".huskyrc.js"),
    LEFTHOOK: tuple(
        f"{folder}{dot}lefthook{local}.{ending}"
        for local in ("-local", "")
        for folder, dot in (("", ""), ("", "."), (".config/", ""))
        for ending in ("yml", "yaml", "toml", "json", "jsonc")
    ),
}
_CALL = "engram pre-commit"
_LEFTHOOK_LINES = f"""\
pre-commit:
  commands:
    engram:
      run: if command -v engram >/dev/null 2>&1; then {_CALL} --hook || [ $? -ne {EXIT_BLOCKED} ]; fi
"""
_LEFTHOOK_FILE = (
    "# Written by `engram pre-commit --install`, for this machine alone: keep it out of commits.\n"
    + _LEFTHOOK_LINES
)
_LINES = {
    FRAMEWORK: """\
  - repo: local
    hooks:
      - id: engram
        name: engram
        entry: engram pre-commit
        language: system
        pass_filenames: false
        always_run: true
        verbose: true
        stages: [pre-commit]""",
    HUSKY_4: '"husky": {"hooks": {"pre-commit": "engram pre-commit"}}',
    LEFTHOOK: _LEFTHOOK_LINES.rstrip("\n"),
}
_NAMES = {FRAMEWORK: "the pre-commit framework", HUSKY_4: "husky 4", LEFTHOOK: "lefthook"}
_WHERE = {
    FRAMEWORK: "add to `repos:` in .pre-commit-config.yaml",
    HUSKY_4: "add to package.json",
    LEFTHOOK: "add to your lefthook-local file",
}


def has_entry(place: HookPlace) -> bool:
    """Whether the settings of the tool call us."""
    return find_settings(place) is not None


def find_settings(place: HookPlace) -> Path | None:
    """The file with settings of the tool that calls us, None where none does."""
    for file in _list_settings(place):
        text = file.read_text("utf-8", "replace")
        if _CALL in text or (place.kind == FRAMEWORK and "id: engram" in text):
            return file
    return None


def name_settings(place: HookPlace) -> str:
    """That file by its name, for people."""
    found = find_settings(place)
    return found.name if found else place.file.name


def check_entry(place: HookPlace) -> tuple[str, ...]:
    """Nothing is to be changed. Raises `EngramError` with the lines to add where the tool does not call us yet."""
    if has_entry(place):
        return ()
    raise EngramError(
        f"{_NAMES[place.kind]} writes the hook here, so engram is for you to add to its settings",
        hint=f"{_WHERE[place.kind]}:\n{_LINES[place.kind]}",
    )


def add_lefthook_entry(place: HookPlace) -> tuple[str, ...]:
    """Write settings for this machine where lefthook has none; returns what was changed.

    Raises `EngramError` with the lines to add where there are some: they are the user's to edit.
    """
    if has_entry(place):
        return ()
    if any("-local" in file.name for file in _list_settings(place)):
        return check_entry(place)
    write_file(place.file, _LEFTHOOK_FILE.encode(), mode=0o644)
    return (f"writes {place.file}",)


def drop_lefthook_entry(place: HookPlace) -> tuple[str, ...]:
    """Remove the settings that `add_lefthook_entry` wrote, where they are still as it wrote them."""
    try:
        if place.file.read_bytes() != _LEFTHOOK_FILE.encode():
            return ()
        place.file.unlink()
    except FileNotFoundError:
        return ()
    return (f"removes {place.file}",)


def list_rivals(place: HookPlace) -> list[str]:
    """Tools that are set up in the work tree and not for this clone: once they are, git runs their hooks instead."""
    if place.kind != GIT:
        return []
    found = []
    if (place.top / ".husky").is_dir():
        found.append("husky")
    if any((place.top / name).is_file() for name in _SETTINGS[LEFTHOOK]):
        found.append("lefthook")
    return [
        f"{name} is not active in this clone; once it is, run `engram pre-commit --install` again"
        for name in found
    ]


def _list_settings(place: HookPlace) -> list[Path]:
    names = _SETTINGS.get(place.kind, ())
    return [place.top / name for name in names if (place.top / name).is_file()]
