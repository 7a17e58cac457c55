"""`engram core`: what every session begins with, about the user and about working here."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import TextCommand, json_option, yes_option
from engram_hooks.errors import UsageError

if TYPE_CHECKING:
    from engram_hooks.curate.core.blocks import CoreBlock, CoreChange

BLOCK_NAMES = "user", "agent"
_ABOUT = {"user": "You", "agent": "Lessons"}


class EntryCommand(TextCommand):
    """A command whose text may be copied out of a list: a bullet before it is no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Leave the bullets out."""
        return super().parse_args(ctx, [arg[2:] if arg[:2] == "- " else arg for arg in args])


def _block_option(command: click.decorators.FC) -> click.decorators.FC:
    return click.option(
        "--block",
        default="",
        type=click.Choice(["", *BLOCK_NAMES]),
        metavar="user|agent",
        help="In which block.",
    )(command)


def _reason_option(command: click.decorators.FC) -> click.decorators.FC:
    return click.option("--reason", default="", metavar="TEXT", help="Why, for the history.")(command)


@click.group(name="core", invoke_without_command=True)
@click.pass_context
def group(ctx: click.Context) -> None:
    """Core memory: what every session in every project begins with; without a command, show it.

    Two blocks of short entries. user: who you are, how you like answers, what always holds (1,200 characters).
    agent: quirks of this machine, habits across projects, traps of tools (1,800). What concerns one project
    belongs into a note: engram add.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(show)


@group.command(name="show")
@click.argument("name", metavar="user|agent", required=False, default="")
@_block_option
@json_option
def show(name: str, block: str, *, as_json: bool) -> None:
    """Show the blocks, how full they are, and the files in which you may change them."""
    with open_memory() as memory:
        found = memory.core(name or block)
    if as_json:
        output.print_json([item.as_dict() for item in found])
        return
    for item in found:
        _print_block(item)


@group.command(name="add", cls=EntryCommand)
@click.argument("words", nargs=-1, required=True, metavar="[user|agent] TEXT")
@_block_option
@_reason_option
@json_option
def add(words: tuple[str, ...], block: str, reason: str, *, as_json: bool) -> None:
    """Add an entry; - reads entries from the standard input, one a line."""
    name, (text,) = _split_words(words, block, count=1)
    if not name:
        raise UsageError("which block is it for?", hint='engram core add user "..." (or agent)')
    with open_memory() as memory:
        _print_change(memory.core_add(name, _read_text(text), reason=reason), as_json=as_json)


@group.command(name="replace", cls=EntryCommand)
@click.argument("words", nargs=-1, required=True, metavar="[user|agent] OLD NEW")
@_block_option
@_reason_option
@json_option
def replace(words: tuple[str, ...], block: str, reason: str, *, as_json: bool) -> None:
    """Put NEW in place of the entry that OLD is a part of; - reads NEW from the standard input."""
    name, (old, new) = _split_words(words, block, count=2)
    with open_memory() as memory:
        _print_change(memory.core_replace(old, _read_text(new), block=name, reason=reason), as_json=as_json)


@group.command(name="remove", cls=EntryCommand)
@click.argument("words", nargs=-1, required=True, metavar="[user|agent] TEXT")
@_block_option
@_reason_option
@click.option("--hard", is_flag=True, help="Remove it from disk, with all that holds its text. No undo.")
@click.option("--backups", is_flag=True, help="With --hard: also out of engram's own backups.")
@yes_option
@json_option
def remove(
    words: tuple[str, ...],
    block: str,
    reason: str,
    *,
    hard: bool,
    backups: bool,
    is_confirmed: bool,
    as_json: bool,
) -> None:
    """Take the entry out that TEXT is a part of. It stays in the history; --hard removes every trace of it."""
    name, (text,) = _split_words(words, block, count=1)
    with open_memory() as memory:
        if hard:
            from engram_hooks.cli.forget import forget_entry

            forget_entry(
                memory,
                _read_text(text),
                block=name,
                backups=backups,
                is_confirmed=is_confirmed,
                as_json=as_json,
            )
            return
        _print_change(memory.core_remove(_read_text(text), block=name, reason=reason), as_json=as_json)


@group.command(name="undo")
@click.argument("name", metavar="user|agent", required=False, default="")
@_block_option
@click.option("--redo", is_flag=True, help="Take the last undo back.")
@click.option("--to", "to_version", type=click.IntRange(0), help="Go to this version (engram core history).")
@json_option
def undo(name: str, block: str, *, redo: bool, to_version: int | None, as_json: bool) -> None:
    """Go back to the text before the last change; once more with each call."""
    with open_memory() as memory:
        change = memory.core_undo(block=name or block, is_redo=redo, to_version=to_version)
        _print_change(change, as_json=as_json, undo="" if redo or to_version is not None else " --redo")


@group.command(name="history")
@click.argument("name", metavar="user|agent", required=False, default="")
@_block_option
@click.option(
    "-n", "--limit", type=click.IntRange(1), default=20, show_default=True, help="At most this many."
)
@json_option
def history(name: str, block: str, *, limit: int, as_json: bool) -> None:
    """List the versions of the blocks, newest last: who changed what, and why."""
    with open_memory() as memory:
        versions = memory.core_history(name or block)
    if as_json:
        output.print_json(versions[-limit:])
        return
    if not versions:
        output.say("Core memory was never written to.")
    before: dict[str, list[str]] = {}
    for at, version in enumerate(versions):
        lines = version["text"].split("\n") if version["text"] else []
        old = before.get(version["block"], [])
        before[version["block"]] = lines
        if at < len(versions) - limit:
            continue
        head = f"{version['block']} {version['version']}  {output.moment(version['created_at'])}  {version['actor']}"
        reason = f"  ({output.line(version['reason'])})" if version["reason"] else ""
        output.say(output.style(head, "bold") + output.style(reason, "dim"))
        _print_difference([x for x in old if x not in lines], [x for x in lines if x not in old])


@group.command(name="compact")
@click.option("--dry-run", "is_dry", is_flag=True, help="Only say what would be done.")
@json_option
def compact(*, is_dry: bool, as_json: bool) -> None:
    """Make room where a block is more than 80 % full.

    Entries that another one says too become one, wordy ones denser; those that matter least become notes that
    hold everywhere. This is also a step of engram consolidate.
    """
    from engram_hooks.curate.core.compaction import compact_core
    from engram_hooks.memory import now

    with open_memory() as memory:
        said = compact_core(memory.db, memory.data, memory.environ, now_ms=now(), is_dry=is_dry)
    if as_json:
        output.print_json({"changes": said, "is_dry_run": is_dry})
        return
    for sentence in said:
        output.say(output.line(sentence))
    if not said:
        output.say("There is room: no block is more than 80 % full.")
    elif not is_dry:
        output.say(output.style("undo: engram core undo", "dim"))


def _split_words(words: tuple[str, ...], block: str, *, count: int) -> tuple[str, list[str]]:
    """(block or '', the texts) of what was typed: a block may stand before them."""
    texts = list(words)
    if len(texts) == count + 1 and texts[0].lower() in BLOCK_NAMES and block in ("", texts[0].lower()):
        block = texts.pop(0).lower()
    if len(texts) != count:
        what = "one text" if count == 1 else f"{count} texts"
        raise UsageError(f"{what} expected, {len(texts)} given", hint="put quotes around each text")
    return block, texts


def _read_text(text: str) -> str:
    return sys.stdin.read() if text == "-" else text


def _print_block(block: CoreBlock) -> None:
    room = f"{block.percent}% full, {block.chars:,} of {block.max_chars:,} characters"
    output.say(output.style(f"{block.block}: {_ABOUT[block.block]} ({room})", "bold"))
    for entry in block.entries:
        output.say(f"  {output.line(entry)}")
    if not block.entries:
        output.say(output.style(f'  empty; engram core add {block.block} "..."', "dim"))
    output.say(output.style(f"  file: {output.line(block.file)}", "dim"))
    if block.pending:
        output.say(output.style(f"  The file is not taken over: {output.line(block.pending)}.", "warn"))
    if block.conflict:
        output.say(
            output.style(
                "  File and store were both changed; the newer text was taken, the other one is in"
                f" {output.line(block.conflict)}. Take over what you miss, then delete that file.",
                "warn",
            )
        )


def _print_change(change: CoreChange, *, as_json: bool, undo: str = "") -> None:
    block = change.block
    if as_json:
        output.print_json(
            {"removed": change.gone, "added": change.new, "problem": change.problem, "block": block.as_dict()}
        )
        return
    if not change.gone and not change.new:
        output.say("Nothing changed: that is there already.")
    _print_difference(change.gone, change.new)
    output.say(f"{block.block}: {block.percent}% full, {block.chars:,} of {block.max_chars:,} characters")
    if change.problem:
        output.say(output.style(change.problem, "warn"), to_stderr=True)
    if change.gone or change.new:
        output.say(output.style(f"undo: engram core undo {block.block}{undo}", "dim"))


def _print_difference(gone: tuple[str, ...] | list[str], new: tuple[str, ...] | list[str]) -> None:
    for entry in gone:
        output.say(output.style(f"  - {output.line(entry)}", "bad"))
    for entry in new:
        output.say(output.style(f"  + {output.line(entry)}", "good"))
