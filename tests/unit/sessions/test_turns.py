"""The log cut into turns, each with the prompt that the hook saw."""

from __future__ import annotations

from engram_hooks.sessions.turns import LogRow, match_prompts, split_turns

NOW = 1_780_000_000_000


def _rows(*said: tuple[str, str], at: int = 0) -> list[LogRow]:
    return [(number, f"u{number}", role, text, at + number) for number, (role, text) in enumerate(said, 1)]


def test_turn_is_all_between_the_words_of_a_user() -> None:
    first, last = split_turns(
        _rows(
            ("assistant", "before"),
            ("user", "one"),
            ("assistant", "looking\nRead a.py"),
            ("result", "x = 1"),
            ("tool", "Edit a.py"),
            ("assistant", "done"),
            ("user", "two"),
            ("tool", "Bash: make"),
            ("result", "ok"),
        )
    )
    assert (first.text, first.said, first.calls) == ("one", "looking\nRead a.py\ndone", "Edit a.py")
    assert (first.answer, first.answer_id, first.ends_open) == ("two", 7, False)
    assert (last.text, last.calls, last.answer, last.ends_open) == ("two", "Bash: make", None, True)


def test_nothing_said_is_no_turn() -> None:
    assert split_turns([]) == []
    assert split_turns(_rows(("assistant", "hello"))) == []
    assert not split_turns(_rows(("user", "hello")))[0].ends_open


def test_prompts_are_matched_by_their_words() -> None:
    turns = split_turns(_rows(("user", "fix\n it"), ("user", "x"), ("user", "and test it")))
    prompts = [(1, "a", "fix it", NOW), (2, "b", "and test it", NOW)]
    assert {at: prompt[1] for at, prompt in match_prompts(turns, prompts).items()} == {1: "a", 3: "b"}


def test_of_equal_prompts_the_latest_are_meant() -> None:
    turns = split_turns(_rows(("user", "again"), ("user", "again")))
    prompts = [(number, f"p{number}", "again", NOW + number) for number in range(1, 5)]
    assert {at: prompt[1] for at, prompt in match_prompts(turns, prompts).items()} == {1: "p3", 2: "p4"}


def test_prompt_of_a_command_is_matched_by_its_moment() -> None:
    turns = split_turns(_rows(("user", "the arguments"), at=NOW))
    assert match_prompts(turns, [(1, "a", "/fix the arguments", NOW + 900)])[1][1] == "a"
    assert match_prompts(turns, [(1, "a", "/fix the arguments", NOW + 60_000)]) == {}


def test_long_prompt_was_kept_by_its_start() -> None:
    text = "please look at all of these places " * 30
    turns = split_turns(_rows(("user", text)))
    assert match_prompts(turns, [(1, "a", text[:250] + "…", NOW)])[1][1] == "a"
    assert match_prompts(split_turns(_rows(("user", "fix the tests"))), [(1, "a", "fix", NOW)]) == {}
