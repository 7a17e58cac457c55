"""Which lines of a source say something."""

from __future__ import annotations

import pytest

from engram_hooks.history.prose import FILLER, PROSE, TELLING, find_prose, grade


@pytest.mark.parametrize(
    ("line", "path", "expected"),
    [
        pytest.param("total = 0", "a.py", TELLING, id="code"),
        pytest.param("    # why", "a.py", PROSE, id="comment"),
        pytest.param("", "a.py", PROSE, id="blank"),
        pytest.param("#include <a.h>", "a.c", TELLING, id="directive"),
        pytest.param("    return None", "a.py", FILLER, id="return"),
        pytest.param("  }", "a.ts", FILLER, id="brace"),
        pytest.param("else:", "a.py", FILLER, id="else"),
        pytest.param(" " * 80 + "}", "a.ts", FILLER, id="brace far in"),
    ],
)
def test_lines_are_graded(line: str, path: str, expected: int) -> None:
    assert grade(line, path) == expected


def test_docstrings_are_prose_and_other_strings_are_not() -> None:
    lines = [
        "def f():",
        '    """Say it.',
        "",
        "    At length.",
        '    """',
        "    query = '''",
        "    select 1",
        "    '''",
        '    """One line."""',
        "    return query",
    ]
    assert find_prose(lines, "a.py") == {1, 2, 3, 4, 8}


def test_comments_over_several_lines_are_prose() -> None:
    lines = ["/* one */ go();", "/*", " first", " last */", "go();"]
    assert find_prose(lines, "a.c") == {1, 2, 3}
    assert find_prose(["a = '/*'", "b = 1"], "a.py") == set()
