"""Whether a turn used what it was shown: judged by what the agent said and did, and by what the user said next."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log

from engram_hooks.recall.fields import LETTERS
from engram_hooks.sessions.corrections import AGAINST, FOR, judge_answer
from engram_hooks.sessions.marks import (
    CHANCE,
    MAX_TEXT_CHARS,
    WORD,
    Mark,
    all_marks,
    find_marks,
    holds,
    read_text,
    subject_of,
    words_of,
)

USED, IGNORED, WRONG, UNKNOWN = "used", "ignored", "wrong", "unknown"
# Of five records shown beside a prompt four are needed at all (the minder's precision is 0.8), and of these five in
# six leave a trace: in so many turns use is seen where a record is good.
VISIBLE = 0.68
# A prohibition, a rule, what is known of the user: mostly obeyed without a word.
VISIBLE_QUIET = 0.15
QUIET_KINDS = frozenset(("constraint", "user", "feedback"))
# the same bounds for every piece of evidence, so that no single turn decides
MOST = 2.9
CONTRADICTED = -2.0
# who follows one part of a long record repeats little of the rest: a name that shows is not outweighed by all words
MOST_MISSING = -1.0
SEEN = 0.7
NOT_SEEN = -0.1
# a turn that said less, and did nothing, tells nothing
MIN_SAID_CHARS = 200
_MAX_TOLD = 3
_PRIOR_TURNS = 20
_RULES = re.compile(
    r"\b(?:never|do not|don't|must not|mustn't|may not|avoid|forbidden|not allowed)\b", re.IGNORECASE
)
_DISMISSED = re.compile(
    r"(?:not|n't|isn’t|doesn’t|un|ir)[ -]?(?:relevant|related|appl(?:y|icable|ies)|needed|useful|concern)\w*|outdated",
    re.IGNORECASE,
)
_LETTERS = "".join(LETTERS.values())
_IN_BRACKETS = re.compile(rf"(?<![\w)\]])\[((?:[{_LETTERS}t]\d+[ ,]*)+)\]")
_IN_COMMAND = re.compile(rf"\bengram (?:show|edit|supersede|why-not|feedback)\b[^\n]*?\b([{_LETTERS}]?\d+)\b")
_AS_NOTE = re.compile(rf"\b(?:note|memory|record|engram) ([{_LETTERS}]\d+)\b")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: what was asked, said and done (calls, paths and lines of edits), and what the user said next.

    `is_whole` is false where the agent was stopped before its end.
    """

    prompt: str
    said: str
    done: str
    answer: str = ""
    is_whole: bool = True

    @property
    def is_telling(self) -> bool:
        """Whether there was enough of it to see what was not used."""
        return self.is_whole and (bool(self.done) or len(self.said) >= MIN_SAID_CHARS)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`verdict` is used, ignored, wrong or unknown; `step` what that adds to the log odds of being of use."""

    verdict: str
    step: float
    reason: str


class Watcher:
    """One turn, read once, for judging many records by it.

    `counts` says in how many log rows a term stands, `turns` how many turns the log is made of.
    """

    def __init__(self, turn: Turn, *, counts: Mapping[str, int], turns: int) -> None:
        self.turn = turn
        self._asked = read_text(turn.prompt)
        self._both = read_text(f"{turn.said[:MAX_TEXT_CHARS]}\n{turn.done}", max_chars=2 * MAX_TEXT_CHARS)
        self._ids = named_ids(turn.said) | looked_up_ids(turn.done)
        self._counts = counts
        self._turns = turns

    def judge(self, record_id: int, kind: str, summary: str) -> Verdict:
        """What the turn made of a record that was shown beside its prompt."""
        seen = self._look(record_id, kind, summary)
        heard = judge_answer(summary, self.turn.answer, was_used=seen.verdict == USED)
        if heard == AGAINST:
            return Verdict(WRONG, CONTRADICTED, "the user said that it is not so")
        if heard == FOR and seen.verdict != USED:
            return Verdict(USED, MOST, "the user said the same again")
        if seen.verdict == USED:
            return seen
        if judge_answer(summary, self.turn.prompt, was_used=False) == FOR:
            return Verdict(UNKNOWN, 0.0, "the user had just said it")
        if self.turn.is_telling:
            return seen
        reason = "the turn was short" if self.turn.is_whole else "the turn was broken off"
        return Verdict(UNKNOWN, 0.0, reason)

    def notice(self, record_id: int, summary: str, *, is_pack: bool) -> Verdict | None:
        """Use of a record that an earlier turn was shown, or a pack (`is_pack`): only what is sure counts."""
        if record_id in self._ids and not self._is_dismissed(record_id):
            return Verdict(USED, MOST, "named by its id")
        if not is_pack:
            return None
        marks = [mark for mark in find_marks(summary, self._asked) if mark.sort != WORD]
        step, held = self._weigh(marks, summary, visible=VISIBLE)
        return Verdict(USED, step, _tell(held)) if held and step >= SEEN else None

    def _look(self, record_id: int, kind: str, summary: str) -> Verdict:
        visible = VISIBLE_QUIET if is_quiet(kind, summary) else VISIBLE
        if record_id in self._ids:
            if self._is_dismissed(record_id):
                return Verdict(IGNORED, log(1 - VISIBLE), "the agent said that it does not apply")
            return Verdict(USED, MOST, "named by its id")
        marks = find_marks(summary, self._asked)
        if not marks:
            return Verdict(UNKNOWN, 0.0, "it says nothing that the prompt does not say")
        step, held = self._weigh(marks, summary, visible=visible)
        if held and step >= SEEN:
            return Verdict(USED, step, _tell(held))
        if step <= NOT_SEEN:
            return Verdict(
                IGNORED, step, f"little of it shows: {', '.join(held)}" if held else "nothing of it shows"
            )
        return Verdict(UNKNOWN, 0.0, "what shows of it is common here" if held else "it would leave no trace")

    def _weigh(self, marks: list[Mark], summary: str, *, visible: float) -> tuple[float, list[str]]:
        """(log of how much likelier the marks seen and not seen are if the record was used, those seen)."""
        subject = subject_of(summary)
        gains = losses = 0.0
        held: list[tuple[float, Mark]] = []
        for mark in marks:
            chance, shows = self._chance(mark), mark.shows
            if holds(self._both, mark, subject=subject):
                gain = log(max(shows, chance) / chance)
                held.append((-gain, mark))
                gains += gain
            else:
                losses += log((1 - shows) / (1 - min(chance, shows)))
        if any(mark.sort != WORD for _, mark in held):
            losses = max(losses, MOST_MISSING)
        step = log(visible * exp(min(gains + losses, 20.0)) + 1 - visible)
        return min(step, MOST), [mark.key for _, mark in sorted(held, key=lambda one: one[0])[:_MAX_TOLD]]

    def _chance(self, mark: Mark) -> float:
        """In what share of turns a mark stands anyway: what the log counts, beside a prior for its sort."""
        met = min(self._counts.get(mark.key, 0), self._turns)
        return min((_PRIOR_TURNS * CHANCE[mark.sort] + met) / (_PRIOR_TURNS + self._turns), 0.95)

    def _is_dismissed(self, record_id: int) -> bool:
        """Whether every sentence that names a record says that it is beside the point."""
        pattern = re.compile(rf"\[[^\]]*\b[{_LETTERS}]{record_id}\b[^\]]*\]")
        lines = [part for part in re.split(r"\n|(?<=[.!?])\s", self.turn.said) if pattern.search(part)]
        return bool(lines) and all(_DISMISSED.search(line) for line in lines)


def named_ids(text: str) -> set[int]:
    """The records that prose names by their ids: `[d12]`, `note d12`, `engram show d12`."""
    found = looked_up_ids(text)
    for hit in _IN_BRACKETS.finditer(text):
        words = hit[1].replace(",", " ").split()
        found |= {int(word[1:]) for word in words if word[0] in _LETTERS}
    return found | {int(hit[1][1:]) for hit in _AS_NOTE.finditer(text)}


def looked_up_ids(text: str) -> set[int]:
    """The records that commands in a text ask for by their ids; in code brackets are no ids."""
    return {int(hit[1].lstrip(_LETTERS)) for hit in _IN_COMMAND.finditer(text)}


def is_quiet(kind: str, summary: str) -> bool:
    """Whether a record is mostly followed without a trace: rules, prohibitions, what is known of the user."""
    return kind in QUIET_KINDS or bool(_RULES.search(summary))


def terms_to_count(summaries: Mapping[int, str]) -> list[str]:
    """The terms whose frequency in the log `Watcher` asks for."""
    return words_of(mark for summary in summaries.values() for mark in all_marks(summary))


def _tell(held: list[str]) -> str:
    return f"it shows: {', '.join(held)}"
