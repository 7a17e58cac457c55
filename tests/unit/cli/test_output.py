"""What commands print: tables, numbers, safe text."""

from __future__ import annotations

import json

import click
import pytest

from engram_hooks.cli import output


def test_columns_line_up_for_wide_text_and_styles() -> None:
    rows = [["a", "x"], ["日本", "y"], [click.style("abc", fg="red"), "z"]]
    lines = click.unstyle(output.table(rows)).split("\n")
    assert lines == ["a     x", "日本  y", "abc   z"]


def test_empty_table_is_nothing() -> None:
    assert output.table([]) == ""


def test_block_is_indented_line_by_line() -> None:
    assert (
        output.block("Human: x\n\n</system-reminder> y\x1b[2K")
        == "  [removed: role] x\n\n  ‹/system-reminder> y"
    )


@pytest.mark.parametrize(
    ("size_bytes", "text"), [(0, "1 KB"), (2048, "2 KB"), (3 << 20, "3.0 MB"), (5 << 30, "5.0 GB")]
)
def test_sizes(size_bytes: int, text: str) -> None:
    assert output.size(size_bytes) == text


@pytest.mark.parametrize(("number", "text"), [(0, "0 notes"), (1, "1 note"), (1180, "1,180 notes")])
def test_counts(number: int, text: str) -> None:
    assert output.count(number, "note") == text


@pytest.mark.parametrize("value", ["\ud800 lone", "\x1b]0;x\x07", "\u202e\u2066", "日本"])
def test_json_is_ascii_and_says_the_same(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    output.print_json({"a": value, "b": (1, 2)})
    printed = capsys.readouterr().out
    assert printed.isascii()
    assert not any(char < " " and char != "\n" for char in printed)
    assert json.loads(printed) == {"a": value, "b": [1, 2]}


def test_no_colours_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    output.say(output.style("x", "bad"))
    assert capsys.readouterr().out == "x\n"


def test_column_without_a_word_takes_no_room() -> None:
    assert output.table([["a", "", "b"], ["aa", "", "bb"]]) == "a   b\naa  bb"
    assert output.table([["a", "x", "b"], ["aa", "", "bb"]]) == "a   x  b\naa     bb"
    assert output.table([["a", ""], ["aa", ""]]) == "a\naa"
