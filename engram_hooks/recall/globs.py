"""Globs over paths from the top of a repository: `*` within a name, `**` over folders, `?`, `[abc]`, `{a,b}`.

As in `.gitignore`, a glob without a slash matches a name in any folder, and one that ends in a slash all below.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_CHARS = 300
MAX_BRANCHES = 64
_WILD = "*?[{"


def fault_of(glob: str) -> str:
    """Why a glob cannot be used, '' where it can."""
    if not glob.strip("/ "):
        return "is empty"
    if len(glob) > MAX_CHARS:
        return f"is longer than {MAX_CHARS} characters"
    if glob.count("{") != glob.count("}") or glob.rfind("{") > glob.rfind("}"):
        return "has a brace that is not closed"
    if glob.count("[") > glob.count("]"):
        return "has a bracket that is not closed"
    if glob.startswith(("/../", "../")) or "/../" in glob:
        return "leaves the repository"
    if len(expand(glob)) >= MAX_BRANCHES:
        return "has too many alternatives"
    return ""


def expand(glob: str) -> list[str]:
    """The globs without braces that a glob stands for, at most MAX_BRANCHES."""
    todo = [glob]
    done: list[str] = []
    while todo and len(done) + len(todo) <= MAX_BRANCHES:
        one = todo.pop()
        end = one.find("}")
        start = one.rfind("{", 0, end) if end >= 0 else -1
        if start < 0:
            done.append(_anchored(one))
        else:
            todo += [one[:start] + part + one[end + 1 :] for part in one[start + 1 : end].split(",")]
    return sorted((done + [_anchored(one) for one in todo])[:MAX_BRANCHES])


def _anchored(glob: str) -> str:
    """The glob as it is matched against a whole path."""
    glob = glob.strip().removeprefix("./")
    if glob.endswith("/"):
        glob += "**"
    if "/" not in glob:
        return f"**/{glob}"
    return glob.lstrip("/")


def matches(glob: str, path: str) -> bool:
    """Whether a glob out of `expand` matches a path. Time is at most that of the product of their parts."""
    return _match_parts(glob.split("/"), path.split("/"))


def _match_parts(globs: Sequence[str], names: Sequence[str]) -> bool:
    """Match part by part; of several `**` the last one alone has to be tried again."""
    at = name_at = 0
    star, star_name = -1, 0
    while name_at < len(names):
        if at < len(globs) and globs[at] == "**":
            star, star_name = at, name_at
            at += 1
            if at == len(globs):
                return True
        elif at < len(globs) and _match_name(globs[at], names[name_at]):
            at += 1
            name_at += 1
        elif star >= 0:
            star_name += 1
            at, name_at = star + 1, star_name
        else:
            return False
    return at == len(globs)


def _match_name(glob: str, name: str) -> bool:
    if not any(char in glob for char in "*?["):
        return glob == name
    at = name_at = 0
    star, star_name = -1, 0
    while name_at < len(name):
        width = _match_char(glob, at, name[name_at]) if at < len(glob) else 0
        if width:
            at += width
            name_at += 1
        elif at < len(glob) and glob[at] == "*":
            star, star_name = at, name_at
            at += 1
        elif star >= 0:
            star_name += 1
            at, name_at = star + 1, star_name
        else:
            return False
    return not glob[at:].strip("*")


def _match_char(glob: str, at: int, char: str) -> int:
    """How many characters of the glob match one of the name; 0 for none."""
    if glob[at] == "[":
        end = glob.find("]", at + 2)
        if end > 0:
            inside = glob[at + 1 : end]
            is_not = inside[0] in "!^"
            return (end + 1 - at) if _is_in(char, inside[1:] if is_not else inside) != is_not else 0
    if glob[at] == "?" or glob[at] == char:
        return 1 if glob[at] != "*" else 0
    return 0


def _is_in(char: str, inside: str) -> bool:
    at = 0
    while at < len(inside):
        if at + 2 < len(inside) and inside[at + 1] == "-":
            if inside[at] <= char <= inside[at + 2]:
                return True
            at += 3
        else:
            if inside[at] == char:
                return True
            at += 1
    return False


def key_of(glob: str) -> str:
    """What a path must have for a glob out of `expand` to match, as one of its `keys_of`: the rarest thing at hand."""
    *folders, last = glob.split("/")
    if last and not any(char in last for char in _WILD):
        return f"name:{last}"
    fixed = []
    for folder in folders:
        if any(char in folder for char in _WILD):
            break
        fixed.append(folder)
    if fixed:
        return f"in:{'/'.join(fixed)}"
    ending = last.rpartition(".")[2] if "." in last else ""
    return f"end:{ending}" if ending and not any(char in ending for char in _WILD) else "any"


def keys_of(path: str) -> list[str]:
    """The keys of a path under which the globs that may match it are kept."""
    *folders, name = path.split("/")
    keys = ["any", f"name:{name}"]
    if "." in name:
        keys.append(f"end:{name.rpartition('.')[2]}")
    keys += [f"in:{'/'.join(folders[: depth + 1])}" for depth in range(len(folders))]
    return keys
