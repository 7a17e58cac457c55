"""How a record's use so far moves the odds that it is shown: bounded, with another chance now and then."""

from __future__ import annotations

from engram_hooks.recall.fields import AT, ID, KIND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram_hooks.recall.rank import Scored

_E = 2.718281828459045
# The standing of a record is the log odds that its showings are of use, beside those of a record of which nothing is
# known. It begins with a little credit, half of what a showing in vain costs at most. Only below 0 does it count.
START = 0.5
# ... and ends here: a record that was ignored many times is still shown where the prompt alone makes it 96 % likely
# (log odds 3.15 over the floor of 0.3), so no record starves
LOWEST = -4.0
# rules and what is known of the user are obeyed in silence: ignoring is hard to see, losing one is dear
LOWEST_KEPT = -1.0
KEPT_KINDS = frozenset(("constraint", "user", "feedback"))
# credit that no watching gives, only a person's word; it lifts a little
OWN_CREDIT = 1.6
HIGHEST = 0.5
# what was learnt is half forgotten after a month: projects move on, and an ignored record gets a fresh look
HALF_LIFE_MS = 30 * 86_400_000
# A record that something is held against is judged as if nothing were known of it in one of so many sessions: so it is
# found out when it has become useful. It costs a fortieth of what holding it back saves.
CHANCE = 40


def settle(standing: float, age_ms: float) -> float:
    """A standing after some time: half way back to the start in each half-life."""
    if age_ms <= 0:
        return standing
    left: float = 0.5 ** (age_ms / HALF_LIFE_MS)
    return START + (standing - START) * left


def lean(standing: float, kind: str) -> float:
    """What a standing adds to the log odds of a record: LOWEST (of some kinds LOWEST_KEPT) to HIGHEST, mostly 0."""
    if standing < 0:
        return max(standing, LOWEST_KEPT if kind in KEPT_KINDS else LOWEST)
    return min(max(standing - OWN_CREDIT, 0.0), HIGHEST)


def has_chance(record_id: int, session_id: int) -> bool:
    """Whether a record is tried again in this session: one answer for all of the session; never for session 0."""
    from zlib import crc32

    return session_id > 0 and crc32(b"%d %d" % (record_id, session_id)) % CHANCE == 0


def apply_use(
    scored: list[Scored], use: Mapping[int, tuple[float, int]], *, now_ms: int, session_id: int = 0
) -> list[Scored]:
    """The same records with their use in the odds, best first.

    `use` is (standing, moment in ms) by record id. Among the reasons of a record that it moves is `use` in `signals`;
    `is_retried` in those of one that has its chance.
    """
    moved: list[Scored] = []
    for value, row, reasons in scored:
        found = use.get(row[ID])
        change = lean(settle(found[0], now_ms - found[1]), row[KIND]) if found else 0.0
        if not change or not value:
            moved.append((value, row, reasons))
        elif change < 0 and has_chance(row[ID], session_id):
            moved.append((value, row, {**reasons, "is_retried": True}))
        else:
            moved.append(_move(row, reasons, change))
    moved.sort(key=lambda item: (-item[2]["odds"], -item[1][AT], -item[1][ID]))
    return moved


def _move(row: tuple[Any, ...], reasons: Mapping[str, Any], change: float) -> Scored:
    odds = reasons["odds"] + change
    signals = {**reasons["signals"], "use": change}
    return round(1.0 / (1.0 + _E**-odds), 4), row, {**reasons, "odds": odds, "signals": signals}
