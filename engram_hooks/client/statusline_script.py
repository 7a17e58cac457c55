"""The status-line script in the data folder, and the user's own line that it may run."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

from engram_hooks.client.commands import STATUSLINE_NAME
from engram_hooks.client.launcher import PACKAGE_PARENT, install_script
from engram_hooks.client.settings_file import write_file
from engram_hooks.errors import EngramError

WRAPPED_NAME = "statusline-wrapped"


def install(data: Path, *, windows: bool) -> bool:
    """Put the script into `data`/bin; returns whether it changed."""
    name = STATUSLINE_NAME + (".cmd" if windows else "")
    return install_script(data / "bin" / name, read_script(".cmd" if windows else ".sh"))


def read_script(ending: str) -> bytes:
    """The script as it is shipped: in the package, or beside it in a checkout. Raises `EngramError`."""
    name = STATUSLINE_NAME + ending
    shipped = importlib.resources.files("engram_hooks.client").joinpath("statusline", name)
    if shipped.is_file():
        return shipped.read_bytes()
    checkout = PACKAGE_PARENT / "statusline" / name
    if checkout.is_file():
        return checkout.read_bytes()
    raise EngramError(f"{name} is missing from the installation", hint="install engram-hooks again")


def save_wrapped(data: Path, command: str) -> None:
    """Keep the user's own command for the script to run. Raises `OSError`."""
    write_file(data / WRAPPED_NAME, (command + "\n").encode("utf-8", "surrogateescape"), mode=0o600)


def drop_wrapped(data: Path) -> None:
    """Forget the user's own command."""
    (data / WRAPPED_NAME).unlink(missing_ok=True)
