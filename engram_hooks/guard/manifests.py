"""Kubernetes secrets: every value under `data` and `stringData`, whatever its name."""

from __future__ import annotations

from engram_hooks.guard.values import is_blank

TYPE_CHECKING = False
if TYPE_CHECKING:
    Span = tuple[int, int, str]

_KINDS = ("kind: secret", '"kind":"secret"', '"kind": "secret"')
_SECTIONS = ("data:", "stringdata:")


def find_in_manifests(text: str, low: str) -> list[Span]:
    """Spans of the values of Kubernetes secrets in `text`."""
    spans: list[Span] = []
    if _KINDS[0] in low:
        _find_in_yaml(text, low, spans)
    if _KINDS[1] in low or _KINDS[2] in low:
        _find_in_json(text, low, spans)
    return spans


def _find_in_yaml(text: str, low: str, spans: list[Span]) -> None:
    at = section = 0
    for document in low.split("\n---"):
        if _KINDS[0] in document and "kind: secretlist" not in document:
            section = -1
            start = at
            for line in document.split("\n"):
                section = _read_line(text, (start, start + len(line)), section, spans)
                start += len(line) + 1
        at += len(document) + 4


def _read_line(text: str, line: tuple[int, int], section: int, spans: list[Span]) -> int:
    """Take the value of one line inside a section; the indent of the section from here on (-1: none)."""
    start, end = line
    body = text[start:end].rstrip("\r")
    bare = body.lstrip(" ")
    indent = len(body) - len(bare)
    if bare.lower().rstrip() in _SECTIONS:
        return indent
    if section < 0 or not bare or bare.startswith("#"):
        return section
    if indent <= section:
        return -1
    name, colon, value = bare.partition(":")
    literal = value.strip().strip("\"'") if colon and value[:1] in (" ", "") else bare.strip()
    if len(literal) >= 4 and literal not in ("|-", ">-") and not is_blank(literal):
        first = text.index(
            literal, start + indent + (len(name) + 1 if colon and value[:1] in (" ", "") else 0)
        )
        spans.append((first, first + len(literal), "manifest"))
    return section


def _find_in_json(text: str, low: str, spans: list[Span]) -> None:
    for section in ('"data"', '"stringdata"'):
        at = low.find(section)
        while at >= 0:
            opening = text.find("{", at, at + 20)
            close = text.find("}", opening, opening + 20000) if opening > 0 else -1
            stop = at + len(section)
            if close > 0 and "{" not in text[opening + 1 : close]:
                _take_pairs(text, (opening, close), spans)
                stop = close
            at = low.find(section, stop)


def _take_pairs(text: str, block: tuple[int, int], spans: list[Span]) -> None:
    at, close = block
    while True:
        colon = text.find('":', at, close)
        if colon < 0:
            return
        start = text.find('"', colon + 2, close)
        stop = text.find('"', start + 1, close) if start > 0 else -1
        if stop < 0:
            return
        if stop - start > 4 and not is_blank(text[start + 1 : stop]):
            spans.append((start + 1, stop, "manifest"))
        at = stop + 1
