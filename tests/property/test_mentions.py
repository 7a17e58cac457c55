"""Whatever a note says: reading it for what it speaks of ends, and names nothing that it does not hold."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.curate.ground.mentions import MAX_TEXT_CHARS, read_mentions, read_ref
from engram_hooks.history.lines import find_lines, name_lines

PARTS = st.sampled_from(
    ["src/a.py", ":12", "-20", "#", "::", "`", "()", ".", "/", "deadbeef1", " ", "\n", "a_b", "é"]
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(PARTS, max_size=30).map("".join))


@given(TEXTS)
def test_names_stand_in_the_text(text: str) -> None:
    for mention in read_mentions(text):
        assert mention.name
        assert mention.name.replace(".", "") in text.replace("::", "").replace(".", "")
        assert mention.first <= mention.last


@given(TEXTS)
def test_any_reference_is_read_or_is_none(ref: str) -> None:
    mention = read_ref(ref)
    assert mention is None or mention.name


@given(st.lists(st.text(alphabet="ab \t", max_size=4), min_size=1, max_size=12), st.data())
def test_lines_are_found_where_they_stand(lines: list[str], data: st.DataObject) -> None:
    text = "\n".join(lines)
    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    name = name_lines(text, first, last)
    if name:
        indented = "\n\n" + "\n".join(f"\t{line}" for line in lines)
        for moved in (text, indented):
            found = find_lines(moved, name, near=first)
            assert found is not None
            assert name_lines(moved, *found) == name


def test_long_texts_take_no_time() -> None:
    started = time.process_time()
    for part in ("a/", "a:1", "`", "#a", "a.b", "()", "a" * 50 + " "):
        read_mentions(part * (MAX_TEXT_CHARS // len(part)))
        read_ref(part * 2_000)
    assert time.process_time() - started < 5
