"""CPU budgets of the recall rooms, as shares of a bare interpreter's start in the same run, with slack."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from engram_hooks.guard.firewall import LOOKED
from engram_hooks.recall.boot import build_pack
from engram_hooks.recall.fields import KINDS
from engram_hooks.recall.rank import score
from engram_hooks.recall.route import is_trivial, plan
from tests.support.bare_start import bare_start_s

if TYPE_CHECKING:
    from collections.abc import Callable

    from engram_hooks.recall.fields import Row

BOOT, RANK, TRIVIAL = 0.6, 0.3, 0.01


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
            LOOKED,
            i,
            -1.0,
        )
        for i in range(1, count + 1)
    ]


def _share(call: Callable[[], object]) -> float:
    """The best of some runs, as a share of a bare start."""
    best = 1e9
    for _ in range(30):
        started = time.process_time()
        call()
        best = min(best, time.process_time() - started)
    return best / bare_start_s()


def test_boot_pack_of_300_rows() -> None:
    rows = _rows(300)
    assert _share(lambda: build_pack(rows, project="p")) < BOOT


def test_scoring_of_40_rows() -> None:
    rows = _rows(40)
    terms, names = plan(
        "why does the retry queue print two labels when the ledger token in src/pay.py expires on prod?"
    )
    assert _share(lambda: score(terms, names, rows, df={}, total=300)) < RANK


def test_trivial_prompt() -> None:
    assert _share(lambda: is_trivial("ok looks good, commit it")) < TRIVIAL
