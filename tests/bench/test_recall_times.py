"""CPU budgets of the recall rooms: what a session start and a prompt may cost, twice over for slow machines."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from engram_hooks.recall.boot import build_pack
from engram_hooks.recall.fields import KINDS
from engram_hooks.recall.rank import score
from engram_hooks.recall.route import is_trivial, plan

if TYPE_CHECKING:
    from collections.abc import Callable

    from engram_hooks.recall.fields import Row

BOOT_MS, RANK_MS, TRIVIAL_MS = 3.0, 1.0, 0.05
SLACK = 2


def _rows(count: int) -> list[Row]:
    rng = random.Random(7)
    words = [
        f"{a}{b}"
        for a in ("cache", "queue", "label", "ledger", "retry", "token")
        for b in ("", "s", "er", "ing")
    ]
    words += [f"word{i}" for i in range(200)]
    return [
        (
            i,
            rng.choice(KINDS),
            "project",
            None,
            " ".join(rng.choices(words, k=14)),
            "",
            "",
            rng.random(),
            0.8,
            i,
            -1.0,
        )
        for i in range(1, count + 1)
    ]


def _best_ms(call: Callable[[], object]) -> float:
    best = 1e9
    for _ in range(30):
        started = time.process_time_ns()
        call()
        best = min(best, (time.process_time_ns() - started) / 1e6)
    return best


def test_boot_pack_of_300_rows() -> None:
    rows = _rows(300)
    assert _best_ms(lambda: build_pack(rows, project="p")) < BOOT_MS * SLACK


def test_scoring_of_40_rows() -> None:
    rows = _rows(40)
    terms, names = plan(
        "why does the retry queue print two labels when the ledger token in src/pay.py expires on prod?"
    )
    assert _best_ms(lambda: score(terms, names, rows, df={}, total=300)) < RANK_MS * SLACK


def test_trivial_prompt() -> None:
    assert _best_ms(lambda: is_trivial("ok looks good, commit it")) < TRIVIAL_MS * SLACK
