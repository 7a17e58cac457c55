"""Whatever stands in a transcript, reading it never fails, loses or repeats a row."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram_hooks.sessions.lines import parse_line
from engram_hooks.sessions.transcript import START, read_chunk

_KEYS = [
    "type",
    "text",
    "content",
    "message",
    "name",
    "input",
    "role",
    "uuid",
    "isMeta",
    "questions",
    "timestamp",
]
_WORDS = [
    "user",
    "assistant",
    "text",
    "tool_use",
    "tool_result",
    "thinking",
    "<engram a>",
    "</engram>",
    "\ud83d",
]
_TEXT = st.text(max_size=20) | st.sampled_from(_WORDS)
_VALUES: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXT,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(_KEYS) | _TEXT, inner, max_size=5)
    ),
    max_leaves=10,
)
_ENTRIES = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "assistant"])},
    optional={
        "message": _VALUES | st.fixed_dictionaries({"content": _VALUES}),
        "uuid": _VALUES,
        "timestamp": _VALUES,
        "isSidechain": _VALUES,
        "agentId": _VALUES,
        "toolDenialKind": st.just("user-rejected"),
    },
)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_row_or_nothing(line: bytes) -> None:
    row = parse_line(line)
    assert row is None or len(row) == 8


@given(_ENTRIES)
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_any_shape_gives_whole_fields(entry: dict[str, object]) -> None:
    row = parse_line(json.dumps(entry).encode())
    if row is not None:
        uuid, role, text, at_ms, *rest = row
        assert role in ("user", "assistant", "tool", "result")
        assert text.strip()
        assert isinstance(at_ms, int)
        for field in (uuid, text, *rest):
            field.encode()


@given(_ENTRIES, st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")]), st.booleans())
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_layout_of_the_json_does_not_matter(
    entry: dict[str, object], gaps: tuple[str, str], ascii_only: bool
) -> None:
    entry["uuid"] = "u"
    plain = json.dumps(entry).encode()
    turned = dict(reversed(entry.items()))
    other = json.dumps(turned, separators=gaps, ensure_ascii=ascii_only).encode("utf-8", "replace")
    if b"\\ud" not in plain:
        assert parse_line(other) == parse_line(plain)


@given(st.lists(st.integers(0, 400), max_size=8), st.integers(1, 300))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
def test_growth_in_any_steps_gives_every_row_once(tmp_path: Path, cuts: list[int], max_bytes: int) -> None:
    lines = [f'{{"type":"user","uuid":"u{n}","message":{{"content":"süß {n}"}}}}\n' for n in range(6)]
    data = "".join(lines).encode()
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"")
    seen: list[str] = []
    cursor = START
    for end in [*sorted(min(cut, len(data)) for cut in cuts), len(data)]:
        path.write_bytes(data[:end])
        has_more = True
        while has_more:
            part, cursor, has_more, was_reset = read_chunk(str(path), cursor, max_bytes=max_bytes)
            assert not was_reset
            seen += [row[0] for row in part]
    assert seen == [f"u{n}" for n in range(6)]


@pytest.mark.parametrize("step", [1, 7])
def test_every_cut_of_a_file_is_survived(tmp_path: Path, step: int) -> None:
    data = "".join(
        f'{{"type":"user","uuid":"u{n}","message":{{"content":"é"}}}}\n' for n in range(3)
    ).encode()
    path = tmp_path / "t.jsonl"
    cursor = START
    seen: list[str] = []
    for end in range(0, len(data) + step, step):
        path.write_bytes(data[:end])
        rows, cursor, _, _ = read_chunk(str(path), cursor)
        seen += [row[0] for row in rows]
    assert seen == ["u0", "u1", "u2"]
