"""Whatever a TOML text holds: after a change it says the same but for one value, and keeps its comments."""

from __future__ import annotations

import string

import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.client.toml_edit import flatten, outline, parse, set_value, unset_value

NAMES = st.text(string.ascii_lowercase, min_size=1, max_size=4)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=20)
VALUES = st.one_of(st.integers(-(2**60), 2**60), st.booleans(), TEXTS, st.lists(TEXTS, max_size=3))
TABLES = st.dictionaries(NAMES, VALUES, max_size=4)


@st.composite
def files(draw: st.DrawFn) -> str:
    """A file of tables with comments between and behind the lines."""
    top = draw(TABLES)
    tables = draw(st.dictionaries(NAMES.filter(lambda name: name not in top), TABLES, max_size=3))
    lines = []
    for line in tomli_w.dumps(top | tables).removesuffix("\n").split("\n"):
        if draw(st.booleans()) and "=" in line and not line.rstrip().endswith("["):
            line += " # behind = [ \" '"
        lines.append(line)
    return "# first\n" + "\n".join(lines) + "\n"


def values_of(text: str) -> dict[str, object]:
    return {name: value for name, value in flatten(parse(text)) if value != {}}


@given(files(), NAMES, NAMES, VALUES)
def test_setting_changes_one_value_and_unsetting_removes_it(
    text: str, table: str, name: str, value: object
) -> None:
    before = values_of(text)
    if table in before:  # a value stands where the table would have to be
        return
    key = f"{table}.{name}"
    after = set_value(text, key, value)
    assert values_of(after) == before | {key: value}
    assert after.startswith("# first\n")
    assert after.count("# behind") == text.count("# behind")
    assert set_value(after, key, value) == after
    assert values_of(unset_value(after, key)) == {one: item for one, item in before.items() if one != key}


@given(files())
def test_outline_knows_every_value(text: str) -> None:
    found = outline(text)
    assert {entry.key for entry in found.entries} == set(values_of(text))
    for entry in found.entries:
        assert parse("x = " + text[entry.value_start : entry.value_end])["x"] == values_of(text)[entry.key]
