"""All looks at one text together: what is found in it, and the text without what reads as an order."""

from __future__ import annotations

from dataclasses import dataclass

from engram_hooks.guard.orders.mentions import is_conditional, is_mention
from engram_hooks.guard.orders.shadows import Shadow, fold
from engram_hooks.guard.suspicion import (
    ADDRESS,
    DISGUISE,
    FOREIGN,
    LEAK,
    LINK,
    PAYLOAD,
    PHRASE,
    ROLE,
    suspect,
)

ALL = PHRASE | FOREIGN | ADDRESS | LEAK | ROLE | LINK | PAYLOAD | DISGUISE
MAX_DEPTH = 3
PIECE_CHARS = 8_000
OVERLAP_CHARS = 600
_WHOLE_SENTENCE = frozenset(("override", "persona", "reveal", "concealment"))


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A span of a text, what it is, and whether it is cut out (else it is only told)."""

    start: int
    end: int
    kind: str
    is_cut: bool = True


def find_orders(text: str, *, looks: int = ALL, depth: int = 0) -> list[Finding]:
    """What reads as an order to an agent in `text`, sorted; spans may touch but those to be cut do not overlap."""
    found: list[Finding] = []
    pieces = _pieces(text)
    for start, end in pieces:
        piece = text[start:end]
        needed = looks & suspect(piece) if len(pieces) > 1 else looks
        found += [
            Finding(start + item.start, start + item.end, item.kind, item.is_cut)
            for item in _look(piece, needed, depth)
        ]
    return merge(found)


def merge(found: list[Finding]) -> list[Finding]:
    """The findings sorted; those to be cut joined where they overlap, the others left out under them."""
    cuts: list[Finding] = []
    for item in sorted(item for item in found if item.is_cut):
        if cuts and item.start < cuts[-1].end:
            last = cuts[-1]
            cuts[-1] = Finding(last.start, max(last.end, item.end), last.kind)
        else:
            cuts.append(item)
    rest = [
        item
        for item in set(found)
        if not item.is_cut and not any(cut.start < item.end and item.start < cut.end for cut in cuts)
    ]
    return sorted(cuts + rest)


def _pieces(text: str) -> list[tuple[int, int]]:
    """Parts of a long text that overlap, each from the beginning of a line where there is one near."""
    if len(text) <= PIECE_CHARS + OVERLAP_CHARS:
        return [(0, len(text))]
    found: list[tuple[int, int]] = []
    for at in range(0, len(text), PIECE_CHARS):
        first = max(0, at - OVERLAP_CHARS)
        start = text.rfind("\n", first, max(first, at - OVERLAP_CHARS // 2)) + 1 or first
        found.append((start, min(len(text), at + PIECE_CHARS + OVERLAP_CHARS)))
    return found


def _look(text: str, looks: int, depth: int) -> list[Finding]:
    found: list[Finding] = []
    if looks & LINK:
        from engram_hooks.guard.orders.links import find_links

        found += [Finding(*span) for span in find_links(text, _lower(text))]
    if looks & ROLE:
        from engram_hooks.guard.orders.roles import find_roles

        found += [Finding(*span) for span in find_roles(text)]
    if looks & (PHRASE | LEAK | ADDRESS | FOREIGN | DISGUISE):
        for number, shadow in enumerate(fold(text)):
            found += _read_shadow(shadow, text, looks, is_disguised=number > 0)
    if looks & PAYLOAD and depth < MAX_DEPTH:
        from engram_hooks.guard.orders.payloads import find_payloads

        for start, end, decoded in find_payloads(text):
            if find_orders(decoded, looks=suspect(decoded), depth=depth + 1):
                found.append(Finding(start, end, "encoded"))
    if looks & LINK:
        from engram_hooks.guard.orders.links import find_unseen

        for start, end, is_order in find_unseen(text, _lower(text)):
            if is_order or any(start <= item.start < end for item in found):
                found.append(Finding(start, end, "comment"))
    return found


def _lower(text: str) -> str:
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join([char.lower() if len(char.lower()) == 1 else char for char in text])


def _read_shadow(shadow: Shadow, text: str, looks: int, *, is_disguised: bool) -> list[Finding]:
    found: list[Finding] = []
    read = shadow.text
    if looks & PHRASE:
        found += _read_phrases(shadow, is_disguised=is_disguised)
    if looks & LEAK:
        from engram_hooks.guard.orders.leaks import find_leaks

        for start, end, kind, is_plain in find_leaks(read):
            is_told = not is_plain or (not is_disguised and is_mention(read, start, end))
            found.append(Finding(*shadow.span(start, end), kind, is_cut=not is_told))
    if looks & ADDRESS:
        from engram_hooks.guard.orders.addressed import find_addressed

        for start, end, is_dangerous in find_addressed(read):
            if end > start:
                is_told = not is_dangerous or is_mention(read, start, end)
                found.append(Finding(*shadow.span(start, end), "address", is_cut=not is_told))
    if looks & FOREIGN:
        from engram_hooks.guard.orders.tongues import find_foreign

        for start, end, kind in find_foreign(read):
            if end > start:
                found.append(Finding(*shadow.span(start, end), kind, is_cut=not is_mention(read, start, end)))
    if looks & DISGUISE:
        from engram_hooks.guard.orders.chains import find_chains

        found += [
            Finding(start, end, "disguised") for start, end, is_odd in find_chains(shadow, text) if is_odd
        ]
    return found


def _read_phrases(shadow: Shadow, *, is_disguised: bool) -> list[Finding]:
    from engram_hooks.guard.orders.phrases import find_phrases

    found: list[Finding] = []
    read = shadow.text
    for start, end, kind in find_phrases(read):
        is_told = not is_disguised and (is_mention(read, start, end) or is_conditional(read, start, end))
        if kind in _WHOLE_SENTENCE and not is_told:
            end = max(end, _end_of_order(read, end))
        found.append(Finding(*shadow.span(start, end), kind, is_cut=not is_told))
    return found


def _end_of_order(read: str, at: int) -> int:
    """The end of the sentence of an order, inside the quotes or brackets that it stands in."""
    from engram_hooks.guard.orders.addressed import end_of_sentence

    end = end_of_sentence(read, at)
    for mark in '"`)]}<\u201d':
        close = read.find(mark, at, end)
        if close >= 0:
            end = close
    return end
