"""One value of a TOML text changes; comments, order and everything else stay."""

from __future__ import annotations

import pytest

from engram_hooks.client.toml_edit import outline, parse, set_value, unset_value
from engram_hooks.errors import EngramError

TEXT = """\
# my settings
title = "engram" # a title

[boot]   # the pack
  max_chars = 4_000   # enough
"quoted.name" = 'a # b'

# about the minder
[minder]
eagerness = "low" # quiet, please

[lists]
globs = [
  "a", # one
  "b]",
] # both
text = \"\"\"
max_chars = 1
[boot]
\"\"\" # end
after = 1
"""


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        pytest.param(
            "boot.max_chars", 5000, "4_000   # enough", "5000   # enough", id="number with a comment"
        ),
        pytest.param("minder.eagerness", "high", '"low" # quiet', '"high" # quiet', id="text with a comment"),
        pytest.param("title", 'a "b" # c', '"engram" # a title', '"a \\"b\\" # c" # a title', id="quotes"),
        pytest.param(
            "lists.globs", True, '[\n  "a", # one\n  "b]",\n] # both', "true # both", id="several lines"
        ),
        pytest.param("lists.text", "x", '"""\nmax_chars = 1\n[boot]\n""" # end', '"x" # end', id="long text"),
        pytest.param("lists.after", 2, "after = 1", "after = 2", id="last line"),
        pytest.param("boot.min", 1, "'a # b'\n", "'a # b'\nmin = 1\n", id="new in its table"),
        pytest.param("lists.z", False, "after = 1\n", "after = 1\nz = false\n", id="new in the last table"),
        pytest.param("name", "x", "# a title\n", '# a title\nname = "x"\n', id="new at the top"),
        pytest.param("log.days", 3, "after = 1\n", "after = 1\n\n[log]\ndays = 3\n", id="new table"),
    ],
)
def test_one_value_changes(key: str, value: object, old: str, new: str) -> None:
    assert TEXT.count(old) == 1
    assert set_value(TEXT, key, value) == TEXT.replace(old, new)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        pytest.param("", "[a]\nb = 1\n", id="empty"),
        pytest.param("# only a comment", "# only a comment\n\n[a]\nb = 1\n", id="comment without line break"),
        pytest.param("[a]", "[a]\nb = 1\n", id="empty table"),
        pytest.param("a.c = 2\n[x]\n", "a.c = 2\na.b = 1\n[x]\n", id="dotted names"),
        pytest.param("a.b = 2 # c\n", "a.b = 1 # c\n", id="dotted name"),
        pytest.param("[x]\ny = 1\n\n\n", "[x]\ny = 1\n\n[a]\nb = 1\n", id="blank lines at the end"),
        pytest.param("[x]\r\ny = 1\r\n", "[x]\r\ny = 1\r\n\r\n[a]\r\nb = 1\r\n", id="other line breaks"),
        pytest.param("[a]\r\nb = 2\r\n", "[a]\r\nb = 1\r\n", id="value with other line breaks"),
        pytest.param("[a.c]\nd = 1\n", "[a.c]\nd = 1\n\n[a]\nb = 1\n", id="only a sub-table"),
    ],
)
def test_value_finds_its_place(text: str, result: str) -> None:
    assert set_value(text, "a.b", 1) == result


def test_top_level_value_goes_before_the_first_table() -> None:
    assert set_value("# note\n[a]\nb = 1\n", "project", "x") == '# note\nproject = "x"\n[a]\nb = 1\n'


def test_equal_value_changes_nothing() -> None:
    assert set_value("[a]\nb = 1\n", "a.b", 1) == "[a]\nb = 1\n"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        pytest.param("a = { c = 2 }\n", "a.b", id="into an inline table"),
        pytest.param("a = { b = 2 }\n", "a.b", id="inside an inline table"),
        pytest.param("a = 1\n", "a.b", id="below a value"),
        pytest.param("[[a]]\nc = 1\n", "a.b", id="into a list of tables"),
    ],
)
def test_what_would_need_rewriting_is_refused(text: str, key: str) -> None:
    with pytest.raises(EngramError, match="cannot be changed") as caught:
        set_value(text, key, 1)
    assert "by hand" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "result"),
    [
        pytest.param("[a]\nb = 1 # x\nc = 2\n", "[a]\nc = 2\n", id="one of two"),
        pytest.param("[a]\nb = [\n 1,\n]\nc = 2\n", "[a]\nc = 2\n", id="several lines"),
        pytest.param("a.b = 1\nx = 2\n", "x = 2\n", id="dotted"),
        pytest.param("[a]\nb = 1", "[a]\n", id="last without line break"),
        pytest.param("[a]\nc = 1\n", "[a]\nc = 1\n", id="not there"),
        pytest.param("", "", id="empty"),
    ],
)
def test_value_is_removed(text: str, result: str) -> None:
    assert unset_value(text, "a.b") == result


def test_value_inside_an_inline_table_is_not_removed() -> None:
    with pytest.raises(EngramError):
        unset_value("a = { b = 1, c = 2 }\n", "a.b")


def test_lines_of_keys_are_known() -> None:
    found = outline(TEXT)
    assert [(entry.key, entry.line) for entry in found.entries] == [
        ("title", 2),
        ("boot.max_chars", 5),
        ("boot.quoted.name", 6),
        ("minder.eagerness", 10),
        ("lists.globs", 13),
        ("lists.text", 17),
        ("lists.after", 21),
    ]
    assert found.find_line("nothing") == 0


def test_broken_text_is_a_value_error() -> None:
    for text in ("a = ", "[a", "a = 1\na = 2\n", "\ufeffa = 1", "a = " + "[" * 5000):
        with pytest.raises(ValueError):
            parse(text)
