"""Edits of a JSON text that leave every other byte as it was, in the file's own layout."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from engram_hooks.client.json_spans import Child, Node, scan

DEFAULT_UNIT = "  "

Step = tuple[int, int, str]
"""Replace `text[start:end]` by the third value."""


@dataclass(slots=True)
class Draft:
    """A text under edit; `undo` leads from the present text back to the one it began with."""

    text: str
    undo: list[Step] = field(default_factory=list)

    def replace(self, start: int, end: int, new: str) -> None:
        """Put `new` in the place of `text[start:end]`."""
        self.undo.insert(0, (start, start + len(new), self.text[start:end]))
        self.text = self.text[:start] + new + self.text[end:]

    def root(self) -> Node:
        """The present text, scanned. Raises `JsonTextError`."""
        return scan(self.text)


@dataclass(frozen=True, slots=True)
class Layout:
    """How the children of one container are written."""

    unit: str
    newline: str
    colon: str
    gap: str
    indent: str
    lines: bool


def render_string(text: str) -> str:
    """The text as JSON source, letters beyond ASCII as they are."""
    return json.dumps(text, ensure_ascii=False)


def add_member(draft: Draft, container: Node, key: str, value: object) -> None:
    """Add a member at the end of an object."""
    layout = _layout_of(draft.text, draft.root(), container)
    body = render_string(key) + layout.colon + _render(value, layout, layout.indent)
    _add(draft, container, body, layout=layout)


def add_item(draft: Draft, container: Node, value: object) -> None:
    """Add an item at the end of an array."""
    layout = _layout_of(draft.text, draft.root(), container)
    _add(draft, container, _render(value, layout, layout.indent), layout=layout)


def remove_child(draft: Draft, container: Node, index: int) -> None:
    """Take the child at `index` out, with the comma and the white space that belong to it."""
    children = container.children
    child = children[index]
    if len(children) == 1:
        draft.replace(container.start + 1, container.end - 1, "")
    elif index == len(children) - 1:
        draft.replace(children[index - 1].node.end, child.node.end, "")
    else:
        draft.replace(child.start, children[index + 1].start, "")


def _add(draft: Draft, container: Node, body: str, *, layout: Layout) -> None:
    if container.children:
        at = container.children[-1].node.end
        lead = layout.newline + layout.indent if layout.lines else layout.gap
        draft.replace(at, at, "," + lead + body)
    elif layout.lines:
        outer = _line_indent(draft.text, container.start)
        inner = layout.newline + layout.indent + body + layout.newline + outer
        draft.replace(container.start + 1, container.end - 1, inner)
    else:
        draft.replace(container.start + 1, container.end - 1, body)


def _layout_of(text: str, root: Node, container: Node) -> Layout:
    first = root.children[0] if root.children else None
    lead = text[root.start + 1 : first.start] if first else "\n" + DEFAULT_UNIT
    unit = lead.rpartition("\n")[2] if "\n" in lead else DEFAULT_UNIT
    colon = _colon(text, first)
    gap = " " if colon[-1:] == " " else ""
    lines, indent = "\n" in lead, _line_indent(text, container.start) + unit
    if container.children:
        last = container.children[-1]
        alone = len(container.children) == 1
        before = container.start + 1 if alone else container.children[-2].node.end
        lead = text[before : last.start].rpartition(",")[2]
        lines = "\n" in lead
        indent = lead.rpartition("\n")[2] if lines else indent
        gap = gap if lines or alone else lead
    return Layout(unit, "\r\n" if "\r\n" in text else "\n", colon, gap, indent, lines)


def _colon(text: str, first: Child | None) -> str:
    if first is None or first.key is None:
        return ": "
    written = text[first.key_end : first.node.start]
    return ": " if "\n" in written else written


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _render(value: object, layout: Layout, indent: str) -> str:
    inner = indent + layout.unit
    if isinstance(value, dict):
        parts = [
            render_string(key) + layout.colon + _render(item, layout, inner) for key, item in value.items()
        ]
        return "{" + _join(parts, layout, indent) + "}"
    if isinstance(value, list):
        return "[" + _join([_render(item, layout, inner) for item in value], layout, indent) + "]"
    return json.dumps(value, ensure_ascii=False)


def _join(parts: list[str], layout: Layout, indent: str) -> str:
    if not parts or not layout.lines:
        return ("," + layout.gap).join(parts)
    lead = layout.newline + indent
    return lead + layout.unit + ("," + lead + layout.unit).join(parts) + lead
