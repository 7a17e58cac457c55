"""A sentence is taken out of a message only where it can be asked for."""

from __future__ import annotations

import pytest

from engram_hooks.bench.withheld import withhold

TELLING = "Workers that lost their lease kept writing because nobody had told them."


@pytest.mark.parametrize(
    ("message", "asked", "rest"),
    [
        pytest.param(f"Stop early\n\n{TELLING}\n", TELLING, "Stop early\n", id="whole body"),
        pytest.param(
            f"Stop early\n\nShort one. {TELLING}\n\nCo-authored-by: Ana <a@b.c>\n",
            TELLING,
            "Stop early\n\nShort one.\n\nCo-authored-by: Ana <a@b.c>\n",
            id="one of two",
        ),
        pytest.param(
            "Stop early\n\nWorkers that lost their lease kept writing because\nnobody (#431) had told them.\n",
            TELLING,
            "Stop early\n",
            id="number and line break",
        ),
    ],
)
def test_telling_sentence_is_withheld(message: str, asked: str, rest: str) -> None:
    assert withhold(message) == (asked, rest)


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("Stop early\n", id="no body"),
        pytest.param(
            "Stop workers that lost their lease and kept writing, nobody told them\n\n" + TELLING, id="known"
        ),
        pytest.param("Stop early\n\nToo few words here.\n", id="short"),
        pytest.param(f"Stop early\n\n* {TELLING}\n* {TELLING}\n", id="list"),
        pytest.param(f"Stop early\n\n    {TELLING}\n", id="code"),
        pytest.param(
            "Stop early\n\n" + TELLING.replace("because", "see https://a.example because"), id="link"
        ),
        pytest.param("Stop early\n\n" + TELLING.replace("lease", "3f2a9c1d77"), id="hash"),
        pytest.param(
            "Stop early\n\nThis reverts what those workers did since it broke the lease.",
            id="revert",
        ),
        pytest.param("Stop early\n\n" + TELLING.rstrip("."), id="no end"),
        pytest.param("", id="empty"),
    ],
)
def test_nothing_is_withheld(message: str) -> None:
    assert withhold(message) is None
