"""The made-up year lived twice, with consolidation every night and without: what the memory tells month by month."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engram_hooks.bench.year.calendar import moment_of
from engram_hooks.bench.year.checkouts import Checkout
from engram_hooks.bench.year.keeping import Kept, check_kept
from engram_hooks.bench.year.life import Day, Life
from engram_hooks.bench.year.plot import plan_year
from engram_hooks.bench.year.wording import read_deck

DAYS, LOG_ROWS = 250, 20_000
MONTHS = 12
SEEDS = {"dev": 11, "unseen": 23}
RETENTION_DAYS = 120


@dataclass(frozen=True, slots=True)
class Month:
    """A twelfth of the year: precisions and the share of questions answered from 0 to 1, sizes at its end."""

    pack_precision: float
    minder_precision: float
    answered: float
    pack_chars: int
    store_mb: float
    log_rows: int
    told_records: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """A year of a split: its months with and without consolidation, and whether all was kept that must be."""

    split: str
    days: int
    log_rows: int
    with_it: tuple[Month, ...]
    without: tuple[Month, ...]
    kept: Kept


def measure(
    split: str,
    folder: Path,
    *,
    days: int = DAYS,
    log_rows: int = LOG_ROWS,
    seed: int | None = None,
    tick: Callable[[], None],
) -> Outcome:
    """Play the year of a split (`dev` or `unseen`) twice inside an empty folder; `tick` counts the days."""
    deck = read_deck(split)
    number = SEEDS[split] if seed is None else seed
    year = plan_year(deck, days=days, seed=number)
    checkouts = [Checkout(folder / name, year, at) for at, name in enumerate(deck.projects)]
    rows_a_day = max(1, log_rows // (days * len(checkouts)))
    months: list[tuple[Month, ...]] = []
    kept = Kept()
    for consolidates in (True, False):
        home = folder / ("with" if consolidates else "without")
        rng = random.Random(number)  # noqa: S311 (a made-up year)
        life = Life(home, deck, year, checkouts, _environ(home), consolidates, rows_a_day, rng)
        try:
            lived = []
            for day in range(days):
                lived.append(life.play(day))
                tick()
            if consolidates:
                kept = check_kept(life.db, now_ms=moment_of(days))
        finally:
            life.db.close()
        months.append(_by_month(lived))
    return Outcome(split, days, rows_a_day * days * len(checkouts), months[0], months[1], kept)


def _environ(home: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "ENGRAM_HOME": str(home),
        "ENGRAM_LOG_RETENTION_DAYS": str(RETENTION_DAYS),
        "ENGRAM_BRANCH_PROMOTE": "auto",
    }


def _by_month(days: Sequence[Day]) -> tuple[Month, ...]:
    found = []
    for at in range(MONTHS):
        own = days[at * len(days) // MONTHS : (at + 1) * len(days) // MONTHS]
        if own:
            found.append(_sum_up(own))
    return tuple(found)


def _sum_up(days: Sequence[Day]) -> Month:
    def share(part: str, whole: str) -> float:
        total = sum(getattr(day, whole) for day in days)
        return sum(getattr(day, part) for day in days) / total if total else 1.0

    last = days[-1]
    return Month(
        share("pack_right", "pack_told"),
        share("minder_right", "minder_told"),
        share("answered", "asked"),
        max(day.pack_chars for day in days),
        last.store_bytes / 1e6,
        last.log_rows,
        last.told_records,
    )
