"""Text as it is in every run: without addresses, times, ids, temporary folders and where the checkout stands."""

from __future__ import annotations

MAX_CHARS = 400
_EDGES = "\"'`()[]{}<>,;"
_UNITS = ("ms", "s", "sec", "secs", "second", "seconds", "us", "µs", "ns", "min", "m", "h")
_TEMPORARY = ("/tmp/", "/var/folders/", "/private/var/", "/private/tmp/", "/dev/shm/", "/var/tmp/")  # noqa: S108 (read, never written)
_HEX = frozenset("0123456789abcdef")
MIN_HEX = 8
MIN_CODE = 5


def normalise(text: str, root: str = "") -> str:
    """A message in its lasting form, at most MAX_CHARS long; `root` is the folder of the checkout."""
    words: list[str] = []
    last = ""
    for word in text[: MAX_CHARS * 4].split():
        kept = _word(word, root)
        if kept.rstrip(_EDGES + ".!") in _UNITS and words and _is_number(words[-1]):
            words[-1] = words[-1][: len(words[-1]) - len(words[-1].lstrip(_EDGES))] + "#"
        elif _is_position(word, last):
            words.append(word.replace(word.strip(_EDGES + ":."), "#"))
        elif kept:
            words.append(kept)
        last = word
    return " ".join(words)[:MAX_CHARS].rstrip()


def relative(path: str, root: str = "") -> str:
    """A path as it is named from the top of the checkout, with slashes; of other places only the file's name."""
    path = path.replace("\\", "/").removeprefix("file://")
    root = root.replace("\\", "/").rstrip("/")
    if root and path.startswith(root + "/"):
        return path[len(root) + 1 :]
    if root and (at := path.find("/" + root.rsplit("/", 1)[-1] + "/")) >= 0 and path.startswith("/"):
        return path[at + len(root.rsplit("/", 1)[-1]) + 2 :]  # the same checkout elsewhere
    if path.startswith("/") or path[1:3] == ":/":
        return path.rsplit("/", 1)[-1]
    return path.removeprefix("./")


def _word(word: str, root: str) -> str:
    start = len(word) - len(word.lstrip(_EDGES))
    end = len(word.rstrip(_EDGES + ":.!"))
    core = word[start:end] if start < end else ""
    if not core:
        return word
    return word[:start] + _core(core, root) + word[end:]


def _core(core: str, root: str) -> str:
    if "=" in core and core.count("=") == 1:
        name, _, value = core.partition("=")
        return f"{name}={_word(value, root)}" if value and name else core
    if "/" in core or "\\" in core:
        return _path(core, root)
    lowered = core.lower()
    if "0x" in lowered:
        return _without_addresses(core)
    name, at, code = lowered.rpartition("@")
    if (
        name
        and at
        and MIN_CODE <= len(code) <= MIN_HEX
        and _HEX.issuperset(code)
        and any(map(str.isdigit, code))
    ):
        return f"{core[: len(name)]}@#"  # `Cart@1b28cdfa` of the JVM
    if _is_duration(lowered) or _is_moment(core) or _is_token(lowered):
        return "#"
    if "::" in lowered and any(map(_is_token, lowered.split("::"))):
        return "::".join("#" if _is_token(part.lower()) else part for part in core.split("::"))
    name, _, number = core.rpartition(":")
    if name and number.isdigit() and "." in name:  # file.py:12
        return _core(name, root) if name.rpartition(":")[2].isdigit() else name
    return core


def _without_addresses(core: str) -> str:
    """`0x7f2a9c1d3e80` and `#<Order:0x7f2a9c1d3e80>` without the digits; small numbers are values and stay."""
    head, *rest = core.replace("0X", "0x").split("0x")
    out = [head]
    for part in rest:
        digits = len(part) - len(part.lstrip("0123456789abcdefABCDEF"))
        out.append("#" + part[digits:] if digits > 3 else part)
    return "0x".join(out)


def _path(core: str, root: str) -> str:
    """`/home/x/repo/src/a.py:12:5` as src/a.py; what lies in a temporary folder by its name; an address as it is."""
    if "://" in core and not core.startswith("file://"):
        return _without_port(core)
    pieces = core.split(":")
    while len(pieces) > 1 and pieces[-1].isdigit():
        pieces.pop()
    path = ":".join(pieces).removeprefix("file://")
    if not root or not path.startswith(root):
        for place in _TEMPORARY:
            if path.startswith(place):
                return "tmp/" + _steady_name(path.rsplit("/", 1)[-1])
    return "/".join(_steady_name(part) for part in relative(path, root).split("/"))


def _steady_name(name: str) -> str:
    stem, dot, ending = name.partition(".")
    return ("#" if _is_token(stem.lower()) or _is_mixed(stem) else stem) + dot + ending


def _is_mixed(stem: str) -> bool:
    """`tmpab12cd34`, `pytest-31`: a name made for one run."""
    return stem.startswith(("tmp", "pytest-", "go-build")) and any(char.isdigit() for char in stem)


def _without_port(address: str) -> str:
    head, colon, tail = address.rpartition(":")
    port, slash, rest = tail.partition("/")
    return f"{head}:#{slash}{rest}" if colon and len(port) == 5 and port.isdigit() else address


def _is_number(word: str) -> bool:
    return word.strip(_EDGES).replace(".", "", 1).isdigit()


def _is_position(word: str, last: str) -> bool:
    """Whether a word says where in a file: `12` behind `line`, `(12:9)`, and `12:0-30` behind a path."""
    bare = word.strip(_EDGES + ":.")
    if not bare[:1].isdigit():
        return False
    if last.strip(_EDGES).lower() in {"line", "lines", "l."} and bare.isdigit():
        return True
    if not bare.replace(":", "").replace("-", "").isdigit() or ":" not in bare:
        return False
    return word.startswith(("(", "[")) or ("." in last and ("/" in last or "\\" in last))


def _is_duration(word: str) -> bool:
    """`0.12s`, `31ms`."""
    return any(word.endswith(unit) and word[: -len(unit)].replace(".", "", 1).isdigit() for unit in _UNITS)


def _is_moment(word: str) -> bool:
    """`2024-05-09T12:00:01Z`, `12:01:55.120`, `2024-05-09`."""
    digits = sum(char.isdigit() for char in word)
    if digits < 5 or any(char not in "0123456789:-.TZ+," for char in word):
        return False
    return word.count(":") >= 2 or (word.count("-") == 2 and len(word.split("-")[0]) == 4)


def _is_token(word: str) -> bool:
    """A hash, uuid or id of a run: hexadecimal with letters and digits, eight and more."""
    bare = word.replace("-", "")
    if len(bare) < MIN_HEX or not _HEX.issuperset(bare):
        return False
    digits = sum(char.isdigit() for char in bare)
    return 0 < digits < len(bare) or len(bare) >= 16
