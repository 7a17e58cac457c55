"""A repository's history with other messages: trees and dates stay, nothing is copied, the source is only read."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from engram_hooks.bench.borrowed import IMPORT, MAIN, borrow
from engram_hooks.errors import EngramError
from engram_hooks.history import git

# (hash of the commit, its message) -> the message to write
Editor = Callable[[str, str], str]
_EXPORT = ["fast-export", "--no-data", "--show-original-ids", "--signed-tags=strip", "--reencode=yes", MAIN]


def rewrite(source: Path, folder: Path, edit: Editor) -> dict[str, str]:
    """Write the history of `source` anew into a bare repository at `folder`; returns the new name of each old one.

    Raises `EngramError` where git fails.
    """
    borrow(source, folder)
    git.run(["update-ref", "-d", MAIN], str(folder))
    marks = folder / "marks"
    names: dict[int, str] = {}
    importer = subprocess.Popen(
        git.make_argv([*IMPORT, "--force", f"--export-marks={marks}"]),
        cwd=folder,
        env=git.make_environ(os.environ),
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with importer, git.open_stream(_EXPORT, str(source)) as exported:
        assert importer.stdin
        try:
            importer.stdin.writelines(_edit_stream(exported, edit, names))
        except BrokenPipeError:
            importer.kill()
        _, complaints = importer.communicate()
    if importer.returncode:
        raise EngramError(f"git fast-import: {complaints.decode('utf-8', 'replace').strip()[:300]}")
    rows = (row.split() for row in marks.read_text("ascii").splitlines())
    return {names[int(mark[1:])]: name for mark, name in rows if int(mark[1:]) in names}


def _edit_stream(lines: IO[bytes], edit: Editor, names: dict[int, str]) -> Iterator[bytes]:
    """The stream with edited messages; `names` gets the old hash of each mark."""
    mark, name = 0, ""
    for line in lines:
        if line.startswith(b"mark :"):
            mark = int(line[6:])
        elif line.startswith(b"original-oid "):
            name = line[13:].decode("ascii").strip()
            names[mark] = name
            continue
        elif line.startswith(b"data "):
            text = lines.read(int(line[5:]))
            message = edit(name, text.decode("utf-8", "replace")).encode("utf-8", "replace")
            yield b"data %d\n" % len(message)
            yield message
            continue
        yield line
