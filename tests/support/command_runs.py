"""Commands called in this process: how, and what they print as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

# words of a command, and `stdin` -> (exit code, standard output, standard error)
Run = Callable[..., tuple[int, str, str]]


def read(run: Run, *arguments: str) -> Any:  # Any: whatever the command prints
    """Return what a command prints as JSON."""
    code, out, err = run(*arguments, "--json")
    assert code == 0, err
    return json.loads(out)
