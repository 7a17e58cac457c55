"""Another program of our name on PATH is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram_hooks.client.programs import find_foreign_engram


def put_program(folder: Path, content: str) -> str:
    folder.mkdir(parents=True)
    program = folder / "engram"
    program.write_text(content)
    program.chmod(0o755)
    return str(program)


def test_other_program_of_the_name_is_found(tmp_path: Path) -> None:
    other = put_program(tmp_path / "other", "#!/bin/sh\nexec /opt/memory/engram-go\n")
    assert find_foreign_engram(str(tmp_path / "other")) == other


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("#!/x/python\nfrom engram_hooks.__main__ import main\n", id="console script"),
        pytest.param('#!/bin/sh\nexec python -m engram_hooks "$@"\n', id="wrapper"),
    ],
)
def test_own_program_is_no_finding(tmp_path: Path, content: str) -> None:
    put_program(tmp_path / "own", content)
    assert find_foreign_engram(str(tmp_path / "own")) == ""


def test_program_beside_the_interpreter_is_ours(tmp_path: Path) -> None:
    put_program(tmp_path / "bin", "binary")
    assert find_foreign_engram(str(tmp_path / "bin"), python=str(tmp_path / "bin" / "python")) == ""


def test_no_program_is_no_finding(tmp_path: Path) -> None:
    assert find_foreign_engram(str(tmp_path)) == ""
