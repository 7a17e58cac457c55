"""How much of a transcript line is kept."""

from __future__ import annotations

import json

from engram_hooks.guard.cut import shorten
from engram_hooks.sessions.lines import (
    MAX_CALL_CHARS,
    MAX_PROMPT_CHARS,
    MAX_RESULT_CHARS,
    parse_line,
)
from tests.support.make_transcript import Line, Transcript


def _row(line: Line) -> tuple[str, str] | None:
    row = parse_line(json.dumps(line).encode())
    return row and (row[1], row[2])


def _said(content: object) -> tuple[str, str] | None:
    return _row(Transcript().prompt(content))


def test_long_results_keep_head_and_tail() -> None:
    row = _row(Transcript().result("first" + "x" * 5000 + "last"))
    assert row is not None
    assert len(row[1]) <= MAX_RESULT_CHARS
    assert row[1].startswith("first")
    assert row[1].endswith("last")
    assert "cut ...]" in row[1]


def test_own_block_is_cut_before_a_result_is_shortened() -> None:
    assert _row(Transcript().result("a<engram>" + "x" * 5000 + "</engram>b")) == ("result", "ab")


def test_prompt_is_whole_up_to_its_cap() -> None:
    assert _said("y" * MAX_PROMPT_CHARS) == ("user", "y" * MAX_PROMPT_CHARS)
    row = _said("y" * (MAX_PROMPT_CHARS + 1))
    assert row is not None
    assert len(row[1]) <= MAX_PROMPT_CHARS


def test_long_commands_are_cut_but_commit_messages_kept() -> None:
    script = Transcript()
    plain = _row(script.call("Bash", {"command": "echo " + "x" * 3000}))
    commit = _row(script.call("Bash", {"command": 'git commit -m "' + "x" * 900 + ' end"'}))
    assert plain is not None
    assert commit is not None
    assert len(plain[1]) <= MAX_CALL_CHARS + 10
    assert commit[1].endswith('end"')
    assert "cut ...]" not in commit[1]


def test_short_texts_are_not_shortened() -> None:
    assert shorten("abc", 60) == "abc"
    assert len(shorten("a" * 61, 60)) <= 60
