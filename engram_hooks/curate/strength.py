"""How strong a memory still is: a curve of forgetting over recency, frequency and importance."""

from __future__ import annotations

from math import log2

DAY_MS = 86_400_000
# Days after which a record that nobody used is worth half, by kind; what is not listed lasts `LASTING_DAYS`.
HALF_LIFE_DAYS = {
    "state": 30,
    "insight": 60,
    "fact": 90,
    "module": 90,
    "reference": 90,
    "incident": 120,
    "procedure": 180,
}
LASTING_DAYS = 720
FLOOR = 0.125  # two half-lives after the last sight of a record of middling importance that was never used
IGNORED_PER_HALVING = 20


def compute_strength(
    *, kind: str, importance: float, days: float, used: float = 0.0, ignored: float = 0.0
) -> float:
    """importance x frequency x 2 ^ (-days / (half-life x frequency)), from 0 up.

    `days` since the record was last seen (made, used, heard again, touched by a person); `importance` from 0 to
    1; `used` and `ignored` count turns. frequency = 1 + log2(1 + used). Being shown in vain shortens the
    half-life: by half for every `IGNORED_PER_HALVING` turns more than those that used it.
    """
    frequency = 1 + log2(1 + max(0.0, used))
    neglect = 2 ** (-max(0.0, ignored - used) / IGNORED_PER_HALVING)
    half_life = HALF_LIFE_DAYS.get(kind, LASTING_DAYS) * frequency * max(neglect, 0.125)
    return importance * frequency * 2 ** (-max(0.0, days) / half_life)


def days_until_floor(
    *, kind: str, importance: float, used: float = 0.0, ignored: float = 0.0, floor: float = FLOOR
) -> float:
    """After how many days without use the strength reaches `floor`; 0 where it is below from the start."""
    frequency = 1 + log2(1 + max(0.0, used))
    start = importance * frequency
    if start <= floor:
        return 0.0
    neglect = 2 ** (-max(0.0, ignored - used) / IGNORED_PER_HALVING)
    half_life = HALF_LIFE_DAYS.get(kind, LASTING_DAYS) * frequency * max(neglect, 0.125)
    return half_life * log2(start / floor)
