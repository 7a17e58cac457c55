"""Sentences that say how something is from now on, without an order: "Card payments go through Adyen now."."""

from __future__ import annotations

from engram_hooks.sessions.patterns import BLAME, PRONOUN, Rule, compile_pattern

_SUBJECT = r"(?:(?:the|our|all|every) )?[\w./:#-]+(?: (?:of|for|on|in|the|our) [\w./-]+| [\w./-]+){0,3}?"
_MARK = r"(?:from now on|from today(?: on)?|as of (?:today|now|this \w+)|from this \w+ on|going forward|these days)"
# what is done to a thing for good, and how a thing goes about it
_SET = (
    r"(?:deployed|stored|kept|cached|written|encoded|sent|served|hosted|built|reported|published|tracked|limited|"
    r"rounded|installed|linted|computed|powered|signed|compiled|formatted|tested|managed|scheduled|named|owned|mailed)"
)
_GOES = (
    r"(?:runs?|goes|go|lives?|listens?|comes?|ends?|expires?|uses?|gives? up|starts?|targets?|supports?|serves?|"
    r"sends?|handles?)"
)
_BY = r"(?:on|in|to|with|through|at|by|as|via|from|after|over|under|for)"
# the state of a moment, which is none of the thing
_PASSING = compile_pattern(
    r"""\b(?:pass(?:es|ing)?|fail(?:s|ing)?|green|red|broken|fixed|done|ready|works?|working|clean|gone|fine|ok|okay
    |good|better|slow|faster|running|open|merged|stuck|empty|missing|here|there|up|down|live)
    (?: again)?(?= now|\W*$)"""
)
_NEVER = compile_pattern(
    rf"{PRONOUN.pattern}|{BLAME.pattern}|{_PASSING.pattern}|^(?:no|yes|so|ok|okay|and|but)\b"
)

NEWS: tuple[Rule, ...] = tuple(
    Rule(
        "says what holds from now on",
        "fact",
        0.7,
        compile_pattern(pattern),
        never=_NEVER,
        words=4,
        allows=("moment", "pointing"),
    )
    for pattern in (
        rf"^(?P<note>{_MARK},? {_SUBJECT} (?:is|are|{_GOES}) .{{2,80}}?)\W*$",
        rf"^(?P<note>{_SUBJECT} (?:is|are|{_GOES}) .{{2,80}}? {_MARK})\W*$",
        rf"^(?P<note>{_SUBJECT} (?:(?:is|are) {_SET}|{_GOES})(?: {_BY})? .{{1,60}}? now)\W*$",
        rf"^(?P<note>{_SUBJECT} (?:is|are)? ?now (?:{_SET}|{_GOES})(?: {_BY})? .{{1,60}}?)\W*$",
        rf"^(?P<note>(?:the|our) {_SUBJECT} (?:is|are) (?-i:[A-Z0-9])[\w.+#-]*(?: [\w.+#-]+){{0,2}} now)\W*$",
    )
)
