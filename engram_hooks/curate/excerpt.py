"""The part of a long text that a question is about."""

from __future__ import annotations

from engram_hooks.terms import query_terms

_ELLIPSIS = "…"


def cut_excerpt(text: str, query: str, *, max_chars: int) -> str:
    """At most `max_chars` characters of `text` around the first rare-looking word of `query` that it holds."""
    flat = " ".join(text.split())
    if len(flat) <= max_chars:
        return flat
    low = flat.lower()
    spots = [at for term in sorted(query_terms(query), key=len, reverse=True) if (at := low.find(term)) >= 0]
    start = max(0, min(spots[0] if spots else 0, len(flat) - 1) - max_chars // 3)
    if start:
        space = flat.find(" ", start, start + 30)
        start = space + 1 if space >= 0 else start
    end = start + max_chars - 2
    tail = _ELLIPSIS if end < len(flat) else ""
    return (_ELLIPSIS if start else "") + flat[start:end].strip() + tail


def cut_text(text: str, max_chars: int) -> str:
    """The beginning of `text` on one line, cut at a word: at most `max_chars` characters."""
    return cut_excerpt(text, "", max_chars=max_chars)
