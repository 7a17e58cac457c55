"""What one gets from git alone: words in messages, blame and a word of defects, files of the same commits."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from engram_hooks.history import git

MAX_FILES = 30
MIN_TOGETHER, MIN_SHARE = 3, 0.5
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{2,}")
_STOP = frozenset(
    """the and for with that this from what why how was were are not has have had does did could can which who whom
    when where there then than into onto its our your their they them she him her you all any some one been before
    after about""".split()
)
_DEFECT = re.compile(r"\b(fix(e[sd])?|bugs?|crash\w*|regression|leak\w*|security|revert\w*|reapply)\b", re.I)
_FORMAT = "--format=%x01%H%x02%B%x02"


@dataclass(frozen=True, slots=True)
class Entry:
    """A commit as `git log --name-only` tells it."""

    name: str
    message: str
    files: tuple[str, ...]


class PlainGit:
    """Answers to the same questions, found with git alone; `repo` is only read."""

    def __init__(self, repo: Path, rev: str = "HEAD") -> None:
        self._repo = str(repo)
        self._rev = rev
        listing = git.run(
            ["-c", "core.quotePath=false", "log", "--no-merges", "--name-only", "-M", _FORMAT, rev],
            self._repo,
            timeout_s=600.0,
        )
        self._blamed: dict[str, list[str]] = {}
        self.entries = tuple(_read_entry(row) for row in os.fsdecode(listing).split("\x01")[1:])
        self._subjects = {entry.name: entry.message.partition("\n")[0] for entry in self.entries}

    def why(self, question: str) -> tuple[list[str], list[str]]:
        """(commits, files): those whose message holds most words of the question, newest first."""
        words = content_words(question)
        scored = []
        for place, entry in enumerate(self.entries):
            text = entry.message.lower()
            if count := sum(word in text for word in words):
                scored.append((-count, place, entry))
        ranked = [entry for _, _, entry in sorted(scored, key=lambda row: row[:2])[:50]]
        files = dict.fromkeys(path for entry in ranked for path in entry.files)
        return [entry.name for entry in ranked], list(files)

    def preflight(self, path: str, span: tuple[int, int]) -> list[str]:
        """The commits that blame names for the lines, where their subject has a word of defects."""
        if path not in self._blamed:
            self._blamed[path] = self._blame(path)
        found = Counter(self._blamed[path][span[0] - 1 : span[1]])
        return [name for name, _ in found.most_common() if _DEFECT.search(self._subjects.get(name, ""))]

    def _blame(self, path: str) -> list[str]:
        """The commit of each line of a file."""
        rows = os.fsdecode(git.run(["blame", "-l", "-s", "--root", self._rev, "--", path], self._repo))
        return [row.partition(" ")[0] for row in rows.split("\n") if row]

    def cochange(self, path: str) -> list[tuple[str, bool]]:
        """(file, worth telling unasked) by how many of the file's commits changed it too."""
        commits = [set(entry.files) for entry in self.entries if path in entry.files]
        small = [files for files in commits if len(files) <= MAX_FILES]
        counts = Counter(other for files in small for other in files if other != path)
        return [
            (other, count >= MIN_TOGETHER and count / len(small) >= MIN_SHARE)
            for other, count in counts.most_common(50)
        ]


def content_words(text: str) -> set[str]:
    """The words of a text that say something, in lower case."""
    return {word.lower() for word in _WORD.findall(text)} - _STOP


def _read_entry(row: str) -> Entry:
    name, message, rest = row.split("\x02", 2)
    return Entry(name, message, tuple(path for path in rest.split("\n") if path))
