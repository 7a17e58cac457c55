"""Whatever bytes a repository holds in names, messages and texts, and however the output is cut: all comes out."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from engram_hooks.history import stream
from engram_hooks.history.changes import Commit
from engram_hooks.history.walk import walk_commits

TRAPS = (
    b"\n\x01" + b"1" * 40,
    b"\ndiff --git a/x b/x\n",
    b"\n@@ -1 +1 @@\n",
    b"\n:100644 100644 1 2 M\t",
    b"\n\\ No",
)
raw = st.binary(max_size=30).map(lambda data: data.replace(b"\0", b""))
pieces = st.lists(st.one_of(raw, st.sampled_from(TRAPS)), max_size=4).map(b"".join)
names = pieces.map(lambda name: name.replace(b"/", b"_")).filter(
    lambda name: name not in (b"", b".", b"..", b".git")
)
files = st.dictionaries(names.filter(lambda name: len(name) < 200), pieces, min_size=1, max_size=3)
commits = st.lists(st.tuples(pieces, files), min_size=1, max_size=3)


def quote(name: bytes) -> bytes:
    return b'"' + b"".join(b"\\%03o" % byte for byte in name) + b'"'


def import_commits(folder: str, made: Sequence[tuple[bytes, dict[bytes, bytes]]]) -> None:
    script = b""
    for number, (message, contents) in enumerate(made):
        script += b"commit refs/heads/main\ncommitter A <a@example.com> %d +0000\n" % (1_700_000_000 + number)
        script += b"data %d\n%s\n" % (len(message), message)
        for name, text in contents.items():
            script += b"M 100644 inline %s\ndata %d\n%s\n" % (quote(name), len(text), text)
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", folder], check=True)
    run = ["git", "-c", "core.ignoreCase=false", "fast-import", "--quiet"]
    subprocess.run(run, cwd=folder, input=script, check=True)


def read(folder: str, read_bytes: int) -> list[Commit]:
    before = stream.READ_BYTES
    stream.READ_BYTES = read_bytes
    try:
        return list(walk_commits(folder))
    finally:
        stream.READ_BYTES = before


@settings(max_examples=40, deadline=None)
@given(commits, st.integers(1, 300))
def test_names_messages_and_texts_survive(
    made: list[tuple[bytes, dict[bytes, bytes]]], read_bytes: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        import_commits(folder, made)
        whole, cut = read(folder, 1 << 18), read(folder, read_bytes)
    assert whole == cut
    assert [commit.message for commit in reversed(whole)] == [
        message.decode("utf-8", "replace").rstrip("\n") for message, _ in made
    ]
    first = whole[-1]
    expected = {name.decode("utf-8", "surrogateescape"): text for name, text in made[0][1].items()}
    assert {change.path for change in first.changes} == set(expected)
    for change in first.changes:
        assert os.fsencode(change.path) in made[0][1]
        text = expected[change.path].decode("utf-8", "replace")
        lines = text.removesuffix("\n").split("\n") if text else []
        assert [line for hunk in change.hunks for line in hunk.added] == lines
        assert not change.is_binary
