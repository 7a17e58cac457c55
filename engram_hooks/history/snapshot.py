"""What a line of development holds now: its files, the names they had before, what their lines and symbols are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engram_hooks.history import git
from engram_hooks.history.stream import decode_path
from engram_hooks.history.symbols import parse
from engram_hooks.history.tree import read_texts, read_tree
from engram_hooks.recall.globs import expand, matches

TIMEOUT_S = 60.0
_SPECIAL = "Makefile", "Dockerfile", "Jenkinsfile", "Procfile", "Gemfile", "Rakefile", "Justfile", "justfile"


@dataclass(slots=True)
class Snapshot:
    """The files at the ends of a line (`tips`), read from git's objects when they are first asked for.

    `since` are the commits of an earlier look (none: unknown); from there on renames are followed.
    """

    root: str
    tips: Sequence[str]
    since: Sequence[str] = ()
    environ: Mapping[str, str] | None = None
    _tree: dict[str, str] | None = None
    _moves: dict[str, str] | None = None
    _named: dict[str, list[str]] = field(default_factory=dict)
    _folders: set[str] = field(default_factory=set)

    @property
    def tree(self) -> Mapping[str, str]:
        """Path -> blob of the regular files. Raises `GitError`."""
        if self._tree is None:
            self._tree = {}
            for tip in self.tips:
                for path, blob in read_tree(self.root, tip, environ=self.environ).items():
                    self._tree.setdefault(path, blob)
        return self._tree

    def hold(self, files: Mapping[str, str]) -> None:
        """Let these be the files, whatever the commits have."""
        self._tree = dict(files)

    def resolve(self, word: str) -> str:
        """The file that a word of a text names: its path, the end or the name of only one; '' for none."""
        name = word.removeprefix("./").lstrip("/")
        if name in self.tree:
            return name
        last = name.rpartition("/")[2]
        if "." not in last.strip(".") and last not in _SPECIAL:
            return ""
        self._look_around()
        ending = [path for path in self._named.get(last, ()) if path.endswith(f"/{name}")]
        return ending[0] if len(ending) == 1 else ""

    def has_name(self, word: str) -> bool:
        """Whether any file has the name that a path ends in."""
        self._look_around()
        return word.rpartition("/")[2] in self._named

    def has_folder(self, name: str) -> bool:
        """Whether there are files in a folder."""
        self._look_around()
        return name.strip("/") in self._folders

    def has_match(self, glob: str) -> bool:
        """Whether a glob matches any file."""
        globs = expand(glob)
        return any(matches(one, path) for path in self.tree for one in globs)

    def moved(self, path: str) -> str:
        """Where a file that is not there any more was renamed to since, '' where it was not."""
        if self._moves is None:
            self._moves = _read_moves(self) if self.since else {}
        new = self._moves.get(path, "")
        return new if new in self.tree else ""

    def moved_folder(self, folder: str) -> str:
        """Where the files of a folder went together, '' where they did not."""
        start = folder.rstrip("/") + "/"
        self.moved(folder)
        for old, new in (self._moves or {}).items():
            if old.startswith(start) and new.endswith(f"/{old[len(start) :]}"):
                return new[: len(new) - len(old) + len(start)]
        return ""

    def _look_around(self) -> None:
        if self._folders or not self.tree:
            return
        for path in self.tree:
            folder, _, name = path.rpartition("/")
            self._named.setdefault(name, []).append(path)
            while folder and folder not in self._folders:
                self._folders.add(folder)
                folder = folder.rpartition("/")[0]


def load_texts(
    root: str, blobs: Iterable[str], *, environ: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Blob -> text of those that are text and at hand. Raises `GitError`."""
    wanted = sorted({blob for blob in blobs if blob})
    return {name: text for name, text in read_texts(root, wanted, environ=environ) if text is not None}


def name_symbols(path: str, text: str) -> frozenset[str]:
    """What a file declares: the bare names and the qualified ones."""
    found = parse(path, text)
    return frozenset(name for symbol in found for name in (symbol.name, symbol.qualified))


def _read_moves(line: Snapshot) -> dict[str, str]:
    """Old path -> the one it has at the end of the line, over all renames since."""
    shape = "-M", "-l1000", "--diff-filter=R", "--raw", "-z", "--format=", "--no-ext-diff", "--no-textconv"
    query = ["log", *shape, *line.tips, *(f"^{commit}" for commit in line.since), "--"]
    output = git.run(query, line.root, environ=line.environ, timeout_s=TIMEOUT_S)
    moves: dict[str, str] = {}
    fields = [part.lstrip(b"\n") for part in output.split(b"\0")]
    for head, old, new in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        if head.startswith(b":"):
            target = decode_path(new)
            moves.setdefault(decode_path(old), moves.get(target, target))  # newest first
    return moves
