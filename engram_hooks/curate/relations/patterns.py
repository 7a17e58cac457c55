"""How sentences say that things stand to each other: one pattern a way of saying it, a letter for each thing."""

from __future__ import annotations

import re
from typing import NamedTuple

# In a masked sentence each thing that was found is one character of this range.
FIRST, LAST = "\ue000", "\uf8ff"
_E = f"[{FIRST}-{LAST}]"
_DET = (
    r"(?:(?:the|our|a|an|its|their|his|her|old|new|legacy|plain|current|existing|own|whole|entire|stock|external"
    r"|managed|self-hosted|in-house|vanilla) )*"
)
_AUX = r"(?:(?:now|already|still|also|both|currently|always|only|must|should|will|shall|all|does|then|directly) )*"
_BE = (
    r"(?:(?:is|are|was|were|be|been|being|gets?|got|has been|have been|had been|will be|must be|should be) )"
)
# a word or two in small letters that say what a sentence is about: `the trainer`, `Sessions`, `background jobs`
_BEFORE = r"(?:^|[,:(] |\b(?:[Tt]he|[Oo]ur|[Aa]ll|[Ee]very|[Ee]ach|because|since|so|that|while|and|but|as) )"
_ABOUT = rf"{_BEFORE}(?P<a>(?:[A-Za-z][a-z]{{2,}}|[A-Z]{{2,6}})(?:[ -][a-z]{{3,}})?)"
_PLAIN = (
    r"[a-z][a-z0-9-]{2,}(?=$|[.,;:)!]"
    r"| (?:for|in|since|because|as|at|on|with|after|when|from|to|over|everywhere|there|now)\b)"
)
_MANY = rf"{_E}(?:(?:, {_DET}{_E})*,? (?:and|or) {_DET}{_E}|/{_E})?"

_S, _T = rf"(?P<s>{_E})", rf"{_DET}(?P<t>{_E})"
_SS, _TT = rf"(?P<s>{_MANY})", rf"{_DET}(?P<t>{_MANY})"
# what of a thing is meant: `the Android app`, `Postgres migrations`
_AS = (
    r"app|build|cluster|code|consumer|demo|image|layer|plugin|setup|side|stack|wrapper"
    r"|(?!(?:always|does|has|is|was|thus|perhaps|needs|uses|runs|requires)\b)[a-z]{3,}s"
)
# who or what does it: things, behind which what they are may stand, or plain words
_WHO = rf"(?:(?P<s>{_MANY})(?: (?P<as>{_AS}))?|{_ABOUT})"
_NEW, _OLD = rf"(?P<s>{_E}|{_PLAIN})", rf"{_DET}(?P<t>{_E}|{_PLAIN})"
_PERSON = rf"(?P<p>{_E})"


class Pattern(NamedTuple):
    """A way of saying a relation; `s` and `t` are its ends, `p` is a person.

    `needs_tool` where it is said of other things as well: it counts only if the target is known as a tool.
    """

    kind: str
    said: re.Pattern[str]
    needs_tool: bool = False


def _compile(kind: str, *ways: str, needs_tool: bool = False) -> list[Pattern]:
    return [Pattern(kind, re.compile(way), needs_tool) for way in ways]


_MOVED = r"(?:[Mm]oved?|[Mm]oving|[Mm]igrat(?:ed?|ing)|[Ss]witch(?:ed|ing)?|[Cc]hanged?|[Pp]ort(?:ed|ing)?|[Ww]ent)"
_TAKE = (
    r"(?:[Cc]h(?:ose|oose|osen)|[Pp]ick(?:ed)?|[Pp]refer(?:red|s)?|[Ss]elect(?:ed)?|[Ww]ent with|[Gg]o with"
    r"|[Uu]s(?:e|es|ed|ing)|[Tt]ake|[Tt]ook|[Ss]ettled on|[Dd]ecided (?:on|for))"
)

_MADE = (
    r"generated|validated|rendered|drawn|formatted|linted|tested|compiled|packaged|signed|mocked|tracked|monitored"
    r"|managed|parsed|checked|cached|served|resized|exported"
)

PATTERNS: tuple[Pattern, ...] = (
    *_compile(
        "replaces",
        rf"{_S} {_AUX}(?:replace[sd]?|supersede[sd]?|takes over from|took over from) {_OLD}",
        rf"(?P<t>{_E})(?: \w+)? {_BE}(?:now |later |fully )?(?:replaced|superseded) (?:by|with) {_DET}{_NEW}",
        rf"[Rr]eplac(?:e|ed|ing) {_T} (?:with|by) {_DET}{_NEW}",
        rf"{_MOVED}(?: [a-z{FIRST}-{LAST}-]+){{0,4}} from {_OLD} (?:over )?to {_DET}{_NEW}",
        rf"{_MOVED}(?: [a-z-]+){{0,3}} to {_DET}{_NEW}(?: away)? from {_OLD}",
        rf"{_NEW} (?:instead of|in place of) (?:using )?{_OLD}",
        rf"{_TAKE} {_NEW}(?: for(?: [a-z-]+){{1,3}})?, (?:and )?(?:not|never) {_OLD}",
        rf"[Ss]top(?:ped)? using {_T},? (?:and|but) (?:now )?us(?:e|ing) {_DET}(?P<s>{_E})",
        rf"(?P<s>{_E}) now[,;] (?:and )?{_T} (?:is|was|has been) (?:gone|retired|dropped|removed|history|out)\b",
        rf"(?P<s>{_E}) now[,;] (?:and )?no longer (?:in |on |with |by )?{_T}",
        rf"(?P<t>{_E}) {_BE}?(?:dropped|removed|retired|deprecated|abandoned) in favou?r of {_DET}{_NEW}",
        rf"(?:[Dd]rop(?:ped)?|[Rr]emoved?|[Rr]etired?) {_T} in favou?r of {_DET}{_NEW}",
        rf"(?:[Dd]rop(?:ped)?|[Dd]itch(?:ed)?|[Aa]bandon(?:ed)?) {_T} for {_DET}(?P<s>{_E})",
    ),
    *_compile(
        "chosen_over",
        rf"{_TAKE} {_DET}{_NEW} (?:over|rather than) {_OLD}",
        rf"^{_S} (?:over|rather than) {_OLD}",
        rf"{_S} {_BE}(?:chosen|picked|preferred|selected) (?:over|to) {_OLD}",
        rf"[Pp]refer(?:red|s)? {_DET}{_NEW} to {_OLD}",
    ),
    *_compile(
        "uses",
        rf"{_WHO} {_AUX}(?:uses|use|using|reads? from|writes? to|talks? to|calls|consumes|goes through) {_TT}",
        rf"{_WHO} {_BE}?{_AUX}(?:built|written|implemented) (?:with|in|on|on top of|using) {_TT}",
        rf"{_WHO} {_BE}{_AUX}(?:backed|powered|served) by {_TT}",
        rf"{_WHO} {_BE}{_AUX}(?:stored|kept|cached|persisted) in {_TT}",
        rf"{_T} {_BE}(?:only )?used (?:by|in) {_DET}{_SS}",
        rf"{_T} (?:powers|backs) {_DET}{_SS}",
    ),
    *_compile(
        "uses",
        rf"{_WHO} {_BE}{_AUX}(?:{_MADE}) (?:with|by|in|through|using) {_TT}",
        rf"{_WHO} (?:lives?|{_BE}|stays?) ?in {_TT}",
        rf"{_WHO} (?:goes|go|is sent|are sent) (?:straight )?to {_TT}",
        rf"{_WHO} (?:comes?|is read|are read) from {_TT}",
        rf"{_WHO} (?:is|are) {_TT}(?=$|[.,;:]| (?:with|for|and|on|by|behind)\b)",
        needs_tool=True,
    ),
    *_compile(
        "depends_on",
        rf"{_WHO} {_AUX}(?:depends? on|rel(?:y|ies) on|requires?|needs?) {_TT}",
        rf"{_T} {_BE}(?:required|needed) by {_DET}{_SS}",
    ),
    *_compile(
        "runs_on",
        rf"{_WHO} {_AUX}(?:runs?|running) (?:on|in|under|inside|on top of) {_TT}",
        rf"{_WHO}(?: {_BE}| ){_AUX}(?:deployed|hosted) (?:on|to|in|at|with) {_TT}",
        rf"(?:[Dd]eploy|[Hh]ost|[Rr]un)(?:ed)? {_DET}{_SS} (?:on|to|in|at) {_TT}",
    ),
    *_compile(
        "part_of",
        rf"{_S} (?:{_BE}(?:(?:a|the) )?(?:part|module|component|method|function|class|package) of|belongs to) {_T}",
        rf"{_SS} (?:lives?|sits?|{_BE}(?:defined |implemented |declared |found )?)(?: )?(?:in|inside|under) {_T}",
        rf"{_S} in {_T}",
    ),
    *_compile(
        "owned_by",
        rf"{_WHO} {_BE}(?:owned|maintained|handled|led|run|looked after) by {_PERSON}",
        rf"{_PERSON} (?:owns|maintains|is responsible for|is in charge of|looks after|handles|leads) {_DET}{_SS}",
        rf"{_PERSON} (?:owns|maintains|is responsible for|is in charge of|looks after|leads) (?:the|our) "
        r"(?P<a>[a-z]{3,}(?:[ -][a-z]{3,})?)",
        rf"{_PERSON} is the (?:owner|maintainer|lead|contact)(?: person)? (?:of|for) {_DET}{_SS}",
        rf"(?:[Aa]sk|[Pp]ing|[Tt]alk to|[Cc]heck with|[Cc]ontact|[Aa]sking) {_PERSON} "
        rf"(?:about|for|before (?:you )?(?:touch(?:ing)?|chang(?:e|ing)|edit(?:ing)?)) {_DET}{_SS}",
    ),
    *_compile(
        "conflicts_with",
        rf"{_WHO} {_AUX}(?:conflicts?|clash(?:es)?|breaks?|fails|collides) with {_T}",
        rf"{_S} {_BE}(?:incompatible|not compatible) with {_T}",
        rf"{_S} (?:does not|doesn't|will not|won't|can't|cannot) (?:work|run|be (?:used|combined|mixed)) "
        rf"(?:with|together with|next to|beside) {_T}",
        rf"[Nn]ever (?:mix|combine|use|run) {_DET}{_S} (?:with|and|together with) {_T}",
        rf"[Mm]ixing {_DET}{_S} (?:and|with) {_T} (?:breaks|crashes|fails|corrupts)",
    ),
    *_compile(
        "configured_by",
        rf"{_WHO} {_BE}(?:configured|controlled|toggled|set up|set) (?:in|by|via|through|with|from) {_T}",
        rf"{_SS} (?:reads|takes|gets|loads) its (?:config|configuration|settings|options|values) from {_T}",
        rf"{_T} (?:configures|controls|toggles) {_DET}{_SS}",
        rf"[Cc]onfigure {_DET}{_SS} in {_T}",
    ),
    *_compile(
        "fixes",
        rf"{_S} {_AUX}(?:fixe[sd]|resolve[sd]|solve[sd]|works around|worked around|cure[sd]) {_T}",
        rf"{_T} {_BE}(?:fixed|resolved|solved|cured|worked around) (?:by|with|in) {_DET}{_S}",
    ),
)
# behind what these say stands a person, or before it
PEOPLE = tuple(
    re.compile(way)
    for way in (
        rf"{_PERSON} (?:said|says|asked|decided|approved|insisted|suggested|reported|agreed|wrote|prefers|confirmed"
        r"|noticed|found out|objected|told|thinks|reviews|reviewed|owns|maintains|signed off)\b",
        rf"(?:[Aa]sk|[Pp]ing|[Tt]ell|[Tt]alk to|[Cc]heck with|[Cc]ontact|[Aa]ccording to|[Pp]er|[Aa]pproved by"
        rf"|[Aa]sked by|[Oo]wned by|[Mm]aintained by|[Rr]eviewed by|[Ll]ed by|[Rr]eported by|[Dd]ecided by) {_PERSON}",
        rf"{_PERSON} (?:is responsible for|is in charge of|looks after)\b",
        rf"(?:[Mm]y name is|[Tt]he user is|[Uu]ser's name is) {_PERSON}",
    )
)
# what is asked, wished, weighed or denied says nothing of how things are
UNSAID = re.compile(
    r"\?\s*$|\b(?:[Mm]aybe|[Pp]erhaps|[Cc]onsider(?:ed|ing|s)?|[Ee]valuat(?:e|ed|es|ing)"
    r"|[Pp]ropos(?:al|e|ed|es)|[Rr]eject(?:ed|s)?|[Ii]f|whether|[Uu]nless|[Tt]hinking (?:about|of)|not true|wrong that"
    r"|never decided|[Dd]iscuss(?:ed|ing)?|instead of moving|unclear|someday|one day|eventually|should we|[Tt]ried"
    r"|[Tt]ry|[Tt]rying)\b"
)
# before what is said: that it is denied, or only possible
DENIED = re.compile(
    r"(?:\b(?:not|never|no longer|don't|doesn't|didn't|do not|stop|stopped|avoid|without)(?: \w+){0,2} "
    r"|\b(?:might|may|could|would)\b[^.;]*)$",
    re.I,
)
