"""`engram backup`: copy the store, list the copies, put one back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import json_option
from engram_hooks.cli.restore import file_command
from engram_hooks.cli.setup import find_data_folder


@click.group(name="backup")
def command() -> None:
    """Copy the store, list the copies, put one back.

    engram makes copies of its own before it upgrades, restores or replaces a store.
    """


@command.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@json_option
def create(file: Path | None, *, as_json: bool) -> None:
    """Copy the store to FILE, or into the data folder, while others work with it."""
    from engram_hooks.memory import now
    from engram_hooks.store import backup

    with open_memory() as memory:
        if file is None:
            path = Path(backup.back_up_here(memory.db, memory.data, reason="by-hand", now_ms=now()))
            size = path.stat().st_size
        else:
            path, size = file.absolute(), backup.back_up(memory.db, str(file.absolute()))
    if as_json:
        output.print_json({"path": str(path), "size_bytes": size})
        return
    output.say(f"{output.safe(str(path))}, {output.size(size)}")


@command.command(name="list")
@json_option
def list_copies(*, as_json: bool) -> None:
    """List the copies in the data folder, newest first."""
    from engram_hooks.store import backup

    found = backup.list_backups(str(find_data_folder()))
    if as_json:
        rows = [
            {"path": item.path, "size_bytes": item.size_bytes, "made_at": item.made_at, "reason": item.reason}
            for item in found
        ]
        output.print_json(rows)
        return
    if not found:
        output.say("There are no copies yet: engram backup create")
    for item in found:
        moment = datetime.fromtimestamp(item.made_at / 1000, UTC).astimezone()
        output.say(f"{moment:%Y-%m-%d %H:%M}  {output.size(item.size_bytes):>8}  {output.safe(item.path)}")


command.add_command(file_command, "restore")
