"""What stored text may look like when it leaves: one safe line, a safe attribute, safe terminal text."""

from __future__ import annotations

# which signs a text that is kept was looked at for: a checksum of the rooms that hold them (a test compares)
LOOKED = 835086802
_ELLIPSIS = "…"
_MAX_WORD_CHARS = 12  # no order fits into one word of so many letters
_BREAKS = str.maketrans(dict.fromkeys("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029", "\n"))
# Hidden characters that isprintable() takes for visible ones, as the start of their UTF-8 form.
_HIDDEN_BYTES = (
    b"\xcd\x8f",
    b"\xe1\x85",
    b"\xe1\x9e",
    b"\xe3\x85\xa4",
    b"\xef\xb8",
    b"\xef\xbe\xa0",
    b"\xf3\xa0",
)


def clean(text: str, *, max_chars: int) -> str:
    """One safe line of any text, at most `max_chars` characters, cut on a word border with an ellipsis.

    Line breaks become " / " (a space where a sentence runs on), invisible characters and escapes go,
    what reads as an order to an agent becomes a mark such as `[removed: override]`, the first character of
    whatever reads as a delimiter of the host or of engram becomes `‹`.
    """
    if len(text) <= max_chars and is_plain(text):
        return text.strip()
    longest = _far_behind(max_chars)
    line = _fold_lines(strip_hidden(text[:longest]))
    looks = _suspect(line)
    if looks:
        from engram_hooks.guard.outgoing import cut_orders

        line = cut_orders(line, looks=looks)
    if "<" in line or "&" in line or not line.isascii():
        line = _neutralise(line)
    return _cut(line, max_chars, was_cut=len(text) > longest)


def shorten(text: str, *, max_chars: int) -> str:
    """One line as `clean` cuts it, but not yet safe: for parts of a text that is cleaned as a whole."""
    longest = _far_behind(max_chars)
    line = _fold_lines(strip_hidden(text[:longest]))
    return _cut(line, max_chars, was_cut=len(text) > longest)


def clean_kept(text: str, looked_by: int, *, max_chars: int) -> str:
    """What `clean` gives for a text that was looked at when it was kept: `looked_by` is what `look` said then."""
    if looked_by == LOOKED:
        return _cut(text.strip(), max_chars, was_cut=False)
    return clean(text, max_chars=max_chars)


def look(text: str) -> int:
    """`LOOKED` for a text of one line that may be told as it is, `-LOOKED` for any other."""
    return LOOKED if is_plain(text) else -LOOKED


def is_plain(text: str) -> bool:
    """Whether a line may be told as it is: plain letters and marks, no delimiter, no sign of an order."""
    return (
        text.isascii() and text.isprintable() and "<" not in text and "&" not in text and not _suspect(text)
    )


def neutralise(text: str) -> str:
    """`text` of any length and as many lines as it has, as it may be told to a model outside of a block of ours.

    Invisible characters and escapes go, what reads as an order to an agent becomes a mark such as `[removed:
    override]`; all else stays, character by character. Twice is once; at most three times as long, plus 30.
    """
    if (
        text.isascii()
        and text.replace("\n", "").isprintable()
        and "<" not in text
        and "&" not in text
        and not _suspect(text)
    ):
        return text
    from engram_hooks.guard.outgoing import inspect

    return inspect(text)[0]


def name_order(text: str) -> str:
    """The kind of order to an agent that a text reads as, such as `override`; '' for nearly all texts."""
    if not _suspect(text) and b"\xf3\xa0" not in text.encode("utf-8", "surrogatepass"):
        return ""
    from engram_hooks.guard.outgoing import judge

    return judge(text)


def attr(text: str, *, max_chars: int = 80) -> str:
    """The same for a value between double quotes inside the tag of a block."""
    if text.isalnum() and text.isascii() and len(text) <= _MAX_WORD_CHARS:
        return text
    line = clean(text, max_chars=max_chars)
    if line.replace("-", "").replace("_", "").isalnum():
        return line
    line = line.replace("&", "&amp;").replace('"', "&quot;").replace("'", "&#39;")
    return line.replace("<", "‹").replace(">", "›")


def terminal(text: str) -> str:
    """Text for a terminal or a pipe: lines stay lines and tabs tabs, escapes and invisible characters go."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return strip_hidden(text)


def strip_hidden(text: str) -> str:
    """`text` without escapes, controls and invisible characters; all line breaks are `\\n`, tabs stay."""
    if "\x1b" in text or "\x9b" in text or "\x9d" in text:
        from engram_hooks.guard.invisible import strip_escapes

        text = strip_escapes(text)
    flat = text.replace("\n", "").replace("\t", "")
    if not flat.isprintable():
        text = text.replace("\r\n", "\n").translate(_BREAKS)
        flat = text.replace("\n", "").replace("\t", "")
    if flat.isprintable():
        if flat.isascii():
            return text
        raw = flat.encode()
        if not any(mark in raw for mark in _HIDDEN_BYTES):
            return text
    # Rare: joiners, emoji, direction marks and worse are looked at one by one.
    from engram_hooks.guard.invisible import strip_characters

    return strip_characters(text)


def _far_behind(max_chars: int) -> int:
    """So many characters are looked at for a cut at `max_chars`: a huge text costs no more than a long one."""
    return max_chars * 4 + 200


def _suspect(text: str) -> int:
    from engram_hooks.guard.suspicion import suspect  # most of what is told was looked at when it was kept

    return suspect(text)


def _neutralise(line: str) -> str:
    if not ("<" in line or "&" in line or "＜" in line or "﹤" in line):
        return line
    from engram_hooks.guard.delimiters import neutralise_tags

    return neutralise_tags(line)


def _fold_lines(text: str) -> str:
    text = text.replace("\t", " ")
    if "\n" not in text:
        return text.strip()
    out: list[str] = []
    for part in text.split("\n"):
        part = part.strip()
        if not part:
            continue
        if out:
            last = out[-1][-1]
            out.append(" " if part[0].islower() and (last.isalnum() or last == ",") else " / ")
        out.append(part)
    return "".join(out)


def _cut(line: str, max_chars: int, *, was_cut: bool) -> str:
    if len(line) <= max_chars and not was_cut:
        return line
    if max_chars <= 1:
        return _ELLIPSIS[: max(0, max_chars)]
    kept = line[: max_chars - 1]
    if line[max_chars - 1 : max_chars] not in ("", " "):
        space = kept.rfind(" ")
        kept = kept[:space] if space > max_chars // 2 else kept
    return kept.rstrip(" ,;:/\u200c\u200d") + _ELLIPSIS
