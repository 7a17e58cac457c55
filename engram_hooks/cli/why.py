"""`engram why`: which commits, files and symbols answer a question."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.history import format_date, name_intent
from engram_hooks.cli.index import hint_at_lag
from engram_hooks.cli.options import json_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.history.why import FoundCommit, WhyAnswer
    from engram_hooks.history.why_evidence import FoundFile

_SHORT = 10
_MAX_SUBJECT_CHARS = 300
_SHOWN_COMMITS, _SHOWN_FILES, _SHOWN_SYMBOLS = 5, 5, 5
_TOLD_FILES, _TOLD_SYMBOLS, _TOLD_TERMS = 3, 3, 8
_JSON_TOUCHED = 10
_STRONG = "bugfix", "security", "revert"


@click.command(name="why")
@click.argument("words", metavar="QUERY", nargs=-1, required=True)
@click.option(
    "-k", "limit", metavar="N", type=click.IntRange(1, 100), help="How many of each; else 5, in JSON 10."
)
@click.option("--explain", is_flag=True, help="Say what every signal adds to a score.")
@json_option
def command(words: tuple[str, ...], limit: int | None, *, explain: bool, as_json: bool) -> None:
    """Find the commits, files and functions that say why something is as it is.

    QUERY is a question or an error message, a name out of code, a path, an issue (`#123`, `INC-2407`) or a commit.
    `-` reads it from standard input.
    """
    query = sys.stdin.read() if words == ("-",) else " ".join(words)
    with open_memory() as memory:
        found = memory.why(query, limit or 10)
        hint_at_lag(memory)
    if as_json:
        output.print_json(to_json(found, is_explained=explain))
        return
    if not (found.commits or found.files or found.symbols):
        output.say("Nothing in the history answers that.")
        output.say(output.style("Try other words, bring the index up to date (engram index), or ask", "dim"))
        output.say(output.style("the notes: engram recall -q QUESTION", "dim"))
        return
    output.say("\n".join(_draw(found, limit, is_explained=explain)))


def to_json(found: WhyAnswer, *, is_explained: bool) -> dict[str, object]:
    """The contract of `engram why --json`."""
    return {
        "kind": found.kind,
        "commits": [_commit_to_json(one, is_explained=is_explained) for one in found.commits],
        "files": [
            {
                "path": file.path,
                "score": file.score,
                "in_head": file.is_there,
                "now": file.now or None,
                "along": file.along or None,
            }
            for file in found.files
        ],
        "symbols": [{"symbol": one.name, "path": one.path, "score": one.score} for one in found.symbols],
    }


def _commit_to_json(one: FoundCommit, *, is_explained: bool) -> dict[str, object]:
    entry = one.entry
    return {
        "hash": entry.hash,
        "score": one.score,
        "date": format_date(entry.authored_at),
        "subject": output.line(entry.subject, max_chars=_MAX_SUBJECT_CHARS),
        "intent": entry.intent,
        "author": output.line(entry.author),
        "is_bulk": entry.is_bulk,
        "reverts": entry.reverts or None,
        "reverted_by": entry.reverted_by or None,
        "restores": entry.restores or None,
        "restored_by": entry.restored_by or None,
        "excerpt": [output.line(line) for line in entry.excerpt.split("\n") if line],
        "files": [file[1] for file in one.touched.files[:_JSON_TOUCHED]],
        "symbols": [symbol[1] for symbol in one.touched.symbols[:_JSON_TOUCHED]],
        "matched": list(one.matched),
        **({"signals": one.signals} if is_explained else {}),
    }


def _draw(found: WhyAnswer, limit: int | None, *, is_explained: bool) -> list[str]:
    commits = found.commits[: limit or _SHOWN_COMMITS]
    lines: list[str] = []
    # of a commit or an issue that was asked for people want to see what it did
    is_close = found.kind == "exact" and len(commits) <= 2
    for one in commits:
        lines += _draw_commit(one, is_close=is_close, is_explained=is_explained)
    files = [
        [output.line(file.path, max_chars=100), _note_file(file)]
        for file in found.files[: limit or _SHOWN_FILES]
    ]
    if files:
        lines += ["", output.style("files", "bold"), _indent(files)]
    places = dict.fromkeys((one.name, one.path) for one in found.symbols)  # overloads have one name
    symbols = [
        [output.line(name, max_chars=80), output.style(output.line(path, max_chars=100), "dim")]
        for name, path in [*places][: limit or _SHOWN_SYMBOLS]
    ]
    if symbols:
        lines += ["", output.style("functions and types", "bold"), _indent(symbols)]
    return lines


def _draw_commit(one: FoundCommit, *, is_close: bool, is_explained: bool) -> list[str]:
    entry = one.entry
    head = [
        output.style(entry.hash[:_SHORT], "id"),
        format_date(entry.authored_at),
        output.style(f"{name_intent(entry.intent):<8}", "good" if entry.intent in _STRONG else "dim"),
        output.line(entry.subject, max_chars=100),
    ]
    told = [*_tell_ties(one), _tell_touched(one), _tell_matched(one)]
    if is_explained:
        told.append("score " + " + ".join(f"{name} {value:g}" for name, value in one.signals.items()))
    lines = ["  ".join(head), *("  " + output.style(text, "dim") for text in told if text)]
    if is_close and entry.body:
        lines.append(output.block(entry.body, indent="    "))
    if is_close and entry.excerpt:
        lines += [_draw_change(line) for line in entry.excerpt.split("\n")]
    return lines


def _draw_change(line: str) -> str:
    return "    " + output.style(output.line(line, max_chars=160), "good" if line.startswith("+") else "bad")


def _tell_ties(one: FoundCommit) -> list[str]:
    entry = one.entry
    ties = (
        ("undid", entry.reverts),
        ("brought back", entry.restores),
        ("undone by", entry.reverted_by),
        ("brought back by", entry.restored_by),
    )
    return [f"{what} {name[:_SHORT]}" for what, name in ties if name]


def _tell_touched(one: FoundCommit) -> str:
    symbols = _tell_some([*dict.fromkeys(symbol[1] for symbol in one.touched.symbols)], _TOLD_SYMBOLS)
    files = _tell_some([file[1] for file in one.touched.files], _TOLD_FILES)
    return f"in {files}" + (f": {symbols}" if symbols else "") if files else ""


def _tell_matched(one: FoundCommit) -> str:
    return f"matches {_tell_some(list(one.matched), _TOLD_TERMS)}" if one.matched else ""


def _tell_some(names: Sequence[str], most: int) -> str:
    """`a, b, c and 4 more`, each name one safe line."""
    told = ", ".join(output.line(name, max_chars=80) for name in names[:most])
    return f"{told} and {len(names) - most} more" if len(names) > most else told


def _note_file(file: FoundFile) -> str:
    if file.along:
        text = f"changes with {output.line(file.along, max_chars=100)}"
    elif file.now:
        text = f"now {output.line(file.now, max_chars=100)}"
    else:
        text = "" if file.is_there else "no longer there"
    return output.style(text, "dim") if text else ""


def _indent(rows: list[list[str]]) -> str:
    return "\n".join("  " + row for row in output.table(rows).split("\n"))
