"""The benchmark of the search: its figures on a set whose answers are known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engram_hooks.bench.recall import measure, rate, read_set
from engram_hooks.cli.bench import group
from engram_hooks.errors import UsageError

RECORDS = [
    ("a1", "s1", "2025-05-01T10:00:00Z", "The queue runs on quartz."),
    ("a2", "s1", "2025-05-01T10:01:00Z", "It is drained at night."),
    ("b1", "s2", "2025-05-02T10:00:00Z", "Backups go to granite."),
]
QUERIES: list[dict[str, Any]] = [
    {"type": "fact", "question": "Where do backups go?", "gold": ["b1"], "gold_sessions": ["s2"]},
    {"type": "fact", "question": "What runs on zeppelins?", "gold": ["b1"], "gold_sessions": ["s2"]},
    {"type": "none", "question": "Who?", "gold": [], "gold_sessions": [], "answerable": False},
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A set of one corpus."""
    folder = tmp_path / "set"
    folder.mkdir()
    records = [
        {"id": name, "corpus": "c", "session": session, "seq": i, "ts": at, "role": "user", "text": text}
        for i, (name, session, at, text) in enumerate(RECORDS)
    ]
    queries = [{"qid": str(i), "corpus": "c", **query} for i, query in enumerate(QUERIES)]
    (folder / "META.json").write_text(json.dumps({"name": "tiny"}), "utf-8")
    for name, rows in (("records", records), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return folder


def test_figures_are_means_over_the_questions(data: Path, tmp_path: Path) -> None:
    outcome = measure(data, tmp_path / "home")
    assert outcome.name == "tiny"
    assert {(row.unit, row.type) for row in outcome.figures} == {
        ("turn", "fact"),
        ("turn", "all"),
        ("session", "fact"),
        ("session", "all"),
    }
    assert all(row.questions == 2 for row in outcome.figures)
    assert all(row.recall_at_5 == row.hit_at_10 == row.mrr == 0.5 for row in outcome.figures)


@pytest.mark.parametrize(
    ("ranked", "gold", "expected"),
    [
        pytest.param("ab", "a", [1, 1, 1, 1, 1, 1], id="first"),
        pytest.param("xxxxxa", "a", [0, 1, 0, 1, 1 / 6, 0.356], id="sixth"),
        pytest.param("xa", "ab", [0.5, 0.5, 1, 1, 0.5, 0.387], id="one of two"),
        pytest.param("", "a", [0, 0, 0, 0, 0, 0], id="nothing"),
    ],
)
def test_ranking_is_rated(ranked: str, gold: str, expected: list[float]) -> None:
    assert rate(list(ranked), set(gold)) == pytest.approx(expected, abs=0.001)


def test_folder_without_a_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"META\.json"):
        read_set(tmp_path)


@pytest.mark.parametrize("line", ["{", "[]", '{"id": 1}'])
def test_broken_records_are_refused(data: Path, line: str) -> None:
    (data / "records.jsonl").write_text(line + "\n", "utf-8")
    with pytest.raises(UsageError, match="cannot be read"):
        read_set(data)


def test_command_prints_a_table_or_json(data: Path) -> None:
    shown = CliRunner().invoke(group, ["recall", str(data)])
    assert shown.exit_code == 0
    assert "hit@10" in shown.output
    assert "tiny" in shown.output
    document = json.loads(CliRunner().invoke(group, ["recall", str(data), "--json"]).stdout)
    assert document["name"] == "tiny"
    assert document["figures"][0]["recall_at_5"] == 0.5
