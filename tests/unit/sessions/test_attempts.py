"""Which approaches a check turned down, and what became of them."""

from __future__ import annotations

import pytest

from engram_hooks.sessions.attempts import (
    ABANDONED,
    DROPPED,
    OPEN,
    RESOLVED,
    Attempt,
    EditEvent,
    RunEvent,
    is_gone,
    replay,
    replay_all,
    vanished,
)
from engram_hooks.sessions.testfiles import is_test_path

OLD, BAD, GOOD = "return min(base, limit)", "return base * 3", "return base + jitter"
FAULT = ("tests/test_a.py::test_x", "AssertionError", "wrong", "src/a.py f")
OTHER_FAULT = ("tests/test_b.py::test_y", "KeyError", "k", "src/b.py g")


class Story:
    """Events written one after another, short to read."""

    def __init__(self) -> None:
        self.edits: list[EditEvent] = []
        self.runs: list[RunEvent] = []

    def edit(
        self, old: str, new: str, *, path: str = "src/a.py", branch: str = "main", session: int = 1
    ) -> Story:
        at = len(self.edits) + 1
        removed, added = [old] if old else [], [new] if new else []
        self.edits.append(EditEvent(at, session, branch, path, removed, added, at))
        return self

    def restore(self) -> Story:
        return self.edit("", "git stash", path="")

    def run(
        self, outcome: str, *faults: tuple[str, ...], tool: str = "pytest", branch: str = "main"
    ) -> Story:
        at = len(self.runs) + 1
        mark = repr(sorted(faults)) if outcome == "failed" else ""
        self.runs.append(
            RunEvent(at, 1, branch, "test", tool, (), outcome, faults, mark, len(self.edits), len(self.edits))
        )
        return self

    def red(self, *faults: tuple[str, ...]) -> Story:
        return self.run("failed", *(faults or (FAULT,)))

    def green(self, tool: str = "pytest") -> Story:
        return self.run("passed", tool=tool)

    def outcomes(self) -> list[str]:
        return [attempt.outcome for attempt in replay(self.edits, self.runs)]


STORIES = {
    "edited back": (Story().edit(OLD, BAD).red().edit(BAD, OLD), [ABANDONED]),
    "edited back in two steps": (
        Story().edit(OLD, BAD).edit("import x", "import y").red().edit(BAD, OLD).edit("import y", "import x"),
        [ABANDONED],
    ),
    "put back unseen, then another way": (Story().edit(OLD, BAD).red().edit(OLD, GOOD).green(), [ABANDONED]),
    "worked on until green": (Story().edit(OLD, BAD).red().edit(BAD, GOOD).green(), [RESOLVED]),
    "still red": (Story().edit(OLD, BAD).red(), [OPEN]),
    "red twice": (Story().edit(OLD, BAD).red().red(), [OPEN]),
    "flaky": (Story().edit(OLD, BAD).red().green(), [DROPPED]),
    "put back, then green": (Story().edit(OLD, BAD).red().restore().green(), [ABANDONED]),
    "two approaches": (
        Story()
        .edit(OLD, BAD)
        .red()
        .edit(BAD, OLD)
        .edit(OLD, "return 7")
        .red(OTHER_FAULT)
        .edit("return 7", OLD),
        [ABANDONED, ABANDONED],
    ),
    "red before, given up, and cured in another way": (
        Story().red().edit(OLD, BAD).red().edit(BAD, OLD).edit(OLD, GOOD).green(),
        [ABANDONED],
    ),
    "another tool turns green": (Story().edit(OLD, BAD).red().edit(BAD, GOOD).green("mypy"), [OPEN]),
}
NO_STORIES = {
    "green, then dropped": Story().edit(OLD, BAD).green().edit(BAD, OLD),
    "test written first": Story()
    .edit("", "def test_x(): ...", path="tests/test_a.py")
    .red()
    .edit(OLD, GOOD)
    .green(),
    "red before and after": Story().red(OTHER_FAULT).edit(OLD, BAD).red(OTHER_FAULT).edit(BAD, OLD),
    "nothing was edited": Story().red().red(),
    "found right before it was red": Story().edit(OLD, BAD).green().red(OTHER_FAULT),
    "edit of another branch": Story().edit(OLD, BAD, branch="topic").red(),
    "no check": Story().edit(OLD, BAD).edit(BAD, OLD),
}


@pytest.mark.parametrize("name", STORIES)
def test_approach_is_followed(name: str) -> None:
    story, expected = STORIES[name]
    assert story.outcomes() == expected


@pytest.mark.parametrize("name", NO_STORIES)
def test_no_approach_is_seen(name: str) -> None:
    assert NO_STORIES[name].outcomes() == []


def test_what_made_the_check_pass_is_the_cure() -> None:
    (attempt,) = replay(*_events(Story().edit(OLD, BAD).red().edit(BAD, GOOD).green()))
    assert attempt.cure == ["src/a.py:", f"-{BAD}", f"+{GOOD}"]


def test_what_worked_in_its_place_stands_beside_an_abandoned_approach() -> None:
    (attempt,) = replay(*_events(Story().edit(OLD, BAD).red().edit(BAD, OLD).edit(OLD, GOOD).green()))
    assert (attempt.outcome, attempt.cure) == (ABANDONED, ["src/a.py:", f"-{OLD}", f"+{GOOD}"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"def f():\n    {OLD}\n", True),
        (f"def f():\n    {BAD}\n", False),
        (f"def f():\n    {GOOD}\n", None),
        (f"def f():\n    {OLD}\n    {BAD}\n", False),
        (None, None),
    ],
)
def test_files_say_whether_an_approach_is_taken_back(text: str | None, *, expected: bool | None) -> None:
    (attempt,) = replay(*_events(Story().edit(OLD, BAD).red()))
    assert is_gone(attempt, {"src/a.py": text}) is expected


def test_line_that_stands_elsewhere_too_keeps_no_approach_alive() -> None:
    edits = [EditEvent(1, 1, "main", "src/a.py", [OLD], [BAD, "if late {", "return nil", "}"], 1)]
    (attempt,) = replay(edits, Story().edit(OLD, BAD).red().runs)
    assert is_gone(attempt, {"src/a.py": f"{OLD}\nif other {{\nreturn nil\n}}\n"}) is True
    assert is_gone(attempt, {"src/a.py": f"{BAD}\nif late {{\nreturn nil\n}}\n"}) is False
    assert is_gone(attempt, {"src/a.py": f"{OLD}\n{BAD}\n"}) is None


def test_what_earlier_sessions_left_is_not_blamed() -> None:
    left = Story().edit("", "a page of words", path="README.md", session=7).edit(OLD, BAD)
    (attempt,) = replay(*_events(left.red()))
    assert list(attempt.files) == ["src/a.py"]
    assert left.edit(BAD, OLD).outcomes() == [ABANDONED]
    (carried_on,) = replay(*_events(Story().edit(OLD, BAD, session=7).red()))
    assert list(carried_on.files) == ["src/a.py"]


def test_green_elsewhere_is_no_cure() -> None:
    story = Story().edit(OLD, BAD).red().edit(BAD, OLD).edit("", "call_b()", path="src/b.py").green()
    (attempt,) = replay(*_events(story))
    assert (attempt.outcome, attempt.cure) == (ABANDONED, [])


@pytest.mark.parametrize(
    ("text", "gone"),
    [(f"{OLD}\n", ["src/a.py"]), (f"{BAD}\n", []), (f"{GOOD}\n", []), (f"{OLD}\n{BAD}\n", []), (None, [])],
)
def test_edits_that_vanished_untold_are_seen_in_the_files(text: str | None, gone: list[str]) -> None:
    _, live = replay_all(*_events(Story().edit(OLD, BAD).edit("", "call_b()", path="src/b.py")))
    assert list(vanished(live, {"src/a.py": text, "src/b.py": "call_b()\n"})) == gone


def test_new_file_that_is_gone_is_taken_back() -> None:
    (attempt,) = replay(*_events(Story().edit("", "def fresh(): ...", path="src/new.py").red()))
    assert is_gone(attempt, {"src/new.py": None}) is True


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/test_a.py", True),
        ("src/a.test.ts", True),
        ("pkg/a_test.go", True),
        ("spec/a_spec.rb", True),
        ("src/test/java/PriceTest.java", True),
        ("src/contest.py", False),
        ("src/latest.py", False),
        ("src/testing_ground.py", False),
        ("src/Inspect.java", False),
        ("app/attest.go", False),
    ],
)
def test_files_of_tests_are_known(path: str, *, expected: bool) -> None:
    assert is_test_path(path) is expected


def _events(story: Story) -> tuple[list[EditEvent], list[RunEvent]]:
    return story.edits, story.runs


def test_attempt_is_named_by_what_its_edits_amount_to() -> None:
    (attempt,) = replay(*_events(Story().edit(OLD, "x = 1").edit("x = 1", BAD).red()))
    assert isinstance(attempt, Attempt)
    assert attempt.files == {"src/a.py": ([OLD], [BAD])}
