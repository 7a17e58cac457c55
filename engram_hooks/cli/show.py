"""`engram show`: the kinds of notes, the notes of a kind with what they replaced, one note with its history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engram_hooks.cli import output, show_tree
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import TextCommand, json_option, project_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.curate.family import Node
    from engram_hooks.curate.ground.proofs import Proof
    from engram_hooks.curate.record import History, Record
    from engram_hooks.memory import Engram

_LATE_MS = 2 * 86_400_000
_MAX_THINGS = 12


@click.command(name="show", cls=TextCommand)
@click.argument("what", metavar="[ID|KIND]", required=False)
@click.option(
    "--all", "with_gone", is_flag=True, help="Of a kind also the notes that nothing took the place of."
)
@click.option(
    "-k",
    "--limit",
    type=click.IntRange(0, 100_000),
    default=30,
    show_default=True,
    help="Of a kind at most so many.",
)
@project_option
@json_option
def command(what: str | None, with_gone: bool, limit: int, project: str | None, as_json: bool) -> None:
    """Look into the memory step by step: all kinds, the notes of a KIND as a tree, or one note by its ID.

    A note comes with what it replaced, when, by whom and why, what it rests on and speaks of, and every change.
    """
    from engram_hooks.recall.fields import ALIASES, KINDS

    with open_memory(project=project) as memory:
        if not what:
            _show_kinds(memory, as_json=as_json)
        elif what.strip().lower() in (*KINDS, *ALIASES):
            _show_kind(memory, what, limit=limit, with_gone=with_gone, as_json=as_json)
        else:
            _show_record(memory, memory.find(what), as_json=as_json)


def _show_kinds(memory: Engram, *, as_json: bool) -> None:
    from engram_hooks.curate.family import count_kinds

    counts = count_kinds(memory)
    if as_json:
        output.print_json(counts)
        return
    if not counts:
        output.say('Nothing is kept here yet: engram add -s "..."')
        return
    rows = [
        (
            output.style(f"  {one['kind']}", "id"),
            output.count(one["told"], "note"),
            output.style(f"{one['gone']} no longer told" if one["gone"] else "", "dim"),
        )
        for one in counts
    ]
    output.say(output.table(rows))
    output.say(output.style(f"further: engram show {counts[0]['kind']}", "dim"))


def _show_kind(memory: Engram, kind: str, *, limit: int, with_gone: bool, as_json: bool) -> None:
    from engram_hooks.curate.family import list_trees

    trees = list_trees(memory, kind, limit=limit, with_gone=with_gone)
    if as_json:
        output.print_json([tree.as_dict() for tree in trees])
        return
    for tree in trees:
        output.say("\n".join(show_tree.draw(tree)))
    if not trees:
        output.say(f"No {output.line(kind)} is told here." + ("" if with_gone else " Once told: add --all"))


def _show_record(memory: Engram, record: Record, *, as_json: bool) -> None:
    from engram_hooks.curate.family import draw_tree
    from engram_hooks.curate.ground.proofs import evidence_of

    history, tree = memory.history_of(record), draw_tree(memory, record)
    proofs = evidence_of(memory.db, record.id)
    if as_json:
        output.print_json(
            {
                **record.as_dict(),
                "chain": [item.as_dict() for item in history.chain],
                "tree": tree.as_dict(),
                "evidence": history.evidence,
                "anchors": history.anchors,
                "rests_on": [proof.as_dict() for proof in proofs],
                "things": [{"kind": kind, "name": name} for kind, name in history.things],
                "relations": [
                    {"source": source, "kind": kind, "target": target}
                    for source, kind, target in history.relations
                ],
                "changes": history.changes,
            }
        )
        return
    _print_record(record)
    _print_around(record, history, tree, proofs)


def _print_record(record: Record) -> None:
    output.say(f"{output.style(record.short_id, 'id')}  {output.style(output.line(record.summary), 'bold')}")
    if record.detail:
        output.say(output.block(record.detail))
    until = f" to {output.day(record.valid_to)}" if record.valid_to is not None else ""
    where = {"global": "everywhere", "branch": f"branch {output.line(record.branch)}"}.get(record.scope)
    reason = f" ({output.line(record.status_reason)})" if record.status_reason else ""
    origin = f" (made on branch {output.line(record.branch)})" if record.branch else ""
    is_late = abs(record.created_at - record.valid_from) > _LATE_MS
    learnt = f" (learnt {output.day(record.created_at)})" if is_late else ""
    rows = [
        ("kind", record.kind),
        ("status", record.status.replace("_", " ") + reason),
        (
            "holds",
            f"{where or f'in this project{origin}'}, from {output.day(record.valid_from)}{until}{learnt}",
        ),
        ("tags", output.line(" ".join(record.tags))),
        ("paths", output.line(" ".join(record.paths))),
        ("source", f"{record.source}, {output.moment(record.created_at)}"),
        ("used", output.count(record.use_count, "time") if record.use_count else ""),
        ("uid", record.uid),
    ]
    output.say(output.table([(output.style(f"  {name}", "dim"), text) for name, text in rows if text]))


def _print_around(record: Record, history: History, tree: Node, proofs: Sequence[Proof]) -> None:
    if tree.children:
        _print_part("history", ["  " + line for line in show_tree.draw(tree, here=record.id)])
    _print_part("rests on", [line for proof in proofs for line in _draw_proof(proof)])
    named = [f"{name} ({kind})" for kind, name in history.things]
    more = f" and {len(named) - _MAX_THINGS} more" if len(named) > _MAX_THINGS else ""
    speaks = [f"  {output.line(', '.join(named[:_MAX_THINGS]))}{more}"] if named else []
    said = [f"{source} {kind.replace('_', ' ')} {target}" for source, kind, target in history.relations]
    _print_part("speaks of", [*speaks, *(f"  {output.line(text)}" for text in said)])
    if len(history.changes) > 1:
        _print_part("changes", [_tell_change(change) for change in history.changes])


def _print_part(title: str, lines: Sequence[str]) -> None:
    if lines:
        output.say("\n".join([output.style(title, "bold"), *lines]))


def _tell_change(change: dict[str, Any]) -> str:
    fields = ", ".join(change["after"]) if change["action"] == "edit" else ""
    why = f" ({change['reason']})" if change["reason"] else ""
    text = f"{change['action']} by {change['actor']}{': ' if fields else ''}{fields}{why}"
    return f"  {output.moment(change['created_at'])}  {output.line(text)}"


def _draw_proof(proof: Proof, *, indent: str = "  ", above: str = "") -> list[str]:
    """`file src/pay.py`, with what became of it, and its lines and symbols below."""
    ref = "" if proof.kind == "log" else f" {proof.ref}"
    told = f": {proof.text}" if proof.text and proof.text != above else ""
    own = indent + output.line(f"{proof.kind}{ref}{told}", max_chars=200)
    return [
        own,
        *(
            line
            for one in proof.children
            for line in _draw_proof(one, indent=indent + "  ", above=proof.text)
        ),
    ]
