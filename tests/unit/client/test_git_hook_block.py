"""Our lines in a hook: where they go, and that nothing is left of them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engram_hooks.client.git_hook_block import (
    BEGIN,
    END,
    Interpreter,
    find_block,
    find_chained,
    insert_block,
    is_shell_script,
    remove_block,
    render_block,
    render_chain,
)
from engram_hooks.errors import EngramError

SHARED = render_block()
OWN = render_block(Interpreter("/usr/bin/py thon", "/opt/it's", "/data"))


@pytest.mark.parametrize("block", [SHARED, OWN], ids=["shared", "own"])
@pytest.mark.parametrize(
    ("text", "before"),
    [
        pytest.param(b"", b"", id="empty"),
        pytest.param(b"#!/bin/sh\nmake lint\n", b"#!/bin/sh\n", id="shebang"),
        pytest.param(b"#!/bin/sh\r\nmake lint\r\n", b"#!/bin/sh\r\n", id="carriage returns"),
        pytest.param(b"#!/bin/sh", b"#!/bin/sh\n", id="no line break at the end"),
        pytest.param(b"make lint", b"", id="no shebang"),
        pytest.param(
            b'#!/bin/sh\n. "$(dirname "$0")/_/husky.sh"\nmake\n',
            b'#!/bin/sh\n. "$(dirname "$0")/_/husky.sh"\n',
            id="behind the line of husky",
        ),
        pytest.param(
            b'#!/bin/sh\n. "$(dirname -- "$0")/_/husky.sh"',
            b'#!/bin/sh\n. "$(dirname -- "$0")/_/husky.sh"\n',
            id="the line of husky is the last",
        ),
    ],
)
def test_lines_go_to_the_top_and_leave_no_trace(text: bytes, before: bytes, block: bytes) -> None:
    changed = insert_block(text, block)
    assert changed.startswith(before + BEGIN)
    assert changed.rstrip(b"\n").endswith(END) or text[len(before) :] in changed
    assert remove_block(changed) == text


@given(st.binary(max_size=80), st.booleans())
def test_any_text_comes_back(text: bytes, is_script: bool) -> None:
    assume(BEGIN not in text and END not in text)
    whole = b"#!/bin/sh\n" * is_script + text
    changed = insert_block(whole, OWN)
    assert remove_block(changed) == whole
    assert insert_block(changed, OWN) == changed
    assert remove_block(insert_block(changed, SHARED)) == whole


def test_text_without_our_lines_stays() -> None:
    assert find_block(b"#!/bin/sh\nengram pre-commit\n") is None
    assert remove_block(b"#!/bin/sh\nengram pre-commit\n") == b"#!/bin/sh\nengram pre-commit\n"


@pytest.mark.parametrize(
    "text",
    [BEGIN + b"\nx\n", b"x\n" + END + b"\n", END + b"\n" + BEGIN + b"\n", b"x " + SHARED, SHARED + SHARED],
    ids=["no end", "no begin", "swapped", "not at the start of a line", "twice"],
)
def test_damaged_marks_are_refused(text: bytes) -> None:
    with pytest.raises(EngramError, match="damaged"):
        remove_block(text)


@pytest.mark.parametrize(
    "first_line",
    [
        *("#!/bin/sh", "#!/bin/sh -e", "#! /bin/bash", "#!/usr/bin/env bash", "#!/usr/bin/env -S bash -eu"),
        *("#!/usr/bin/zsh", "#!/bin/dash", "#!C:/git/bin/sh.exe", "make lint", ""),
    ],
)
def test_shell_takes_lines_of_shell(first_line: str) -> None:
    assert is_shell_script(first_line.encode() + b"\nrest\n")


@pytest.mark.parametrize(
    "content",
    [
        *(
            b"#!/usr/bin/env python3\n",
            b"#!/usr/bin/perl -w\n",
            b"#!/usr/bin/fish\n",
            b"#!/usr/bin/env node\n",
        ),
        *(b"\x7fELF\x02\0\0", b"#!/usr/bin/pwsh\n", b"#!/opt/push\n", b"#!/bin/shfmt\n"),
    ],
)
def test_other_programs_take_none(content: bytes) -> None:
    assert not is_shell_script(content)


def run_script(path: Path, content: bytes, shell: str, *, path_value: str = os.defpath) -> int:
    path.write_bytes(content)
    argv = [*shell.split(), str(path)]
    return subprocess.run(argv, env={"PATH": path_value}, check=False, stdin=subprocess.DEVNULL).returncode


@pytest.mark.skipif(os.name == "nt", reason="not on Windows: there is no sh")
@pytest.mark.parametrize("shell", ["sh", "sh -e", "sh -eu", "bash -e"])
@pytest.mark.parametrize("block", [SHARED, OWN], ids=["shared", "own"])
@pytest.mark.parametrize(("own_code", "old_code"), [(0, 0), (0, 3), (1, 0), (1, 3), (127, 0)])
def test_code_of_the_old_hook_counts(
    tmp_path: Path, shell: str, block: bytes, own_code: int, old_code: int
) -> None:
    program = tmp_path / "engram"
    program.write_text(f"#!/bin/sh\nexit {own_code}\n")
    program.chmod(0o755)
    script = insert_block(b"exit %d\n" % old_code, block)
    found = f"{tmp_path}:{os.defpath}"
    assert run_script(tmp_path / "hook", script, shell, path_value=found) == old_code
    assert run_script(tmp_path / "hook", script, shell) == old_code
    assert run_script(tmp_path / "hook", block, shell) == 0


@pytest.mark.skipif(os.name == "nt", reason="not on Windows: there is no sh")
@pytest.mark.parametrize("shell", ["sh", "sh -e"])
@pytest.mark.parametrize("block", [SHARED, OWN], ids=["shared", "own"])
def test_check_that_blocks_ends_the_hook(tmp_path: Path, shell: str, block: bytes) -> None:
    program = tmp_path / "engram"
    program.write_text("#!/bin/sh\nexit 10\n")
    program.chmod(0o755)
    script = insert_block(b"exit 0\n", block)
    assert run_script(tmp_path / "hook", script, shell, path_value=f"{tmp_path}:{os.defpath}") == 1


def test_hook_that_is_kept_is_named() -> None:
    assert find_chained(render_chain(OWN, "pre-commit.before-engram-2")) == "pre-commit.before-engram-2"
    assert find_chained(b'#!/bin/sh\nbefore="$(dirname "$0")/other"\n') == ""
