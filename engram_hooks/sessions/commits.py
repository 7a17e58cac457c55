"""Reasons that the messages of commits made in a session give."""

from __future__ import annotations

import re

from engram_hooks.sessions.doubts import is_doubtful, is_pointing
from engram_hooks.sessions.lines import LINE_BREAK
from engram_hooks.sessions.patterns import Finding
from engram_hooks.sessions.wording import phrase

CONFIDENCE = 0.6

_BREAK = re.escape(LINE_BREAK.strip())
_COMMIT = re.compile(r"\bgit\s+(?:-\S+\s+(?:\S+\s+)?)*commit\b")
_HEREDOC = re.compile(rf"<<-?\s*['\"]?(\w+)['\"]?\s*{_BREAK}(.*?){_BREAK}\s*\1(?=\W|$)", re.DOTALL)
_MESSAGE = re.compile(
    r"""\s(?:-[a-zA-Z]*m|--message)[\s=]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')""",
    re.DOTALL,
)
_TRAILER = re.compile(
    r"^(?:[A-Z][\w-]+-by:|Generated with|🤖|Change-Id:|Refs?:|Fixes:|Closes:)", re.IGNORECASE
)
_PREFIX = re.compile(r"^(?P<type>\w+)(?:\([^)]*\))?!?:\s+")
_REASON = re.compile(
    r"\b(?:because|so that|instead of|rather than|in favou?r of|to avoid|to prevent|caused by|due to|otherwise)\b|"
    r"(?:^|, )since [a-z]+ ",
    re.IGNORECASE,
)
_REPAIR = re.compile(r"^(?:hot)?fix|^repair|^correct\b|^revert\b|^prevent\b", re.IGNORECASE)


def find_messages(call: str) -> list[str]:
    """The commit messages in one tool call as the log keeps it, real line breaks put back."""
    name, _, command = call.partition(": ")
    found = _COMMIT.search(command) if name == "Bash" else None
    if not found:
        return []
    command = command[found.end() :]
    if heredoc := _HEREDOC.search(command):
        return [_restore(heredoc.group(2))]
    parts = [_restore((plain or quoted).replace('\\"', '"')) for plain, quoted in _MESSAGE.findall(command)]
    return ["\n\n".join(parts)] if parts else []


def read_message(message: str) -> Finding | None:
    """The subject with its reason, where the message gives one; most messages do not."""
    lines = [line.strip() for line in message.split("\n")]
    lines = [line for line in lines if not _TRAILER.match(line)]
    subject = next(filter(None, lines), "")
    if not subject or "$(" in subject:
        return None
    prefix = _PREFIX.match(subject)
    body = " ".join(filter(None, lines[lines.index(subject) + 1 :]))
    head = subject[prefix.end() :] if prefix else subject
    reasons = [s for s in re.split(r"(?<=[.!])\s+", body) if _REASON.search(s) and not _is_unfit(s)]
    if not reasons and (not _REASON.search(head) or _is_unfit(head)):
        return None
    is_repair = bool(_REPAIR.match(prefix["type"] if prefix else head))
    text = f"{head.rstrip('.')}: {reasons[0]}" if reasons else head
    return Finding(
        "incident" if is_repair else "decision", phrase(text), CONFIDENCE, "commit message with a reason"
    )


def _is_unfit(sentence: str) -> bool:
    return is_doubtful(sentence) or is_pointing(sentence)


def _restore(text: str) -> str:
    return "\n".join(part.strip() for part in text.split(LINE_BREAK.strip()))
