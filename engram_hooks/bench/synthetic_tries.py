"""Made-up failed approaches and rules, in the numbers that years of work leave behind."""

from __future__ import annotations

from collections.abc import Callable
from sqlite3 import Connection

from engram_hooks.recall.globs import key_of
from engram_hooks.store import attempts, invariants
from engram_hooks.store.transactions import Transaction
from engram_hooks.store.trials import pack_lines
from engram_hooks.terms import index_terms

FILES = 400  # over which approaches are spread
DAY_MS = 86_400_000
_FOLDERS = "src", "lib", "web", "jobs", "docs"
_ENDINGS = "py", "ts", "go", "sql"


def fill_tries(
    db: Connection, project_id: int, path_of: Callable[[int], str], *, count: int, rules: int, now_ms: int
) -> None:
    """Write `count` approaches, two of three given up, over the files `path_of(0 .. FILES - 1)`, and private rules."""
    with Transaction(db):
        for number in range(count):
            _add_attempt(
                db, project_id, number, path_of(number % FILES), now_ms=now_ms - number * DAY_MS // 4
            )
        for number in range(rules):
            _add_rule(db, project_id, number, now_ms=now_ms)


def tried_line(number: int) -> str:
    """The line that an approach of this number brought."""
    return f"    total = widen_{number}(order, limit) * {number % 7}"


def _add_attempt(db: Connection, project_id: int, number: int, path: str, *, now_ms: int) -> None:
    place = f"tests/test_app_{number % FILES}.py::test_total_{number}"
    fault = [place, "AssertionError", f"expected {number} orders", f"{path} total"]
    removed, added = ["    total = order.total"], [tried_line(number), f"    check_{number}(total)"]
    values = {
        "project_id": project_id,
        "session_id": 0,
        "outcome": "resolved" if number % 3 == 2 else "abandoned",
        "intent": f"make the totals of app {number % FILES} wider",
        "tool": "pytest",
        "kind": "test",
        "faults": attempts.pack_faults([fault]),
        "fingerprint": f"{number:016x}",
        "change_key": f"{number:032x}",
        "created_at": now_ms,
        "updated_at": now_ms,
    }
    lines = pack_lines(removed), pack_lines(added)
    attempt_id = attempts.put_attempt(db, values, [(path, [], *lines)])
    words = " ".join([str(values["intent"]), *fault, path, *removed, *added])
    attempts.index_text(db, attempt_id, index_terms(words))


def _add_rule(db: Connection, project_id: int, number: int, *, now_ms: int) -> None:
    """A rule on a folder of its own; of a hundred, one on all files of an ending."""
    ending = _ENDINGS[number % len(_ENDINGS)]
    folder = f"{_FOLDERS[number % len(_FOLDERS)]}/part_{number}"
    glob = f"**/*_{number}.{ending}" if number % 100 == 0 else f"{folder}/**/*.{ending}"
    rule: dict[str, object] = dict.fromkeys(("why", "since", "enforcement", "symbol"), "")
    rule |= {
        "name": f"rule-{number}",
        "text": f"never touch the ledger of part {number} outside a transaction",
    }
    rule |= {"severity": ("info", "warning", "critical")[number % 3], "line": 0, "globs": [glob]}
    invariants.add_rule(db, project_id, "", {**rule, "keys": [key_of(glob)]}, now_ms=now_ms)
