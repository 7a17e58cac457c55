"""Which sentences are not to be taken as lasting: questions, ideas, reports, jokes, orders for the moment."""

from __future__ import annotations

import re


def _compile(text: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\n\s*", "", text), re.IGNORECASE)


_QUESTION = _compile(
    r"""\?\W*$|^(?:what|why|how|who|which|where|whose|is|are|was|were|do(?! not\b)|does|did|can|could
    |would|will|should|shall|has|am i|when (?:do|does|did|is|are|will|should|can)|have (?:you|we|i|they)
    |isn't|aren't|wasn't|didn't|doesn't|couldn't|wouldn't|shouldn't|don't (?:you|we|they)\b(?! (?:use
    |ever)))\b"""
)
_IDEA = _compile(
    r"""\b(?:what if|suppose|imagine|assuming|hypothetical\w*|in theory|let's say|maybe|perhaps
    |probably|might|likely|if (?:we|i|you|they|it|someone) (?:were|was|used|had|did|could|would|went
    |switch\w*|ever|moved|want\w*)|could (?:be|also|always|just)|i (?:guess|wonder|suppose|doubt|bet)
    |wondering|not sure|unsure|should (?:we|i)|would be (?:nice|better|good|great|cool)|wish|hope\w*
    |i think (?:we|you|it|i) (?:could|should|might)|consider\w*|thinking (?:about|of)|feels? like
    |looks? like|seems?|apparently|supposed to|do you think|or not|vielleicht|eventuell|könnte\w*
    |würde\w*|peut-être|quizás?|tal vez|podríamos)\b"""
)
_REPORT = _compile(
    r"""\b(?:says?|said|saying|told|tells|claims?|claimed|according to|docs? (?:state|recommend)
    |printed|complain\w*|used to|previously|back then|last (?:time|week|month|year)
    |would have|yesterday|in the past|(?:error|message|warning|output|readme) (?:is|reads))\b"""
)
_ONE_OFF = _compile(
    r"""\b(?:for now|right now|for the (?:moment|time being)|at the moment|just (?:once|this|for)
    |only (?:once|this)|for this (?!repo|project|codebase|team|package)|this (?:time|once|pr|commit|file
    |function|test|task|change|one|branch|session|line|method|class|bug|error|part|module)|today|tonight
    |tomorrow|until|yet|in the meantime|temporar\w+|first|next|afterwards|again|once you|after that
    |when (?:you're|you are|it's|you've|you) (?:done|finished|ready|finish|get)|(?:then|just) \w+ (?:it
    |that|them)|while you're at it|erstmal|vorerst|heute|pour l'instant|aujourd'hui|por ahora|hoy)\b"""
)
_POINTING = _compile(
    r"""\b(?:this(?! (?:repo|project|codebase|repository|team|package|workspace|code base|machine))
    |these|those|above|the (?:first|second|third|last) (?:one|option|file|test|line|function|part
    |approach|version|two|three|commit)|the (?:first|second|third|last)(?=\W*$)|the (?:other|latter
    |former|same (?:one|way|file|test|thing|approach)|previous|next|following|above|existing
    |remaining)\b|(?:like|do|did|use|used|using|adding|with|about|to|on|of|call|put|mention|add|run|commit|push|keep
    |change|from) (?:that|it|them)(?=\W*$| (?:instead|now|please|as|in|to|at|there|here|because|again
    |too|like|for)\b)|that (?:one|file|function|way|test|line|approach|part|thing|stuff)|line \d+
    |below(?! \d)|over there|in there)"""
)
_JOKE = _compile(
    r"""\b(?:lol|lmao|haha\w*|joking|kidding|whatever|ugh|wtf|wth|damn|sigh|obviously|of course it
    |as usual|apparently|great job|good luck|yeah right|sure thing|magic\w*|my god|for fuck\w*|seriously
    |at all costs|ha)\b|/s\b|\.\.\.\W*$|\u2026\W*$|[\U0001f600-\U0001f64f\U0001f910-\U0001f92f]"""
)
_REASON = re.compile(r"\b(?:because|since|so that)\b", re.IGNORECASE)
_DOUBTS = {"idea": _IDEA, "report": _REPORT, "joke": _JOKE, "moment": _ONE_OFF, "pointing": _POINTING}
_PLEADING = re.compile(
    r"^(?:can|could|would|will) you (?:please )?.*\b(?:from now on|going forward)\b", re.IGNORECASE
)


def is_question(sentence: str) -> bool:
    """Whether it asks; a request put as a question that says "from now on" does not."""
    return bool(_QUESTION.search(sentence)) and not _PLEADING.search(sentence)


def is_doubtful(sentence: str) -> bool:
    """Whether it is a question, an idea, a report of others' words or a joke."""
    return is_question(sentence) or bool(find_doubts(sentence) & {"idea", "report", "joke"})


def find_doubts(sentence: str) -> set[str]:
    """What speaks against it: "idea", "report" (of others' words), "joke", "moment" (holds for the task at
    hand only), "pointing" (cannot be understood without what was said or shown before).
    """
    found = {name for name, pattern in _DOUBTS.items() if pattern.search(sentence)}
    # in "keep REST, because they depend on it" the reason points at what the sentence itself has named
    if "pointing" in found and not _POINTING.search(_REASON.split(sentence, maxsplit=1)[0]):
        found.remove("pointing")
    return found


def is_momentary(sentence: str) -> bool:
    """Whether it holds for the task at hand only."""
    return bool(_ONE_OFF.search(sentence))


def is_pointing(sentence: str) -> bool:
    """Whether it cannot be understood without what was said or shown before."""
    return bool(_POINTING.search(sentence))
