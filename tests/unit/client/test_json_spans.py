"""The scanner agrees with the standard, and says where a text departs from it."""

from __future__ import annotations

import json

import pytest

from engram_hooks.client.json_spans import MAX_DEPTH, JsonTextError, Node, scan

VALID = [
    pytest.param("{}", id="empty object"),
    pytest.param('{"a": [1, -0.5, 1e3, 1E-7, 12345678901234567890]}', id="numbers"),
    pytest.param('["é", "\\u00e9\\n\\"\\\\\\/", "\U0001f600"]', id="strings"),
    pytest.param(' \n\t{ "a" :\r\n null , "b":[ true,false ] }\n', id="white space everywhere"),
    pytest.param('{"a": {"b": {"c": [[[]]]}}}', id="nested"),
    pytest.param('"just a string"', id="scalar"),
]

INVALID = [
    pytest.param("", 1, 1, "too early", id="nothing"),
    pytest.param('{\n  "a": 1,\n}', 2, 9, "trailing comma", id="trailing comma in an object"),
    pytest.param("[1, 2,]", 1, 6, "trailing comma", id="trailing comma in an array"),
    pytest.param('{\n  // why\n  "a": 1}', 2, 3, "comment", id="comment before a key"),
    pytest.param('{"a": /* x */ 1}', 1, 7, "comment", id="comment before a value"),
    pytest.param('{"a": 1} // end', 1, 10, "comment", id="comment at the end"),
    pytest.param("{'a': 1}", 1, 2, "double quotes", id="single quotes"),
    pytest.param("{a: 1}", 1, 2, "double quotes", id="bare key"),
    pytest.param('{"a" 1}', 1, 6, "':'", id="no colon"),
    pytest.param('{"a": 1 "b": 2}', 1, 9, "expected ','", id="no comma"),
    pytest.param('{"a": 1}\n{"b": 2}', 2, 1, "after the end", id="two values"),
    pytest.param('{"a": NaN}', 1, 7, "a value", id="NaN"),
    pytest.param('{"a": 01}', 1, 8, "expected ','", id="leading zero"),
    pytest.param('{"a": "x\ny"}', 1, 7, "string", id="line break in a string"),
    pytest.param('{"a": "\\x"}', 1, 7, "string", id="unknown escape"),
    pytest.param('{\n "hooks": { "Stop": [ ', 2, 23, "too early", id="cut off"),
    pytest.param("[" * (MAX_DEPTH + 2), 1, MAX_DEPTH + 2, "levels", id="too deep"),
]


def value_of(text: str, node: Node) -> object:
    if node.kind == "object":
        return {child.key: value_of(text, child.node) for child in node.children}
    if node.kind == "array":
        return [value_of(text, child.node) for child in node.children]
    return json.loads(text[node.start : node.end])


@pytest.mark.parametrize("text", VALID)
def test_scanned_spans_hold_the_values(text: str) -> None:
    assert value_of(text, scan(text)) == json.loads(text)


@pytest.mark.parametrize(("text", "line", "column", "reason"), INVALID)
def test_departure_is_named_with_its_place(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(JsonTextError) as caught:
        scan(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert reason in caught.value.message


def test_byte_order_mark_is_passed_over() -> None:
    assert scan('\ufeff{"a": 1}').get("a") is not None


def test_last_of_equal_keys_counts_as_for_the_client() -> None:
    node = scan('{"a": 1, "a": 2}').get("a")
    assert node is not None
    assert node.value == "2"
