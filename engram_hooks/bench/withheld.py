"""Questions from messages: one sentence of a message is taken out and asked for."""

from __future__ import annotations

import re

from engram_hooks.bench.plain_git import content_words

MIN_WORDS, MAX_WORDS = 7, 40
MIN_CONTENT_WORDS = 5
MAX_KNOWN_SHARE = 0.6
_BREAK = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(])")
_TRAILER = re.compile(r"^[A-Za-z][A-Za-z-]+-[Bb]y: |^(?:Change-Id|Reviewed-on|Fixes|Closes|Refs?|See)\b[: ]")
_FOREIGN = re.compile(r"https?://|\b[0-9a-f]{8,40}\b|^This reverts|cherry picked|@\w+\.\w+|\bSigned-off")
_NUMBER = re.compile(r"\(?(?:\b[A-Z]{2,}-|#|\bgh-)\d+\)?", re.IGNORECASE)


def withhold(message: str) -> tuple[str, str] | None:
    """(a sentence of the body to ask for, the message without it); None where no sentence will do.

    It must say something of its own: at most `MAX_KNOWN_SHARE` of its words stand in the rest of the message, so
    that whoever has only the rest must understand it. Numbers of reports are left out of the question.
    """
    subject, _, body = message.strip().partition("\n")
    blocks = [block for block in re.split(r"\n[ \t]*\n", body.strip("\n")) if block.strip()]
    for at, block in enumerate(blocks):
        if _is_list(block):
            continue
        sentences = _BREAK.split(" ".join(block.split()))
        for place, sentence in enumerate(sentences):
            rest = " ".join(sentences[:place] + sentences[place + 1 :])
            others = [*blocks[:at], *([rest] if rest else []), *blocks[at + 1 :]]
            remaining = "\n\n".join([subject, *others])
            if _is_question(sentence, remaining):
                return " ".join(_NUMBER.sub(" ", sentence).split()), remaining + "\n"
    return None


def _is_list(block: str) -> bool:
    """Whether a paragraph is a list, code, or trailers rather than prose."""
    lines = block.split("\n")
    return any(line.startswith((" ", "\t", "* ", "- ", ">", "#", "|")) for line in lines) or bool(
        _TRAILER.match(block)
    )


def _is_question(sentence: str, remaining: str) -> bool:
    words = content_words(_NUMBER.sub(" ", sentence))
    if not MIN_WORDS <= len(sentence.split()) <= MAX_WORDS or len(words) < MIN_CONTENT_WORDS:
        return False
    if _FOREIGN.search(sentence) or not sentence.rstrip().endswith((".", "!", "?")):
        return False
    return len(words & content_words(remaining)) <= MAX_KNOWN_SHARE * len(words)
