"""What a question asks: its core without what is said around it, and the time it asks about."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engram_hooks.curate.asking.periods import Period, find_period

# the times that a question may ask about: what holds now, at a date, before something, first of all; why it came so
NOW, THEN, BEFORE, FIRST, WHY = "now", "then", "before", "first", "why"

_CHATTER_TEXT = """
    a all already also and another ask asked asking bad btw but by can check checking confirm could curiosity curious
    do double dumb everyone first fo folks for forget forgetting forgot fyi hello help hey hi hm hmm i i'm if im in
    is it just keep know last let's lets like make maybe me memory mind minute moment more my need not now of ok okay
    one out please pls probably question quick quickly re real remember remind right sanity say second silly so
    something sorry sry still stupid sure team tell that the then there thing think this to uh um wanna want was way
    well when what wonder wondering would you your
"""
_CHATTER = frozenset(_CHATTER_TEXT.split())
# words that may open a question before it begins: "uh", "can you tell me", "I forgot"
_OPENERS_TEXT = """
    and anyway btw but er erm folks fyi guys hello hey hi hm hmm ok okay oh please pls quick quickly so sorry sry team
    uh uhm um well yo
"""
_OPENERS = frozenset(_OPENERS_TEXT.split())
_ASKING = re.compile(
    r"^(?:(?:can|could|would) (?:you|someone|anyone) (?:please |quickly )?(?:tell|remind|help) me(?: again)?"
    r"|remind me(?: again)?|tell me(?: again)?|do you (?:know|remember)|does (?:anyone|anybody) (?:know|remember)"
    r"|i (?:always |keep |just )?forg[eo]t(?:ting)?|i (?:was|am|'m) wondering|i wonder|any idea"
    r"|just curious)\b[,:]?\s*",
    re.IGNORECASE,
)
_MAX_LEAD_WORDS = 6
_LEAD = re.compile(r"^([^,:;?!.]{1,60}?)\s*(?:[,;.]|:|\s[-–—])\s+(?=\S)")
_PURPOSE = re.compile(r"^(?:for|before|while|after|until|as) ", re.IGNORECASE)
_TAIL = re.compile(
    r"[\s,]+(?:again|please|pls|thanks|thank you|exactly|(?:right |just )?now|(?:as )?currently|today|nowadays"
    r"|presently"
    r"|these days|at (?:the moment|present|this point)|for now|by now|as of (?:now|today)|(?:over )?here|anyway|then"
    r"|(?:in|for|on) (?:this|our|the) (?:project|repo|repository|codebase|code base|app|product|team|setup)"
    r"|any ?more|any longer)[\s?.!]*$",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:did|was|were|had|used)\b", re.IGNORECASE)
_ONCE = re.compile(
    r"\b(?:previously|formerly|back then|in the past|(?:we|you|they|i|it|that) used to"
    r"|used? to (?:be|use|run|have))\b",
    re.IGNORECASE,
)
# these say it only of the past: "what must run before a release?" asks about now
_ONCE_IN_PAST = re.compile(
    r"\b(?:before(?: (?:that|this|then|it))?|beforehand|earlier|(?:prior|previous) to"
    r"|prior|previous|former|old|once)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"\b(?:originally|initially|at first|in the beginning|to begin with|at the start)\b", re.IGNORECASE
)
_WHY = re.compile(
    r"\b(?:why|why'd|how come|reasons?|rationale|motivation|what (?:made|drove|pushed|forced|led|convinced|prompted)"
    r"|(?:wrong|trouble|problems?|issues?|matter|bad|complaints?|annoying|drawbacks?|unhappy|fed up)"
    r" (?:with|about|of|in)|(?:made|drove|pushed|forced|annoyed|bothered|hurt|bugged) (?:us|you|them|me)"
    r"|(?:story|point|thinking|idea|reasoning) (?:behind|of)|what happened (?:with|to))\b",
    re.IGNORECASE,
)
_PIVOT = re.compile(r"\b(?:before|prior to|previous to) (.+)$", re.IGNORECASE)
_LINK = re.compile(r"^(?:we|you|they|i|it|the)\b.*?\b(?:to|on|with|in)\b\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as it is understood.

    `core` is what it is about, `tense` one of NOW, THEN, BEFORE, FIRST, WHY; `period` is the time it names, `pivot`
    what it asks for the predecessor of ("what did we use before X").
    """

    core: str
    tense: str = NOW
    period: Period | None = None
    pivot: str = ""


def read_question(text: str, *, now_ms: int) -> Reading:
    """Take a question apart; a text that is nothing but chatter stays as it is."""
    bare = _cut_tails(_cut_leads(" ".join(text.split())))
    period = find_period(bare, now_ms=now_ms)
    dated = bare if period is None else f"{bare[: period.at]} {bare[period.stop :]}"
    core = _cut_tails(" ".join(dated.split())) or bare
    tense, pivot = _find_tense(core, is_dated=period is not None)
    if tense in (BEFORE, FIRST):
        core = _cut_once(core)
    return Reading(core or bare or text, tense, period, pivot)


def _cut_leads(text: str) -> str:
    """Without greetings, apologies and purposes before the question: `sorry if I asked this, ...`."""
    for _ in range(4):
        shorter = _cut_lead(text)
        if shorter == text or len(shorter.split()) < 2:
            break
        text = shorter
    return text


def _cut_lead(text: str) -> str:
    lead = _LEAD.match(text)
    if lead:
        words = lead.group(1).lower().split()
        is_purpose = ":" in lead.group(0) and _PURPOSE.match(lead.group(1))
        is_chatter = all(word.strip("'\"") in _CHATTER for word in words)
        if len(words) <= _MAX_LEAD_WORDS and (is_purpose or is_chatter):
            return text[lead.end() :]
    asking = _ASKING.match(text)
    if asking:
        return text[asking.end() :]
    first, _, rest = text.partition(" ")
    return rest if rest and first.lower().strip(",.:!-") in _OPENERS else text


def _cut_tails(text: str) -> str:
    for _ in range(3):
        shorter = _TAIL.sub("", text)
        if shorter == text or len(shorter.split()) < 2:
            break
        text = shorter
    return text


def _find_tense(core: str, *, is_dated: bool) -> tuple[str, str]:
    if _WHY.search(core):
        return WHY, ""
    if is_dated:
        return THEN, ""
    if _FIRST.search(core):
        return FIRST, ""
    if _ONCE.search(core) or (_PAST.search(core) and _ONCE_IN_PAST.search(core)):
        found = _PIVOT.search(core)
        pivot = _LINK.sub("", found.group(1)).strip(" ?.!") if found else ""
        return BEFORE, pivot
    return NOW, ""


def _cut_once(core: str) -> str:
    for pattern in (_FIRST, _ONCE, _ONCE_IN_PAST):
        core = pattern.sub(" ", core)
    return " ".join(core.split())
