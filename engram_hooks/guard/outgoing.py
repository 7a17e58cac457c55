"""What a suspicious text becomes before it is told: orders replaced by a mark that names their kind."""

from __future__ import annotations

from engram_hooks.guard.delimiters import neutralise_tags
from engram_hooks.guard.firewall import strip_hidden
from engram_hooks.guard.suspicion import suspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.guard.orders.screen import Finding

    Found = tuple[int, int, str, str]  # start and end in the text as it came, kind, what it says

MAX_PASSES = 5
MAX_EXCERPT_CHARS = 120
_MARKUP = frozenset(("image", "beacon", "delimiter", "role"))
_BRACKET = "\u2039"  # stands where a delimiter began


def cut_orders(text: str, *, looks: int) -> str:
    """`text` with every order replaced by a mark such as `[removed: override]`; `looks` as `suspect` gives them."""
    from engram_hooks.guard.orders.screen import find_orders

    for _ in range(MAX_PASSES):
        if not looks:
            break
        cuts = [item for item in find_orders(text, looks=looks) if item.is_cut]
        if not cuts:
            break
        text = _replace(text, cuts)
        looks = suspect(text)
    return text


def inspect(text: str) -> tuple[str, list[Found]]:
    """(the text as it may be told, what was found in it), tags and hidden characters among it."""
    from engram_hooks.guard.orders.screen import find_orders

    visible = strip_lines(text)
    places = _align(text, visible) if visible != text else None
    found = _find_hidden(text, visible, places) if places is not None else []
    looks = suspect(visible)
    orders = find_orders(visible, looks=looks) if looks else []
    for item in orders:
        start, end = (
            (item.start, item.end) if places is None else (places[item.start], places[item.end - 1] + 1)
        )
        found.append((start, end, item.kind, excerpt(visible[item.start : item.end])))
    out = cut_orders(visible, looks=looks)
    safe = neutralise_tags(out, is_lenient=True) if _has_bracket(out) else out
    if safe != out and not any(kind in ("role", "delimiter") for _, _, kind, _ in found):
        at = next(i for i, (a, b) in enumerate(zip(safe, out, strict=False)) if a != b)
        found.append((min(at, len(text)), min(at + 1, len(text)), "delimiter", excerpt(out[at : at + 40])))
    return safe, sorted(found)


def judge(text: str) -> str:
    """The kind of the first order in a text, hidden ones too; '' where there is none. Markup alone is none."""
    from engram_hooks.guard.orders.screen import find_orders

    visible = strip_lines(text)
    for item in find_orders(visible, looks=suspect(visible)):
        if item.is_cut and item.kind not in _MARKUP:
            return item.kind
    hidden = "".join([chr(ord(c) - 0xE0000) for c in text if "\U000e0020" <= c <= "\U000e007e"])
    return "hidden" if hidden and find_orders(hidden, looks=suspect(hidden)) else ""


def strip_lines(text: str) -> str:
    """`text` without hidden characters; pairs of carriage return and line feed stay as they are."""
    if "\r\n" not in text:
        return strip_hidden(text)
    return "\r\n".join([strip_hidden(part) for part in text.split("\r\n")])


def excerpt(text: str) -> str:
    """The beginning of a span, for people who ask what was found."""
    return text if len(text) <= MAX_EXCERPT_CHARS else text[: MAX_EXCERPT_CHARS - 1] + "…"


def _has_bracket(text: str) -> bool:
    return "<" in text or "&" in text or "＜" in text or "﹤" in text


def _replace(text: str, cuts: list[Finding]) -> str:
    pieces: list[str] = []
    at = 0
    for item in cuts:
        pieces.append(text[at : item.start])
        if item.kind == "delimiter" and item.end - item.start < 12:
            pieces.append(_BRACKET + text[item.start + 1 : item.end])
        else:
            pieces.append(f"[removed: {item.kind}]")
        at = item.end
    pieces.append(text[at:])
    return "".join(pieces)


def _align(text: str, visible: str) -> list[int]:
    """Where each character of the stripped text stood."""
    places: list[int] = []
    at = 0
    for char in visible:
        while at < len(text) and text[at] != char and not _became(text[at], char):
            at += 1
        places.append(min(at, len(text) - 1))
        at += 1
    return places


def _became(old: str, new: str) -> bool:
    return (new == "\n" and old in "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029") or (
        new == "\ufffd" and "\ud800" <= old <= "\udfff"
    )


def _find_hidden(text: str, visible: str, places: list[int]) -> list[Found]:
    """The runs of characters that went, with what a block of tag characters said."""
    found: list[Found] = []
    at = 0
    for place in [*places, len(text)]:
        if place > at:
            gone = text[at:place]
            tags = "".join(chr(ord(c) - 0xE0000) for c in gone if "\U000e0020" <= c <= "\U000e007e")
            kind = "escape" if gone[0] in "\x1b\x9b\x9d" else "control" if gone[0] < "\xa0" else "hidden"
            found.append(
                (
                    at,
                    place,
                    "hidden" if tags else kind,
                    excerpt(tags or " ".join(f"U+{ord(c):04X}" for c in gone[:8])),
                )
            )
        at = place + 1
    return found
