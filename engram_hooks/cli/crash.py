"""The log of a bug: where it happened, without what was typed."""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Mapping

from engram_hooks import __version__
from engram_hooks.guard.redact import redact
from engram_hooks.paths import data_dir, make_private_dir

NAME = "crash.log"
MAX_BYTES = 256 << 10


def write_crash(error: BaseException, environ: Mapping[str, str]) -> str:
    """Append the error to the log (0600) and return its path; '' where it cannot be written."""
    head = f"{time.strftime('%Y-%m-%dT%H:%M:%S')} engram {__version__}, Python {sys.version.split()[0]}\n"
    text = head + redact("".join(traceback.format_exception(error))) + "\n"
    try:
        folder = data_dir(environ)
        make_private_dir(folder)
        path = os.path.join(folder, NAME)
        how = os.O_TRUNC if os.path.exists(path) and os.stat(path).st_size > MAX_BYTES else os.O_APPEND
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o600)
        with os.fdopen(fd, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError:
        return ""
    return path
