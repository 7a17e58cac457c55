"""What setup did to each settings file, kept in the data folder so that uninstall can give it back."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path

from engram_hooks.client.claude_settings import Undo
from engram_hooks.client.settings_file import write_file
from engram_hooks.client.statusline_entry import Wrapped
from engram_hooks.paths import make_private_dir

FOLDER = "setup"


def load_undo(data: Path, settings: Path) -> Undo | None:
    """The record of one settings file, None where there is none (or none that can be read)."""
    return _read(_record_path(data, settings))


def save_undo(data: Path, settings: Path, undo: Undo) -> None:
    """Write the record of one settings file. Raises `OSError`."""
    path = _record_path(data, settings)
    make_private_dir(str(path.parent))
    content = {"path": os.path.realpath(settings), **asdict(undo)}
    write_file(path, json.dumps(content).encode("ascii"), mode=0o600)


def drop_undo(data: Path, settings: Path) -> None:
    """Remove the record of one settings file, and the folder after the last one."""
    _record_path(data, settings).unlink(missing_ok=True)
    try:
        (data / FOLDER).rmdir()
    except OSError:
        pass  # other settings files still have theirs, or there was no folder


def list_others(data: Path, settings: Path) -> list[tuple[str, Undo]]:
    """The records of the other settings files, as (path of the file, record)."""
    own = _record_path(data, settings)
    found = []
    for path in sorted((data / FOLDER).glob("*.json")):
        undo = _read(path) if path != own else None
        if undo:
            found.append((json.loads(path.read_text("ascii"))["path"], undo))
    return found


def _record_path(data: Path, settings: Path) -> Path:
    name = os.path.realpath(settings).encode("utf-8", "surrogateescape")
    return data / FOLDER / f"{hashlib.sha256(name).hexdigest()[:16]}.json"


def _read(path: Path) -> Undo | None:
    try:
        found = json.loads(path.read_text("ascii"))
        wrapped = found["wrapped"]
        return Undo(
            sha256=str(found["sha256"]),
            steps=tuple((int(start), int(end), str(new)) for start, end, new in found["steps"]),
            kept=tuple(str(name) for name in found["kept"]),
            wrapped=Wrapped(wrapped["command"], wrapped["token"], wrapped["added_interval"])
            if wrapped
            else None,
            created=bool(found["created"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
