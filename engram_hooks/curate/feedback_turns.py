"""After turns have ended: what became of the records that they were shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engram_hooks.sessions.corrections import FOR, is_correction, judge_answer
from engram_hooks.sessions.credit import add_up
from engram_hooks.sessions.marks import SHOWS_REASON, WORD, all_marks, holds, read_text
from engram_hooks.sessions.turns import LoggedTurn, match_prompts, split_turns
from engram_hooks.sessions.usage import IGNORED, USED, Turn, Verdict, Watcher, terms_to_count
from engram_hooks.store import boot, log, usage
from engram_hooks.store.matching import choose_terms, count_terms
from engram_hooks.store.transactions import Transaction
from engram_hooks.terms import query_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from sqlite3 import Connection

    from engram_hooks.sessions.turns import Prompt
    from engram_hooks.store.usage import Shown

MAX_TERMS = 500
MAX_MISSED = 8
# so many records may hold a name that points to one of them
RARE = 2
_LATEST = 1 << 62
PASSED_OVER = Verdict(IGNORED, 0.0, "no turn of the session used it")


@dataclass(frozen=True, slots=True)
class _Heard:
    """A turn that has ended, with the prompt that the hook saw (None where it saw none) and its edits."""

    logged: LoggedTurn
    prompt: Prompt | None
    turn: Turn


def judge_session(db: Connection, session_id: int, *, now_ms: int) -> int:
    """Judge the turns of a session that have ended since it was judged last; returns how many verdicts are new.

    The last turn is looked at again when the user's next words are known. Turns under way wait. Judging twice
    changes nothing.
    """
    items = usage.list_shown_items(db, session_id)
    project_id, is_running, is_over = usage.read_state(db, session_id)
    since = usage.judged_from(db, session_id)
    turns = split_turns(log.rows_after(db, session_id, since - 1, context=0))
    if is_running and not is_over:
        turns = turns[:-1]
    if not turns:
        return 0
    heard = _read_turns(db, turns, session_id, project_id)
    found = _judge_all(db, heard, items) if items else {}
    if is_over and any(one.turn.is_telling for one in heard):
        for item in items:
            if item[2] == "boot" and not item[7]:
                found.setdefault(item[0], PASSED_OVER)
    misses = _find_misses(db, heard, items, project_id)
    with Transaction(db):
        if usage.judged_from(db, session_id) != since:
            return 0  # another process was faster
        return _keep(db, found, misses, session=(session_id, project_id), at=turns[-1], now_ms=now_ms)


def recount(db: Connection, project_id: int, record_ids: Sequence[int], *, now_ms: int) -> None:
    """Add up again how records stand in a project. The caller holds the transaction."""
    for record_id in record_ids:
        credit = add_up(usage.list_events(db, project_id, record_id), now_ms=now_ms)
        usage.write_usage(
            db, project_id, record_id, (credit.used, credit.ignored, credit.standing), now_ms=now_ms
        )


def _keep(
    db: Connection,
    found: Mapping[int, Verdict],
    misses: Mapping[int, int],
    *,
    session: tuple[int, int],
    at: LoggedTurn,
    now_ms: int,
) -> int:
    """Write down what is new, against what the store says by now."""
    items = [item for item in usage.list_shown_items(db, session[0]) if item[0] in found]
    news = [(item, found[item[0]]) for item in items if found[item[0]].verdict != item[7]]
    moved: set[int] = set()
    for item, verdict in news:
        told = (verdict.verdict, round(verdict.step, 4), verdict.reason)
        usage.count_use(db, item, verdict.verdict)
        usage.put_verdict(db, item[0], item[1], told, now_ms=now_ms)
        if verdict.step or item[7]:
            moved.add(item[1])
    for log_id, record_id in misses.items():
        if usage.add_miss(db, session[0], record_id, log_id=log_id, now_ms=now_ms):
            moved.add(record_id)
    recount(db, session[1], sorted(moved), now_ms=now_ms)
    usage.set_judged(db, session[0], at.log_id)
    return len(news)


def _read_turns(
    db: Connection, turns: Sequence[LoggedTurn], session_id: int, project_id: int
) -> list[_Heard]:
    prompts = usage.list_prompts(db, session_id)
    matched = match_prompts(turns, prompts)
    heard = []
    for turn in turns:
        prompt = matched.get(turn.log_id)
        edits: list[tuple[str, str]] = []
        if prompt:
            until = next((other[3] for other in prompts if other[0] > prompt[0]), _LATEST)
            edits = usage.list_edits_between(db, project_id, session_id, since_ms=prompt[3], until_ms=until)
        done = "\n".join([turn.calls, *(f"{path}\n{added}" for path, added in edits)]).strip()
        judged = Turn(
            prompt=turn.text,
            said=turn.said,
            done=done,
            answer=turn.answer or "",
            is_whole=not turn.ends_open or turn.answer is None,
        )
        heard.append(_Heard(turn, prompt, judged))
    return heard


def _judge_all(db: Connection, heard: Sequence[_Heard], items: Sequence[Shown]) -> dict[int, Verdict]:
    """The verdicts by the number of what was shown: beside its own prompt, and on what was there before."""
    terms = terms_to_count({item[1]: item[6] for item in items})[:MAX_TERMS]
    counts, turns = count_terms(db, "log", terms), usage.count_turns(db)
    found: dict[int, Verdict] = {}
    used = {item[0] for item in items if item[7] == USED}
    for one in heard:
        watcher = Watcher(one.turn, counts=counts, turns=turns)
        asked_at = one.prompt[3] if one.prompt else _LATEST
        before: dict[int, Shown] = {}
        for item in items:
            if item[2] == "minder" and _is_beside(item, one.prompt):
                found[item[0]] = watcher.judge(item[1], item[5], item[6])
            elif item[4] <= asked_at and (item[2] == "boot" or item[0] in found or item[7]):
                before[item[1]] = item
        for item in before.values():
            if item[0] in used:
                continue
            verdict = watcher.notice(item[1], item[6], is_pack=item[2] == "boot")
            if verdict:
                found[item[0]] = verdict
                used.add(item[0])
    return found


def _is_beside(item: Shown, prompt: Prompt | None) -> bool:
    """Whether something was shown beside a prompt: by its id, or by the moment where the client gives none."""
    if prompt is None:
        return False
    return item[3] == prompt[1] if item[3] else item[4] == prompt[3]


def _find_misses(
    db: Connection, heard: Sequence[_Heard], items: Sequence[Shown], project_id: int
) -> dict[int, int]:
    """By the log row of a correction: the record that says the same and was not shown before it."""
    misses: dict[int, int] = {}
    for one in heard:
        answer = one.turn.answer
        if not answer or not is_correction(answer):
            continue
        asked_at = one.prompt[3] if one.prompt else _LATEST
        shown = {item[1] for item in items if item[4] <= asked_at}
        terms = choose_terms(db, "records", query_terms(answer))
        rows = boot.matching_records(db, terms, project_id=project_id, limit=MAX_MISSED)
        missed = next((row[0] for row in rows if row[0] not in shown and _says_it(db, row[4], answer)), None)
        if missed is not None:
            misses[one.logged.answer_id] = missed
    return misses


def _says_it(db: Connection, summary: str, answer: str) -> bool:
    """Whether a record says what a correction says: half of what gives it away stands there, or a name that hardly any
    other record holds.
    """
    if judge_answer(summary, answer, was_used=False) != FOR:
        return False
    text = read_text(answer)
    marks = all_marks(summary)
    held = [mark for mark in marks if holds(text, mark, subject=frozenset())]
    if 2 * len(held) >= sum(mark.shows > SHOWS_REASON for mark in marks):
        return True
    counts = count_terms(db, "records", [mark.key for mark in held if mark.sort != WORD])
    return any(count <= RARE for count in counts.values())
