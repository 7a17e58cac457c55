"""Private key blocks: the body between BEGIN and END, however its line breaks are written."""

from __future__ import annotations

from engram_hooks.guard.shapes import BASE64, HEX, count_switches, run_end

_HEADS = ("private key", "private%20key", "private+key", "private\\u0020key")
_HEADER_NAMES = (
    "proc-type",
    "dek-info",
    "version",
    "comment",
    "charset",
    "hash",
    "messageid",
    "x-",
    "subject",
    "encryption",
)
_FILLERS = " \t\r\n\\\"'`,|>#*;()[]\u2192\u2502"
_LINE_CHARS = 40
_MAX_DECOYS = 8
_MAX_HEADER_CHARS = 200


def find_key_blocks(text: str, low: str) -> list[tuple[int, int, str]]:
    """Spans of the bodies of private keys in `text`; `low` is the same text in lower case."""
    spans: list[tuple[int, int, str]] = []
    for head in _HEADS:
        at = low.find(head)
        while at >= 0:
            begin = low.rfind("begin", max(0, at - 40), at)
            start = _after_dashes(low, at + len(head)) if begin >= 0 else -1
            end = start
            if start >= 0:
                first, end = _read_body(text, low, start)
                if end > first:
                    spans.append((first, end, "private-key"))
            at = low.find(head, max(end, at + len(head)))
    at = low.find("private-lines:")
    while at >= 0:
        first, end = _read_body(text, low, run_end(low, at + 14, " 0123456789"))
        if end > first:
            spans.append((first, end, "private-key"))
        at = low.find("private-lines:", max(end, at + 14))
    return spans


def _after_dashes(low: str, at: int) -> int:
    """Where the dashes behind a BEGIN label end, -1 where there are none."""
    for word in (" block", "%20block", "+block"):
        if low.startswith(word, at):
            at += len(word)
    end = run_end(low, run_end(low, at, " "), "-")
    return end if low[end - 4 : end] == "----" else -1


def _read_body(text: str, low: str, start: int) -> tuple[int, int]:
    """(first, end) of the key's body behind `start`; equal where there is no body.

    The body is what a reader of base64 would take: long runs, one shorter last run, and between them header lines
    and the marks of quoted, escaped or diffed text. An END in the middle, with more body behind it, is a decoy.
    """
    first = end = at = start
    found = False
    while True:
        at = _skip_fillers(text, low, at)
        stop = run_end(text, at, BASE64)
        size = stop - at
        if size == 0:
            after = _skip_end(low, at) if found else -1
            if after < 0 or not _goes_on(text, low, after):
                break
            at = after
            continue
        if not found and (header := _skip_header(low, at)) > at:
            at = header
            continue
        if not _is_body(text, low, at, stop, found=found):
            if text[at:stop].isdigit() and size <= 6 and found:
                at = stop
                continue
            break
        first = first if found else at
        found, end, at = True, stop, stop
    return (first, end) if found else (start, start)


def _skip_fillers(text: str, low: str, at: int) -> int:
    while True:
        at = run_end(text, at, _FILLERS)
        if text[at - 1 : at] == "\\" and text[at : at + 1] in ("n", "r", "t"):
            at += 1
        elif low.startswith(("%0a", "%0d", "%20", "%2b", "%2f", "%3d"), at):
            at += 3
        elif low.startswith(("<br>", "<br/>", "&#10;", "&#13;", "u000a", "u000d"), at):
            at += 4 if low.startswith("<br>", at) else 5
        elif low.startswith(("+ ", '+"', "- ", "+\n", "+\t"), at):
            at += 1
        else:
            return at


def _is_body(text: str, low: str, at: int, stop: int, *, found: bool) -> bool:
    run = text[at : min(stop, at + 200)]
    if stop - at >= _LINE_CHARS:
        return True
    if not found:
        return stop - at >= 16 and (count_switches(run) >= 3 or not run.strip(HEX)) and "=" not in run[:-2]
    if run.endswith("=") or (len(run) >= 6 and count_switches(run) >= 3):
        return True
    after = _skip_fillers(text, low, stop)
    return _skip_end(low, after) > after


def _skip_header(low: str, at: int) -> int:
    """Where a header line such as `Proc-Type: 4,ENCRYPTED` ends, `at` where there is none."""
    if not low.startswith(_HEADER_NAMES, at):
        return at
    line = low[at : at + _MAX_HEADER_CHARS]
    if ":" not in line[:32]:
        return at
    ends = [i for i in (line.find("\n"), line.find("\\n"), line.find("%0a"), line.find("\\r")) if i > 0]
    if ends:
        return at + min(ends)
    words = line.split(" ")
    return at + len(words[0]) + 1 + len(words[1]) if len(words) > 2 else at


def _skip_end(low: str, at: int) -> int:
    """Where an END line that begins at `at` ends, `at` itself where there is none."""
    dashes = run_end(low, at, "-")
    if dashes - at < 4:
        return at
    label = low[dashes : dashes + 60]
    if not label.lstrip(" %20+").startswith("end") or "-" not in label:
        return at
    return run_end(low, dashes + label.index("-"), "-")


def _goes_on(text: str, low: str, at: int) -> bool:
    """Whether more key body stands behind an END line."""
    for _ in range(_MAX_DECOYS):
        at = _skip_fillers(text, low, at)
        stop = run_end(text, at, BASE64)
        if stop - at >= _LINE_CHARS:
            return low[at:stop].count("/") * 6 < stop - at
        at = _skip_end(low, stop)
        if at == stop:
            return False
    return False
