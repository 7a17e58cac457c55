"""Drawing a tree of notes: what holds at the top, below it what it replaced or took in, when, by whom and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.cli import output

if TYPE_CHECKING:
    from engram_hooks.curate.family import Node

_TEXT_CHARS = 160
_REASON_CHARS = 120
_LATE_MS = 2 * 86_400_000


def draw(tree: Node, *, here: int = 0) -> list[str]:
    """The lines of a tree, safe to print; the note `here` is marked."""
    return [_tell(tree, here), *_draw_children(tree, "", here)]


def _draw_children(node: Node, indent: str, here: int) -> list[str]:
    lines: list[str] = []
    for at, child in enumerate(node.children, 1):
        is_last = at == len(node.children)
        lines.append(f"{indent}{'└─' if is_last else '├─'} {_tell(child, here)}")
        inner = indent + ("   " if is_last else "│  ")
        end = _tell_end(child)
        if end:
            bar = "│  " if child.children else "   "
            lines.append(output.style(f"{inner}{bar}{end}", "dim"))
        lines += _draw_children(child, inner, here)
    return lines


def _tell(node: Node, here: int) -> str:
    """`d12  Postgres over Mongo  (3 May to 2 June)`."""
    until = f" to {output.day(node.valid_to)}" if node.valid_to is not None else ""
    is_late = abs(node.created_at - node.valid_from) > _LATE_MS
    learnt = f", learnt {output.day(node.created_at)}" if is_late else ""
    since = output.style(f"({output.day(node.valid_from)}{until}{learnt})", "dim")
    mark = output.style(" <- this one", "dim") if node.number == here else ""
    text = output.line(node.summary, max_chars=_TEXT_CHARS)
    return f"{output.style(node.id, 'id')}  {text}  {since}{mark}"


def _tell_end(node: Node) -> str:
    """What became of a note: `replaced 2 June by person: another value of the same subject`."""
    noted = f" {output.day(node.noted_at)}" if node.noted_at is not None else ""
    by = f" by {output.line(node.by, max_chars=40)}" if node.by else ""
    reason = f": {output.line(node.reason, max_chars=_REASON_CHARS)}" if node.reason else ""
    return f"{node.how or node.status}{noted}{by}{reason}"
