"""What a prompt is about, from its words alone: it decides which kinds of record suit it."""

from __future__ import annotations

INTENTS = "status", "symptom", "cause", "change", "question", "general"
_EDGES = ".,;:!?()\"'`"
_FILLERS = frozenset("please now ok okay so and then also hey hi well just actually quick maybe".split())
_ORDERS_TEXT = """
    add adjust allow apply ask average build bring bump call change check clean compute configure connect convert copy
    create define delete deploy disable document draft drop emit enable enforce expose extend extract fetch fill filter
    format generate get give handle hide implement import improve increase insert install introduce keep let let's
    limit link list load log make merge migrate mock move open optimise optimize parse patch pass pick plot print
    process promote publish pull push put query raise read rebuild record reduce refactor register release remove
    rename render replace report reset resolve restart restore retry return revert rewrite roll rollback run save scale
    schedule seed send serve set setup share show sign ship sort split start stop store stream subscribe support swap
    switch sync tag test toggle track translate tweak turn undo update upgrade upload use validate verify wire wrap
    write
"""
_ORDERS = frozenset(_ORDERS_TEXT.split())
_QUESTIONS_TEXT = """
    what what's which how where when who is are was were do does did can could should would will may must have has
"""
_QUESTIONS = frozenset(_QUESTIONS_TEXT.split())
_CAUSES = frozenset("why reason rationale purpose because explain".split())
_STATUS = frozenset("left progress status unfinished remaining next wip pending blocked todo".split())
_TROUBLE_TEXT = """
    fail fails failed failing failure error errors crash crashes crashed broken breaks broke wrong missing hang hangs
    hung killed refuses refused dies died slow flaky stuck empty blank never lost leaks frozen freezes duplicated
    timeout twice can't cannot doesn't isn't won't nothing 403 404 409 429 500 502 503
"""
_TROUBLE = frozenset(_TROUBLE_TEXT.split())


def find_intent(prompt: str) -> str:
    """One of `INTENTS`: a statement that orders and asks nothing is a report, which is treated as a symptom."""
    words = [bare for word in prompt.casefold().split() if (bare := word.strip(_EDGES))]
    while words and words[0] in _FILLERS:
        words.pop(0)
    if words[:2] in (["can", "you"], ["could", "you"], ["would", "you"]):
        words = words[2:]
    if not words:
        return "general"
    told = frozenset(words)
    if told & _STATUS and words[0] not in _ORDERS:
        return "status"
    if words[0] in _ORDERS or words[0] == "fix":
        return "change"
    if words[0] in _CAUSES:
        return "cause"
    if words[0] in _QUESTIONS:
        return "symptom" if told & _TROUBLE else "question"
    return "symptom"
