"""What the status line says, and what it leaves out when there is no room."""

from __future__ import annotations

import pytest

from engram_hooks.recall.statusline import parse_ready, render

IDLE = "1|idle|41|14|0|1000|\n"
OPEN = "1|idle|41|14|2|1000|\n"
RUNNING = "1|running|41|14|2|1000|\n"


@pytest.mark.parametrize(
    ("ready", "size", "expected"),
    [
        pytest.param(IDLE, 1000, "engram 41 notes · +14 logged · clear-safe", id="all is logged"),
        pytest.param(IDLE, 1001, "engram 41 notes · +14 logged · logging", id="the log is behind"),
        pytest.param(IDLE, 999, "engram 41 notes · +14 logged", id="the transcript shrank"),
        pytest.param(IDLE, None, "engram 41 notes · +14 logged", id="size not known"),
        pytest.param(OPEN, 1000, "engram 41 notes · +14 logged · 2 to capture", id="candidates wait"),
        pytest.param(OPEN, 1001, "engram 41 notes · +14 logged · 2 to capture · logging", id="both"),
        pytest.param(
            RUNNING, 1000, "engram 41 notes · +14 logged · 2 to capture · logging", id="a turn runs"
        ),
        pytest.param(
            RUNNING, None, "engram 41 notes · +14 logged · 2 to capture · logging", id="runs, no size"
        ),
        pytest.param("1|idle|1|0|0|0|", 0, "engram 1 note · clear-safe", id="nothing logged yet"),
        pytest.param("1|idle|0|0|0|0|", 0, "engram 0 notes · clear-safe", id="no notes"),
        pytest.param(
            "1|idle|41|14|0|1000", 1000, "engram 41 notes · +14 logged · clear-safe", id="no last field"
        ),
    ],
)
def test_state_is_told(ready: str, size: int | None, expected: str) -> None:
    assert render(ready, transcript_size=size) == expected


@pytest.mark.parametrize(
    "ready",
    [
        None,
        "",
        "nonsense",
        "2|idle|41|14|0|1000|",
        "1|asleep|41|14|0|1000|",
        "1|idle|-1|14|0|1000|",
        "1|idle|41|14|0|",
        "1|idle|41|٣|0|1000|",
        "1|idle|41|14|0|1234567890123456|",
        "1|idle|41|14|0|1000\n|",
    ],
)
def test_without_a_ready_line_it_is_ready(ready: str | None) -> None:
    fine = ready is not None and parse_ready(ready) is not None
    assert render(ready, transcript_size=1000).startswith("engram 41" if fine else "engram ready")


@pytest.mark.parametrize(
    ("trouble", "ready", "expected"),
    [
        pytest.param("store damaged", None, "engram ! store damaged (engram doctor)", id="no ready line"),
        pytest.param(
            "3 hook failures", IDLE, "engram ! 3 hook failures (engram doctor)", id="before the counts"
        ),
        pytest.param(
            "", "1|idle|41|14|0|9|spool full", "engram ! spool full (engram doctor)", id="ready line"
        ),
        pytest.param(
            "a\x1b[31mb", IDLE, "engram ! something failed (engram doctor)", id="control characters"
        ),
    ],
)
def test_trouble_comes_first(trouble: str, ready: str | None, expected: str) -> None:
    assert render(ready, transcript_size=9, trouble=trouble) == expected


def test_switched_off_is_told_before_all() -> None:
    assert render(IDLE, transcript_size=1000, trouble="x", off=True) == "engram off"


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (200, "engram 41 notes · +14 logged · 2 to capture · logging"),
        (0, "engram 41 notes · +14 logged · 2 to capture · logging"),
        (58, "engram 41 notes · +14 logged · 2 to capture · logging"),
        (57, "engram 41 notes · 2 to capture · logging"),
        (45, "engram 41 notes · 2 to capture · logging"),
        (44, "engram · 2 to capture · logging"),
        (35, "engram · logging"),
        (20, "engram"),
        (3, "engram"),
    ],
)
def test_parts_are_dropped_where_there_is_no_room(columns: int, expected: str) -> None:
    assert render(RUNNING, transcript_size=0, columns=columns) == expected


@pytest.mark.parametrize(
    ("columns", "expected"),
    [(80, "engram ! böse (engram doctor)"), (34, "engram ! böse"), (18, "engram !"), (2, "engram !")],
)
def test_trouble_is_shortened_from_its_end(columns: int, expected: str) -> None:
    assert render(None, transcript_size=None, trouble="böse", columns=columns) == expected


def test_colors_are_asked_for() -> None:
    assert render(IDLE, transcript_size=1000, color=True) == (
        "\033[2mengram\033[0m 41 notes · +14 logged · \033[32mclear-safe\033[0m"
    )
    assert "\033[33m2 to capture\033[0m" in render(OPEN, transcript_size=1000, color=True)
    assert "\033[31m" in render(None, transcript_size=None, trouble="x", color=True)
