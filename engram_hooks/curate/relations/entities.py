"""Which things a sentence speaks of: tools, services, people, files and symbols, by how they are written."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from engram_hooks.curate.relations import words

MAX_NAME_CHARS = 80
_TOKEN = re.compile(
    r"`[^`\n]{1,120}`|\w+://[^\s)>\]]+|[\w.+-]+@[\w-]+\.[\w.]+|[@~./$]*\w(?:[\w/:@*~+#-]|\.(?=\w)|'(?=[a-z]))*(?:\(\))?[+#]*|\S"
)
_IDENTIFIER = re.compile(r"\$?[A-Za-z_][\w$]*(?:(?:\.|::|->|#)[A-Za-z_][\w$]*)*(?:\([^()]*\))?")
_ISSUE = re.compile(r"[A-Z][A-Z0-9]{1,9}-\d{1,6}(?:-\d{1,6})?")
_PLACE = re.compile(r":\d+(?:[-:]\d+)?$")  # the line behind a path
_INNER_CAPITAL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
_WORD = re.compile(r"[A-Z][a-zA-Z0-9]*(?:[+#]+)?")
_PLAIN = re.compile(r"[a-z][a-z0-9-]+")
_NUMBERED = re.compile(r"\s+v?\d+(?:\.[\dx]+)*(?![\w%])")
_OPENING = frozenset("\"'([{*_-–—>#|")
_COLONS = frozenset(":—–;")
_MIN_TITLE_WORDS, _MAX_CAPITALS = 4, 0.6


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing at a place of a text; one that is not sure counts only where a relation needs it."""

    start: int
    end: int
    name: str
    kind: str
    is_sure: bool = True
    is_start: bool = False  # the first word of its sentence

    @property
    def norm(self) -> str:
        """How the name is compared."""
        return words.normalise_name(self.name)


def find_entities(sentence: str, *, known: Collection[str] = ()) -> list[Entity]:
    """The things a sentence speaks of, in order, none within another.

    `known` are words (lower case) that stand elsewhere in the text as names: they are names at its start, too.
    """
    tokens = [match.span() for match in _TOKEN.finditer(sentence)]
    has_capitals = _says_capitals(sentence, tokens)
    found: list[Entity] = []
    is_start = True
    for start, end in tokens:
        token = sentence[start:end]
        one = _read_token(token, start, is_start=is_start, has_capitals=has_capitals, known=known)
        if one is not None:
            found.append(one)
        if token not in _OPENING:
            is_start = token in _COLONS
    return _add_parts(sentence, tokens, _join(sentence, found))


def read_glob(glob: str) -> Entity | None:
    """The file or folder that a pattern of paths means; None where it means many."""
    path = glob.strip().removeprefix("./")
    while path.endswith(("/**", "/*")):
        path = path.rpartition("/")[0]
    if not path or "*" in path or "?" in path or "[" in path:
        return None
    return Entity(0, 0, path.rstrip("/")[:MAX_NAME_CHARS], "file")


def skip_versions(sentence: str, found: Sequence[Entity]) -> list[Entity]:
    """The same, each with the number behind it: `Next.js 15` is one thing."""
    out = []
    for one in found:
        number = _NUMBERED.match(sentence, one.end) if one.kind in ("tool", "concept") else None
        out.append(replace(one, end=number.end()) if number else one)
    return out


def _says_capitals(sentence: str, tokens: Sequence[tuple[int, int]]) -> bool:
    """Whether a capital says anything in a sentence: not in titles, shouts and German."""
    plain = [sentence[a:b] for a, b in tokens if sentence[a].isalpha()][1:]
    large = sum(word[0].isupper() and not _INNER_CAPITAL.search(word) for word in plain)
    is_german = len(words.GERMAN & {word.lower() for word in plain}) > 1
    return not is_german and (len(plain) < _MIN_TITLE_WORDS or large <= len(plain) * _MAX_CAPITALS)


def _read_token(
    token: str, start: int, *, is_start: bool, has_capitals: bool, known: Collection[str]
) -> Entity | None:
    if token.isalpha() and token.islower():  # most words by far
        is_tool = token in words.TOOLS and token not in words.PLAIN_TOO
        return Entity(start, start + len(token), token, "tool", is_start=is_start) if is_tool else None
    if token.startswith("`"):
        return _read_code(token[1:-1], start)
    if "://" in token or not any(char.isalpha() for char in token):
        return None
    bare = token.rstrip(".,:;-/*") if not token.endswith(("**", "/")) else token.rstrip(".,:;-")
    bare = _PLACE.sub("", bare.removesuffix("'s"))
    end = start + len(bare)
    kind = _name_shape(bare)
    if kind:
        name = bare.removesuffix("()").lstrip("@") if kind != "file" else bare
        return Entity(start, end, name[:MAX_NAME_CHARS], kind, is_start=is_start)
    return _read_word(bare, (start, end), is_start=is_start, has_capitals=has_capitals, known=known)


def _read_code(code: str, start: int) -> Entity | None:
    """What stands in code marks: a path, a name, or a command of which the program is meant."""
    end = start + len(code) + 2
    code = _PLACE.sub("", code.strip())
    if _is_path(code):
        return Entity(start, end, code[:MAX_NAME_CHARS], "file")
    first, _, rest = code.partition(" ")
    if rest and _PLAIN.fullmatch(first):
        is_command = rest.startswith("-") or rest.split()[0] in words.SUBCOMMANDS
        return Entity(start, end, first, "tool") if is_command and first not in words.KEYWORDS else None
    if not _IDENTIFIER.fullmatch(code) or code.lower() in words.KEYWORDS or len(code) < 3:
        return None
    name = code.partition("(")[0]
    kind = "tool" if name.lower() in words.TOOLS else "symbol"
    return Entity(start, end, name[:MAX_NAME_CHARS], kind)


def _name_shape(word: str) -> str:
    """The kind of a word whose shape alone makes it a name; '' for all others."""
    lower = word.lower()
    if word.startswith("@"):
        name = lower[1:].partition("/")[0]
        if "/" in word:
            return "tool" if name and word.count("/") == 1 and "." not in word else ""
        is_person = name[:1].isalpha() and name.replace("-", "").isalnum() and name not in words.DECORATORS
        return "person" if is_person and len(name) > 1 else ""
    if lower in words.DOTTED_NAMES:
        return "tool"
    if _is_path(word):
        return "file"
    if "@" in word:
        return ""
    if _ISSUE.fullmatch(word) and word.partition("-")[0] not in words.ACRONYMS:
        return "concept"
    if word.endswith("()") and _IDENTIFIER.fullmatch(word):
        return "symbol"
    return _name_dotted(word, lower) or ("symbol" if _is_snake(word) else "")


def _name_dotted(word: str, lower: str) -> str:
    """The kind of `Money.add`, `queue::push` and `fly.io`."""
    if "::" in word and _IDENTIFIER.fullmatch(word):
        return "symbol"
    head, dot, tail = word.rpartition(".")
    if not dot or not head[:1].isalpha() or not _IDENTIFIER.fullmatch(word):
        return ""
    if tail.lower() in words.DOMAINS and head.isalnum() and len(head) > 2:
        return "tool" if head.count(".") == 0 else "service"
    has_mark = "_" in word or _INNER_CAPITAL.search(word) or head[:1].isupper()
    return "symbol" if has_mark and len(lower) > 4 and len(tail) > 1 else ""


def _is_snake(word: str) -> bool:
    """`retry_count`, `LOG_LEVEL`, `retryCount`, but not `_emphasis_`."""
    if not _IDENTIFIER.fullmatch(word) or len(word) < 4:
        return False
    if "_" in word.strip("_"):
        return word.strip("_") == word or word.startswith("_")
    return word[0].islower() and bool(re.search(r"[a-z][A-Z][a-z]", word)) and not word[1].isupper()


def _is_path(word: str) -> bool:
    bare = word.rstrip("/")
    name = bare.rpartition("/")[2]
    if not bare or name.lower() in words.DOTTED_NAMES or word.startswith("//"):
        return False
    if not re.fullmatch(r"[\w@.~$*+-]+(?:/[\w@.~$*+-]+)*", bare.removeprefix("/")):
        return False
    stem, dot, extension = name.rpartition(".")
    is_file = bool(dot) and extension.lower() in words.EXTENSIONS and (bool(stem) or "/" in bare)
    if is_file or name.lower() in words.FILE_NAMES:
        return "@" not in word.partition("/")[0] and "*" not in stem
    if "/" not in word:
        return False
    first = bare.partition("/")[0]
    if word.endswith("/") or word.startswith(("./", "~/", "/")):
        return not name.isdigit() and word.count("/") > word.startswith("/")
    parts = bare.split("/")
    return first in words.FOLDERS or (
        len(parts) > 2 and bare.islower() and all(len(part) > 1 for part in parts)
    )


def _read_word(
    word: str, span: tuple[int, int], *, is_start: bool, has_capitals: bool, known: Collection[str]
) -> Entity | None:
    lower = word.lower()
    if lower in words.NO_NAMES or len(word) < 2:
        return None
    if word.islower():
        is_tool = lower in words.TOOLS and lower not in words.PLAIN_TOO
        return Entity(*span, word, "tool", is_start=is_start) if is_tool else None
    if re.fullmatch(r"[a-z][A-Z]\w+|[a-z]{2,}[A-Z]{2,}", word):
        return Entity(*span, word, "tool", is_start=is_start)  # `iOS`, `jOOQ`, `macOS`
    if not _WORD.fullmatch(word):
        return _read_hyphened(word, span, is_start=is_start, has_capitals=has_capitals)
    if word.isupper() and word.isalpha():
        if word in words.ACRONYMS or len(word) > 6:
            return None
        kind = "tool" if lower in words.TOOLS else "concept"
        return Entity(*span, word, kind, has_capitals and len(word) > 2, is_start)
    if word.endswith("s") and word[:-1].isupper():
        return None  # `URLs`
    if _INNER_CAPITAL.search(word) or any(char.isdigit() for char in word):
        return Entity(*span, word, _kind_of_camel(word), is_start=is_start)
    is_known = lower in words.TOOLS or lower in known
    if not has_capitals and not is_known:
        return None
    sure = lower in known or (not is_start) or (is_known and lower not in words.PLAIN_TOO)
    return Entity(*span, word, "tool" if lower in words.TOOLS else "concept", sure, is_start)


def _read_hyphened(word: str, span: tuple[int, int], *, is_start: bool, has_capitals: bool) -> Entity | None:
    """`Socket-IO`, `CircleCI-2`: names with a capital, not at the start of a sentence."""
    is_name = re.fullmatch(r"[A-Z][\w]*(?:-[A-Z0-9][\w]*)+", word) is not None
    return Entity(*span, word, "concept", not is_start, is_start) if is_name and has_capitals else None


def _kind_of_camel(word: str) -> str:
    last = re.split(r"(?<=[a-z0-9])(?=[A-Z])", word)[-1]
    return "symbol" if last.lower() in words.CODE_ENDINGS else "tool"


def _join(sentence: str, found: Sequence[Entity]) -> list[Entity]:
    """Capitalised words side by side are one name: `GitHub Actions`."""
    out: list[Entity] = []
    for one in found:
        last = out[-1] if out else None
        if last and _goes_on(sentence, last, one):
            sure = last.is_sure or one.is_sure
            kind = "tool" if "tool" in (last.kind, one.kind) else last.kind
            name = sentence[last.start : one.end]
            out[-1] = Entity(last.start, one.end, name, kind, sure, last.is_start)
        else:
            out.append(one)
    return out


def _goes_on(sentence: str, last: Entity, one: Entity) -> bool:
    if sentence[last.end : one.start] != " " or not {last.kind, one.kind} <= {"tool", "concept"}:
        return False
    if not (last.name[:1].isupper() and one.name[:1].isupper()) or _ISSUE.fullmatch(one.name):
        return False
    first = last.name.split()[0].lower()
    return not last.is_start or last.kind == "tool" or first in words.VENDORS


def _add_parts(sentence: str, tokens: Sequence[tuple[int, int]], found: Sequence[Entity]) -> list[Entity]:
    """The same with parts of a system among them: `orders service`."""
    taken = [(one.start, one.end) for one in found]
    parts = list(_find_parts(sentence, tokens))
    free = [part for part in parts if not any(a < part.end and part.start < b for a, b in taken)]
    return sorted((*found, *free), key=lambda one: one.start)


def _find_parts(sentence: str, tokens: Sequence[tuple[int, int]]) -> Iterator[Entity]:
    for (start, end), (next_start, next_end) in pairwise(tokens):
        which, head = sentence[start:end], sentence[next_start:next_end].rstrip(".,:;-").removesuffix("'s")
        lower = head.lower()
        is_service = lower in words.SERVICE_HEADS
        if not is_service and lower not in words.PART_HEADS:
            continue
        if head != lower and not head.isupper():
            continue
        if not _PLAIN.fullmatch(which) or which in words.VAGUE or len(which) < 3 or next_start != end + 1:
            continue
        kind = "service" if is_service else "concept"
        yield Entity(start, next_start + len(head), sentence[start : next_start + len(head)], kind)
