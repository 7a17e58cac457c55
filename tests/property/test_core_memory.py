"""Core memory for any text: its file says what it says, its room is kept, undo and redo go through all its versions."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.curate.core.blocks import find_target
from engram_hooks.curate.core.compaction import plan_compaction
from engram_hooks.recall.core import fold, render_core
from engram_hooks.sessions.core_lines import count_chars, parse_file, render_file, split_entries, tidy

texts = st.text(max_size=60)
words = st.sampled_from("use tabs never spaces answer in German docker needs sudo: slow, not".split())
entries = st.lists(st.lists(words, min_size=1, max_size=6).map(" ".join), max_size=12).map(
    lambda lines: split_entries("\n".join(lines))
)


@given(texts)
def test_tidying_twice_is_tidying_once(text: str) -> None:
    assert tidy(tidy(text)) == tidy(text)
    assert len(tidy(text).splitlines()) <= 1


@given(st.lists(texts, max_size=8))
def test_file_is_read_as_it_was_written(given_lines: list[str]) -> None:
    lines = split_entries("\n".join(given_lines))
    kept = [line for line in lines if parse_file(f"- {line}") == [line]]
    assert parse_file(render_file("user", kept, 100)) == kept
    assert len(lines) - len(kept) <= sum("<!--" in line or not line.strip("-*_=#. ") for line in lines)


@given(st.lists(texts, max_size=10), st.integers(0, 400))
def test_room_in_the_pack_is_kept(given_lines: list[str], room: int) -> None:
    text = "\n".join(split_entries("\n".join(given_lines)))
    lines, _ = render_core([("user", text, 1_200), ("agent", text, 0)], room)
    assert sum(len(line) + 1 for line in lines) <= room + 1


@given(entries, st.integers(1, 200))
def test_compaction_makes_room_and_loses_nothing(lines: list[str], room: int) -> None:
    plan = plan_compaction(lines, room)
    assert count_chars(plan.lines) <= room or len(plan.lines) <= 1
    dense = dict(plan.denser)
    for line in lines:
        while line in dict(plan.merged):
            line = dict(plan.merged)[line]
        line = dense.get(line, line)
        assert fold(line) in {fold(item) for item in (*plan.lines, *plan.demoted)}


@given(st.lists(st.sampled_from(["change", "undo", "redo"]), max_size=30))
def test_undo_and_redo_walk_through_the_versions(acts: list[str]) -> None:
    versions: dict[int, dict[str, Any]] = {}
    past: list[int] = []
    here, future = 0, list[int]()
    for act in acts:
        number = len(versions) + 1
        if act == "change":
            past, future = [*past, here], []
            versions[number], here = {"restores": None}, number
            continue
        target = find_target(versions, is_redo=act == "redo")
        stack = past if act == "undo" else future
        assert target == (stack[-1] if stack else None)
        if target is not None:
            (future if act == "undo" else past).append(here)
            here = stack.pop()
            versions[number] = {"restores": target}
