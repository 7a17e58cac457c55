"""The ranked search of the conversation, on a small chat about a shop."""

from __future__ import annotations

from sqlite3 import Connection

import pytest

from engram_hooks.curate.asking import recollect, search_log
from engram_hooks.curate.asking.question import Question
from engram_hooks.curate.asking.search_log import FoundLine, search_lines
from engram_hooks.store import log, sessions, tool_events

NOON = 1_746_273_600_000  # 3 May 2025, 12:00 UTC
DAY_MS = 86_400_000
CHAT = {
    "payments": (
        "Customers are charged twice when the gateway times out.",
        "The retry makes a fresh key each time. I will reuse one idempotency key across retries.",
        "Good. Why did nobody see it before?",
        "The staging gateway never times out, so the retry never ran there.",
    ),
    "deploy": (
        "How do we roll out to the shop-api hosts?",
        "With the blue pool first; after ten minutes the green pool follows.",
        "And who wakes up when that breaks?",
        "Ana is on call until the end of June.",
    ),
    "parser": (
        "orderParser drops the last line of a file without a newline.",
        "Fixed: it flushes its buffer at the end of input.",
        "The order of the parser's options changed, too.",
        "We bought a licence for the fuzzing service.",
    ),
    "noise": (
        "What is for lunch?",
        "Lunch is soup.",
        "The call was long.",
        "The pool table arrived.",
    ),
}


@pytest.fixture
def chat(store: Connection) -> Connection:
    """Four sessions, one a day from 3 May 2025."""
    for number, (name, texts) in enumerate(CHAT.items()):
        at_ms = NOON + number * DAY_MS
        session = sessions.add_session(
            store, name, project_id=1, root="", branch="", transcript_path="", now_ms=at_ms
        )
        roles = "user", "assistant"
        rows = [(f"{name}{i}", roles[i % 2], "", text, at_ms + i * 60_000) for i, text in enumerate(texts)]
        log.append_rows(store, session[0], rows)
    return store


def search(store: Connection, text: str, *, limit: int = 5, until_ms: int | None = None) -> list[FoundLine]:
    """The lines of project 1 that answer."""
    return search_lines(store, text, project_id=1, limit=limit, until_ms=until_ms)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("idempotency key", "payments1", id="words"),
        pytest.param("which licences did we buy", "parser3", id="other forms of a word, irregular ones too"),
        pytest.param("orderParser", "parser0", id="a name before its parts"),
        pytest.param("fuzz", "parser3", id="the start of a word"),
        pytest.param("who is on call", "deploy3", id="a word of two lines, one of them about the question"),
        pytest.param("what about the pool on 4 May", "deploy1", id="a day that is named"),
        pytest.param("shop-api rollout", "deploy0", id="parts of a word with hyphens"),
    ],
)
def test_line_that_answers_comes_first(chat: Connection, question: str, answer: str) -> None:
    assert search(chat, question)[0].row["uuid"] == answer


def test_answer_without_a_word_of_the_question_comes_with_its_neighbour(chat: Connection) -> None:
    found = [line.row["uuid"] for line in search(chat, "how do we roll out to hosts", limit=2)]
    assert found == ["deploy0", "deploy1"]


@pytest.mark.parametrize("question", ["", "  ", "?!", "zeppelin", "\x00", '"', "AND OR *"])
def test_nothing_is_found_without_a_word_of_the_log(chat: Connection, question: str) -> None:
    assert search(chat, question) == []


def test_other_projects_are_not_searched(chat: Connection) -> None:
    assert search_lines(chat, "idempotency key", project_id=2, limit=5) == []


def test_nothing_said_later_is_found(chat: Connection) -> None:
    found = search(chat, "gateway retry pool parser", limit=20, until_ms=NOON + DAY_MS)
    assert {line.row["session"] for line in found} == {"payments"}


def test_scores_fall_and_lie_between_0_and_1(chat: Connection) -> None:
    scores = [line.score for line in search(chat, "why did the gateway charge twice", limit=20)]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_reasons_name_words_and_signals(chat: Connection) -> None:
    reasons = search(chat, "pool on 4 May")[0].reasons
    assert reasons["matched"] == ["pool"]
    assert set(reasons["signals"]) == {"words", "neighbours", "session", "meaning", "date"}
    assert reasons["signals"]["date"] > 0


def test_search_needs_no_table_of_meaning(chat: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_log, "BUNDLED_PATH", "/nowhere/table.bin")
    found = search(chat, "idempotency key")
    assert found[0].row["uuid"] == "payments1"
    assert found[0].reasons["signals"]["meaning"] == 0


def test_failures_of_tools_are_found_beside_the_log(chat: Connection) -> None:
    event = {"tool": "Bash", "target": "", "command": "pytest tests/test_retry.py", "outcome": "failed"}
    event |= {"error": "ERR_PAYMENT_DUPLICATE", "use_id": "u", "agent": ""}
    tool_events.record_event(chat, 1, event, now_ms=NOON)
    question = Question("ERR_PAYMENT_DUPLICATE", project_id=1, now_ms=NOON)
    assert [hit.source for hit in recollect.answer(chat, question, "search")] == ["tool"]
