"""A change of the terms raises their version, so that stores are fed anew."""

from __future__ import annotations

import hashlib

from engram_hooks.store.indexes import FED, TERMS_VERSION

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
