"""A segment's file: what was written is read, other files are refused, forgotten rows are gone from it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from engram_hooks.embed.batch import pack_segment
from engram_hooks.store.segments import Segment, file_path, make_header, plane_size, write_segment
from tests.support.vectors import make_rows, zero_middle

DIMS = 64
MIDDLE = zero_middle(DIMS)


def write(data: str, rows: list[tuple[int, bytes]], uid: str = "a") -> str:
    row_count, parts = pack_segment([], rows, middle=MIDDLE)
    path = file_path(data, uid)
    write_segment(path, [make_header(DIMS, row_count), *parts])
    return path


def open_segment(path: str, row_count: int, *, can_write: bool = False) -> Segment:
    return Segment(path, segment_id=1, row_count=row_count, dims=DIMS, can_write=can_write)


@pytest.mark.parametrize("count", [1, 63, 64, 65, 5000])
def test_rows_and_planes_are_what_was_packed(tmp_path: Path, count: int) -> None:
    rows = make_rows(count, dims=DIMS, seed=count, first_id=7)
    segment = open_segment(write(str(tmp_path), rows), count)
    slots = sorted({0, count // 2, count - 1})
    assert segment.read_rows(slots) == [rows[slot] for slot in slots]
    for component, plane in zip((0, 5, DIMS - 1), segment.read_planes((0, 5, DIMS - 1)), strict=True):
        assert len(plane) == plane_size(count)
        bits = int.from_bytes(plane, "little")
        assert bits == sum((row[component] > 128) << slot for slot, (_, row) in enumerate(rows))
    segment.close()


def test_file_is_private_and_no_other_is_left(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = Path(write(str(tmp_path), make_rows(3, dims=DIMS, seed=1)))
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


def test_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    def parts() -> Iterator[bytes]:
        yield b"header"
        raise OSError(28, "No space left on device")

    path = file_path(str(tmp_path), "a")
    with pytest.raises(OSError, match="No space"):
        write_segment(path, parts())
    assert list(Path(path).parent.iterdir()) == []


@pytest.mark.parametrize("change", [-1, 1])
def test_file_of_another_length_is_refused(tmp_path: Path, change: int) -> None:
    path = Path(write(str(tmp_path), make_rows(10, dims=DIMS, seed=1)))
    content = path.read_bytes()
    path.write_bytes(content[:-1] if change < 0 else content + b"x")
    with pytest.raises(ValueError, match="not the segment"):
        open_segment(str(path), 10)


def test_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = Path(write(str(tmp_path), make_rows(10, dims=DIMS, seed=1)))
    with pytest.raises(ValueError, match="not the segment"):
        open_segment(str(path), 11)
    path.write_bytes(b"")
    with pytest.raises(ValueError, match="not the segment"):
        open_segment(str(path), 10)
    with pytest.raises(FileNotFoundError):
        open_segment(str(tmp_path / "none"), 10)


def test_erased_record_leaves_no_trace(tmp_path: Path) -> None:
    rows = make_rows(100, dims=DIMS, seed=1)
    path = write(str(tmp_path), rows)
    segment = open_segment(path, 100, can_write=True)
    assert segment.erase(50) == 1
    assert segment.erase(50) == 0
    assert segment.erase(999) == 0
    assert segment.read_rows([48, 49, 50]) == [rows[48], (0, bytes(DIMS)), rows[50]]
    for component, plane in enumerate(segment.read_planes(range(DIMS))):
        bits = int.from_bytes(plane, "little")
        assert bits == sum((row[component] > 128) << slot for slot, (_, row) in enumerate(rows) if slot != 49)
    segment.close()
    assert rows[49][1] not in Path(path).read_bytes()
