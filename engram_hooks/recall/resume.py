"""Where the last session stopped: its task, what it concluded, what is open, which files it touched."""

from __future__ import annotations

from engram_hooks.guard.firewall import clean, shorten
from engram_hooks.recall.fields import format_clock, format_day

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Cursor = dict[str, Any]  # Any: texts, lists of texts and numbers under fixed keys
    LogRow = tuple[str, str, int]  # (role, text, at_ms)

MAX_OPEN = 3
MAX_FILES = 4
_MAX_ROWS = 120
_MAX_TEXT_CHARS = 8_000
_MAX_PROMPT_CHARS = 140
_MIN_PROMPT_WORDS = 2
_MAX_CONCLUSION_CHARS = 240
_MAX_OPEN_CHARS = 110
_MAX_FAILING = 5
_OPEN_STARTS = (
    "- [ ]",
    "* [ ]",
    "[ ]",
    "☐",
    "TODO",
    "Todo:",
    "todo:",
    "FIXME",
    "Next:",
    "Next up",
    "Next step",
)
_OPEN_STARTS_LATER = (
    "Still open",
    "Still to do",
    "Open:",
    "Remaining",
    "Left to do",
    "Not done",
    "Outstanding",
)
_OPEN_MARKS = (
    " still fail",
    " still broken",
    " still need",
    " remains to",
    " not yet ",
    " left to do",
    " next step",
    " next idea",
    " todo:",
    " unfinished",
    " haven't ",
    " not done",
    " failing because",
)
_TELLING = (
    "done",
    "fixed",
    "added",
    "moved",
    "removed",
    "replaced",
    "decided",
    "because",
    "passes",
    "pass",
    "fails",
    "works",
    "cause",
    "instead",
    "now ",
    "found",
    "implemented",
    "turned out",
)
_EMPTY_TALK = (
    "let me know",
    "would you like",
    "shall i",
    "do you want",
    "i'll ",
    "i will ",
    "let me ",
    "great",
    "perfect",
    "sure",
    "you're right",
    "here's",
    "here is",
    "happy to",
)
_MACHINE_STARTS = ("<", "/", "!", "[Request interrupted", "Caveat:")


def cursor(
    log_rows: Sequence[LogRow], touched_files: Sequence[str] = (), open_candidates: Sequence[str] = ()
) -> Cursor | None:
    """What the last session was doing, or None where its log tells nothing.

    `log_rows` are (role, text, at_ms), newest last; `touched_files` paths, newest last; `open_candidates`
    the summaries of captured notes that nobody has looked at. The result has the keys at_ms, prompt,
    conclusion (texts, "" where unknown), open, files (lists of texts), candidates (a count). The texts are
    short, but only `render_cursor` makes them safe.
    """
    rows = [row for row in log_rows[-_MAX_ROWS:] if row[1].strip()]
    prompt = _last_prompt(rows)
    answers = [text[-_MAX_TEXT_CHARS:] for role, text, _ in rows if role == "assistant"]
    sentences = _split(answers[-1]) if answers else []
    open_items = _find_open(rows, answers, sentences)
    conclusion = _conclude(sentences, open_items)
    if not (prompt or conclusion or open_items):
        return None
    files = list(dict.fromkeys(reversed(touched_files)))
    return {
        "at_ms": max(row[2] for row in rows),
        "prompt": prompt,
        "conclusion": conclusion,
        "open": open_items,
        "files": files[:MAX_FILES],
        "candidates": len(open_candidates),
    }


def render_cursor(found: Cursor, *, year: int, max_chars: int = 600, session_id: int | None = None) -> str:
    """`Where we stopped (2 June, 18:40): ...` in one or two lines of at most `max_chars`, or ""."""
    mark = f" [e{session_id}]" if session_id is not None else ""
    moment = f"{format_day(found['at_ms'], year)}, {format_clock(found['at_ms'])}"
    head = f"Where we stopped ({moment}): "
    first = [_end(part) for part in (found["prompt"], found["conclusion"]) if part]
    if len(head) + len(mark) + 20 > max_chars:
        return ""
    body = clean(" ".join(first), max_chars=min(400, max_chars - len(head) - len(mark)))
    rest = []
    if found["open"]:
        rest.append("Open: " + "; ".join(found["open"]))
    if found["files"]:
        rest.append("Files: " + ", ".join(found["files"]))
    if found["candidates"]:
        notes = "1 finding waits" if found["candidates"] == 1 else f"{found['candidates']} findings wait"
        rest.append(f"{notes} for review (engram review)")
    room = max_chars - len(head) - len(body) - len(mark) - 3
    second = clean(" · ".join(rest), max_chars=room) if rest and room > 40 else ""
    return f"{head}{body}\n  {second}{mark}" if second and body else f"{head}{second or body}{mark}"


def _last_prompt(rows: Sequence[LogRow]) -> str:
    """The last prompt that says something, as one short line; a greeting says nothing."""
    prompts = [row[1].strip() for row in rows if row[0] == "user"]
    prompts = [text for text in prompts if not text.startswith(_MACHINE_STARTS)]
    for text in reversed(prompts):
        is_long = len(text) >= 25 or (not text.isascii() and len(text) >= 8)
        if is_long and (len(text.split()) >= 4 or not text.isascii()):
            return shorten(text, max_chars=_MAX_PROMPT_CHARS)
    last = prompts[-1] if prompts else ""
    return shorten(last, max_chars=_MAX_PROMPT_CHARS) if len(last.split()) >= _MIN_PROMPT_WORDS else ""


def _conclude(lines: Sequence[str], open_items: Sequence[str]) -> str:
    """The one or two sentences of the last answer that tell most, in their order."""
    known = tuple(start for item in open_items if (start := item.rstrip("….")))
    sentences = [text for text in lines if not text.startswith(known)]
    ranked = sorted(range(len(sentences)), key=lambda i: (-_weigh(sentences[i]), i))
    picked: list[int] = []
    room = _MAX_CONCLUSION_CHARS
    for i in ranked[:2]:
        if _weigh(sentences[i]) <= 0 or (picked and len(sentences[i]) + 1 > room):
            continue
        picked.append(i)
        room -= len(sentences[i]) + 1
    return shorten(" ".join(sentences[i] for i in sorted(picked)), max_chars=_MAX_CONCLUSION_CHARS)


def _weigh(sentence: str) -> int:
    low = sentence.lower()
    if sentence.endswith("?") or len(sentence) < 12:
        return 0
    value = 2 + 2 * sum(word in low for word in _TELLING)
    value += any(c.isdigit() for c in sentence) + ("`" in sentence or "_" in sentence)
    return value - 4 * low.startswith(_EMPTY_TALK) - 2 * (len(sentence) > 220)


def _split(text: str) -> list[str]:
    """Sentences and list items as short lines; code blocks, headings and tables left out."""
    out: list[str] = []
    prose = "\n".join(text.split("```")[::2])
    for line in prose.split("\n"):
        bare = line.strip()
        if not bare or bare[0] in "#|<":
            continue
        bare = bare.lstrip("-*• ").replace("**", "")
        for mark in ("? ", "! ", "。"):
            bare = bare.replace(mark, mark.strip() + "\n")
        for piece in bare.replace(". ", ".\n").split("\n"):
            if piece := shorten(piece, max_chars=_MAX_CONCLUSION_CHARS):
                out.append(piece)
    return out


def _find_open(rows: Sequence[LogRow], answers: Sequence[str], sentences: Sequence[str]) -> list[str]:
    """Unfinished items: the last to-do list, tests that nobody saw pass, sentences that say so."""
    found = dict.fromkeys(_open_todos(rows))
    failing = _find_failing(rows)
    if failing:
        found[f"{', '.join(failing[:2])}{' and others' if len(failing) > 2 else ''} failing"] = None
    if answers:
        for line in answers[-1].split("\n"):
            bare = line.strip().lstrip("-*• ") if "[ ]" not in line[:8] else line.strip()
            if bare.startswith((*_OPEN_STARTS, *_OPEN_STARTS_LATER)):
                item = bare.removeprefix("- ").removeprefix("* ").removeprefix("[ ]").strip()
                found[shorten(item, max_chars=_MAX_OPEN_CHARS)] = None
        for sentence in sentences:
            if any(mark in f" {sentence.lower()} " for mark in _OPEN_MARKS) and not sentence.endswith("?"):
                found[shorten(sentence, max_chars=_MAX_OPEN_CHARS).rstrip(".")] = None
    return _drop_contained([item for item in found if item])[:MAX_OPEN]


def _drop_contained(items: list[str]) -> list[str]:
    return [
        item for item in items if not any(item != other and item.rstrip("….") in other for other in items)
    ]


def _open_todos(rows: Sequence[LogRow]) -> list[str]:
    """Items of the newest to-do list call that are not completed."""
    for role, text, _ in reversed(rows):
        if role != "tool" or not text.startswith("TodoWrite"):
            continue
        out = []
        for piece in text.split("{")[1:]:
            name = piece.partition('"content":')[2].partition('"')[2].partition('"')[0]
            if name and '"completed"' not in piece:
                out.append(shorten(name, max_chars=_MAX_OPEN_CHARS))
        return out
    return []


_GREEN = " passed", "\nok ", "\nok\t", "\nPASS", "BUILD SUCCESS", ", 0 failures", "test result: ok"


def _find_failing(rows: Sequence[LogRow]) -> list[str]:
    """Names of tests that failed in the last run that the log holds."""
    failing: list[str] = []
    for role, text, _ in rows:
        if role != "result":
            continue
        names = []
        for line in text.split("\n"):
            bare = line.strip()
            for start in ("FAILED ", "--- FAIL: ", "✕ ", "FAIL "):
                if bare.startswith(start) and (rest := bare[len(start) :].split()):
                    names.append(shorten(rest[0].rpartition("::")[2], max_chars=60))
        if names:
            failing = list(dict.fromkeys(names))[:_MAX_FAILING]
        elif " failed" not in text and any(mark in f"\n{text}" for mark in _GREEN):
            failing = []
    return failing


def _end(text: str) -> str:
    return text if text[-1] in ".!?…:;。" else text + "."
