"""`engram uninstall`: disconnect engram from Claude Code; the memory stays."""

from __future__ import annotations

from pathlib import Path

import click

from engram_hooks.cli import output
from engram_hooks.cli.options import json_option
from engram_hooks.cli.setup import SCOPES, find_data_folder, find_settings_file, say_changes


@click.command(name="uninstall")
@click.option(
    "--scope", type=click.Choice(SCOPES), default="user", show_default=True, help="Whose settings file."
)
@click.option(
    "--settings", type=click.Path(path_type=Path), help="This settings file instead of that of a scope."
)
@click.option("--dry-run", "is_dry", is_flag=True, help="Only say what would change.")
@json_option
def command(scope: str, settings: Path | None, *, is_dry: bool, as_json: bool) -> None:
    """Disconnect engram from Claude Code: its entries leave the settings, your memory stays."""
    from engram_hooks.client import setup as wiring

    report = wiring.uninstall(find_data_folder(), find_settings_file(scope, settings), dry_run=is_dry)
    if as_json:
        changes = {"changes": report.changes, "changed": report.changed, "dry_run": report.dry_run}
        output.print_json({"settings": str(report.settings), **changes})
        return
    say_changes(report.settings, report.changes, is_dry=is_dry)
