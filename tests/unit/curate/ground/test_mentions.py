"""What of the code a text may speak of, and what only looks like it."""

from __future__ import annotations

import pytest

from engram_hooks.curate.ground.mentions import Mention, read_mentions, read_ref

HASH = "3f2a1b4c"
FULL = "3f2a1b4c5d6e7f8091a2b3c4d5e6f70819203a4b"


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        pytest.param("see src/retry.py.", Mention("file", "src/retry.py"), id="path at the end"),
        pytest.param("(in ./src/retry.py)", Mention("file", "src/retry.py"), id="path in brackets"),
        pytest.param("`retry.py` waits", Mention("file", "retry.py"), id="name"),
        pytest.param("src/retry.py:12 waits", Mention("lines", "src/retry.py", first=12, last=12), id="line"),
        pytest.param(
            "src/retry.py:12:5: W", Mention("lines", "src/retry.py", first=12, last=12), id="column"
        ),
        pytest.param("src/retry.py:12-20", Mention("lines", "src/retry.py", first=12, last=20), id="lines"),
        pytest.param("a/b.ts#L3-L9", Mention("lines", "a/b.ts", first=3, last=9), id="lines of a page"),
        pytest.param("a/b.py#charge", Mention("symbol", "a/b.py", symbol="charge"), id="symbol of a file"),
        pytest.param("a/b.py::test_it", Mention("symbol", "a/b.py", symbol="test_it"), id="test of a file"),
        pytest.param("all of backend/pay/ is", Mention("glob", "backend/pay/"), id="folder"),
        pytest.param("charge() waits", Mention("symbol", "charge"), id="call"),
        pytest.param("`charge` waits", Mention("symbol", "charge"), id="quoted word"),
        pytest.param("parse_order waits", Mention("symbol", "parse_order"), id="snake"),
        pytest.param("orderParser waits", Mention("symbol", "orderParser"), id="camel"),
        pytest.param("Queue::push() waits", Mention("symbol", "Queue.push"), id="method"),
        pytest.param(f"since {HASH} it waits", Mention("commit", HASH), id="commit"),
        pytest.param(f"since {FULL}.", Mention("commit", FULL), id="whole commit"),
    ],
)
def test_what_may_be_in_the_repository_is_read(text: str, mention: Mention) -> None:
    assert mention in read_mentions(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Deploys run on Tuesdays", id="words"),
        pytest.param("retries are capped at five", id="more words"),
        pytest.param("it took 1234567 ms", id="number"),
        pytest.param("the feedface of it", id="letters alone"),
        pytest.param("https://example.com/src/retry.py", id="address"),
        pytest.param("", id="nothing"),
        pytest.param("./", id="here"),
        pytest.param("run it in ./ please", id="here in a sentence"),
        pytest.param("src/retry.py was removed", id="gone"),
        pytest.param("Remove src/retry.py", id="to be removed"),
        pytest.param("Use src/gateway.py instead of src/retry.py", id="replaced"),
        pytest.param("charge() used to wait", id="past"),
    ],
)
def test_other_text_names_nothing(text: str) -> None:
    assert read_mentions(text) == []


def test_only_the_sentence_about_the_end_of_something_is_left_out() -> None:
    found = read_mentions("a/old.py was removed. Now a/new.py does it.")
    assert found == [Mention("file", "a/new.py")]


def test_a_thing_that_is_named_twice_counts_once() -> None:
    assert read_mentions("a/b.py and a/b.py") == [Mention("file", "a/b.py")]


@pytest.mark.parametrize(
    ("ref", "mention"),
    [
        ("src/retry.py", Mention("file", "src/retry.py")),
        ("src/retry.py:20-12", Mention("lines", "src/retry.py", first=12, last=20)),
        ("src/retry.py#charge", Mention("symbol", "src/retry.py", symbol="charge")),
        ("src/", Mention("glob", "src/")),
        (HASH.upper(), Mention("commit", HASH)),
        ("1234567", Mention("commit", "1234567")),
    ],
)
def test_evidence_is_read_as_it_was_typed(ref: str, mention: Mention) -> None:
    assert read_ref(ref) == mention


@pytest.mark.parametrize("ref", ["", "a:b:c", "#x", ":12", "./"])
def test_what_names_nothing_is_no_evidence(ref: str) -> None:
    assert read_ref(ref) is None
