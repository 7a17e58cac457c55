"""Write the pages and drawings that come from the code: `python docs/generate.py [--check]`."""

from __future__ import annotations

import inspect
import re
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import click

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS.parent), str(DOCS)]

NOTICE = "<!-- Written by docs/generate.py: change the code, then run it. -->"


def list_commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command and group with what a person types for it, parents first."""
    from engram_hooks.cli.main import cli

    yield from _walk("engram", cli, click.Context(cli, info_name="engram"))


def _walk(name: str, command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            if found is not None and not found.hidden:
                yield from _walk(f"{name} {child}", found, click.Context(found, context, child))


def render_cli() -> str:
    """Return docs/cli.md: what each command does, takes and can be told."""
    intro = "Every command takes `--help`; those that read take `--json`."
    parts = ["# Commands", NOTICE, intro]
    for name, command in list_commands():
        parts.append(f"{'##' if name.count(' ') < 2 else '###'} {name}")
        arguments = [_name_argument(param) for param in command.params if isinstance(param, click.Argument)]
        parts.append(f"`{' '.join([name, *arguments])}`")
        parts.append(inspect.cleandoc(command.help or ""))
        options = [param for param in command.params if isinstance(param, click.Option) and not param.hidden]
        parts.append("\n".join(_describe_option(option) for option in options))
    return "\n\n".join(filter(None, parts)) + "\n"


def _name_argument(argument: click.Argument) -> str:
    name = argument.metavar or (argument.name or "").upper()
    return name if argument.required else f"[{name}]"


def _describe_option(option: click.Option) -> str:
    """One line a option, in words of our own: those of click change with its version."""
    value = "" if option.is_flag or option.count else " " + _name_value(option)
    many = " Can be given several times." if option.multiple else ""
    default = f" Default: {option.default}." if option.show_default is True else ""
    return f"- `{', '.join([*option.opts, *option.secondary_opts])}{value}`: {option.help}{default}{many}"


def _name_value(option: click.Option) -> str:
    if option.metavar:
        return option.metavar
    if isinstance(option.type, click.Choice):
        return "|".join(map(str, option.type.choices))
    return "N" if isinstance(option.type, click.types.IntParamType) else option.type.name.upper()


def render_schema() -> str:
    """Return docs/schema.md: the tables as a new store has them, with the comments of the steps."""
    from engram_hooks.store.schema import STEPS

    db = sqlite3.connect(":memory:")
    for step in STEPS:
        db.executescript(step)
    notes, sections = _read_comments("\n".join(STEPS))
    parts = [
        "# The store",
        NOTICE,
        f"One SQLite file, `engram.db`. Schema version {len(STEPS)} (`PRAGMA user_version`). "
        "Moments are integer milliseconds, UTC. Project 0 is the user's global layer.",
    ]
    for (table,) in db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
    ).fetchall():
        if table.startswith("sqlite_") or re.search(r"_(data|idx|content|docsize|config)$", table):
            continue
        parts.extend(_describe_table(db, table, notes, sections))
    db.close()
    return "\n\n".join(parts) + "\n"


def _describe_table(
    db: sqlite3.Connection, table: str, notes: dict[str, str], sections: dict[str, str]
) -> Iterator[str]:
    yield f"## {table}"
    if table in sections:
        yield sections[table][0].upper() + sections[table][1:] + "."
    rows = ["| column | type | note |", "|---|---|---|"]
    for _, column, kind, not_null, default, key in db.execute(f"PRAGMA table_info({table})"):
        words = [
            kind.lower(),
            "not null" if not_null else "",
            f"default {default}" if default is not None else "",
        ]
        words.append("key" if key else "")
        note = notes.get(f"{table}.{column}", "").replace("|", "\\|")
        rows.append(f"| {column} | {' '.join(filter(None, words))} | {note} |")
    yield "\n".join(rows)


def _read_comments(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the notes by `table.column` and the comment above a table by its name."""
    notes: dict[str, str] = {}
    sections: dict[str, str] = {}
    table = column = heading = ""
    for line in text.splitlines():
        code, _, comment = (part.strip() for part in line.partition("--"))
        if found := re.match(r"CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?(\w+)", code):
            table, column = found[1], ""
            if heading:
                sections[table] = heading
            heading = ""
        elif line.startswith("--"):
            heading = f"{heading} {comment}".strip()
        elif found := re.match(r"(\w+) [A-Z]+", code):
            column = f"{table}.{found[1]}"
            notes[column] = comment
        elif comment and not code and column:
            notes[column] = f"{notes[column]} {comment}".strip()
        if code.endswith(";"):
            column = ""
    return notes, sections


def draw_forgetting() -> str:
    """Return docs/forgetting.svg: the curve after which notes are archived."""
    from forgetting_curve import draw

    return draw()


PAGES = {"cli.md": render_cli, "schema.md": render_schema, "forgetting.svg": draw_forgetting}


def main(*, check: bool) -> int:
    """Write the pages, or with `check` only compare them; returns 1 where one is out of date."""
    outdated = 0
    for name, render in PAGES.items():
        path = DOCS / name
        text = render()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        outdated = 1
        if check:
            print(f"docs/{name} is out of date: python docs/generate.py", file=sys.stderr)
        else:
            path.write_text(text, encoding="utf-8")
    return outdated if check else 0


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))
