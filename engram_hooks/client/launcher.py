"""The small script that the client runs for each event: written by setup, checked by doctor."""

from __future__ import annotations

import compileall
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from engram_hooks import __version__
from engram_hooks.client.commands import LAUNCHER_NAME, STATUSLINE_NAME, quote_for_sh
from engram_hooks.client.settings_file import write_file
from engram_hooks.errors import EngramError
from engram_hooks.paths import make_private_dir

MARK = "engram-launcher "
PACKAGE_PARENT = Path(__file__).resolve().parent.parent.parent

# sys.path grows at its end: a module of the packages beside ours must not stand in for one of Python's own.
# Importing the entry costs a third of a millisecond more than running a compiled copy of it, and stands an
# upgrade of Python or of the package under the launcher.
_BOOT = "import sys;sys.path.append(sys.argv[1]);from engram_hooks.entry import main;main(sys.argv)"
_BOOT_WINDOWS = (  # there is no shell script for the status line there
    "import os,sys;sys.path.append(sys.argv[1]);from engram_hooks.entry import main;"
    "sys.argv[3:]==['statusline'] and (os.environ.setdefault('ENGRAM_HOME',sys.argv[2]),main(['statusline']));"
    "main(sys.argv)"
)

_POSIX = """\
#!/bin/sh
# Runs one hook of engram; does nothing where Python or engram is gone. Written by `engram setup`.
# {mark}{facts}
python={python}
package={package}
data={data}
[ -z "$ENGRAM_BRAIN" ] || exit 0
[ -x "$python" ] && [ -f "$package/engram_hooks/entry.py" ] || exit 0
exec "$python" -I -S -c {boot} "$package" "$data" "$1"
"""

_WINDOWS = """\
@echo off
rem Runs one hook of engram; does nothing where Python or engram is gone. Written by `engram setup`.
rem {mark}{facts}
if defined ENGRAM_BRAIN exit /b 0
if not exist "{python}" exit /b 0
if not exist "{package}\\engram_hooks\\entry.py" exit /b 0
"{python}" -I -S -c "{boot}" "{package}" "{data}" %1
exit /b 0
"""


@dataclass(frozen=True, slots=True)
class LauncherState:
    """What doctor reports: the facts in the script ('' where there is none) and what is wrong.

    problems: `launcher-missing`, `launcher-unreadable`, `launcher-version` (another engram wrote it),
    `launcher-python` (its interpreter is gone), `launcher-package` (its engram is gone).
    """

    path: Path
    version: str
    python: str
    package: str
    problems: tuple[str, ...]


def write_launcher(
    data: Path,
    *,
    python: str = sys.executable,
    package_parent: Path = PACKAGE_PARENT,
    windows: bool = os.name == "nt",
) -> bool:
    """Write the launcher into `data`/bin, readable by the user alone; returns whether it changed.

    Raises `EngramError` where the interpreter is unknown.
    """
    if not python:
        raise EngramError(
            "the path of the Python interpreter is unknown", hint="start engram with a whole path"
        )
    content = render_launcher(data, python=python, package_parent=package_parent, windows=windows)
    return install_script(launcher_path(data, windows=windows), content)


def render_launcher(data: Path, *, python: str, package_parent: Path, windows: bool) -> bytes:
    """The text of the launcher script."""
    names = {"python": python, "package": str(package_parent), "data": str(data)}
    facts = json.dumps({"version": __version__, **names})
    if windows:
        safe = {key: value.replace("%", "%%") for key, value in names.items()}
        text = _WINDOWS.format(mark=MARK, facts=facts.replace("%", "%%"), boot=_BOOT_WINDOWS, **safe)
        return text.replace("\n", "\r\n").encode("utf-8", "surrogateescape")
    quoted = {key: quote_for_sh(value) for key, value in names.items()}
    text = _POSIX.format(mark=MARK, facts=facts, boot=quote_for_sh(_BOOT), **quoted)
    return text.encode("utf-8", "surrogateescape")


def install_script(path: Path, content: bytes) -> bool:
    """Put a script of ours at `path`, mode 700, in one step; returns whether the file changed."""
    try:
        if path.read_bytes() == content:
            return False
    except FileNotFoundError:
        pass
    make_private_dir(str(path.parent.parent))
    make_private_dir(str(path.parent))
    write_file(path, content, mode=0o700)
    return True


def compile_package(python: str = sys.executable, *, package_parent: Path = PACKAGE_PARENT) -> bool:
    """Byte-compile the package for the interpreter of the hooks; returns whether all of it went well."""
    folder = str(package_parent / "engram_hooks")
    if os.path.realpath(python) == os.path.realpath(sys.executable):
        return bool(compileall.compile_dir(folder, quiet=2))
    command = [python, "-I", "-m", "compileall", "-qq", folder]
    return subprocess.run(command, check=False, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def launcher_path(data: Path, *, windows: bool = os.name == "nt") -> Path:
    """Where the launcher of a data folder is."""
    return data / "bin" / (LAUNCHER_NAME + (".cmd" if windows else ""))


def launcher_state(data: Path, *, windows: bool = os.name == "nt") -> LauncherState:
    """Look the launcher of a data folder over."""
    path = launcher_path(data, windows=windows)
    try:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        facts = json.loads(text.partition(MARK)[2].partition("\n")[0])
        version, python, package = (str(facts[key]) for key in ("version", "python", "package"))
    except FileNotFoundError:
        return LauncherState(path, "", "", "", ("launcher-missing",))
    except (OSError, ValueError, KeyError, TypeError):
        return LauncherState(path, "", "", "", ("launcher-unreadable",))
    problems = []
    if version != __version__:
        problems.append("launcher-version")
    if not os.access(python, os.X_OK):
        problems.append("launcher-python")
    if not os.path.isfile(os.path.join(package, "engram_hooks", "entry.py")):
        problems.append("launcher-package")
    return LauncherState(path, version, python, package, tuple(problems))


def remove_launcher(data: Path) -> bool:
    """Remove our scripts from `data`/bin, and the folder when empty; returns whether any was there."""
    found = False
    for name in (LAUNCHER_NAME, STATUSLINE_NAME):
        for ending in ("", ".cmd"):
            path = data / "bin" / (name + ending)
            found = found or path.exists()
            path.unlink(missing_ok=True)
    try:
        (data / "bin").rmdir()
    except OSError:
        pass  # not empty, or not there
    return found
