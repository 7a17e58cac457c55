"""Which symbols a file has, whatever state it is in."""

from __future__ import annotations

import pytest

from engram_hooks.history.symbols import Symbol, enclosing, language_of, parse


def names(path: str, text: str) -> list[str]:
    return [symbol.qualified for symbol in parse(path, text)]


def test_python_symbols_have_kinds_and_lines() -> None:
    text = "@mark\nclass Box:\n    # why\n    def get(self):\n        def inner(): pass\n        return 1\n"
    assert parse("a.py", text) == [
        Symbol("Box", "Box", "class", 1, 6, 2),
        Symbol("get", "Box.get", "method", 3, 6, 4),
        Symbol("inner", "Box.get.inner", "function", 5, 5, 5),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("\ufeffdef b():\n    return 1\n", [("b", 1, 2)], id="byte order mark"),
        pytest.param("def c():\r\n    return 1\r\n\r\nx = 1\r\n", [("c", 1, 2)], id="crlf"),
        pytest.param("\f\ndef t():\n\tif 1:\n\t\treturn 1\n", [("t", 2, 4)], id="form feed and tabs"),
        pytest.param("def ﬁ():\n    return 1\n", [("fi", 1, 2)], id="names are normalised"),
        pytest.param("x = '''\r'''\ndef d(): pass\n", [("d", 2, 2)], id="lone carriage return"),
        pytest.param("print 'old'\ndef o():\n    print 'x'\n", [("o", 2, 3)], id="python 2"),
        pytest.param(
            "def s():\n    '''\nnot here\n    '''\n    return 1\nx = (\n", [("s", 1, 5)], id="cut off"
        ),
        pytest.param(
            "def m():\n    a = 1\n<<<<<<< ours\n    b = 2\n=======\n    b = 3\n>>>>>>> theirs\n    c = 4\n",
            [("m", 1, 8)],
            id="merge conflict",
        ),
        pytest.param("def n():\n    return '\x00'\n", [("n", 1, 2)], id="null character"),
        pytest.param("def u():\n    return '\udc80'\n", [("u", 1, 2)], id="lone surrogate"),
        pytest.param(
            "def top():\n    pass\nx = " + "(" * 5000 + "1" + ")" * 5000, [("top", 1, 2)], id="deep"
        ),
        pytest.param("def top():\n    pass\nx = a" + ".b" * 20000 + "\n", [("top", 1, 2)], id="chain"),
        pytest.param(
            "def top():\n    pass\nif a: pass\n" + "elif a: pass\n" * 8000, [("top", 1, 2)], id="branches"
        ),
    ],
)
def test_python_of_any_state_is_read(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert [(one.name, one.start, one.end) for one in parse("a.py", text)] == expected


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("a.txt", "def a(): pass\n", id="not a program"),
        pytest.param("noext", "#!/usr/bin/awk -f\nfunction a() {}\n", id="unknown program"),
        pytest.param("a.py", "", id="empty"),
        pytest.param("a.py", "x = 'def a(): pass'\n# def b(): pass\n", id="in literals"),
        pytest.param("a.go", "// func a() {}\nvar x = `\nfunc b() {}\n`\n", id="in raw strings"),
        pytest.param("a.go", "func a() {}\n" + "x" * 30_000, id="minified"),
    ],
)
def test_nothing_is_found_where_nothing_is(path: str, text: str) -> None:
    assert parse(path, text) == []


@pytest.mark.parametrize(
    ("path", "first_line", "expected"),
    [
        pytest.param("a/b.PY", "", "python", id="any case"),
        pytest.param("x.d.ts", "", "typescript", id="last suffix"),
        pytest.param("tool", "#!/usr/bin/env -S python3.12 -u", "python", id="env"),
        pytest.param("run", "#!/bin/bash", "shell", id="shell"),
        pytest.param("Rakefile", "", "ruby", id="by name"),
        pytest.param(".gitignore", "", "", id="hidden file"),
        pytest.param("a.tar.gz", "", "", id="unknown suffix"),
        pytest.param("a.py", "#!/bin/sh", "python", id="the name comes first"),
    ],
)
def test_language_is_told_by_name_then_first_line(path: str, first_line: str, expected: str) -> None:
    assert language_of(path, first_line) == expected


def test_enclosing_is_the_innermost() -> None:
    symbols = parse("a.py", "class A:\n    x = 1\n    def f(self):\n        pass\n\ny = 1\ndef g(): pass\n")
    assert [getattr(enclosing(symbols, line), "qualified", None) for line in range(1, 8)] == [
        "A",
        "A",
        "A.f",
        "A.f",
        None,
        None,
        "g",
    ]


def test_a_python_file_too_large_for_a_tree_is_read_to_the_end() -> None:
    text = "".join(f"def f{i}(x):\n    return x + {i}  # padding padding\n" for i in range(25_000))
    symbols = parse("big.py", text)
    assert (len(symbols), symbols[-1]) == (
        25_000,
        Symbol("f24999", "f24999", "function", 49_999, 50_000, 49_999),
    )
