"""What a session's log holds that is worth a memory, found without a model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engram_hooks.sessions.answers import find_answer, find_form_answers
from engram_hooks.sessions.commits import find_messages, read_message
from engram_hooks.sessions.patterns import ASSISTANT, USER, Finding
from engram_hooks.sessions.rules import find_rule
from engram_hooks.sessions.statements import split_statements
from engram_hooks.terms import query_terms

if TYPE_CHECKING:
    from engram_hooks.sessions.lines import Row

MAX_PER_ROW = 6
SURE = 0.8
MAX_QUOTE_CHARS = 400

_CALL = re.compile(r"^[A-Z][A-Za-z_]*(?:: | |$)|^mcp__\w+")
_FORM = "AskUserQuestion: "
_DENIAL = re.compile(
    r"\b(?:don't|don’t|dont|do not|does not|doesn't|never|not|no|no longer|without|avoid|stop|must not|mustn't|nie"
    r"|niemals|nicht|kein\w*|jamais|nunca|ne|pas)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposed memory; `quote` are the words it rests on, `uuid` and `at_ms` the row they stand in."""

    kind: str
    summary: str
    quote: str
    uuid: str
    at_ms: int
    confidence: float
    reason: str


def extract(rows: Iterable[Row], *, known: Iterable[str] = ()) -> list[Candidate]:
    """Candidates from log rows in the order of the conversation, each thing once.

    `known` are summaries already kept: what only repeats one of them is left out. Rows of subagents count for
    their commits alone.
    """
    seen = [_signature(summary) for summary in known]
    kept: list[Candidate] = []
    for found in _find_all(list(rows)):
        signature = _signature(found.summary)
        if not any(_is_repeat(signature, other) for other in seen):
            seen.append(signature)
            kept.append(found)
    return kept


def _find_all(rows: Sequence[Row]) -> Iterator[Candidate]:
    asked = form = ""
    for row in rows:
        uuid, role, text, at_ms, agent_id = row[0], row[1], row[2], row[3], row[7]
        found: list[tuple[Finding, str]] = []
        if role in (ASSISTANT, "tool"):
            said, calls = split_calls(text, role)
            for message in (message for call in calls for message in find_messages(call)):
                if commit := read_message(message):
                    found.append((commit, message))
            if not agent_id:
                found += _judge(said, ASSISTANT)
                asked = said or asked
                form = next((call for call in calls if call.startswith(_FORM)), form)
        elif role == "result" and form and not agent_id:
            found += [(answer, text) for answer in find_form_answers(form, text)]
            form = "" if found else form
        elif role == USER and not agent_id:
            answer = find_answer(asked, text) if asked else None
            found += _judge(text, USER) or ([(answer, text)] if answer else [])
            asked = ""
        for finding, quote in found:
            yield Candidate(
                finding.kind,
                finding.summary,
                quote[:MAX_QUOTE_CHARS],
                uuid,
                at_ms,
                finding.confidence,
                finding.reason,
            )


def _judge(text: str, speaker: str) -> list[tuple[Finding, str]]:
    """The findings of one text; of one that yields very many, a pasted document, only the sure ones."""
    pairs = [
        (find_rule(sentence, speaker=speaker), sentence)
        for sentence in split_statements(text, is_typed=speaker == USER)
    ]
    found = [(finding, sentence) for finding, sentence in pairs if finding]
    if len(found) > MAX_PER_ROW:
        found = [(finding, sentence) for finding, sentence in found if finding.confidence >= SURE][
            :MAX_PER_ROW
        ]
    return found


def split_calls(text: str, role: str) -> tuple[str, list[str]]:
    """(what was said, the tool calls): in an assistant's row the calls are its last lines."""
    lines = text.split("\n")
    if role == "tool":
        return "", lines
    count = len(lines)
    while count > 1 and _CALL.match(lines[count - 1]):
        count -= 1
    return "\n".join(lines[:count]), lines[count:]


def _signature(text: str) -> tuple[frozenset[str], bool]:
    terms = frozenset(_stem(term) for term in query_terms(text, max_terms=80))
    return terms, bool(_DENIAL.search(text))


def _stem(term: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if len(term) > len(ending) + 3 and term.isalpha() and term.endswith(ending):
            return term[: -len(ending)]
    return term


def _is_repeat(new: tuple[frozenset[str], bool], old: tuple[frozenset[str], bool]) -> bool:
    """Whether nothing is new: the same terms, or hardly more; another term in the place of one is news."""
    (terms, denies), (known, denied) = new, old
    if denies != denied:
        return False
    extra = terms - known
    return not extra or (len(known) > 1 and not known - terms and len(extra) * 3 <= len(terms))
