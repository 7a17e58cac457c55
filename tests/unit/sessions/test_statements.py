"""Sentences of prose, taken out of code, logs and quotations."""

from __future__ import annotations

import pytest

from engram_hooks.sessions.statements import is_machine_line, mask_quotes, split_statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "One thing here. Another thing there!", ["One thing here.", "Another thing there!"], id="two"
        ),
        pytest.param(
            "Use short forms, e.g. in names. Always so.",
            ["Use short forms, e.g. in names.", "Always so."],
            id="eg",
        ),
        pytest.param(
            "Read app.config.yaml and v1.2 docs.", ["Read app.config.yaml and v1.2 docs."], id="dots"
        ),
        pytest.param(
            "- first point here\n2. second point here", ["first point here", "second point here"], id="list"
        ),
        pytest.param("**Decision:** keep the   queue", ["Decision: keep the queue"], id="emphasis"),
        pytest.param(
            "before it\n```\ncode. more code.\n```\nafter it", ["before it", "after it"], id="fence"
        ),
        pytest.param("before it\n```\nnever closed here", ["before it"], id="open-fence"),
        pytest.param('he wrote "first. second." in it', ['he wrote "first. second." in it'], id="quotation"),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert split_statements(text) == expected


@pytest.mark.parametrize(
    "line",
    [
        "> quoted words",
        "    return value",
        "2026-03-02 10:00:00 starting up",
        "[12:30:01] GET /index",
        "TypeError: x is not a function",
        "INFO: server started",
        "  at Object.<anonymous> (app.js:1:2)",
        "const x = { a: 1 };",
        "+ added line",
        "| a | b |",
        "$ npm test",
        "src/app.py:12: error here",
        '"name": "engram",',
        "<div>text</div>",
        "# heading",
    ],
)
def test_machine_lines(line: str) -> None:
    assert is_machine_line(line)
    assert split_statements(line) == []


@pytest.mark.parametrize(
    "line",
    [
        "never push to main",
        "- always run `make lint` (it is fast)",
        "error handling must not swallow exceptions",
        "We use (mostly) Postgres; Redis is for caching",
        "the class names are in English",
        "1. import order is fixed",
    ],
)
def test_prose_lines(line: str) -> None:
    assert not is_machine_line(line)


def test_mask_keeps_every_position() -> None:
    text = 'run `make lint` and "never say this" now'
    masked = mask_quotes(text)
    assert len(masked) == len(text)
    assert "lint" not in masked
    assert "never" not in masked
    assert masked.endswith(" now")
