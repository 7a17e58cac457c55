"""JSON on the hook path: the same values as the public package, never an error of another kind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks import jsontext

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_dumps_is_read_back_by_the_public_package(value: object) -> None:
    assert json.loads(jsontext.dumps(value)) == value


@given(VALUES)
def test_loads_reads_what_the_public_package_writes(value: object) -> None:
    assert jsontext.loads(json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("   \n", id="white space"),
        pytest.param('{"a":', id="cut object"),
        pytest.param('{"a": "x', id="cut string"),
        pytest.param("{a: 1}", id="bare key"),
        pytest.param('{"a": 1,}', id="trailing comma"),
        pytest.param('"\\u12"', id="cut escape"),
        pytest.param("[" * 100_000, id="too deep"),
        pytest.param("1 2", id="two documents"),
        pytest.param("nul", id="half a word"),
    ],
)
def test_what_is_no_document_raises_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        jsontext.loads(text)


def test_broken_text_raises_value_error_while_the_public_package_is_not_imported() -> None:
    code = (
        "import sys; sys.path.append(sys.argv[1]); from engram_hooks import jsontext\n"
        'try: jsontext.loads(\'{"a": "x\')\n'
        "except ValueError: print('refused', 'json' in sys.modules)"
    )
    root = str(Path(jsontext.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, root], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["refused", "False"]


def test_prefix_gives_the_document_and_the_place_behind_it() -> None:
    assert jsontext.parse_prefix(b' \xef\xbb\xbf{"a": 1} rest') == ({"a": 1}, 10)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_json_cannot_hold_is_null(value: float) -> None:
    assert jsontext.dumps([value]) == "[null]"
    assert jsontext.loads("[NaN, Infinity, -Infinity]") == [None, None, None]


def test_lone_surrogates_are_replaced() -> None:
    assert jsontext.mend("x\ud800y") == "x\ufffdy"
    assert jsontext.dumps({"k\udc00": "\ud83d"}) == '{"k\\ufffd": "\\ufffd"}'
    assert jsontext.mend("\ud83d\ude00") == "\U0001f600"


def test_mend_gives_the_same_object_where_nothing_is_wrong() -> None:
    text = "plain 🚀 text"
    assert jsontext.mend(text) is text


def test_other_types_are_refused() -> None:
    with pytest.raises(TypeError):
        jsontext.dumps({1, 2})


def test_public_package_stands_in_where_the_c_module_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsontext, "_scan", None)
    monkeypatch.setattr(jsontext, "_quote", None)
    assert jsontext.parse_prefix('{"a": [1, "é"]} x') == ({"a": [1, "é"]}, 15)
    assert jsontext.dumps({"a": "é"}) == '{"a": "\\u00e9"}'
    with pytest.raises(ValueError):
        jsontext.loads("{")
    with pytest.raises(ValueError):
        jsontext.loads("[" * 100_000)
