"""Which files of a repository the imports of a file are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from posixpath import dirname, normpath, splitext

from engram_hooks.history.languages import language_of

_SCRIPT_ENDS = (
    ".ts",
    ".tsx",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".mts",
    ".cts",
    ".d.ts",
    ".vue",
    ".svelte",
    ".json",
)
_CRATE_ROOTS = ("lib.rs", "main.rs")
MIN_GO_PARTS = 4


class PathIndex:
    """The paths of a repository, by file name and by folder; built once, asked for every file."""

    def __init__(self, paths: Iterable[str]) -> None:
        """Take the paths of all files, with `/` and without a leading one."""
        self.paths = frozenset(paths)
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._by_folder: dict[str, list[str]] = defaultdict(list)
        for path in self.paths:
            self._by_name[path.rsplit("/", 1)[-1]].append(path)
            self._by_folder[dirname(path)].append(path)

    def first(self, candidates: Iterable[str]) -> str | None:
        """Return the first candidate that is a file."""
        return next((path for path in candidates if path in self.paths), None)

    def ending(self, suffix: str) -> list[str]:
        """Return the files whose path is a suffix or ends with `/` and it."""
        names = self._by_name.get(suffix.rsplit("/", 1)[-1], ())
        return [path for path in names if path == suffix or path.endswith("/" + suffix)]

    def nearest(self, suffix: str, importer: str) -> str | None:
        """Return the file with a suffix that shares most folders with another; None where two are as near."""
        found = sorted(self.ending(suffix), key=lambda path: -_shared(path, importer))
        if len(found) > 1 and _shared(found[0], importer) == _shared(found[1], importer):
            return None
        return found[0] if found else None

    def inside(self, folder: str) -> list[str]:
        """Return the files that stand right in a folder."""
        return self._by_folder.get(folder, [])


def link(importer_path: str, names: Iterable[str], all_paths: Iterable[str] | PathIndex) -> set[str]:
    """Return the files of the repository that imports name, as far as paths alone tell; the importer is none.

    names: as `imports_of` gives them. all_paths: the files of the repository; a `PathIndex` where more than one
    file is asked for. What is ambiguous is left out.
    """
    index = all_paths if isinstance(all_paths, PathIndex) else PathIndex(all_paths)
    resolve = _RESOLVERS.get(language_of(importer_path))
    if resolve is None:
        return set()
    found = {path for name in names for path in resolve(name, importer_path, index)}
    return found - {importer_path}


def _shared(path: str, other: str) -> int:
    """Return how many leading folders two paths share."""
    count = 0
    for one, two in zip(dirname(path).split("/"), dirname(other).split("/"), strict=False):
        if one != two:
            break
        count += 1
    return count


def _ancestors(path: str) -> Iterator[str]:
    """Yield the folders of a file, innermost first, with a `/` behind, "" last."""
    folder = dirname(path)
    while folder:
        yield folder + "/"
        folder = dirname(folder)
    yield ""


def _join(folder: str, path: str) -> str:
    """Return a path relative to a folder without `.` and `..`; "" where it leaves the repository."""
    joined = normpath(f"{folder}/{path}" if folder else path)
    return "" if joined.startswith(("..", "/")) or joined == "." else joined


def _python(name: str, importer: str, index: PathIndex) -> Iterator[str]:
    level = len(name) - len(name.lstrip("."))
    parts = [part for part in name.lstrip(".").split(".") if part]
    if level:
        folder = dirname(importer)
        for _ in range(level - 1):
            folder = dirname(folder)
        roots = [folder + "/" if folder else ""]
    else:
        above = [*_ancestors(importer)]
        roots = [*(root + "src/" for root in above), *reversed(above)]
    for kept in (parts, parts[:-1]):
        module = "/".join(kept)
        for root in roots:
            base = root + module
            names = (f"{base}.py", f"{base}/__init__.py", f"{base}.pyi") if kept else (f"{root}__init__.py",)
            found = index.first(names) if kept or level else None
            if found is not None:
                yield found
                return


def _script(name: str, importer: str, index: PathIndex) -> Iterator[str]:
    if name.startswith("."):
        bases = [_join(dirname(importer), name)]
    elif name.startswith(("@/", "~/")):
        bases = [
            f"{root}{source}{name[2:]}" for root in _ancestors(importer) for source in ("src/", "", "app/")
        ]
    else:
        return
    for base in bases:
        stem, end = splitext(base)
        written = (
            (stem + other for other in (".ts", ".tsx", ".mts", ".cts"))
            if end in {".js", ".jsx", ".mjs", ".cjs"}
            else ()
        )
        found = index.first(
            [
                base,
                *(base + end for end in _SCRIPT_ENDS),
                *(f"{base}/index{end}" for end in _SCRIPT_ENDS),
                *written,
            ]
        )
        if found is not None:
            yield found
            return


def _go(name: str, importer: str, index: PathIndex) -> Iterator[str]:
    """Yield the files of the package: the longest end of its path that is a folder, but for a lone last part."""
    parts = name.split("/")
    if "." not in parts[0]:
        return
    for start in range(1, len(parts)):
        if start == len(parts) - 1 and len(parts) < MIN_GO_PARTS:
            return
        files = [path for path in index.inside("/".join(parts[start:])) if path.endswith(".go")]
        if files:
            yield from (path for path in files if not path.endswith("_test.go"))
            return


def _rust(name: str, importer: str, index: PathIndex) -> Iterator[str]:
    first, *parts = name.split("::")
    folder, file = dirname(importer), importer.rsplit("/", 1)[-1]
    own = folder if file in {*_CRATE_ROOTS, "mod.rs"} else splitext(importer)[0]
    if first == "self":
        base = own
    elif first == "super":
        base = dirname(own)
        while parts[:1] == ["super"]:
            base, parts = dirname(base), parts[1:]
    else:
        found = _crate_root(first, importer, index)
        if found is None:
            return
        base = found
    for size in range(len(parts), 0, -1):
        path = "/".join([part for part in (base, *parts[:size]) if part])
        module = index.first((f"{path}.rs", f"{path}/mod.rs"))
        if module is not None:
            yield module
            return


def _crate_root(name: str, importer: str, index: PathIndex) -> str | None:
    """Return the folder of the root module of a crate: the importer's own, or one in the repository."""
    if name == "crate":
        for folder in _ancestors(importer):
            if index.first(folder + root for root in _CRATE_ROOTS) is not None:
                return folder.rstrip("/")
        return None
    for folder in (name, name.replace("_", "-")):
        found = index.nearest(f"{folder}/src/lib.rs", importer)
        if found is not None:
            return dirname(found)
    return None


def _dotted(name: str, importer: str, index: PathIndex) -> Iterator[str]:
    parts = name.split(".")
    for size in range(len(parts), max(1, len(parts) - 2), -1):
        for end in (".java", ".kt", ".scala"):
            found = index.nearest("/".join(parts[:size]) + end, importer)
            if found is not None:
                yield found
                return


def _include(name: str, importer: str, index: PathIndex) -> Iterator[str]:
    here = _join(dirname(importer), name)
    found = here if here in index.paths else index.nearest(normpath(name).lstrip("./"), importer)
    if found is not None:
        yield found


def _ruby(name: str, importer: str, index: PathIndex) -> Iterator[str]:
    name = name.removesuffix(".rb")
    if name.startswith("."):
        found = index.first([_join(dirname(importer), name) + ".rb"])
    else:
        found = index.first(f"{root}lib/{name}.rb" for root in _ancestors(importer))
        found = found or index.first([f"{name}.rb"]) or index.nearest(f"lib/{name}.rb", importer)
    if found is not None:
        yield found


def _php(name: str, importer: str, index: PathIndex) -> Iterator[str]:
    if name.startswith("./"):
        found = index.first([_join(dirname(importer), name), name[2:]])
        if found is not None:
            yield found
        return
    parts = name.split("\\")
    for start in range(len(parts) - 1):
        found = index.nearest("/".join(parts[start:]) + ".php", importer)
        if found is not None:
            yield found
            return
    if len(parts) > 1:
        found = index.first(
            f"{root}{source}/{parts[-1]}.php" for root in _ancestors(importer) for source in ("src", "lib")
        )
        if found is not None and len(parts) == 2:
            yield found


def _shell(name: str, importer: str, index: PathIndex) -> Iterator[str]:
    found = index.first([_join(dirname(importer), name), name.removeprefix("./")])
    if found is not None:
        yield found


_RESOLVERS: dict[str, Callable[[str, str, PathIndex], Iterator[str]]] = {
    "python": _python,
    "javascript": _script,
    "typescript": _script,
    "tsx": _script,
    "go": _go,
    "rust": _rust,
    "java": _dotted,
    "kotlin": _dotted,
    "scala": _dotted,
    "c": _include,
    "cpp": _include,
    "ruby": _ruby,
    "php": _php,
    "shell": _shell,
}
