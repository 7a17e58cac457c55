"""Which lines a tool reads or changes, out of payloads of every shape."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.sessions import changes
from engram_hooks.sessions.whereabouts import target_of

Payload = dict[str, Any]  # Any: JSON of a client


def read(**response: object) -> Payload:
    return {"tool_name": "Read", "tool_input": {"file_path": "/a.py"}, "tool_response": response}


def text_file(content: str, start: int, total: int) -> Payload:
    file = {"filePath": "/a.py", "content": content, "startLine": start, "numLines": 2, "totalLines": total}
    return read(type="text", file=file)


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        pytest.param(text_file("a\nb\n", 1, 3), (["a", "b"], 1, True), id="a whole file"),
        pytest.param(text_file("a\nb", 1, 2), (["a", "b"], 1, True), id="without a last line feed"),
        pytest.param(text_file("b\nc\n", 2, 9), (["b", "c"], 2, False), id="a part"),
        pytest.param(text_file("a\n", 1, 9), (["a"], 1, False), id="the beginning"),
        pytest.param(text_file("     5\u2192a\n     6\u2192b", 5, 9), (["a", "b"], 5, False), id="numbered"),
        pytest.param(text_file("5\ta\n7\tb", 5, 9), (["5\ta", "7\tb"], 5, False), id="a table"),
        pytest.param(
            {"tool_response": "     3\u2192a\n     4\u2192  b\n\n<system-reminder>x</system-reminder>"},
            (["a", "  b"], 3, False),
            id="text of another host",
        ),
    ],
)
def test_lines_that_were_read_come_with_their_numbers(
    payload: Payload, expected: tuple[list[str], int, bool]
) -> None:
    assert changes.read_lines(payload) == expected


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param({}, id="nothing"),
        pytest.param(read(type="image", file={"base64": "aaaa", "type": "image/png"}), id="a picture"),
        pytest.param(read(type="pdf", file={"filePath": "/a.pdf", "base64": "x"}), id="a document"),
        pytest.param(read(type="notebook", file={"filePath": "/a", "cells": []}), id="a notebook"),
        pytest.param(read(type="file_unchanged", file={"filePath": "/a.py"}), id="read before"),
        pytest.param(read(type="text", file={"content": ""}), id="an empty file"),
        pytest.param(read(type="text", file={"content": None}), id="null"),
        pytest.param(read(type="text", file="x"), id="a wrong type"),
        pytest.param({"tool_response": "no numbers here"}, id="plain text"),
        pytest.param({"tool_response": ["x"]}, id="a list"),
    ],
)
def test_what_is_no_text_gives_no_lines(payload: Payload) -> None:
    assert changes.read_lines(payload) is None


def plan(tool: str, **given: object) -> list[changes.Piece]:
    return changes.planned_pieces({"tool_name": tool, "tool_input": given}, os.devnull)


def test_edits_are_pieces_of_unknown_place() -> None:
    edit = {"old_string": "a\nb", "new_string": "c\n"}
    assert plan("Edit", **edit) == [(["a", "b"], ["c"], 0)]
    assert plan("MultiEdit", edits=[edit, {"old_string": 1}, None]) == [(["a", "b"], ["c"], 0)]


@pytest.mark.parametrize(
    "given", [{}, {"old_string": None, "new_string": None}, {"edits": "x"}, {"edits": {}}]
)
def test_edits_without_texts_are_no_pieces(given: Payload) -> None:
    assert plan("Edit", **given) == plan("MultiEdit", **given) == []


def done(tool: str, response: object, **given: object) -> list[tuple[str, list[changes.Piece]]]:
    return changes.done_pieces({"tool_name": tool, "tool_input": given, "tool_response": response})


HUNK = {"oldStart": 4, "lines": [" a", "-b", "+c", "\\ No newline at end of file"]}


def test_hunks_are_pieces_with_their_place() -> None:
    edit = done("Edit", {"structuredPatch": [HUNK, None, {"lines": 3}]}, file_path="/a.py")
    assert edit == [("/a.py", [(["a", "b"], ["a", "c"], 4)])]
    diff = {"files": [{"filePath": "/b.py", "hunks": [HUNK]}, {"hunks": [HUNK]}, 7]}
    assert done("Bash", {"bashEditDiff": diff}, command="sed") == [("/b.py", [(["a", "b"], ["a", "c"], 4)])]


@pytest.mark.parametrize(
    "command",
    [
        "git checkout main",
        "cd x && git pull -q",
        "git stash pop;ls",
        "git -C x reset --hard",
        "(git switch a)",
    ],
)
def test_another_state_of_the_tree_is_no_change_of_lines(command: str) -> None:
    diff = {"files": [{"filePath": "/b.py", "hunks": [HUNK]}]}
    assert done("Bash", {"bashEditDiff": diff}, command=command) == []


@pytest.mark.parametrize("command", ["sed -i s/a/b/ x", "git diff", "git add a && sed -i d a", "echo digits"])
def test_other_commands_are_looked_at(command: str) -> None:
    diff = {"files": [{"filePath": "/b.py", "hunks": [HUNK]}]}
    assert done("Bash", {"bashEditDiff": diff}, command=command) != []


def notebook(*cells: list[str]) -> str:
    made = [
        {"cell_type": "code", "id": f"c{n}", "outputs": [], "source": lines} for n, lines in enumerate(cells)
    ]
    return json.dumps({"cells": made, "nbformat": 4}, indent=1)


RAW = notebook(["import numpy\n", "x = 'a\\t\"b\"'\n"], ["import numpy\n", "y = load(x)\n", "y"])


def lost(raw: str, **given: object) -> list[str]:
    """Return the lines of the file that a NotebookEdit takes out."""
    (piece,) = changes.notebook_pieces(given, raw) or [([], [], 0)]
    left = Counter(piece[0])
    left.subtract(piece[1])
    return [line.strip() for line in left.elements()]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({"cell_id": "c1", "new_source": "import numpy\ny"}, ['"y = load(x)\\n",'], id="a line"),
        pytest.param(
            {"cell_id": "cell-1", "new_source": "import numpy\ny"}, ['"y = load(x)\\n",'], id="by number"
        ),
        pytest.param(
            {"cell_id": "c0", "new_source": "import numpy"},
            ['"x = \'a\\\\t\\"b\\"\'\\n"'],
            id="a line with marks",
        ),
        pytest.param(
            {"cell_id": "c1", "edit_mode": "delete"},
            ['"import numpy\\n",', '"y = load(x)\\n",'],
            id="the cell goes, its fillers aside",
        ),
    ],
)
def test_lines_of_a_notebook_cell_are_found_in_its_file(given: Payload, expected: list[str]) -> None:
    assert lost(RAW, **given) == expected


def test_lines_of_a_cell_are_not_those_of_another() -> None:
    (piece,) = changes.notebook_pieces({"cell_id": "c1", "edit_mode": "delete"}, RAW)
    gone = [at for at, line in enumerate(piece[0]) if "import numpy" in line]
    assert "import numpy" in piece[1][gone[0]]
    assert sum("import numpy" in line for line in piece[1]) == 1


@pytest.mark.parametrize(
    ("given", "raw"),
    [
        pytest.param(
            {"cell_id": "c1", "new_source": "import numpy\ny = load(x)\ny"}, RAW, id="nothing changes"
        ),
        pytest.param({"cell_id": "c1", "new_source": "x", "edit_mode": "insert"}, RAW, id="a new cell"),
        pytest.param({"cell_id": "c9", "new_source": "x"}, RAW, id="an unknown cell"),
        pytest.param({"cell_id": None, "new_source": "x"}, RAW, id="no cell"),
        pytest.param({"cell_id": "c1", "new_source": "x"}, "", id="no file"),
        pytest.param({"cell_id": "c1", "new_source": "x"}, "no notebook", id="no JSON"),
        pytest.param({"cell_id": "c1", "new_source": "x"}, "[]", id="another shape"),
        pytest.param(
            {"cell_id": "c0", "new_source": "x"}, '{"cells": [7, {"id": "c0", "source": 3}]}', id="odd cells"
        ),
    ],
)
def test_notebook_of_which_nothing_goes_has_no_piece(given: Payload, raw: str) -> None:
    assert changes.notebook_pieces(given, raw) == []


def test_notebook_is_opened_up_to_a_size(tmp_path: Path) -> None:
    path = tmp_path / "n.ipynb"
    payload: Payload = {"tool_name": "NotebookEdit", "tool_input": {"cell_id": "c1", "edit_mode": "delete"}}
    path.write_text(RAW, encoding="utf-8")
    assert changes.planned_pieces(payload, str(path))
    path.write_text(RAW + " " * changes.MAX_NOTEBOOK_BYTES, encoding="utf-8")
    assert changes.planned_pieces(payload, str(path)) == []
    assert changes.planned_pieces(payload, str(tmp_path)) == []
    assert changes.planned_pieces(payload, str(tmp_path / "none")) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_pipe_in_the_place_of_a_notebook_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "n.ipynb")
    payload: Payload = {"tool_name": "NotebookEdit", "tool_input": {"cell_id": "c1", "edit_mode": "delete"}}
    assert changes.planned_pieces(payload, str(tmp_path / "n.ipynb")) == []


NAMES = [
    *(
        "file",
        "content",
        "startLine",
        "totalLines",
        "type",
        "edits",
        "old_string",
        "new_string",
        "cell_id",
        "files",
    ),
    *("new_source", "edit_mode", "structuredPatch", "lines", "oldStart", "bashEditDiff", "hunks", "filePath"),
    *("original_file", "command", "file_path", "notebook_path", "cells", "source", "id"),
]
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["text", "c1", RAW]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=6),
    max_leaves=20,
)


@given(st.sampled_from(["Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Bash", "", None]), JSON, JSON)
def test_no_payload_raises(tool: str | None, given_: object, response: object) -> None:
    payload: dict[str, object] = {"tool_name": tool, "tool_input": given_, "tool_response": response}
    assert isinstance(target_of(payload), str)
    read_ = changes.read_lines(payload)
    assert read_ is None or (read_[1] >= 1 and all(isinstance(line, str) for line in read_[0]))
    pieces = changes.planned_pieces(payload, os.devnull)
    for _, found in changes.done_pieces(payload):
        pieces = [*pieces, *found]
    assert all(isinstance(text, str) for old, new, _ in pieces for text in (*old, *new))
