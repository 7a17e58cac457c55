"""`engram log`: read, search, export and prune what was said in sessions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory, say_outside
from engram_hooks.cli.options import json_option, project_option, yes_option
from engram_hooks.errors import EngramError, UsageError

if TYPE_CHECKING:
    from engram_hooks.memory import Engram

DAY_MS = 86_400_000
SHORT_CHARS = 160
SESSION_CHARS = 8
STYLES = {"user": "good", "assistant": "bold", "tool": "id", "result": "dim"}
LABELS = {"user": "you", "assistant": "agent", "tool": "tool", "result": "result"}


@click.group(name="log", invoke_without_command=True)
@click.option("-q", "--query", metavar="WORDS", help="Search, best match first.")
@click.option("--session", metavar="ID", help="One session, by the start of its id, or 'last'.")
@click.option("--since", metavar="DATE", help="Only from this day or moment on.")
@click.option("--role", type=click.Choice(list(LABELS)), multiple=True, help="Only what these said.")
@click.option("-n", "--limit", type=click.IntRange(1), default=20, show_default=True, help="At most so many.")
@click.option("--full", "is_full", is_flag=True, help="Whole texts, not their first line.")
@click.option("--all", "is_everywhere", is_flag=True, help="All projects.")
@project_option
@json_option
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:  # Any: click passes options by name
    """Read and search what was said in sessions.

    Without a query or a session it lists the newest sessions.
    """
    if ctx.invoked_subcommand is not None:
        return
    with open_memory(project=options["project"]) as memory:
        memory.finish_jobs()
        if not options["is_everywhere"]:
            say_outside(memory)
        if options["query"] is None and options["session"] is None and not options["role"]:
            _show_sessions(memory, options)
        else:
            _show_lines(memory, options)


def _show_sessions(memory: Engram, options: Mapping[str, Any]) -> None:
    from engram_hooks.store.session_list import list_sessions

    found = list_sessions(
        memory.db, project_id=_scope(memory, options), since_ms=_since(options), limit=options["limit"]
    )
    if options["as_json"]:
        output.print_json(found)
        return
    if not found:
        output.say("No session is logged here yet.")
        return
    rows = [
        [
            output.style(output.line(row["session"])[:SESSION_CHARS], "id"),
            output.moment(row["started_at"]),
            output.line(row["project"] if options["is_everywhere"] else row["branch"], max_chars=24),
            output.count(row["lines"], "line"),
            output.line(row["first_prompt"], max_chars=70),
        ]
        for row in found
    ]
    output.say(output.table(rows))
    output.say(output.style("One of them: engram log --session ID", "dim"), to_stderr=True)


def _show_lines(memory: Engram, options: Mapping[str, Any]) -> None:
    found = _search(memory, options) if options["query"] is not None else _browse(memory, options)
    if options["as_json"]:
        output.print_json(found)
        return
    if not found:
        output.say("Nothing in the log fits.")
    session = ""
    for row in found:
        if row["session"] != session:
            session = row["session"]
            name = output.style(output.line(session)[:SESSION_CHARS], "id")
            output.say(f"{name}  {output.day(row['created_at'])}")
            if options["session"] is not None and options["query"] is None:
                _print_summary(memory, session)
        _print_line(row, is_full=options["is_full"])


def _print_summary(memory: Engram, session: str) -> None:
    """What the session was about, where that was worked out."""
    from engram_hooks.store.summaries import read_summaries

    text = read_summaries(memory.db, [session]).get(session, "")
    if text:
        output.say(output.style(output.block(text), "dim"))


def _print_line(row: Mapping[str, Any], *, is_full: bool) -> None:
    from engram_hooks.recall.fields import format_clock

    label = "task" if row["agent"] and row["role"] == "user" else LABELS.get(row["role"], row["role"])
    label = label.ljust(6)
    head = f"  {format_clock(row['created_at'])}  {output.style(label, STYLES.get(row['role'], 'dim'))}"
    if row["agent"]:
        head += output.style(f" ({output.line(row['agent'], max_chars=20)})", "dim")
    if is_full:
        output.say(head)
        output.say(output.block(row["text"], indent="    "))
        return
    output.say(f"{head}  {output.line(row['text'], max_chars=SHORT_CHARS)}")


def _browse(memory: Engram, options: Mapping[str, Any]) -> list[Any]:
    from engram_hooks.store.log_search import browse_log

    session = resolve_session(memory, options["session"])
    return browse_log(
        memory.db,
        project_id=None if session else _scope(memory, options),
        session=session,
        roles=options["role"],
        since_ms=_since(options),
        limit=options["limit"],
    )


def _search(memory: Engram, options: Mapping[str, Any]) -> list[Any]:
    from engram_hooks.store.log_search import search_log
    from engram_hooks.terms import query_terms

    session = resolve_session(memory, options["session"])
    found = search_log(
        memory.db,
        query_terms(options["query"]),
        project_id=None if session else _scope(memory, options),
        roles=options["role"],
        since_ms=_since(options),
        limit=options["limit"] if not session else 1000,
    )
    return [row for row in found if not session or row["session"] == session][: options["limit"]]


def _scope(memory: Engram, options: Mapping[str, Any]) -> int | None:
    """The project to read, None for all of them; 0 holds what was said outside any project."""
    return None if options["is_everywhere"] else memory.project_id or 0


def _since(options: Mapping[str, Any]) -> int | None:
    from engram_hooks.curate.moments import parse_moment

    return parse_moment(options["since"]) if options["since"] else None


def resolve_session(memory: Engram, name: str | None) -> str:
    """The client's id of the session that `name` begins, '' for None. Raises `EngramError` where none does."""
    from engram_hooks.store.session_list import find_client_ids, list_sessions

    if name is None:
        return ""
    if name == "last":
        newest = list_sessions(memory.db, project_id=memory.project_id or 0, limit=1)
        found = [row["session"] for row in newest]
    else:
        found = find_client_ids(memory.db, name)
    if len(found) != 1:
        reason = "no session is called" if not found else "several sessions begin with"
        raise EngramError(f"{reason} {name[:60]!r}", hint="engram log --all")
    return found[0]


@command.command(name="export")
@click.option("--format", "form", type=click.Choice(["jsonl", "md"]), default="jsonl", help="jsonl or md.")
@click.option("--session", metavar="ID", help="One session, by the start of its id, or 'last'.")
@click.option("--since", metavar="DATE", help="Only from this day or moment on.")
@click.option("--all", "is_everywhere", is_flag=True, help="All projects.")
@click.option(
    "-o", "--output", "target", type=click.Path(path_type=Path), help="A new file, not the terminal."
)
@project_option
def export_log(target: Path | None, form: str, **options: Any) -> None:  # Any: click passes options by name
    """Write the log as JSON lines or Markdown, oldest first."""
    from engram_hooks.sessions.export import render_jsonl, render_markdown
    from engram_hooks.store import log_search

    with open_memory(project=options["project"]) as memory:
        memory.finish_jobs()
        session = resolve_session(memory, options["session"])
        rows = log_search.export_log(
            memory.db,
            project_id=None if session else _scope(memory, options),
            session=session,
            since_ms=_since(options),
        )
        lines = render_jsonl(rows) if form == "jsonl" else render_markdown(rows)
        if target is None:
            for line in lines:
                click.echo(line)
            return
        try:
            with target.open("x", encoding="utf-8") as file:
                target.chmod(0o600)
                count = sum(file.write(line + "\n") > 0 for line in lines)
        except OSError as error:
            raise EngramError(f"cannot write {target}: {error.strerror}", hint="name a new file") from error
        output.say(f"{output.count(count, 'line')} in {output.safe(str(target))}")


@command.command(name="prune")
@click.option("--days", type=click.IntRange(0), help="Keep so many days; default: log.retention_days.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Only say what would go.")
@yes_option
def prune_log(days: int | None, *, is_dry: bool, is_confirmed: bool) -> None:
    """Delete old conversation of all projects for good. Notes stay."""
    from engram_hooks.memory import now
    from engram_hooks.store import erase, retention, settings

    with open_memory() as memory:
        kept = (
            int(settings.read(memory.db, 0, memory.environ)["log.retention_days"]) if days is None else days
        )
        if days is None and not kept:
            output.say(
                "log.retention_days is 0: the log is kept for ever. To prune it: engram log prune --days N"
            )
            return
        before_ms = now() - kept * DAY_MS
        old = retention.count_old(memory.db, before_ms=before_ms)
        what = f"{output.count(old['log'], 'line')} from before {output.day(before_ms)}"
        if is_dry or not any(old.values()):
            output.say(
                f"{what} would be deleted." if any(old.values()) else f"Nothing is older than {kept} days."
            )
            return
        if not is_confirmed:
            if not output.is_interactive():
                raise UsageError("deleting needs a yes", hint="engram log prune --yes")
            click.confirm(f"Delete {what} for good?", abort=True)
        done = retention.prune(memory.db, before_ms=before_ms)
        erase.compact(memory.db)
        output.say(f"Deleted {output.count(done['log'], 'line')} of the log.")
