"""The repositories of the made-up year: written in one go, then moved on day by day as somebody works in them."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from engram_hooks.bench.monorepo.stream import CommitStream, Draft
from engram_hooks.bench.year.calendar import moment_of
from engram_hooks.bench.year.plot import Branch, Year

AUTHOR = "Ana Weaver <ana@example.com>"
_MERGES_FROM = 500_000  # marks of merge and branch commits, far from those of the days


class Checkout:
    """One project's repository: `turn` gives it the branches and the head that it has on a day."""

    def __init__(self, folder: Path, year: Year, project: int) -> None:
        self.folder, self.year, self.project = folder, year, project
        self._branches = [one for one in year.branches if one.project == project]
        with CommitStream(folder) as stream:
            for day in range(year.days):
                self._write_day(stream, day)
            self._names = stream.finish()
        (folder / ".git" / "packed-refs").unlink(missing_ok=True)

    def turn(self, day: int) -> str:
        """Make it the repository of a day; the branch that is checked out."""
        heads = self.folder / ".git" / "refs" / "heads"
        self._point(heads / "main", self._names[day + 1])
        for at, one in enumerate(self._branches):
            ref = heads / one.name
            if one.from_day <= day < one.to_day:
                self._point(ref, self._names[_mark_of(at, day)])
            elif ref.exists():
                ref.unlink()
        branch = self.year.branch_on(self.project, day)
        (self.folder / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
        return branch

    def _write_day(self, stream: CommitStream, day: int) -> None:
        """The commit of the mainline, a merge where a branch ends, and one of each branch that is alive."""
        files = self._changes(day)
        parents = [day] if day else []
        ended = [at for at, one in enumerate(self._branches) if one.is_merged and one.to_day == day]
        parents += [_mark_of(at, day - 1) for at in ended]
        message = f"Merge {self._branches[ended[0]].name}" if ended else f"Work of day {day}"
        stream.add(_draft(day + 1, message, day, files, parents=parents))
        for at, one in enumerate(self._branches):
            if one.from_day <= day < one.to_day:
                before = _mark_of(at, day - 1) if day > one.from_day else day + 1
                stream.add(self._branch_commit(one, at, day, before))

    def _branch_commit(self, one: Branch, at: int, day: int, before: int) -> Draft:
        path = f"src/rewrite_{at}.py"
        text = f"# {one.name}, day {day}\n"
        return _draft(
            _mark_of(at, day),
            f"Rewrite, day {day}",
            day,
            {path: text},
            parents=[before],
            ref=f"refs/heads/{one.name}",
        )

    def _changes(self, day: int) -> dict[str, str | None]:
        files: dict[str, str | None] = {"README.md": f"day {day}\n"}
        for path, (comes, goes) in self.year.files[self.project].items():
            if comes == day:
                files[path] = _write_file(path)
            elif goes == day:
                files[path] = None
        return files

    @staticmethod
    def _point(ref: Path, name: str) -> None:
        ref.parent.mkdir(parents=True, exist_ok=True)
        ref.write_text(f"{name}\n")


def _write_file(path: str) -> str:
    """A text that no other file is like: git would take the two for one that was renamed."""
    digest = hashlib.sha256(path.encode()).hexdigest()
    rows = (f"    total_{part} = load({part!r}, limit=0x{part})" for part in re.findall("....", digest))
    return "\n".join((f'"""{path}"""', "", "", f"def run_{digest[:6]}():", *rows, ""))


def _mark_of(branch: int, day: int) -> int:
    return _MERGES_FROM * (branch + 1) + day


def _draft(
    mark: int,
    message: str,
    day: int,
    files: dict[str, str | None],
    *,
    parents: list[int],
    ref: str = "refs/heads/main",
) -> Draft:
    return Draft(mark, message, AUTHOR, moment_of(day, hour=17) // 1000, files, parents, ref)
