"""How well the minder chooses: precision, recall and false alarms on a project that nothing was tuned on alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engram_hooks import Engram
from tests.evaluation.tables import read_table

MIN_PRECISION, MIN_RECALL, MAX_FALSE = 0.75, 0.38, 0.04


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt with the records it needs, and those that may come with them."""

    kind: str
    text: str
    needed: frozenset[str]
    fine: frozenset[str]


def _prompts() -> list[Prompt]:
    rows = read_table("minder_prompts.txt", 4)
    return [
        Prompt(kind, text, frozenset(n.split()), frozenset(n.split() + f.split()))
        for kind, text, n, f in rows
    ]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engram]:
    """The memory of the invented project."""
    home: Path = tmp_path_factory.mktemp("minder")
    with Engram(home=home, cwd=home, environ={"HOME": str(home)}) as memory:
        rows = [
            {
                "id": name,
                "project": "tidewatch",
                "kind": kind,
                "text": text,
                "ts": f"2026-01-{at % 28 + 1:02d}",
            }
            for at, (name, kind, text) in enumerate(read_table("minder_records.txt", 3))
        ]
        memory.import_records(rows)
        yield memory


def _shown(memory: Engram, prompt: str) -> list[str]:
    return [hit.id for hit in memory.recall(prompt, k=3, mode="hook", project="tidewatch")]


def test_precision_recall_and_false_alarms(memory: Engram) -> None:
    shown = right = needed = found = quiet = false = 0
    for prompt in _prompts():
        got = _shown(memory, prompt.text)
        wrong = [name for name in got if name not in prompt.fine]
        shown, right = shown + len(got), right + len(got) - len(wrong)
        needed, found = needed + len(prompt.needed), found + len(prompt.needed & set(got))
        if not prompt.needed:
            quiet, false = quiet + 1, false + bool(wrong)
    print(f"precision {right / shown:.3f}, recall {found / needed:.3f}, false alarms {false / quiet:.3f}")
    assert right / shown >= MIN_PRECISION
    assert found / needed >= MIN_RECALL
    assert false / quiet <= MAX_FALSE


@pytest.mark.parametrize(
    "prompt", [pytest.param(p.text, id=p.text) for p in _prompts() if p.kind in ("trivial", "offtopic")]
)
def test_trivial_and_off_topic_prompts_get_nothing(memory: Engram, prompt: str) -> None:
    assert set(_shown(memory, prompt)) <= {"P01", "W06"}
