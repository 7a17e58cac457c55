"""What the model reads when a prompt says the same in other words, and when it asks for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.claude_client import ClaudeClient, Run, prepare_home
from tests.support.installed_engram import InstalledEngram
from tests.support.make_repo import make_repo
from tests.support.messages_api import MessagesApi, Request, read_shown_text
from tests.support.scripted_turns import Script

pytestmark = pytest.mark.client

RECORDS = {
    "queue up the thumbnails for later": "Image resizing runs in the background worker, not in the request.",
    "let me just mock the DB": "Repository tests hit a real Postgres, no fakes.",
}
OTHERS = (
    "Sums are kept in minor units and rounded only when displayed.",
    "Sessions expire following four idle hours.",
    "Branches are named team/ticket-slug.",
    "API secrets belong in Vault, path kv/app.",
    "Metrics are scraped every sixty minutes on the free tier.",
)
NOTHING_NEEDED = (
    "continue", "go on", "yes please", "thanks!", "run the tests", "ok", "looks good to me", "commit this",
    "try again", "no, the other one", "what is the capital of France?", "write a haiku about autumn",
    "translate good morning into Spanish", "how tall is the Eiffel tower?", "tell me a joke",
    "what does the zip function do in Python?", "explain what a monad is", "who wrote Moby Dick?",
    "make it shorter", "great work",
)  # fmt: skip


@pytest.fixture(scope="module")
def played(
    newest_client: Path, installed: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Run, list[Request]]]:
    """One session with all the prompts; the boot pack is kept too small for the notes."""
    folder = tmp_path_factory.mktemp("meaning")
    project = make_repo(folder / "shop").path
    prepare_home(folder / "home", [project])
    engram = InstalledEngram(folder / "home")
    engram.run(folder / "home", "setup")
    engram.run(project, "config", "set", "boot.max_chars", "500")
    prompts = (*RECORDS, *NOTHING_NEEDED)
    script = Script(["Fine."] * (len(prompts) + 1))
    with (
        MessagesApi(script) as api,
        ClaudeClient(newest_client, engram.home, api.url).start(project) as live,
    ):
        live.ask("hello")  # the session starts before there are notes
        for summary in (*RECORDS.values(), *OTHERS):
            engram.run(project, "add", "-s", summary)
        for prompt in prompts:
            live.ask(prompt)
        yield live.finish(), [request for request in api.requests if request.lane == "main"]


def test_prompt_in_other_words_gets_its_record(played: tuple[Run, list[Request]]) -> None:
    _, requests = played
    for at, summary in enumerate(RECORDS.values(), start=1):
        assert summary not in read_shown_text(requests[at - 1])
        assert summary in read_shown_text(requests[at])


def test_prompts_that_need_nothing_get_nothing(played: tuple[Run, list[Request]]) -> None:
    run, _ = played
    said = [call.stdout.strip() for call in run.calls_of("UserPromptSubmit")]
    assert len(said) == 1 + len(RECORDS) + len(NOTHING_NEEDED)
    quiet = said[1 + len(RECORDS) :]
    assert [prompt for prompt, text in zip(NOTHING_NEEDED, quiet, strict=True) if text] == []
