"""Diffs that people and agents hand over."""

from __future__ import annotations

import pytest

from engram_hooks.history.proposed import ProposedHunk, read_diff

GIT = """\
diff --git a/src/app.py b/src/app.py
index 1..2 100644
--- a/src/app.py
+++ b/src/app.py
@@ -3,3 +3,4 @@ def load():
 kept
-gone
+new
+newer
 kept too
diff --git a/other.py b/other.py
--- a/other.py
+++ b/other.py
@@ -1 +1 @@
-x
+y
"""
HUNK = ProposedHunk(3, ("kept", "gone", "kept too"), 3, ("kept", "new", "newer", "kept too"))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        pytest.param(GIT, "src/app.py", id="of git"),
        pytest.param(GIT.replace("\n", "\r\n"), "src/app.py", id="with carriage returns"),
        pytest.param(
            GIT.replace("a/src", "src").replace("b/src", "src"), "src/app.py", id="without prefixes"
        ),
        pytest.param(
            GIT.replace("a/src/app.py", "app.py").replace("b/src/app.py", "app.py"), "src/app.py", id="inner"
        ),
        pytest.param(GIT[GIT.index("@@") : GIT.index("diff --git a/other")], "src/app.py", id="only hunks"),
    ],
)
def test_the_hunks_of_a_file_are_read(text: str, path: str) -> None:
    assert read_diff(text, path) == [HUNK]


@pytest.mark.parametrize("text", ["", "no diff", "@@ -1 +1 @@", GIT.replace("src/app.py", "src/wrapp.py")])
def test_what_does_not_concern_a_file_has_no_lines(text: str) -> None:
    assert all(not hunk.old and not hunk.new for hunk in read_diff(text, "src/app.py"))


def test_lines_that_look_like_heads_belong_to_the_hunk() -> None:
    text = "--- a/a.sql\n+++ b/a.sql\n@@ -1,2 +1,2 @@\n--- old remark\n+++ new remark\n x\n\\ No newline at end\n"
    assert read_diff(text, "a.sql") == [ProposedHunk(1, ("-- old remark", "x"), 1, ("++ new remark", "x"))]


def test_a_side_without_lines_begins_behind_the_line_that_is_named() -> None:
    assert read_diff("@@ -4,0 +5,1 @@\n+new\n", "a") == [ProposedHunk(5, (), 5, ("new",))]
