"""Files that belong together by their names: a test and what it tests, a header and its source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import dirname

from engram_hooks.history.roles import TEST

MAX_NAMED = 3
OTHER_STEM = 0.5
_CAMEL = re.compile(r"(?<=[a-z0-9])(Tests?|Spec)$|^Test(?=[A-Z])")
_AFFIX = re.compile(r"^(tests?|spec)[_-]|[_-](tests?|spec)$")


def stem_of(path: str) -> str:
    """What a file is about, by its name: without folder, endings and the marks of a test; in lower case."""
    name = path.rsplit("/", 1)[-1].lstrip(".").split(".", 1)[0]
    low = name.lower()
    if "test" in low or "spec" in low:
        low = _AFFIX.sub("", _CAMEL.sub("", name).lower())
    return low.strip("_-")


class Names:
    """The files of a head by their stems."""

    def __init__(self, files: Mapping[int, tuple[str, str]]) -> None:
        """Take the files: id -> (path, role)."""
        self._files = files
        self._by_stem: dict[str, list[int]] = {}
        for file_id, (path, _) in files.items():
            self._by_stem.setdefault(stem_of(path), []).append(file_id)

    def with_stem(self, path: str) -> list[int]:
        """The files that have the stem of a path."""
        return self._by_stem.get(stem_of(path), [])

    def related_to(self, file_id: int) -> dict[int, float]:
        """The files that belong to a file by name, tests first, then the nearest -> what part of a vote each has."""
        path, role = self._files[file_id]
        found = []
        for other in self.with_stem(path):
            if other != file_id:
                mate, kind = self._files[other]
                is_test = (kind == TEST) != (role == TEST)
                found.append((not is_test, -_count_shared(mate, path), mate, other))
        found.sort()
        nearest = found[:MAX_NAMED]
        return {other: (OTHER_STEM if is_plain else 1.0) / len(nearest) for is_plain, *_, other in nearest}


def _count_shared(path: str, other: str) -> int:
    """How many leading folders two paths share."""
    count = 0
    for one, two in zip(dirname(path).split("/"), dirname(other).split("/"), strict=False):
        if one != two:
            break
        count += 1
    return count
