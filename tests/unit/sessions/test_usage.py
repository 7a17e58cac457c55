"""Whether a turn used what it was shown, by what the agent said and did."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engram_hooks.sessions.usage import (
    IGNORED,
    MOST,
    UNKNOWN,
    USED,
    WRONG,
    Turn,
    Verdict,
    Watcher,
    is_quiet,
    named_ids,
)

WORK = (
    "I looked through the module, changed what was asked for and ran the suite; all of it passes now. The second "
    "place needed the same change, and I left the rest as it was, since nothing else depends on it at all."
)
TURNS = 60


def judge(
    summary: str,
    prompt: str,
    *,
    said: str = "",
    done: str = "",
    answer: str = "",
    kind: str = "fact",
    counts: Mapping[str, int] | None = None,
    is_whole: bool = True,
) -> Verdict:
    turn = Turn(prompt, said, done, answer, is_whole)
    return Watcher(turn, counts=counts or {}, turns=TURNS).judge(12, kind, summary)


@pytest.mark.parametrize(
    ("summary", "prompt", "said", "done"),
    [
        pytest.param("x", "which database?", "As [k12] says, the old one.", "", id="id in brackets"),
        pytest.param("x", "which database?", "See [u1 k12].", "", id="id in a group"),
        pytest.param(
            "Mailer, scheduler and export share a calendar for charts, lists and builds, done with orchard_bridge",
            "draw the export chart",
            "",
            "Edit a.py\nrun('orchard_bridge')",
            id="one name of a long note",
        ),
        pytest.param("x", "which database?", "", "Bash: engram show 12", id="looked up"),
        pytest.param(
            "Order rows live in Cassandra",
            "where do orders go?",
            "They are in Cassandra.",
            "",
            id="proper name",
        ),
        pytest.param("Use pnpm, not npm", "install it", "", "Bash: pnpm install", id="tool in a command"),
        pytest.param(
            "Amounts go through to_minor_units",
            "fix the total",
            "",
            "Edit a.py\nx = to_minor_units(y)",
            id="in an edit",
        ),
        pytest.param(
            "Migrations are written by hand in db/changes",
            "add a column",
            "",
            "Write /home/ana/shop/db/changes/0042_add.sql",
            id="path of a file that was written",
        ),
        pytest.param(
            "Gateway retries are capped at 5",
            "retry the gateway",
            "",
            "retries = 5",
            id="number of its subject",
        ),
        pytest.param(
            "Gateway retries are capped at five",
            "retry the gateway",
            "",
            "retries = 5",
            id="number as a word",
        ),
        pytest.param(
            "Upload parts are 30,000 bytes", "split uploads", "", "part_bytes = 30_000", id="digits grouped"
        ),
        pytest.param(
            "Colliding bookings are merged by the steward overnight",
            "two users book at once",
            "Such bookings collide, so the steward merges them overnight.",
            "",
            id="several plain words in other forms",
        ),
    ],
)
def test_use_is_seen(summary: str, prompt: str, said: str, done: str) -> None:
    found = judge(summary, prompt, said=said, done=done)
    assert found.verdict == USED
    assert 0 < found.step <= MOST


@pytest.mark.parametrize(
    ("summary", "prompt", "said", "done"),
    [
        pytest.param("Order rows live in Cassandra", "where do orders go?", WORK, "", id="nothing of it"),
        pytest.param("Use pnpm, not npm", "install it", "", "Bash: npm install", id="what it speaks against"),
        pytest.param(
            "Orders live in Postgres rather than Mongo",
            "where do orders go?",
            WORK + " Orders go to Mongo.",
            "",
            id="other",
        ),
        pytest.param(
            "Gateway retries are capped at 5",
            "retry the gateway",
            WORK,
            "port = 5",
            id="the number of something else",
        ),
        pytest.param(
            "Gateway retries are capped at 5 by RetryBudget",
            "RetryBudget: retry the gateway",
            WORK,
            "Edit a.py\nRetryBudget()",
            id="only what the prompt said",
        ),
        pytest.param(
            "The roadmap meeting went through invoices with the finance people",
            "fix the invoices",
            WORK,
            "Edit a.py",
            id="attractive and of no use",
        ),
        pytest.param(
            "Icons come from a sprite",
            "add an icon",
            f"[k12] does not apply here. {WORK}",
            "",
            id="dismissed",
        ),
    ],
)
def test_turn_passes_a_record_over(summary: str, prompt: str, said: str, done: str) -> None:
    found = judge(summary, prompt, said=said, done=done)
    assert found.verdict == IGNORED
    assert -1.2 < found.step < 0


@pytest.mark.parametrize(
    ("summary", "said", "done", "counts"),
    [
        pytest.param(
            "The service reads its config at the start",
            WORK + " The config was wrong.",
            "",
            {"config": 20},
            id="word",
        ),
        pytest.param(
            "The entry point is src/app.py",
            "",
            "Edit src/app.py",
            {"src/app.py": 45},
            id="file of most turns",
        ),
        pytest.param(
            "Handlers live beside Express routes", WORK + " Express is fine.", "", {"express": 50}, id="name"
        ),
    ],
)
def test_what_is_common_in_the_log_is_no_use(
    summary: str, said: str, done: str, counts: dict[str, int]
) -> None:
    assert judge(summary, "make it faster", said=said, done=done, counts=counts).verdict != USED


@pytest.mark.parametrize(
    ("summary", "prompt", "turn"),
    [
        pytest.param("Orders live in Cassandra", "where?", {"said": "Which ones?"}, id="short"),
        pytest.param(
            "Orders live in Cassandra", "where?", {"done": "Read a.py", "is_whole": False}, id="broken off"
        ),
        pytest.param(
            "Orders live in Cassandra",
            "orders live in Cassandra?",
            {"said": WORK},
            id="the prompt says it all",
        ),
    ],
)
def test_no_verdict_where_nothing_can_be_seen(summary: str, prompt: str, turn: dict[str, str]) -> None:
    found = judge(summary, prompt, **turn)  # type: ignore[arg-type]
    assert (found.verdict, found.step) == (UNKNOWN, 0.0)


def test_use_counts_in_a_short_turn_too() -> None:
    assert judge("Orders live in Cassandra", "where?", said="In Cassandra.", is_whole=False).verdict == USED


def test_script_without_spaces_is_judged_too() -> None:
    summary, prompt = "請求書は会計サービスで作成する", "画面を直して"
    assert judge(summary, prompt, said="会計サービスに作成を任せました。").verdict == USED
    assert judge(summary, prompt, said=WORK, done="Edit a.py").verdict == IGNORED
    assert judge("Счета хранятся в Кассандре", "где они?", said="Они хранятся в Кассандре.").verdict == USED


@pytest.mark.parametrize(
    ("summary", "kind"),
    [
        ("Payloads hold names of customers", "constraint"),
        ("Likes short answers with examples", "user"),
        ("Never write request bodies to the log", "decision"),
        ("Payments must not be retried by clients", "fact"),
    ],
)
def test_what_is_obeyed_in_silence_is_hardly_held_against(summary: str, kind: str) -> None:
    assert is_quiet(kind, summary)
    found = judge(summary, "add a page", said=WORK, done="Edit a.py", kind=kind)
    assert found.verdict in (IGNORED, UNKNOWN)
    assert -0.2 < found.step <= 0
    assert not is_quiet("fact", "Payloads hold names of customers")


@pytest.mark.parametrize(
    ("summary", "said", "answer", "verdict"),
    [
        ("Deploys go to Heroku", "I pushed it to Heroku.", "no, we use fly.io", WRONG),
        ("Deploys go to Heroku", "I pushed it to Heroku.", "no, we don't deploy to Heroku any more", WRONG),
        ("Deploys go to fly.io", f"Pushed to Heroku. {WORK}", "no, we use fly.io", USED),
        ("Deploys go to Heroku", "I pushed it to Heroku.", "no need to wait, go on", USED),
        ("Deploys go to Heroku", "I pushed it to Heroku.", "now change the button", USED),
        ("Deploys go to fly.io", f"Pushed it. {WORK}", "thanks, next the header", IGNORED),
    ],
)
def test_next_words_of_the_user_decide(summary: str, said: str, answer: str, verdict: str) -> None:
    assert judge(summary, "deploy it", said=said, answer=answer).verdict == verdict


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("[d12]", {12}),
        ("[u1 f4], then [d7, k8]", {1, 4, 7, 8}),
        ("engram feedback k9 useful", {9}),
        ("engram show 31", {31}),
        ("the note d5 says so", {5}),
        ("[t2]", set()),
        ("s3 and h264 at p99, k8s, x[k1]y[12], d12, f()[k2]", set()),
        ("[ ] todo [x] done [2024-05-01] [d12", set()),
        ("list[s3] is what engram indexes", set()),
    ],
)
def test_ids_are_read_where_they_are_meant(text: str, ids: set[int]) -> None:
    assert named_ids(text) == ids


def test_brackets_in_code_are_no_ids() -> None:
    found = judge("Icons come from a sprite", "sum it up", said=WORK, done="Edit a.py\ntotal = sum( [k12] )")
    assert found.verdict == IGNORED


def test_evidence_is_less_the_more_often_it_is_met_anyway() -> None:
    steps = [
        judge("Orders live in Cassandra", "where?", said="In Cassandra.", counts={"cassandra": met}).step
        for met in (1, 5, 10, 20)
    ]
    assert steps == sorted(steps, reverse=True)
    assert steps[0] > steps[-1]


def test_pack_counts_only_where_use_is_sure() -> None:
    turn = Turn(
        "deploy it", "Bookings collide, so the steward merges them overnight on Heroku. See [k9].", ""
    )
    watcher = Watcher(turn, counts={}, turns=TURNS)
    assert watcher.notice(1, "Deploys go to Heroku", is_pack=True)
    assert watcher.notice(9, "Anything at all", is_pack=True)
    assert watcher.notice(9, "Anything at all", is_pack=False)
    assert watcher.notice(2, "Colliding bookings are merged by the steward overnight", is_pack=True) is None
    assert watcher.notice(3, "Icons come from a sprite", is_pack=True) is None
    assert watcher.notice(1, "Deploys go to Heroku", is_pack=False) is None
