"""Commits that touch much and mean little: vendoring, reformatting, licence headers, generated and lock files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from engram_hooks.history import roles
from engram_hooks.history.changes import Commit, FileChange, Hunk
from engram_hooks.history.late import LatePattern

MANY_FILES = 100
IMPORT_FILES = 20
SWEEP_FILES = 8
SAME_SHARE = 0.8
NOISE_LINES = 300
REFLOW_LINES = 200
_SWEEP = LatePattern(
    r"\b(re-?format(ted|ting)?|black(en)?|prettier|ruff( format)?"
    r"|gofmt|goimports|rustfmt|clang-?format|autopep8|yapf|isort"
    r"|pyupgrade|eslint --fix|standard --fix|codemod|licen[cs]e headers?"
    r"|copyright|spdx|white-?space|line endings?|crlf|tabs to spaces"
    r"|code ?style|quotes?|trailing|vendor(ed|ing)?|import order|2to3|modernize|lint)\b",
    re.IGNORECASE,
)
_COMMENT = "#", "//", "/*", "*", "*/", "--", ";", "<!--", "%", '"""', "'''", "--"


def is_bulk(commit: Commit) -> bool:
    """Whether nothing should be concluded from which files and lines a commit touched."""
    changes = commit.changes
    count = len(changes)
    if count >= MANY_FILES or (count >= IMPORT_FILES and not commit.parents):
        return True
    total = noise = 0
    for change in changes:
        lines = sum(hunk.old_count + hunk.new_count for hunk in change.hunks)
        total += lines
        if roles.role_of(change.path) in roles.NOISE:
            noise += lines
    if total >= NOISE_LINES and noise >= SAME_SHARE * total:
        return True
    if (count >= SWEEP_FILES or total >= REFLOW_LINES) and is_blank_change(changes):
        return True
    if count < SWEEP_FILES:
        return False
    return bool(_SWEEP.search(commit.message[:200])) or _is_sweep(changes)


def is_blank_change(changes: Iterable[FileChange]) -> bool:
    """Whether only white space within and between lines changed (and something did)."""
    is_any = False
    for change in changes:
        if change.is_binary or change.is_cut:
            return False
        for hunk in change.hunks:
            is_any = True
            if _squeeze(hunk.removed) != _squeeze(hunk.added):
                return False
    return is_any


def is_cosmetic(changes: Iterable[FileChange]) -> bool:
    """Whether the lines that changed in source files are all comments, blank, or equal but for white space."""
    is_any = False
    for change in changes:
        if roles.role_of(change.path) not in (roles.SOURCE, roles.BUILD, roles.OTHER):
            continue
        if change.is_binary or change.is_cut:
            return False
        for hunk in change.hunks:
            is_any = True
            if not _is_cosmetic_hunk(hunk, change.path):
                return False
    return is_any


def is_comment(line: str, path: str = "") -> bool:
    """Whether a line is blank or, by how it begins, a comment (a directive such as `#include` is none)."""
    text = line.strip()
    if not text:
        return True
    if not text.startswith(_COMMENT):
        return False
    if text[0] == "#":
        return not path.endswith(
            (".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".rs", ".php", ".md", ".css", ".scss")
        )
    if text[0] == "*":
        return text[1:2] in ("", " ", "/")
    if text.startswith("--"):
        return path.endswith((".sql", ".lua", ".hs", ".elm", ".vhd"))
    return text[0] not in ";%" or path.endswith(
        (".ini", ".cfg", ".el", ".lisp", ".clj", ".scm", ".asm", ".s", ".tex")
    )


def _is_cosmetic_hunk(hunk: Hunk, path: str) -> bool:
    if all(is_comment(line, path) for line in hunk.removed) and all(
        is_comment(line, path) for line in hunk.added
    ):
        return True
    return _squeeze(hunk.removed) == _squeeze(hunk.added)


def _squeeze(lines: Iterable[str]) -> str:
    return "".join("".join(lines).split())


def _is_sweep(changes: Iterable[FileChange]) -> bool:
    """Whether most files got the very same change: a header, a year, a name."""
    seen = Counter(
        (hunk.removed, hunk.added)
        for change in changes
        for hunk in {(hunk.removed, hunk.added): hunk for hunk in change.hunks}.values()
    )
    total = sum(1 for change in changes if change.hunks)
    renamed = sum(1 for change in changes if change.status == "R" and not change.hunks)
    if renamed >= IMPORT_FILES:
        return True
    return bool(seen) and total >= SWEEP_FILES and seen.most_common(1)[0][1] >= SAME_SHARE * total
