"""A store with many failed attempts and rules, as the benchmark of hooks makes it."""

from __future__ import annotations

from sqlite3 import Connection

from engram_hooks.bench.synthetic_tries import FILES, fill_tries, tried_line
from engram_hooks.recall.globs import keys_of
from engram_hooks.recall.rules import rules_on
from engram_hooks.recall.tried import REPEAT
from engram_hooks.sessions.tried import resembling, tried_on_file
from engram_hooks.store.check import check_store
from engram_hooks.store.invariants import rules_under
from tests.conftest import NOW_MS


def test_store_is_whole_and_its_attempts_and_rules_are_found(store: Connection) -> None:
    store.execute("INSERT INTO projects VALUES (1, 'u1', 'shop', 0, 1)")
    fill_tries(store, 1, "src/app_{}.py".format, count=FILES + 5, rules=120, now_ms=NOW_MS)
    assert check_store(store) == []
    found = tried_on_file(store, 1, "src/app_3.py")
    assert [row[0] for row, _, _ in found] == [4, FILES + 4]
    new = [tried_line(3), "    check_3(total)"]
    assert resembling(found, [(["    total = order.total"], new)])[0][0] == REPEAT
    path = "src/part_100/deep/a_100.py"
    assert [rule[1] for rule in rules_on(rules_under(store, 1, "", keys_of(path)), path)] == ["rule-100"]
