"""Until when a sentence about an event can matter."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engram_hooks.curate.horizon import find_horizon

SAID = datetime(2026, 6, 1, 12, tzinfo=UTC)  # a Monday


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("Release freeze until 2026-06-20", (2026, 6, 21)),
        ("The old endpoint stays until 20 June", (2026, 6, 21)),
        ("Deadline: June 20th, 2026", (2026, 6, 21)),
        ("The demo is on 3 July", (2026, 7, 4)),
        ("No deploys before the 5th of January", (2027, 1, 6)),
        ("The certificate expires on 2027-03-01", (2027, 3, 2)),
        ("The freeze holds until Friday", (2026, 6, 6)),
        ("The branch is frozen until tomorrow", (2026, 6, 3)),
        ("Use the staging key for this week", (2026, 6, 8)),
        ("Tests are off until 3 June, the build until 5 June", (2026, 6, 6)),
    ],
)
def test_limit_ends_with_its_day(text: str, end: tuple[int, int, int]) -> None:
    found = find_horizon(text, said_at=int(SAID.timestamp() * 1000))
    assert found == int(datetime(*end, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    "text",
    [
        "Postgres over Mongo (3 May)",
        "Decided on 2026-05-03: use pnpm",
        "On 3 June we switch to pnpm",
        "Since 3 June we use pnpm",
        "Never deploy on Friday",
        "Backups run on Mondays",
        "The report is due by Friday every week",
        "Today we moved to pnpm",
        "The freeze was until 2026-05-01",
        "Retry until the queue is empty",
        "Until 31 February",
        "Wait until may",
        "",
    ],
)
def test_what_sets_no_limit_ahead_has_no_end(text: str) -> None:
    assert find_horizon(text, said_at=int(SAID.timestamp() * 1000)) is None
