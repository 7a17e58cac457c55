"""What holds for every text that is redacted: twice is once, bounded, linear, and quiet where nothing triggers."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.guard.redact import MARKER, find_secrets, redact
from tests.unit.guard.secret_parts import HEX, MIXED, PASSWORD, RANDOM, join

ROOT = Path(__file__).resolve().parents[2]
MARKS = [*"=\"'\\\n/&;@[](),-${}<> ", ": ", "://", "--", "%22", "\u200b"]
WORDS = [
    "password",
    "token",
    "api_key",
    "user:",
    "host",
    "value",
    "is ",
    "Authorization",
    "Bearer ",
    "Basic ",
    "Cookie: ",
]
LINES = [
    "curl -u ",
    "mysql -p",
    "kind: Secret\ndata:\n  ",
    join("-----BEG", "IN PRI", "VATE KEY-----"),
    MARKER,
]
VALUES = [
    RANDOM,
    PASSWORD,
    HEX[:40],
    MIXED[:30],
    MIXED[:64],
    join("gh", "p_", MIXED[:36]),
    join("ey", "J", MIXED[:20], "."),
]
PIECES = st.sampled_from(MARKS + WORDS + LINES + VALUES)
TEXTS = st.lists(PIECES, max_size=24).map("".join)


@given(TEXTS)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@given(TEXTS)
def test_result_is_bounded(text: str) -> None:
    assert len(redact(text)) <= len(text) * 10 // 3 + 10


@given(st.one_of(TEXTS, st.text(max_size=200)))
def test_spans_are_sorted_and_apart_and_inside(text: str) -> None:
    at = 0
    for start, end, kind in find_secrets(text):
        assert at <= start < end <= len(text)
        assert kind
        at = end


@given(st.text(alphabet="bdfghijlmnqruvxz .,;!?\n\u00e9\u4e2d", max_size=400))
def test_text_without_a_trigger_is_returned_as_it_is(text: str) -> None:
    assert redact(text) is text


HOSTILE = {
    "capitals": "A",
    "hex": "0123456789abcdef",
    "pairs": "a_",
    "equals": "=",
    "words": "password ",
    "assignments": "password=",
    "quotes": 'password="',
    "begin": join("-----BEG", "IN RSA PRI", "VATE KEY-----\n"),
    "escaped-body": "\\n" + "x" * 60,
    "web-tokens": "eyJ.",
    "addresses": "https://a:b@",
    "minified": "var a=function(b){return b.c?b.d:'e'};",
    "cookies": "cookie: a=b; ",
    "commands": "curl -u a:b ",
    "manifests": "kind: Secret\ndata:\n  a: b\n",
    "headers": "Authorization: Bearer ",
}


def _measure(text: str) -> float:
    """Processor seconds for one text, the better of two."""
    best = 60.0
    for _ in range(2):
        start = time.process_time()
        redact(text)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("shape", HOSTILE)
def test_time_grows_with_the_length_and_no_faster(shape: str) -> None:
    unit, size = HOSTILE[shape], 16_000
    begin = join("-----BEG", "IN RSA PRI", "VATE KEY-----") if shape == "escaped-body" else ""
    small = _measure(begin + unit * (size // len(unit)))
    large = _measure(begin + unit * (8 * size // len(unit)))
    assert large < 8 * 3 * small + 0.05


def test_ordinary_text_loads_nothing_but_the_redactor() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); before = set(sys.modules)\n"
        "from engram_hooks.guard.redact import redact\n"
        "redact('We moved the retry loop into the worker, see src/recall/rank.py for more. ' * 50)\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) <= {
        "engram_hooks",
        "engram_hooks.guard",
        "engram_hooks.guard.redact",
        "__future__",
    }


def test_secrets_are_found_without_regular_expressions() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from engram_hooks.guard.redact import redact\n"
        "redact('password = \"k3Jd92LmQx7PzR4t\" Authorization: Bearer k3Jd92LmQx7PzR4t https://a:k3Jd92@h -p x')\n"
        "print(*sorted({'re', 'json', 'typing', 'enum'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
