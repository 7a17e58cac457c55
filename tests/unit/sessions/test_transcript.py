"""Reading a growing transcript from a cursor."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from engram_hooks.sessions import transcript
from engram_hooks.sessions.transcript import START, read_chunk, subagent_files
from tests.support.bare_start import bare_start_s
from tests.support.make_transcript import Transcript, make_mixed


def _line(text: str, uuid: str = "u") -> bytes:
    return f'{{"type":"user","uuid":"{uuid}","message":{{"content":"{text}"}}}}'.encode()


def _texts(path: Path, cursor: transcript.Cursor | None = None, max_bytes: int = 1 << 20) -> list[str]:
    return [row[2] for row in read_chunk(str(path), cursor, max_bytes=max_bytes)[0]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def test_second_read_gives_only_what_is_new(path: Path) -> None:
    path.write_bytes(_line("one") + b"\n")
    rows, cursor, has_more, was_reset = read_chunk(str(path), START)
    assert ([row[2] for row in rows], has_more, was_reset) == (["one"], False, False)
    assert cursor[0] == path.stat().st_size
    with path.open("ab") as file:
        file.write(_line("two") + b"\n")
    rows, cursor, has_more, was_reset = read_chunk(str(path), cursor)
    assert ([row[2] for row in rows], has_more, was_reset) == (["two"], False, False)
    assert read_chunk(str(path), cursor) == ([], cursor, False, False)


def test_half_written_line_stays_for_the_next_time(path: Path) -> None:
    whole = _line("日本語 naïve", "b") + b"\n"
    for cut in range(1, len(whole) - 2):
        path.write_bytes(_line("one", "a") + b"\n" + whole[:cut])
        rows, cursor, has_more, _ = read_chunk(str(path))
        assert ([row[2] for row in rows], has_more) == (["one"], False)
        path.write_bytes(_line("one", "a") + b"\n" + whole)
        assert _texts(path, cursor) == ["日本語 naïve"]


def test_whole_last_document_counts_without_its_line_break(path: Path) -> None:
    path.write_bytes(_line("one"))
    rows, cursor, _, _ = read_chunk(str(path))
    assert len(rows) == 1
    path.write_bytes(_line("one") + b"\n" + _line("two") + b"\n")
    assert _texts(path, cursor) == ["two"]


def test_only_the_line_feed_splits(path: Path) -> None:
    path.write_bytes(_line("a\u2028b\u2029c\u0085d") + b"\r\n" + _line("e") + b"\r\n\r\n")
    assert _texts(path) == ["a\u2028b\u2029c\u0085d", "e"]


@pytest.mark.parametrize(
    "after",
    [
        pytest.param([_line("new-one", "c")], id="shorter"),
        pytest.param([_line("eno", "c"), _line("owt", "d")], id="same-size"),
        pytest.param([_line("eno", "c"), _line("two", "b")], id="same-size-and-same-end"),
        pytest.param([_line("x" * 50, "c"), _line("y", "d"), _line("z", "e")], id="larger"),
    ],
)
def test_replaced_file_is_read_from_its_start(path: Path, after: list[bytes]) -> None:
    path.write_bytes(_line("one", "a") + b"\n" + _line("two", "b") + b"\n")
    _, cursor, _, _ = read_chunk(str(path))
    path.write_bytes(b"".join(line + b"\n" for line in after))
    rows, _, _, was_reset = read_chunk(str(path), cursor)
    assert was_reset
    assert len(rows) == len(after)


def test_file_cut_at_a_line_and_written_on_is_read_again(path: Path) -> None:
    lines = [_line("t" * 400, f"u{number}") + b"\n" for number in range(60)]
    path.write_bytes(b"".join(lines))
    _, cursor, _, _ = read_chunk(str(path))
    path.write_bytes(b"".join(lines[:20]) + b"".join(_line("s" * 400, f"v{n}") + b"\n" for n in range(60)))
    rows, _, _, was_reset = read_chunk(str(path), cursor)
    assert was_reset
    assert len(rows) == 80


@pytest.mark.parametrize("cursor", [(-1, 0, 0), (5, 1, 1), (10**9, 0, 0)])
def test_foreign_cursor_begins_at_the_start(path: Path, cursor: tuple[int, int, int]) -> None:
    path.write_bytes(_line("one") + b"\n")
    assert _texts(path, cursor) == ["one"]


@pytest.mark.parametrize("max_bytes", [1, 64, 1000, 4096, 1 << 20])
def test_small_steps_give_the_rows_of_one_read(path: Path, max_bytes: int) -> None:
    path.write_bytes(make_mixed(60_000, seed=3))
    expected = read_chunk(str(path), max_bytes=1 << 20)[0]
    rows: list[transcript.Row] = []
    cursor, has_more = START, True
    while has_more:
        part, cursor, has_more, was_reset = read_chunk(str(path), cursor, max_bytes=max_bytes)
        assert not was_reset
        rows += part
    assert rows == expected
    assert cursor[0] == path.stat().st_size
    assert len(rows) > 20


def test_open_line_longer_than_a_chunk_waits_without_a_loop(path: Path) -> None:
    path.write_bytes(_line("x" * 5000)[:-5])
    assert read_chunk(str(path), max_bytes=100) == ([], START, False, False)


def test_gigantic_line_is_passed_over(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript, "MAX_LINE_BYTES", 2000)
    path.write_bytes(_line("x" * 5000) + b"\n" + _line("kept") + b"\n")
    _, cursor, has_more, _ = read_chunk(str(path), max_bytes=100)
    assert has_more
    assert _texts(path, cursor) == ["kept"]


def test_lines_of_other_types_are_not_conversation(path: Path) -> None:
    script = Transcript()
    script.prompt("one")
    script.attachment("Decision: never learn this")
    script.request_dump(5000)
    script.snapshot()
    script.compaction("Decision: never learn this")
    script.reply("two")
    script.write(path)
    assert _texts(path) == ["one", "two"]


def test_empty_file_gives_nothing(path: Path) -> None:
    path.touch()
    assert read_chunk(str(path)) == ([], START, False, False)


def test_missing_file_raises(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_chunk(str(path))


def test_subagent_files_lie_beside_the_transcript(path: Path) -> None:
    assert subagent_files(str(path)) == []
    folder = path.parent / "session" / "subagents"
    folder.mkdir(parents=True)
    for name in ("agent-b.jsonl", "agent-a.jsonl", "agent-a.meta.json"):
        (folder / name).touch()
    found = [os.path.basename(name) for name in subagent_files(str(path))]
    assert found == ["agent-a.jsonl", "agent-b.jsonl"]


def test_little_of_a_working_session_is_kept(path: Path) -> None:
    data = make_mixed(600_000)
    path.write_bytes(data)
    rows = read_chunk(str(path), max_bytes=len(data) + 1)[0]
    assert len(rows) > 300
    assert sum(len(row[2].encode()) for row in rows) < len(data) / 4


def test_reading_a_quarter_megabyte_is_cheap(path: Path) -> None:
    path.write_bytes(make_mixed(256 << 10))
    spent: list[float] = []
    for _ in range(5):
        begun = time.process_time()
        assert len(read_chunk(str(path), max_bytes=1 << 20)[0]) > 50
        spent.append(time.process_time() - begun)
    assert min(spent) < 6 * bare_start_s()
