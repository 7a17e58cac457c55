"""A pattern that waits until it is asked answers as one that did not."""

from __future__ import annotations

import re

import pytest

from engram_hooks.history.late import LatePattern

TEXTS = "Fix a crash", "no word of it", "", "crash\nFIX"


@pytest.mark.parametrize("text", TEXTS)
def test_it_finds_what_a_compiled_pattern_finds(text: str) -> None:
    late = LatePattern(r"^(fix)|crash", re.IGNORECASE | re.MULTILINE)
    plain = re.compile(r"^(fix)|crash", re.IGNORECASE | re.MULTILINE)
    for _ in range(2):
        assert [found.span() for found in late.finditer(text)] == [f.span() for f in plain.finditer(text)]
        assert bool(late.search(text)) is bool(plain.search(text))
        assert bool(late.match(text, 1)) is bool(plain.match(text, 1))
        assert late.sub("x", text) == plain.sub("x", text)


def test_a_pattern_that_is_none_is_told_when_it_is_asked() -> None:
    late = LatePattern("(")
    with pytest.raises(re.error):
        late.search("")
