"""Rules that always hold: read from a repository's file, judged line by line, and private ones."""

from __future__ import annotations

import datetime
import os
import re
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.problems import Problem
from engram_hooks.errors import EngramError, UsageError
from engram_hooks.guard.redact import redact
from engram_hooks.recall.globs import expand, fault_of, key_of, keys_of
from engram_hooks.recall.rules import STRICTNESS, rules_on
from engram_hooks.sessions.trials import relative_path
from engram_hooks.store import audit, compiled, invariants, settings
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from sqlite3 import Connection

    from engram_hooks.memory import Engram

SEVERITIES = ("info", "warning", "critical")
ENFORCEMENTS = tuple(STRICTNESS)
MAX_BYTES = 2 << 20
MAX_RULES = 10_000
MAX_TEXT = 500
_FIELDS = frozenset(("id", "text", "globs", "glob", "symbol", "severity", "enforcement", "since", "why"))
_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*(?:invariant|\"invariant\")[ \t]*\]\]", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,79}")


@dataclass(frozen=True, slots=True)
class Invariant:
    """A rule as it is shown; `file` is '' for a private one."""

    id: int
    name: str
    text: str
    why: str
    since: str
    severity: str
    enforcement: str
    symbol: str
    globs: tuple[str, ...]
    file: str
    line: int


def parse_rules(path: str, text: str) -> tuple[list[dict[str, Any]], list[Problem]]:
    """(usable rules, what cannot be used with its line) of the text of a file of rules."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = re.search(r"line (\d+)", str(error))
        return [], [Problem(path, int(found[1]) if found else 0, f"this is not TOML: {error}")]
    listed = table.get("invariant", [])
    faults = [
        Problem(path, 0, f"there is no {key!r} in a file of rules") for key in table if key != "invariant"
    ]
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        return [], [*faults, Problem(path, 1, "rules are written as [[invariant]]")]
    lines = [text.count("\n", 0, found.start()) + 1 for found in _HEADER.finditer(text)]
    rules: list[dict[str, Any]] = []
    names: set[str] = set()
    for number, one in enumerate(listed[:MAX_RULES]):
        line = lines[number] if number < len(lines) else 0
        rule, told = _judge(one, line)
        faults += [Problem(path, line, message) for message in told]
        if rule is not None and rule["name"] in names:
            faults.append(Problem(path, line, f"there is another rule with the id {rule['name']}"))
        elif rule is not None:
            names.add(rule["name"])
            rules.append(rule)
    return rules, faults


def _judge(one: dict[str, Any], line: int) -> tuple[dict[str, Any] | None, list[str]]:
    """(the rule as it is kept or None, what is wrong with it)."""
    faults = [f"a rule has no {key!r}" for key in one if key not in _FIELDS]
    globs = one.get("globs", one.get("glob", ["**"]))
    globs = [globs] if isinstance(globs, str) else globs
    since = one.get("since", "")
    values = {
        "name": one.get("id", f"line-{line}"),
        "text": one.get("text", ""),
        "why": one.get("why", ""),
        "since": since.isoformat() if isinstance(since, datetime.date) else since,
        "symbol": one.get("symbol", ""),
        "severity": one.get("severity", "warning"),
        "enforcement": one.get("enforcement", ""),
    }
    wrong = [f"{name} must be a text" for name, value in values.items() if not isinstance(value, str)]
    if wrong or not isinstance(globs, list) or not all(isinstance(glob, str) for glob in globs):
        return None, [*faults, *(wrong or ["globs must be a list of texts"])]
    told = _find_faults(values, globs)
    if told:
        return None, [*faults, *told]
    return {**values, "line": line, **_spread(globs)}, faults


def _find_faults(values: dict[str, str], globs: Sequence[str]) -> list[str]:
    faults = []
    if not values["text"].strip():
        faults.append("a rule needs a text")
    if len(values["text"]) > MAX_TEXT:
        faults.append(f"the text is longer than {MAX_TEXT} characters")
    if not _NAME.fullmatch(values["name"]):
        faults.append(f"the id {values['name'][:40]!r} is no name (letters, digits, dots and dashes)")
    if values["severity"] not in SEVERITIES:
        faults.append(f"severity is one of {', '.join(SEVERITIES)}, not {values['severity'][:40]!r}")
    if values["enforcement"] and values["enforcement"] not in ENFORCEMENTS:
        faults.append(f"enforcement is one of {', '.join(ENFORCEMENTS)}, not {values['enforcement'][:40]!r}")
    if "/" in values["symbol"] or (values["symbol"] and fault_of(values["symbol"])):
        faults.append(f"the symbol {values['symbol'][:40]!r} is no pattern of names")
    faults += [f"the glob {glob[:60]!r} {fault}" for glob in globs if (fault := fault_of(glob))]
    return faults if globs else [*faults, "a rule needs a glob"]


def _spread(globs: Sequence[str]) -> dict[str, list[str]]:
    plain = list(dict.fromkeys(one for glob in globs for one in expand(glob)))
    return {"globs": plain, "keys": list(dict.fromkeys(key_of(one) for one in plain))}


def compile_file(db: Connection, file: str, project_id: int, *, now_ms: int) -> list[Problem]:
    """Bring the rules of a file into the store as they are now; returns what cannot be used.

    A file that cannot be read keeps the rules of its last good state. Raises a `StoreError`.
    """
    stamp = settings.stamp_of(file)
    rules, faults = _read(file) if stamp[0] >= 0 else ([], [])
    is_broken = any(not fault.line or "TOML" in fault.message for fault in faults) and not rules
    with Transaction(db):
        if not is_broken:
            invariants.replace_rules(db, project_id, file, rules, now_ms=now_ms)
        compiled.mark_read(db, file, project_id, stamp=stamp)
    return faults


def _read(file: str) -> tuple[list[dict[str, Any]], list[Problem]]:
    try:
        if not os.path.isfile(file) or os.path.getsize(file) > MAX_BYTES:
            return [], [Problem(file, 0, f"it is no file of at most {MAX_BYTES >> 20} MB")]
        with open(file, encoding="utf-8") as stream:
            return parse_rules(file, stream.read())
    except (OSError, UnicodeDecodeError) as error:
        return [], [Problem(file, 0, f"it cannot be read: {error}")]


def refresh_here(memory: Engram) -> None:
    """Read the file of the checkout here again where it changed."""
    file = file_here(memory)
    if file and memory.project_id is not None and settings.is_stale(memory.db, file):
        compile_file(memory.db, file, memory.project_id, now_ms=_now_ms())


def faults_here(memory: Engram) -> list[Problem]:
    """What cannot be used in the file of the checkout here."""
    file = file_here(memory)
    return _read(file)[1] if file and os.path.exists(file) else []


def file_here(memory: Engram) -> str:
    """The file of rules of the checkout here, '' outside any."""
    return os.path.join(memory.root, invariants.FILE) if memory.root else ""


def list_here(memory: Engram) -> list[Invariant]:
    """The rules that hold here: the team's and private ones, the hardest first."""
    refresh_here(memory)
    return [_show(row) for row in invariants.list_rules(memory.db, memory.project_id or 0, file_here(memory))]


def check_here(memory: Engram, files: Sequence[str]) -> Iterator[tuple[str, list[Invariant]]]:
    """(path from the top, rules that hold for it) of files as typed."""
    from engram_hooks.paths import home_dir
    from engram_hooks.sessions.whereabouts import make_absolute

    refresh_here(memory)
    for file in files:
        full = make_absolute(file, cwd=memory.cwd, home=home_dir(memory.environ))
        path = relative_path(os.path.realpath(full), memory.root) if full else file
        found = invariants.rules_under(memory.db, memory.project_id or 0, file_here(memory), keys_of(path))
        yield path, [_show(row) for row in rules_on(found, path)]


def add_here(memory: Engram, rule: dict[str, Any], *, is_everywhere: bool = False) -> Invariant:
    """Add a private rule for the project here, or for all. Raises `UsageError` for one that cannot be used."""
    if memory.project_id is None and not is_everywhere:
        raise UsageError("you are outside any project", hint="cd to a repository, or --global")
    name = rule.get("id") or _free_name(memory)
    judged, faults = _judge({**rule, "id": name}, 0)
    if judged is None or faults:
        raise UsageError("; ".join(faults) or "this is no rule", hint="engram invariant add --help")
    project_id = 0 if is_everywhere else memory.project_id or 0
    with Transaction(memory.db):
        rule_id = invariants.add_rule(memory.db, project_id, invariants.PRIVATE, judged, now_ms=_now_ms())
        after = {"project": project_id, "rule": name, "text": redact(str(judged["text"]))}
        audit.add_entry(memory.db, None, "add rule", actor="person", now_ms=_now_ms(), after=after)
    return next(one for one in list_here(memory) if one.id == rule_id)


def remove_here(memory: Engram, name: str) -> None:
    """Delete a private rule. Raises `EngramError` where there is none of that name, or it is the team's."""
    known = next((one for one in list_here(memory) if one.name == name), None)
    if known is not None and known.file:
        raise EngramError(f"the rule {name} stands in {known.file}:{known.line}", hint="remove it there")
    with Transaction(memory.db):
        done = any(
            invariants.delete_rule(memory.db, project, name) for project in (memory.project_id or 0, 0)
        )
        if done and known:
            before = {"project": memory.project_id or 0, "rule": name, "text": known.text}
            audit.add_entry(memory.db, None, "remove rule", actor="person", now_ms=_now_ms(), before=before)
    if not done:
        raise EngramError(f"there is no rule {name[:80]!r}", hint="engram invariant list")


def _free_name(memory: Engram) -> str:
    taken = {row[1] for row in invariants.list_rules(memory.db, memory.project_id or 0, file_here(memory))}
    return next(name for number in range(1, MAX_RULES) if (name := f"r{number}") not in taken)


def _show(row: Sequence[Any]) -> Invariant:
    shown: tuple[Any, ...] = (*row[:8], tuple(row[8]), *row[9:])
    return Invariant(*shown)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
