"""A change of the terms raises their version, so that stores are fed anew."""

from __future__ import annotations

import hashlib

from engram_hooks.store.indexes import TERMS_VERSION
from engram_hooks.terms import index_terms

SAMPLE = (
    "The orderParser of HTTPServer2 reads src/api/order_parser.py::load at v1.2.3 and raises"
    " ERR_PAYMENT_DUPLICATE; C++ and C# agree: café, Straße, søren. 注文パーサー 주문을 ไทย שלום don't e-mail"
    " 0xFF @scope/name foo.bar(baz) #123 snake_case kebab-case x86_64 a.b.c"
)
DIGESTS = {1: "fc730d5c19be8f2c"}


def test_version_belongs_to_what_the_terms_are() -> None:
    digest = hashlib.sha256(index_terms(SAMPLE).encode()).hexdigest()[:16]
    assert DIGESTS[TERMS_VERSION] == digest, "the terms changed: raise TERMS_VERSION and add its digest here"
