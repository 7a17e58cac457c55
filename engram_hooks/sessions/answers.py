"""What the user chose when the agent asked."""

from __future__ import annotations

import re

from engram_hooks.sessions.doubts import is_momentary, is_question
from engram_hooks.sessions.patterns import Finding, compile_pattern
from engram_hooks.sessions.statements import MAX_SENTENCE_CHARS, split_statements
from engram_hooks.sessions.wording import phrase, strip_opener
from engram_hooks.terms import query_terms

CONFIDENCE = 0.65
MAX_ANSWER_WORDS = 25
MAX_SHORT_ANSWER_WORDS = 6

_LASTING = compile_pattern(
    r"""\b(?:which|what)(?: [\w/-]+){0,6}? (?:should|shall|do|would|must|will) (?:we|i|you|it|they
    |this|the (?:[\w-]+ ){1,3}?)(?: ?[\w-]+){0,3} ?\b(?:use|prefer|go with|choose|pick|support|target
    |keep|store|call|name|follow|be|run on|return)\b|\b(?:should|shall|must|would|do) (?:we|i|you|it
    |they|this|the (?:[\w-]+ ){1,3}?|tests|errors|names|dates)(?: (?:like|want
    |prefer))?(?: me)?(?: us)?(?: to)? ?\b(?:use|prefer|go with|keep|store|support|target|choose|pick
    |follow|allow|be|run on|live in|default to|return)\b"""
)
_PASSING = compile_pattern(
    r"""\b(?:want me to|shall i|should i (?:proceed|continue|start|go|run|fix|also|do|try|look|check
    |commit|push|open)|go ahead|proceed|continue|next|now|today|next step|first|start with|begin with
    |tackle|ready to|which (?:file|test|one|error|issue|bug|part|task|step|line|branch|commit|of these)
    |what (?:should|shall|do) (?:i|we) (?:do|build|work|fix|look|try|change|focus))\b"""
)
_NO_CHOICE = compile_pattern(
    r"""^(?:yes|no|yep|nope|yeah|ok(?:ay)?|sure|both|neither|either|all|none|whatever|up to you
    |you (?:choose|decide|pick)|(?:i )?don't (?:know|care|mind)|doesn't matter|not sure|skip|stop|wait
    |cancel|never ?mind|idk|hm+|other|unanswered|(?:it|that) depends|let me|what|why|how|explain|can you
    |could you|go ahead|go|do it|your call|ja|nein|oui|non|sí)\b"""
)
_ORDER = compile_pattern(
    r"^(?:please )?(?:fix|run|show|look|try|check|write|create|open|read|explain|change|make|delete)\b"
)
_NUMBERED = re.compile(
    r"^\s*(?:[-*]\s+)?(?:\*\*)?(?:option\s+)?(\d|[A-D])(?:[.):]|\*\*)+\s+(.{2,160})$",
    re.IGNORECASE | re.MULTILINE,
)
_PICK = re.compile(
    r"^(?:option |number |nr\.? |#|go with |the )*(\d|[a-d])(?:[.)])?(?:\s*(?:please|pls))?\W*$",
    re.IGNORECASE,
)
_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "1st": "1", "2nd": "2", "3rd": "3"}
_ORDINAL = re.compile(
    rf"^(?:let's (?:go with|take|use) |go with |i (?:prefer|like) )?(?:the )?({'|'.join(_ORDINALS)})"
    r"(?: (?:one|option))?(?: please)?\W*$",
    re.IGNORECASE,
)
_PAIR = re.compile(r'"([^"]{8,300})"\s*=\s*"([^"]{1,200})"')
_ANSWERED = ("User has answered your questions:", "Your questions have been answered:")


def find_answer(question_text: str, answer_text: str) -> Finding | None:
    """What a user's prompt settles that follows on the agent's text; None unless that ends with a lasting choice."""
    question = _last_question(question_text)
    sentences = answer_text.strip().split("\n")
    if not question or len(sentences) > 2 or len(answer_text) > MAX_SENTENCE_CHARS:
        return None
    answer = _resolve(strip_opener(" ".join(answer_text.split())), question_text)
    return _settle(question, answer)


def find_form_answers(asked: str, result: str) -> list[Finding]:
    """What was chosen in the client's question form: `asked` is the call as logged, `result` what came back."""
    if not result.startswith(_ANSWERED):
        return []
    pairs = [(q, a) for q, a in _PAIR.findall(result) if q in asked]
    return [found for q, a in pairs if (found := _settle(q.strip(), a.strip()))]


def _settle(question: str, answer: str) -> Finding | None:
    words = answer.split()
    if not words or len(words) > MAX_ANSWER_WORDS or is_question(answer) or is_momentary(answer):
        return None
    if (
        _PASSING.search(question)
        or not _LASTING.search(question)
        or _NO_CHOICE.match(answer)
        or _ORDER.match(answer)
    ):
        return None
    shared = set(query_terms(question)) & set(query_terms(answer))
    is_open = bool(re.match(r"(?:\w+ ){0,3}?(?:which|what)\b", question, re.IGNORECASE))
    if not shared and not (is_open and len(words) <= MAX_SHORT_ANSWER_WORDS):
        return None
    if " or " not in question and not is_open:
        return None
    return Finding("decision", phrase(f"{question} {answer}"), CONFIDENCE, "answers the agent's question")


def _last_question(text: str) -> str:
    """The question that ends the agent's text (options may be listed behind it); "" where it does not ask."""
    lines = [line for line in text.strip().split("\n") if line.strip()]
    while lines and _NUMBERED.match(lines[-1]) and not lines[-1].rstrip().endswith("?"):
        lines.pop()
    if not lines or not lines[-1].rstrip("*_ )").endswith(("?", ":")):
        return ""
    sentences = [part for part in split_statements(lines[-1].replace("**", "")) if part.endswith("?")]
    return sentences[-1] if sentences else ""


def _resolve(answer: str, question_text: str) -> str:
    """The option that "2", "option b" or "the first one" means; other answers as they are."""
    pick = _PICK.match(answer)
    ordinal = _ORDINAL.match(answer)
    wanted = pick.group(1).lower() if pick else _ORDINALS[ordinal.group(1).lower()] if ordinal else ""
    if not wanted:
        return answer
    options = {label.lower(): text for label, text in _NUMBERED.findall(question_text)}
    chosen = options.get(wanted, "").replace("**", "").strip()
    return re.split(r"\s[-–—:(]|[:;.]\s", chosen)[0].rstrip(" .?") if chosen else ""
