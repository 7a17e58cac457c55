"""Which lines a tool reads or changes, out of the client's payload: old and new texts of each place that changes."""

from __future__ import annotations

import os

from engram_hooks.recall.carried import find_removed, is_filler
from engram_hooks.sessions.whereabouts import target_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    # (old lines, new lines, number of the first old line in its file or 0 where that is unknown)
    Piece = tuple[list[str], list[str], int]

MAX_NOTEBOOK_BYTES = 1 << 20
MAX_FILES = 20
_FILE_TYPE, _REGULAR = 0o170000, 0o100000
_MARKS = "\u2192", "\t"  # between a number and its line where the host numbers them
# what moves the whole tree to another commit is no change of lines that anybody should look at
_MOVES = frozenset("bisect checkout cherry-pick merge pull rebase reset restore revert stash switch".split())


def split_lines(text: str) -> list[str]:
    """The lines of a text as git counts them: parted by line feeds alone, no empty one behind the last feed."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def read_lines(payload: dict[str, object]) -> tuple[list[str], int, bool] | None:
    """(lines, number of the first, whether it is the whole file) that a Read gave; None for what is no text."""
    response = payload.get("tool_response")
    if isinstance(response, str):
        return _read_numbered(response)
    file = response.get("file") if isinstance(response, dict) else None
    if not isinstance(file, dict) or not isinstance(response, dict) or response.get("type", "text") != "text":
        return None
    content, first, total = file.get("content"), file.get("startLine"), file.get("totalLines")
    if not isinstance(content, str) or not content:
        return None
    lines, number = split_lines(content), first if isinstance(first, int) and first > 0 else 1
    numbered = _read_numbered(content)
    if numbered and numbered[1] == number and len(numbered[0]) == len(lines):
        lines = numbered[0]
    # the client counts an empty line behind the last feed
    is_whole = number == 1 and (not isinstance(total, int) or len(lines) >= total - 1)
    return lines, number, is_whole


def _read_numbered(text: str) -> tuple[list[str], int, bool] | None:
    """The same of a text whose lines begin with their numbers, up to the first that does not; None for another text."""
    first = 0
    lines: list[str] = []
    for line in text.split("\n"):
        stripped = line.lstrip(" ")
        digits = len(stripped) - len(stripped.lstrip("0123456789"))
        if not 0 < digits < 8 or stripped[digits : digits + 1] not in _MARKS:
            break
        number = int(stripped[:digits])
        if lines and number != first + len(lines):
            break
        first = first or number
        lines.append(stripped[digits + 1 :])
    return (lines, first, False) if lines and first else None


def planned_pieces(payload: dict[str, object], real: str) -> list[Piece]:
    """What Edit, MultiEdit and NotebookEdit are about to change; `real` is the file's absolute path.

    Only the notebook of a NotebookEdit is opened, up to a size.
    """
    given = payload.get("tool_input")
    if not isinstance(given, dict):
        return []
    tool = payload.get("tool_name")
    if tool == "NotebookEdit":
        return notebook_pieces(given, _read_notebook(real))
    edits = given.get("edits") if tool == "MultiEdit" else [given]
    return [
        (split_lines(old), split_lines(new), 0)
        for edit in (edits if isinstance(edits, list) else [])
        if isinstance(edit, dict)
        and isinstance(old := edit.get("old_string"), str)
        and isinstance(new := edit.get("new_string"), str)
    ]


def written_lines(payload: dict[str, object]) -> list[str] | None:
    """The whole new content of a Write."""
    given = payload.get("tool_input")
    content = given.get("content") if isinstance(given, dict) else None
    return split_lines(content) if isinstance(content, str) else None


def done_pieces(payload: dict[str, object]) -> list[tuple[str, list[Piece]]]:
    """(path, pieces) of the files that a tool has changed, with line numbers: edits, and what a command did."""
    response = payload.get("tool_response")
    if not isinstance(response, dict):
        return []
    if payload.get("tool_name") == "Bash":
        diff = response.get("bashEditDiff")
        files = diff.get("files") if isinstance(diff, dict) else None
        if not isinstance(files, list) or moves_head(payload):
            return []
        named = [file for file in files[:MAX_FILES] if isinstance(file, dict)]
        return [
            (path, _read_hunks(file.get("hunks")))
            for file in named
            if isinstance(path := file.get("filePath"), str)
        ]
    if payload.get("tool_name") == "NotebookEdit":
        before, given = response.get("original_file"), payload.get("tool_input")
        if not isinstance(before, str) or not isinstance(given, dict):
            return []
        return [(target_of(payload), notebook_pieces(given, before))]
    return [(target_of(payload), _read_hunks(response.get("structuredPatch")))]


def moves_head(payload: dict[str, object]) -> bool:
    """Whether a command line asks git to bring another state of the tree."""
    given = payload.get("tool_input")
    command = given.get("command") if isinstance(given, dict) else None
    if not isinstance(command, str) or "git" not in command:
        return False
    words = command.replace(";", " ").replace("&", " ").replace("(", " ").split()
    return "git" in words and not _MOVES.isdisjoint(words)


def _read_hunks(hunks: object) -> list[Piece]:
    pieces = []
    for hunk in hunks if isinstance(hunks, list) else []:
        lines = hunk.get("lines") if isinstance(hunk, dict) else None
        if not isinstance(lines, list):
            continue
        texts = [line for line in lines if isinstance(line, str)]
        old = [line[1:] for line in texts if line[:1] in (" ", "-")]
        new = [line[1:] for line in texts if line[:1] in (" ", "+")]
        start = hunk.get("oldStart")
        pieces.append((old, new, start if isinstance(start, int) and start > 0 else 0))
    return pieces


def notebook_pieces(given: dict[str, object], raw: str) -> list[Piece]:
    """What a NotebookEdit changes, in lines of the notebook's file `raw`; none where it only adds a cell."""
    from engram_hooks.jsontext import loads

    mode, source = given.get("edit_mode"), given.get("new_source")
    try:
        notebook = loads(raw) if raw else None
    except ValueError:
        return []
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if mode == "insert" or not isinstance(cells, list):
        return []
    wanted = given.get("cell_id")
    at = next((at for at, cell in enumerate(cells) if _is_cell(cell, at, wanted)), -1)
    if at < 0:
        return []
    old = _source_of(cells[at])
    new = split_lines(source) if isinstance(source, str) and mode != "delete" else []
    removed = set(find_removed(old, new))
    lines = raw.split("\n")
    gone = {line for number, line in _locate(cells[: at + 1], lines) if number in removed}
    return [(lines, [line for place, line in enumerate(lines) if place not in gone], 1)] if gone else []


def _is_cell(cell: object, at: int, wanted: object) -> bool:
    own = cell.get("id") if isinstance(cell, dict) else None
    return isinstance(cell, dict) and isinstance(wanted, str) and wanted in (own, f"cell-{at}")


def _source_of(cell: object) -> list[str]:
    source = cell.get("source") if isinstance(cell, dict) else None
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    return split_lines(source) if isinstance(source, str) else []


def _locate(cells: Sequence[object], lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(number of a source line, number of the file's line that holds it) of the last cell, where they are found."""
    place = 0
    for at, cell in enumerate(cells):
        for number, text in enumerate(_source_of(cell)):
            written = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
            if is_filler(text):
                continue
            found = next((one for one in range(place, len(lines)) if written in lines[one]), -1)
            if found >= 0:
                place = found
                if at == len(cells) - 1:
                    yield number, found


def _read_notebook(real: str) -> str:
    """The text of a notebook's file, '' where it is none or too large."""
    try:
        found = os.stat(real)
        if found.st_mode & _FILE_TYPE != _REGULAR or found.st_size > MAX_NOTEBOOK_BYTES:
            return ""
        fd = os.open(real, os.O_RDONLY)
    except OSError:
        return ""
    try:
        return os.read(fd, MAX_NOTEBOOK_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        os.close(fd)
