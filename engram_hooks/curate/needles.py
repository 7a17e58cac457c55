"""The byte forms in which files may hold a text: found, and taken out line by line."""

from __future__ import annotations

import os
from collections.abc import Iterable

from engram_hooks.jsontext import dumps
from engram_hooks.store.erase_texts import MIN_CONTAINED_CHARS

_MAX_FILE_BYTES = 64 << 20
_EDGES = b" \t\r\n-*+"


class Needles:
    """Texts line by line, as they are and as JSON writes them; the case of ASCII letters does not count.

    A short line is looked for as a line or a string of its own: inside of others it is a word like any.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        contained: dict[bytes, None] = {}
        whole: dict[bytes, None] = {}
        for text in texts:
            for line in map(str.strip, text.split("\n")):
                quoted = line.replace("\\", "\\\\").replace('"', '\\"')
                forms = [form.encode().lower() for form in (line, dumps(line)[1:-1], quoted)]
                if len(line) >= MIN_CONTAINED_CHARS:
                    contained |= dict.fromkeys(forms)
                elif line and line == text.strip():
                    contained |= dict.fromkeys(b'"%s"' % form for form in forms)
                    whole |= dict.fromkeys(forms)
        self._contained, self._whole = list(contained), frozenset(whole)

    def are_in_file(self, path: str) -> bool:
        """Whether a file holds one of them; False for one that cannot be read."""
        try:
            with open(path, "rb") as file:
                if os.fstat(file.fileno()).st_size <= _MAX_FILE_BYTES:
                    return any(map(self.are_in_line, file.read().split(b"\n")))
                overlap = max(map(len, self._contained), default=0)
                tail = b""
                while block := file.read(_MAX_FILE_BYTES).lower():
                    if any(needle in tail + block for needle in self._contained):
                        return True
                    tail = block[-overlap:]
        except OSError:
            return False
        return False

    def are_in_line(self, line: bytes) -> bool:
        """Whether a line of a file holds one of them."""
        low = line.lower()
        return low.strip(_EDGES) in self._whole or any(needle in low for needle in self._contained)

    def drop_from_file(self, path: str) -> None:
        """Rewrite a file in place without the lines that hold one; a file with nothing else is deleted."""
        with open(path, "r+b") as file:
            kept = b"".join(
                line for line in file.read().splitlines(keepends=True) if not self.are_in_line(line)
            )
            file.seek(0)
            file.write(kept)
            file.truncate()
        if not kept:
            os.unlink(path)
