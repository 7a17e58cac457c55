"""The check before a commit put into the hook of git, taken out again, and looked for."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engram_hooks.client import git_hook_block as blocks
from engram_hooks.client import git_hook_tools as tools
from engram_hooks.client.git_hook_place import (
    FRAMEWORK,
    HUSKY,
    HUSKY_4,
    LEFTHOOK,
    HookPlace,
    find_hook,
    is_inside,
    read_hook,
)
from engram_hooks.client.programs import find_foreign_engram
from engram_hooks.client.settings_file import write_file
from engram_hooks.errors import EngramError

_MODE = 0o755
_HUSKY_HEAD = b'#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n\n'
_HEADS = (b"", blocks.SHEBANG, _HUSKY_HEAD)


@dataclass(frozen=True, slots=True)
class HookReport:
    """How things stand after a command: the place, whether the check is there, what was changed, what to know."""

    place: HookPlace
    file: Path  # that holds our lines, or would
    is_installed: bool
    changes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def install(cwd: str, *, environ: Mapping[str, str], interpreter: blocks.Interpreter) -> HookReport:
    """Let git run the check before each commit in the repository of `cwd`; what is there already goes on running.

    Safe to run again. Raises `EngramError` where that is not possible, with the lines to add by hand where
    another tool writes the hook.
    """
    place = find_hook(cwd, environ=environ)
    with _explained(place.file):
        if place.kind in (FRAMEWORK, HUSKY_4):
            changes = () if _is_installed(place) else tools.check_entry(place)
        elif place.kind == LEFTHOOK:
            changes = tools.add_lefthook_entry(place)
        else:
            changes = _install_block(place, interpreter)
    return _report(place, environ, changes)


def uninstall(cwd: str, *, environ: Mapping[str, str]) -> HookReport:
    """Take the check out again: the hook is then byte for byte what it was. Raises `EngramError`."""
    place = find_hook(cwd, environ=environ)
    with _explained(place.file):
        changes = tools.drop_lefthook_entry(place) if place.kind == LEFTHOOK else ()
        for file in _list_traces(place):
            changes += _remove_block(place, file)
    if not changes and _is_installed(place):
        raise EngramError(
            f"the entry of engram in {tools.name_settings(place)} is yours to take out", hint="edit that file"
        )
    return _report(place, environ, changes)


def read_status(cwd: str, *, environ: Mapping[str, str]) -> HookReport:
    """How things stand. Raises `EngramError` where there can be no hook."""
    return _report(find_hook(cwd, environ=environ), environ, ())


@contextmanager
def _explained(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise EngramError(
            f"{error.filename or file} cannot be changed: {error.strerror}",
            hint="check the rights of the file and its folder",
        ) from error


def _list_files(place: HookPlace) -> list[Path]:
    """The files that may hold our lines: the frameworks keep a hook that was there before beside their own."""
    legacy = place.hook.with_name(place.hook.name + ".legacy")
    return [place.file, legacy] if place.kind == FRAMEWORK else [place.file]


def _list_traces(place: HookPlace) -> list[Path]:
    """The files that may hold our lines, those that git does not run any more among them: tools put hooks aside."""
    aside = place.git_dir / "hooks" / place.hook.name
    names = (aside, *(aside.with_name(aside.name + ending) for ending in (".legacy", ".old")))
    return list(dict.fromkeys([*_list_files(place), *names]))


def _holds_block(file: Path) -> bool:
    return blocks.find_block(read_hook(file) or b"") is not None


def _is_installed(place: HookPlace) -> bool:
    if place.kind in (FRAMEWORK, HUSKY_4, LEFTHOOK) and tools.has_entry(place):
        return True
    return place.kind != LEFTHOOK and any(map(_holds_block, _list_files(place)))


def _report(place: HookPlace, environ: Mapping[str, str], changes: tuple[str, ...]) -> HookReport:
    is_installed = _is_installed(place)
    notes = list(tools.list_rivals(place))
    if is_installed:
        if place.is_for_all:
            notes.append("core.hooksPath of your settings names this folder: all your repositories use it")
        if place.is_shared and place.kind != LEFTHOOK:
            notes.append("the file is part of the work tree: committed, it serves everybody who has engram")
        needs_path = place.is_shared or place.kind in (FRAMEWORK, LEFTHOOK, HUSKY_4)
        if needs_path and (note := _check_path(environ)):
            notes.append(note)
        if not os.access(place.hook, os.X_OK):
            notes.append(f"git does not run {place.hook}: it is not executable, or not there")
    held = next(
        (file for file in _list_files(place) if file.suffix == ".legacy" and _holds_block(file)), None
    )
    return HookReport(
        place, held or tools.find_settings(place) or place.file, is_installed, changes, tuple(notes)
    )


def _check_path(environ: Mapping[str, str]) -> str:
    """What keeps a hook that calls us by name from finding us."""
    search_path = environ.get("PATH", "")
    if shutil.which("engram", path=search_path) is None:
        return "there is no engram on your PATH: the check is silent until there is"
    foreign = find_foreign_engram(search_path)
    return f"another program is called engram too: {foreign}" if foreign else ""


def _install_block(place: HookPlace, interpreter: blocks.Interpreter) -> tuple[str, ...]:
    block = blocks.render_block(None if place.is_shared else interpreter)
    content = read_hook(place.file)
    if content is None and not place.file.is_symlink():
        place.file.parent.mkdir(parents=True, exist_ok=True)
        write_file(place.file, _make_head(place) + block, mode=_MODE)
        return (f"writes {place.file}",)
    if content is not None and blocks.find_block(content):
        return _update_block(place, content, block)
    is_run = place.file != place.hook or os.access(place.file, os.X_OK)
    if content is None or place.file.is_symlink() or not blocks.is_shell_script(content) or not is_run:
        return _chain(place.file, block)
    kept = _name_kept(place)
    mode = stat.S_IMODE(place.file.stat().st_mode)
    write_file(kept, content, mode=mode)
    write_file(place.file, blocks.insert_block(content, block), mode=mode)
    return (f"adds lines to {place.file}", f"keeps a copy of it as {kept}")


def _make_head(place: HookPlace) -> bytes:
    """How a new hook begins."""
    if place.kind != HUSKY:
        return blocks.SHEBANG
    return _HUSKY_HEAD if place.file == place.hook else b""


def _update_block(place: HookPlace, content: bytes, block: bytes) -> tuple[str, ...]:
    target = Path(os.path.realpath(place.file))
    mode = stat.S_IMODE(target.stat().st_mode)
    is_off = place.file == place.hook and not mode & 0o111
    wanted = mode | 0o111 if is_off else mode
    text = blocks.insert_block(content, block)
    if (text, wanted) == (content, mode):
        return ()
    write_file(target, text, mode=wanted)
    return (f"renews the lines in {place.file}",)


def _chain(file: Path, block: bytes) -> tuple[str, ...]:
    """Put a hook of ours in the place of one that takes no lines of shell, which it then runs."""
    kept = _find_free(file.parent / blocks.KEPT_NAME)
    try:
        os.link(file, kept, follow_symlinks=False)
    except (OSError, NotImplementedError):
        os.replace(file, kept)
    try:
        write_file(file, blocks.render_chain(block, kept.name), mode=_MODE)
    except OSError:
        if os.path.lexists(file):
            kept.unlink()
        else:
            os.replace(kept, file)
        raise
    return (f"moves {file} to {kept.name}", f"writes {file}, which runs both")


def _name_kept(place: HookPlace) -> Path:
    """Where a copy of a hook is kept: beside it, or in the git folder where it is part of the work tree."""
    return _find_free(_folder_of_copies(place, place.file) / blocks.KEPT_NAME)


def _folder_of_copies(place: HookPlace, file: Path) -> Path:
    is_tracked = is_inside(file, place.top) and not is_inside(file, place.git_dir)
    return place.git_dir if is_tracked else file.parent


def _find_free(path: Path) -> Path:
    number, found = 1, path
    while os.path.lexists(found):
        number += 1
        found = path.with_name(f"{path.name}-{number}")
    return found


def _remove_block(place: HookPlace, file: Path) -> tuple[str, ...]:
    content = read_hook(file)
    if content is None or not blocks.find_block(content):
        return ()
    rest = blocks.remove_block(content)
    kept = file.parent / (blocks.find_chained(content) or ".")
    if kept != file.parent and rest == blocks.render_chain(b"", kept.name):
        if os.path.lexists(kept):
            os.replace(kept, file)
            return (f"puts {kept.name} back as {file}",)
        file.unlink()
        return (f"removes {file}",)
    folder = _folder_of_copies(place, file)
    copies = [path for path in sorted(folder.glob(blocks.KEPT_NAME + "*")) if _holds(path, rest)]
    if rest in _HEADS and not copies:
        file.unlink()
        return (f"removes {file}",)
    target = Path(os.path.realpath(file))
    write_file(target, rest, mode=stat.S_IMODE((copies[0] if copies else target).stat().st_mode))
    for path in copies:
        path.unlink()
    return (f"takes the lines out of {file}",)


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and not path.is_symlink() and path.read_bytes() == content
