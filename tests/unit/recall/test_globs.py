"""Globs over paths: what they match, and the keys under which they are found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.recall.globs import expand, fault_of, key_of, keys_of, matches

MATCHES = [
    ("*.py", "a/b.py"),
    ("a/*.py", "a/b.py"),
    ("a/**", "a/b/c.py"),
    ("a/**/c.py", "a/c.py"),
    ("a/**/c.py", "a/x/y/c.py"),
    ("**/x/**", "q/x/z"),
    ("src/{a,b}/*.ts", "src/b/q.ts"),
    ("test/", "test/a/b"),
    ("file?.c", "d/file1.c"),
    ("[a-c]*.py", "b1.py"),
    ("/top.py", "top.py"),
    ("Makefile", "x/Makefile"),
    ("**", "a/b"),
    ("*", "a"),
    ("src/**/{api,web}/**/*.{ts,tsx}", "src/x/api/y/z.tsx"),
]
MISSES = [
    ("a/*.py", "a/b/c.py"),
    ("src/{a,b}/*.ts", "src/c/q.ts"),
    ("[!a-c]*.py", "b1.py"),
    ("/top.py", "a/top.py"),
    ("a/**", "a"),
    ("*.py", "a.pyc"),
    ("a?c", "a/c"),
    ("src/*", "source/a"),
]
NAMES = st.text("ab.-", min_size=1, max_size=4)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
GLOBS = st.lists(
    st.sampled_from(["**", "*", "a*", "*.b", "?", "[ab]", "ab", "b"]), min_size=1, max_size=5
).map("/".join)


@pytest.mark.parametrize(("glob", "path"), MATCHES)
def test_glob_matches(glob: str, path: str) -> None:
    assert any(matches(one, path) for one in expand(glob))


@pytest.mark.parametrize(("glob", "path"), MISSES)
def test_glob_does_not_match(glob: str, path: str) -> None:
    assert not any(matches(one, path) for one in expand(glob))


@given(GLOBS, PATHS)
def test_what_matches_is_found_under_its_key(glob: str, path: str) -> None:
    for one in expand(glob):
        if matches(one, path):
            assert key_of(one) in keys_of(path)


@pytest.mark.parametrize(
    ("glob", "part"),
    [
        ("", "empty"),
        ("src/{a,b", "brace"),
        ("[ab", "bracket"),
        ("../x", "leaves"),
        ("x" * 400, "longer"),
        ("{a,b}" * 8, "alternatives"),
    ],
)
def test_unusable_glob_is_told(glob: str, part: str) -> None:
    assert part in fault_of(glob)


@pytest.mark.parametrize("glob", [glob for glob, _ in MATCHES])
def test_usable_glob_has_no_fault(glob: str) -> None:
    assert fault_of(glob) == ""


def test_hostile_globs_end() -> None:
    assert not matches("*a" * 50 + "b", "a" * 2_000)
    assert not matches("/".join(["**", "a"] * 40) + "/b", "/".join(["a"] * 400))
