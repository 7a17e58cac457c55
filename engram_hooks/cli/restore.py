"""`engram restore`: put a copy of the store back, or one note."""

from __future__ import annotations

import os
from pathlib import Path

import click

from engram_hooks.cli import output
from engram_hooks.cli.options import json_option, project_option, yes_option
from engram_hooks.cli.restore_record import bring_back, is_record
from engram_hooks.cli.setup import find_data_folder
from engram_hooks.errors import EngramError, UsageError


@click.command(name="restore")
@click.argument("what", metavar="ID|FILE", required=False)
@yes_option
@project_option
@json_option
def command(what: str | None, *, is_confirmed: bool, project: str | None, as_json: bool) -> None:
    """Bring back the note ID, or make the whole store what FILE holds.

    With an ID such as k12: a note that was archived, expired, merged or compacted is told again, as it was before.

    With a FILE (./k12 where its name looks like an ID), or with nothing for the newest copy in the data folder:
    the store as it is now is kept as a copy first; a damaged one is set aside.
    """
    if what is not None and is_record(what):
        bring_back(what, project=project, as_json=as_json)
        return
    _put_back(Path(what) if what else None, is_confirmed=is_confirmed, as_json=as_json)


@click.command(name="restore")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@yes_option
@json_option
def file_command(file: Path | None, *, is_confirmed: bool, as_json: bool) -> None:
    """Make the store what FILE holds, or the newest copy in the data folder.

    The store as it is now is kept as a copy first; a damaged one is set aside.
    """
    _put_back(file, is_confirmed=is_confirmed, as_json=as_json)


def _put_back(file: Path | None, *, is_confirmed: bool, as_json: bool) -> None:
    from engram_hooks.memory import now
    from engram_hooks.sessions import core_mirror
    from engram_hooks.store import audit, backup, settings
    from engram_hooks.store.create import ensure_store

    data = str(find_data_folder())
    source = str(file.absolute()) if file else find_newest(data)
    if not is_confirmed:
        if not output.is_interactive():
            raise UsageError("restoring needs a yes", hint="engram restore --yes")
        click.confirm(f"Make the store what {output.safe(source)} holds?", abort=True)
    kept = backup.restore(data, source, now_ms=now())
    db = ensure_store(data, now_ms=now())
    try:
        audit.add_entry(db, None, "restore copy", actor="person", now_ms=now(), reason=source)
        core_mirror.follow_store(db, data, settings.read(db, 0, os.environ))
    finally:
        db.close()
    if as_json:
        output.print_json({"restored": source, "kept": kept})
        return
    output.say(f"Restored {output.safe(source)}.")
    if kept:
        output.say(f"The store as it was: {output.safe(kept)}")


def find_newest(data: str) -> str:
    """The newest copy in the data folder. Raises `EngramError` where there is none."""
    from engram_hooks.store import backup

    found = backup.list_backups(data)
    if not found:
        raise EngramError("there is no copy in the data folder", hint="engram restore FILE")
    return found[0].path
