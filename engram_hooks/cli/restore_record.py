"""`engram restore ID`: bring back a note that consolidation put away."""

from __future__ import annotations

import os
import re

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory

_SHORT_ID = re.compile(r"\[?[a-z]?\d{1,18}\]?", re.IGNORECASE)
_UID = re.compile(r"[0-9a-f]{6,32}", re.IGNORECASE)


def is_record(name: str) -> bool:
    """Whether what was typed names a note: its short id, or the start of its uid where no file is called so."""
    if _SHORT_ID.fullmatch(name):
        return True
    return bool(_UID.fullmatch(name)) and not os.path.lexists(name)


def bring_back(ref: str, *, project: str | None, as_json: bool) -> None:
    """Bring a note back and say what it is now."""
    with open_memory(project=project) as memory:
        record, is_changed = memory.restore_record(ref)
        if as_json:
            output.print_json({**record.as_dict(), "is_changed": is_changed})
            return
        said = "Brought back:" if is_changed else "It is told already:"
        output.say(f"{said} {output.style(record.short_id, 'id')} {output.line(record.summary)}")
