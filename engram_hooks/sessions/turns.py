"""The log of a session cut into turns, each with the prompt that the hook saw."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# (log id, uuid, role, text, moment in ms)
LogRow = tuple[int, str, str, str, int]
# (id, prompt_id, text, moment in ms)
Prompt = tuple[int, str, str, int]

MAX_APART_MS = 10_000
_SAME_CHARS = 300
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class LoggedTurn:
    """A user's words and all that came before the next: `said` is prose with calls behind it, `calls` are calls alone.

    `ends_open` where the last row is a call or its result: nothing was said at the end. `answer` are the user's
    next words, None where there are none yet.
    """

    log_id: int
    text: str
    at_ms: int
    said: str
    calls: str
    ends_open: bool
    answer: str | None
    answer_id: int


def split_turns(rows: Sequence[LogRow]) -> list[LoggedTurn]:
    """The turns of log rows in order; what stands before the first words of the user belongs to none."""
    starts = [at for at, row in enumerate(rows) if row[2] == "user"]
    turns: list[LoggedTurn] = []
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(rows)
        own = rows[start + 1 : end]
        answer = rows[end] if end < len(rows) else None
        turns.append(
            LoggedTurn(
                log_id=rows[start][0],
                text=rows[start][3],
                at_ms=rows[start][4],
                said="\n".join(row[3] for row in own if row[2] == "assistant"),
                calls="\n".join(row[3] for row in own if row[2] == "tool"),
                ends_open=bool(own) and own[-1][2] != "assistant",
                answer=answer[3] if answer else None,
                answer_id=answer[0] if answer else 0,
            )
        )
    return turns


def match_prompts(turns: Sequence[LoggedTurn], prompts: Sequence[Prompt]) -> dict[int, Prompt]:
    """Which prompt of the hook each turn answers, by the log id of the turn.

    The same words in the same order, or what was typed within ten seconds; prompts and turns are in order, either
    may have some that the other has not.
    """
    found: dict[int, Prompt] = {}
    end = len(prompts)
    for turn in reversed(turns):  # of equal prompts the latest are meant: earlier turns are judged already
        key = _key(turn.text)
        place = next((at for at in reversed(range(end)) if _is_same(key, _key(prompts[at][2]))), None)
        if place is None:
            apart = [(abs(prompt[3] - turn.at_ms), at) for at, prompt in enumerate(prompts[:end])]
            distance, nearest = min(apart, default=(MAX_APART_MS + 1, 0))
            place = nearest if distance <= MAX_APART_MS else None
        if place is not None:
            found[turn.log_id] = prompts[place]
            end = place
    return found


def _is_same(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return bool(shorter) and (one == other or (len(shorter) >= 40 and longer.startswith(shorter)))


def _key(text: str) -> str:
    return _SPACE.sub(" ", text).strip().rstrip("…").strip()[:_SAME_CHARS]
