"""Capsules: what is kept of a commit, redacted and short."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.history import capsules
from engram_hooks.history.capsules import MAX_EXCERPT_CHARS, make_capsule
from engram_hooks.history.changes import Commit, FileChange, Hunk
from engram_hooks.history.tree import decode_text

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def commit(*changes: FileChange, message: str = "fix: retry", parents: tuple[str, ...] = ("p",)) -> Commit:
    return Commit("c", parents, "Ana", 0, 0, message, changes)


def change(path: str, removed: tuple[str, ...], added: tuple[str, ...], context: str = "") -> FileChange:
    hunk = Hunk(1, len(removed), 1, len(added), removed, added, context)
    return FileChange("M", path, path, (hunk,), False)


def test_a_capsule_names_paths_symbols_and_words() -> None:
    made = make_capsule(
        commit(
            change("docs/a.md", ("old prose",), ("new prose",)),
            change("pay/retry.py", ("    key = fresh()",), ("    key = orderKey",), "def charge(order):"),
            message="fix: reuse one key (INC-2407)\n\nThe gateway charged twice.",
        )
    )
    assert (made.intent, made.is_bulk, made.subject) == ("bugfix", False, "fix: reuse one key (INC-2407)")
    assert made.body == "The gateway charged twice."
    assert made.names == ("docs/a.md", "pay/retry.py", "charge")
    assert made.code == ("key", "fresh", "orderKey")
    assert made.excerpt == "- key = fresh()\n+ key = orderKey"


def test_no_secret_gets_into_a_capsule() -> None:
    made = make_capsule(
        commit(
            change("a.py", (f'KEY = "{TOKEN}"',), ("password = 'hunter2horse'",)),
            message=f"fix: use {TOKEN}\n\nBearer {TOKEN}",
        )
    )
    assert TOKEN not in repr(made)
    assert "hunter2horse" not in repr(made)


def test_a_secret_over_several_lines_leaves_no_excerpt() -> None:
    begin, end = "-----BEGIN RSA " + "PRIVATE KEY-----", "-----END RSA " + "PRIVATE KEY-----"
    body = ("MIIEpAIBAAKCAQEA" * 4, "Zm9vYmFyYmF6cXV4" * 4)
    made = make_capsule(commit(change("key.py", (), (f'K = """{begin}', *body, f'{end}"""', "x = 1"))))
    assert not any(line[:20] in repr(made) for line in body)


def test_a_bulk_commit_keeps_its_message_alone() -> None:
    made = make_capsule(commit(*(change(f"f{n}.py", (), (f"x{n} = 1",)) for n in range(120))))
    assert (made.is_bulk, made.code, made.excerpt) == (True, (), "")


def test_an_excerpt_is_short_and_skips_what_says_nothing() -> None:
    lines = ("", "# a comment", "import os", "}", *(f"value_{n} = compute({n})" for n in range(50)))
    made = make_capsule(commit(change("a.py", (), lines)))
    assert made.excerpt.startswith("+ value_0 = compute(0)\n")
    assert len(made.excerpt) <= MAX_EXCERPT_CHARS


def test_a_merge_is_a_chore() -> None:
    assert make_capsule(commit(message="Merge fix of crash", parents=("a", "b"))).intent == "chore"


def test_source_is_decoded_as_it_says() -> None:
    assert decode_text(b"\xef\xbb\xbfx = 1") == "x = 1"
    assert (
        decode_text("# -*- coding: latin-1 -*-\ncaf\u00e9".encode("latin-1"))
        == "# -*- coding: latin-1 -*-\ncaf\u00e9"
    )
    assert decode_text(b"# coding: no-such\n\xff") == "# coding: no-such\n\ufffd"
    assert decode_text(b"x = '\xff'") == "x = '\ufffd'"


@given(
    st.lists(
        st.sampled_from(
            ["def ", "def", "func ", "function ", "type ", "let ", "class\t", "Foo", "_a", "$", "(x) ", "\n"]
        ),
        max_size=12,
    ).map("".join)
)
def test_declared_names_are_those_that_the_pattern_finds(text: str) -> None:
    assert capsules._list_defined(text) == capsules._DEFINED.findall(text)
