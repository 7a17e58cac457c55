"""Which transcript lines are conversation, and the text that is kept of them."""

from __future__ import annotations

import json

import pytest

from engram_hooks.sessions.lines import (
    parse_line,
    read_moment,
)
from tests.support.make_transcript import STARTED_AT, Line, Transcript


def _row(line: Line) -> tuple[str, str] | None:
    row = parse_line(json.dumps(line).encode())
    return row and (row[1], row[2])


def _said(content: object) -> tuple[str, str] | None:
    return _row(Transcript().prompt(content))


def test_row_holds_all_fields_of_a_prompt() -> None:
    line = Transcript(cwd="/home/dev/app", branch="retry").prompt("Run the tests")
    assert parse_line(json.dumps(line).encode()) == (
        "00000000-0000-4000-8000-000000000001",
        "user",
        "Run the tests",
        STARTED_AT + 1000,
        "/home/dev/app",
        "retry",
        "prompt-1",
        "",
    )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param("plain", ("user", "plain"), id="string"),
        pytest.param([{"type": "text", "text": "a"}, "b", None, 7], ("user", "a\nb"), id="list-with-strings"),
        pytest.param([{"text": "no type"}], ("user", "no type"), id="block-without-type"),
        pytest.param(
            [{"type": "image", "source": None}, {"type": "text", "text": "see"}], ("user", "see"), id="image"
        ),
        pytest.param(
            [{"type": "text", "text": None}, {"type": "text", "text": "x"}], ("user", "x"), id="null-text"
        ),
        pytest.param([{"type": "tool_result", "content": "ok"}], ("result", "ok"), id="result-string"),
        pytest.param(
            [{"type": "tool_result", "content": "one"}, {"type": "tool_result", "content": "two"}],
            ("result", "one\ntwo"),
            id="two-results-one-row",
        ),
        pytest.param(
            [{"type": "tool_result", "content": {"a": 1}}], ("result", '{"a": 1}'), id="result-object"
        ),
        pytest.param(
            [{"type": "tool_result", "content": [{"type": "text", "text": "l"}, "m", None]}],
            ("result", "l\nm"),
            id="result-list",
        ),
        pytest.param(
            [{"type": "tool_result", "content": None}, {"type": "text", "text": "go on"}],
            ("user", "go on"),
            id="empty-result-beside-words",
        ),
        pytest.param(
            "what is <T> in List<T>?", ("user", "what is <T> in List<T>?"), id="angle-brackets-stay"
        ),
        pytest.param("the <engrams> tag", ("user", "the <engrams> tag"), id="longer-tag-stays"),
    ],
)
def test_shapes_of_user_content(content: object, expected: tuple[str, str]) -> None:
    assert _said(content) == expected


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(None, id="null"),
        pytest.param("", id="empty"),
        pytest.param(" \n ", id="blank"),
        pytest.param(7, id="number"),
        pytest.param({}, id="object"),
        pytest.param([[["nested"]]], id="nested-lists"),
        pytest.param([{"type": "tool_result", "content": None}], id="null-result"),
        pytest.param(
            [{"type": "tool_result", "content": [{"type": "text", "text": 9}]}], id="number-in-result"
        ),
        pytest.param("<command-name>/model</command-name>\n<command-args></command-args>", id="command"),
        pytest.param("<local-command-stdout>Decision: x</local-command-stdout>", id="command-output"),
        pytest.param("<bash-input>make</bash-input>", id="bash-input"),
        pytest.param("<bash-stdout>Decision: x</bash-stdout><bash-stderr></bash-stderr>", id="bash-output"),
        pytest.param("<system-reminder>\nalways use x\n</system-reminder>", id="reminder"),
        pytest.param('<engram project="a">\nDecided: x [d1]\n</engram>', id="own-block"),
        pytest.param('before cut <engram project="a">Decided: x'[11:], id="own-block-never-closed"),
        pytest.param("<task-notification>\n<task-id>a</task-id></task-notification>", id="task-notification"),
        pytest.param(
            [{"type": "text", "text": "[Request interrupted by user for tool use]"}], id="interrupted"
        ),
        pytest.param(
            "This session is being continued from a previous conversation that ran", id="old-summary"
        ),
    ],
)
def test_user_line_without_words_of_the_user_is_no_row(content: object) -> None:
    assert _said(content) is None


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(
            "<command-name>/greet</command-name>\n<command-args>Bob</command-args>", "Bob", id="arguments"
        ),
        pytest.param("<system-reminder>x</system-reminder>\ncarry on", "carry on", id="reminder-before"),
        pytest.param("a<engram>x</engram>b<engram file='y'>z</engram>c", "abc", id="own-blocks"),
        pytest.param("a<engram>x</engram> and <engrams> b", "a and <engrams> b", id="longer-tag-behind"),
        pytest.param("[Request interrupted by user] use pnpm", "use pnpm", id="words-behind-interrupt"),
    ],
)
def test_machine_text_is_cut_out_of_a_prompt(content: str, expected: str) -> None:
    assert _said(content) == ("user", expected)


@pytest.mark.parametrize(
    "flag", ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage"]
)
def test_machine_lines_are_no_rows(flag: str) -> None:
    assert _row(Transcript().prompt("Decision: fake", **{flag: True})) is None
    assert _row(Transcript().prompt("Decision: real", **{flag: False})) == ("user", "Decision: real")


def test_sidechain_lines_carry_their_agent() -> None:
    script = Transcript()
    named = parse_line(json.dumps(script.prompt("Search", isSidechain=True, agentId="a1")).encode())
    unnamed = parse_line(json.dumps(script.reply("Found", isSidechain=True)).encode())
    assert named is not None
    assert unnamed is not None
    assert (named[7], unnamed[7]) == ("a1", "subagent")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param([{"type": "text", "text": "hi"}], ("assistant", "hi"), id="text"),
        pytest.param(
            [
                {"type": "thinking", "thinking": "secret"},
                {"type": "text", "text": "hi"},
                {"type": "tool_use", "name": "Bash", "input": {"command": "pytest -q"}},
            ],
            ("assistant", "hi\nBash: pytest -q"),
            id="text-and-call-one-row",
        ),
        pytest.param(
            [{"type": "tool_use", "name": "Edit", "input": {"file_path": "src/app.py", "old_string": "x"}}],
            ("tool", "Edit src/app.py"),
            id="file-call",
        ),
        pytest.param(
            [{"type": "tool_use", "name": "Bash", "input": {"command": "cat <<X\n\nline\nX"}}],
            ("tool", "Bash: cat <<X \u23ce line \u23ce X"),
            id="call-on-one-line",
        ),
        pytest.param(
            [{"type": "tool_use", "name": "Bash", "input": None}], ("tool", "Bash"), id="null-input"
        ),
        pytest.param([{"type": "tool_use", "name": None, "input": []}], ("tool", "tool"), id="null-name"),
        pytest.param(
            [
                {
                    "type": "tool_use",
                    "name": "AskUserQuestion",
                    "input": {"questions": [{"question": "Which one?"}, None]},
                }
            ],
            ("tool", "AskUserQuestion: Which one?"),
            id="question",
        ),
        pytest.param(
            [{"type": "text", "text": "From memory: <engram>x</engram>"}],
            ("assistant", "From memory:"),
            id="own",
        ),
    ],
)
def test_shapes_of_assistant_content(content: list[object], expected: tuple[str, str]) -> None:
    assert _row(Transcript().blocks(content)) == expected


def test_thinking_alone_is_no_row() -> None:
    assert _row(Transcript().blocks([{"type": "thinking", "thinking": "x", "text": "y"}])) is None


def test_refusal_with_a_reason_is_what_the_user_said() -> None:
    text = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n"
    note = "\n\nNote: The user's next message may contain a correction."
    script = Transcript()
    assert _row(script.result(text + "use pnpm" + note, toolDenialKind="user-rejected")) == (
        "user",
        "use pnpm",
    )
    plain = _row(script.result(text + "use pnpm"))
    assert plain is not None
    assert plain[0] == "result"
    asked = _row(
        script.result(text + "The user wants to clarify these questions.", toolDenialKind="user-rejected")
    )
    assert asked is not None
    assert asked[0] == "result"


def test_lone_surrogates_are_replaced() -> None:
    line = json.dumps(Transcript().prompt("half \ud83d here", cwd="/\udc80")).encode()
    row = parse_line(line)
    assert row is not None
    assert (row[2], row[4]) == ("half \ufffd here", "/\ufffd")
    assert _said("whole \U0001f600") == ("user", "whole \U0001f600")


def test_missing_uuid_becomes_a_stable_one() -> None:
    line = b'{"type":"user","message":{"content":"a"}}'
    first, again, other = parse_line(line), parse_line(line + b"\r"), parse_line(line.replace(b'"a"', b'"b"'))
    assert first is not None
    assert first == again
    assert other is not None
    assert first[0] != other[0]


@pytest.mark.parametrize(
    "field", ["uuid", "timestamp", "cwd", "gitBranch", "promptId", "version", "parentUuid"]
)
@pytest.mark.parametrize("value", [None, 7, [], {}, True])
def test_wrong_types_beside_the_message_do_no_harm(field: str, value: object) -> None:
    assert _row(Transcript().prompt("kept", **{field: value})) == ("user", "kept")


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\xff\xfe",
        b"null",
        b"[]",
        b'"user"',
        b"{",
        b'{"type":"user"',
        b'{"type":"user","message":null,"uuid":"q"}',
        b'{"type":"user"}',
        b'{"type":"user","message":[1]}',
        b'{"type":"system","message":{"content":"x"},"userType":"user"}',
        b'{"type":"attachment","attachment":{"type":"user"},"message":{"content":"x"}}',
        b'{"type":"queue-operation","content":"x"}',
        b'["type","user",{"type":"user"}]',
        b'{"type":"user","message":' + b"[" * 100_000,
    ],
)
def test_other_lines_and_garbage_are_no_rows(line: bytes) -> None:
    assert parse_line(line) is None


@pytest.mark.parametrize("gap", ["", " ", "\t", "  "])
def test_white_space_and_key_order_do_not_matter(gap: str) -> None:
    line = f'{{"message"{gap}:{gap}{{"content"{gap}:{gap}"x"}},"uuid":"u","type"{gap}:{gap}"user"}}'
    assert parse_line(line.encode()) == ("u", "user", "x", 0, "", "", "", "")


def test_bad_bytes_inside_a_string_do_not_lose_the_line() -> None:
    row = parse_line(b'{"type":"user","uuid":"u","message":{"content":"a\xffb"}}')
    assert row is not None
    assert row[2] == "a\ufffdb"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("1970-01-01T00:00:00Z", 0, id="epoch"),
        pytest.param("2026-03-02T10:00:05.000Z", 1_772_445_605_000, id="millis"),
        pytest.param("2026-03-02T10:00:05Z", 1_772_445_605_000, id="seconds"),
        pytest.param("2026-03-02T12:00:05.25+02:00", 1_772_445_605_250, id="zone"),
        pytest.param("2024-02-29T23:59:59.999999Z", 1_709_251_199_999, id="leap-day"),
        pytest.param(1_772_445_605, 1_772_445_605_000, id="number-of-seconds"),
        pytest.param(1_772_445_605_000, 1_772_445_605_000, id="number-of-millis"),
        pytest.param("yesterday", 0, id="words"),
        pytest.param("2026-13-02T10:00:05Z", 0, id="month-13"),
        pytest.param(None, 0, id="null"),
        pytest.param(True, 0, id="bool"),
        pytest.param(float("nan"), 0, id="nan"),
        pytest.param(-5, 0, id="negative"),
    ],
)
def test_moments(value: object, expected: int) -> None:
    assert read_moment(value) == expected
