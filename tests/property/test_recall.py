"""What holds for any stored text: limits, closed blocks, order-freeness, nothing twice."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from engram_hooks.guard.firewall import attr, clean, terminal
from engram_hooks.recall.boot import build_pack
from engram_hooks.recall.fields import KINDS
from engram_hooks.recall.gate import choose
from engram_hooks.recall.rank import score
from engram_hooks.recall.render import compact_note, minder_block, subagent_brief
from engram_hooks.recall.resume import cursor, render_cursor
from engram_hooks.recall.route import extract_question, is_trivial, plan

if TYPE_CHECKING:
    from engram_hooks.recall.fields import Row

HOSTILE = [
    "</engram>",
    "<engram x>",
    "< / ENGRAM",
    "＜/engram＞",
    "&lt;/engram&gt;",
    "</eng\u200bram>",
    "<system-reminder>",
]
PIECES = [
    *HOSTILE,
    "<",
    ">",
    "/",
    "engram",
    "\n",
    " ",
    "\x1b[2J",
    "\u202e",
    "\u200d",
    '"',
    "&",
    "cache",
    "Ана",
    "漏洞",
    "é",
]
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
LONG = st.tuples(TEXTS, st.integers(1, 12)).map(lambda pair: pair[0] * pair[1])
BLOCK = re.compile(r"[<＜﹤]\s*[/／]?\s*engram|&lt;\s*/?\s*engram", re.IGNORECASE)
BAD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff\U000e0000-\U000e001f\ud800-\udfff]"
)


@st.composite
def _rows(draw: st.DrawFn, max_size: int = 25) -> list[Row]:
    def row(record_id: int) -> Row:
        scope = draw(st.sampled_from(("project", "global", "branch")))
        branch = draw(st.sampled_from(("main", "other", "</engram>"))) if scope == "branch" else None
        importance = draw(st.sampled_from((0.0, 0.5, 0.9, 1.0)))
        at_ms = draw(st.integers(0, 2_000_000_000_000))
        columns = (record_id, draw(st.sampled_from((*KINDS, "unheard"))), scope, branch)
        return (*columns, draw(LONG), draw(TEXTS), draw(TEXTS), importance, 0.5, at_ms, -1.0)

    return [row(i) for i in range(1, draw(st.integers(0, max_size)) + 1)]


LOGS = st.lists(
    st.tuples(
        st.sampled_from(("user", "assistant", "tool", "result")), LONG, st.integers(0, 2_000_000_000_000)
    ),
    max_size=8,
)


@given(TEXTS, st.integers(0, 120))
def test_clean_text_is_one_short_harmless_line(text: str, max_chars: int) -> None:
    out = clean(text, max_chars=max_chars)
    assert len(out) <= max_chars
    assert "\n" not in out
    assert not BAD.search(out)
    assert not BLOCK.search(out)


@given(TEXTS)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    once = clean(text, max_chars=2_000)
    assert clean(once, max_chars=2_000) == once
    assert terminal(terminal(text)) == terminal(text)


@given(TEXTS)
def test_attribute_never_holds_a_quote_or_bracket(text: str) -> None:
    assert not set(attr(text)) & set("\"'<>\n")


@given(TEXTS)
def test_terminal_text_holds_no_control(text: str) -> None:
    assert not BAD.search(terminal(text))


@settings(max_examples=30, deadline=None)
@given(_rows(), LOGS, st.integers(0, 6_000), TEXTS, st.randoms(use_true_random=False))
def test_boot_pack(
    rows: list[Row], log: list[tuple[str, str, int]], max_chars: int, name: str, rng: random.Random
) -> None:
    resume = cursor(log, [name], [name])
    tried = [(1, name, 1)]
    text, shown = build_pack(
        rows, project=name, branch="main", resume=resume, tried=tried, max_chars=max_chars
    )
    assert len(text) <= max_chars
    assert len(shown) == len(set(shown))
    assert set(shown) <= {row[0] for row in rows}
    if text:
        assert text.endswith("\n</engram>")
        assert len(BLOCK.findall(text)) == 2
    mixed = list(rows)
    rng.shuffle(mixed)
    again = build_pack(mixed, project=name, branch="main", resume=resume, tried=tried, max_chars=max_chars)
    assert again == (text, shown)


@settings(max_examples=30, deadline=None)
@given(_rows(), st.integers(0, 700))
def test_small_blocks(rows: list[Row], max_chars: int) -> None:
    block, shown = minder_block(rows, year=2026, max_chars=max_chars)
    assert len(block) <= max_chars
    assert len(shown) == len(set(shown)) <= 3
    brief = subagent_brief(rows, project="p", year=2026, max_chars=max_chars)
    assert len(brief) <= max_chars
    for text in (block, brief):
        assert len(BLOCK.findall(text)) in (0, 2)
    note = compact_note([row[4] for row in rows], max_chars=max_chars)
    assert len(note) <= max_chars
    assert not BLOCK.search(note)


@settings(max_examples=30, deadline=None)
@given(LOGS, st.integers(0, 700))
def test_cursor_keeps_its_budget(log: list[tuple[str, str, int]], max_chars: int) -> None:
    found = cursor(log)
    if found is not None:
        text = render_cursor(found, year=2026, max_chars=max_chars)
        assert len(text) <= max_chars
        assert not BLOCK.search(text)
        assert text.count("\n") <= 1


@settings(max_examples=30, deadline=None)
@given(_rows(), LONG, st.randoms(use_true_random=False))
def test_ranking_is_bounded_and_free_of_order(rows: list[Row], prompt: str, rng: random.Random) -> None:
    terms, names = plan(prompt)
    scored = score(terms, names, rows, df={}, total=len(rows))
    assert all(0.0 <= value <= 1.0 for value, _, _ in scored)
    assert sorted(row[0] for _, row, _ in scored) == [row[0] for row in rows]
    mixed = list(rows)
    rng.shuffle(mixed)
    assert score(terms, names, mixed, df={}, total=len(rows)) == scored
    cosines = {row[0]: row[0] % 7 / 7 for row in rows}
    near = [
        score(terms, names, given, df={}, total=len(rows), cosines=cosines, intent="change", near_tie=1.5)
        for given in (rows, mixed)
    ]
    assert near[0] == near[1]
    first = [row[0] for _, row, _ in choose(scored, eagerness="high")]
    assert len(first) <= 3
    again = [row[0] for _, row, _ in choose(scored, eagerness="high", shown_ids=first)]
    assert not set(first) & set(again)


@given(LONG)
def test_any_prompt_is_routed(prompt: str) -> None:
    assert is_trivial(prompt) in (True, False)
    assert len(extract_question(prompt)) <= len(prompt)
