"""The full-text tables: fed anew when the terms change, merged behind the hooks."""

from __future__ import annotations

import hashlib
from sqlite3 import Connection

from engram_hooks.store import log, sessions
from engram_hooks.store.indexes import FED, TERMS_VERSION, merge_log_index
from engram_hooks.store.transactions import Transaction

SAMPLE = (
    "The orderParser of HTTPServer2 reads src/api/order_parser.py::load at v1.2.3 and raises"
    " ERR_PAYMENT_DUPLICATE; C++ and C# agree: café, Straße, søren. 注文パーサー 주문을 ไทย שלום don't e-mail"
    " 0xFF @scope/name foo.bar(baz) #123 snake_case kebab-case x86_64 a.b.c"
)
DIGESTS = {1: "ced236afc1d8c74d"}


def test_version_belongs_to_what_the_tables_are_fed_with() -> None:
    fed = "\n".join(f"{table}: {make(SAMPLE)}" for table, make in sorted(FED.items()))
    digest = hashlib.sha256(fed.encode()).hexdigest()[:16]
    assert DIGESTS[TERMS_VERSION] == digest, "the terms changed: raise TERMS_VERSION and add its digest here"


def test_log_index_is_merged_behind_the_hooks(store: Connection) -> None:
    session = sessions.add_session(
        store, "s", project_id=1, root="", branch="", transcript_path="", now_ms=1
    )[0]
    for at in range(24):
        with Transaction(store):
            log.append_rows(store, session, [(f"u{at}", "user", "", f"line about subject{at}", at)])
    merge_log_index(store)
    merge_log_index(store)
    assert store.execute("SELECT v FROM log_fts_config WHERE k = 'automerge'").fetchone() == (0,)
    found = store.execute("SELECT count(*) FROM log_fts WHERE log_fts MATCH '\"subject7\"'").fetchone()
    assert found == (1,)
