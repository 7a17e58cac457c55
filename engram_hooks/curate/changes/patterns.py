"""The turns of phrase by which developers say that something changed, was not taken, or is only planned."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# pauses are characters of their own (see `claims_words`): what a region names never goes beyond one
_ANY = r"[^\x01-\x03]"
_BEGIN = r"(?:^|[\x01\x02] )"
_BE = r"(?:is|are|was|were|got|gets|be|being|has been|have been|had been)"
_VIA = r"(?:(?:to|on|in|with|from|at|by|through|via|using|use|as|into|per|for|over|under|against) )?"
_GONE = (
    r"(?:out|gone|dead|deprecated|retired|removed|dropped|frozen|switched off|turned off|shut (?:down|off)"
    r"|cancell?ed|decommissioned|abandoned|sunset|history|read-only|banned|obsolete|killed|no more|unplugged"
    r"|a mistake|discontinued|archived|taken|only (?:\w+ed|used|kept) for)"
)
_LEFT = (
    r"(?:off|left|leaving|dropp?(?:ed|ing)?|retire[ds]?|ditch(?:ed|ing)?|abandon(?:ed|ing)?|kill(?:ed|ing)?"
    r"|deprecated?|away from|(?:got )?rid of|goodbye to|no more|stop(?:ped)?(?: \w+ing)?|scrapp(?:ed|ing)"
    r"|sunset(?:ting)?|phased out|moved on from|(?:we are|we re|we.re|i am|finally|all) done with|through with)"
)
_ENDED = (
    r"(?:contract|subscription|licen[cs]e|trial|support) (?:ends?|ended|expires?|expired|ran out|is over)\b"
)
_PUT = r"(?:swapp?(?:ed|ing)?|replac(?:e|ed|ing)|exchanged?|traded?|substituted?)"
_MOVED = r"(?:^| )(?:moved?|switched?|migrated?|changed?|ported|converted|upgraded|downgraded|went)"
_REPLACED = r"(?:replaced|superseded|swapped out|displaced|succeeded)"
_REPLACES = (
    r"(?:replaces|replaced|supersedes|superseded|displaces|displaced|(?:took|takes|has taken) over from)"
)
_INSTEAD = r"(?:instead of|rather than|in place of|and not|\x01 not)"
FIRST, LAST, ANY = "first", "last", "any"
# (pattern, where in its region the name of what is gone stands, words one of which is in a clause that it fits)
_PATTERNS: tuple[tuple[re.Pattern[str], str, tuple[str, ...]], ...] = tuple(
    (re.compile(pattern), place, tuple(cues.split("|")))
    for pattern, place, cues in (
        (
            rf"(?:^| )(?:from|off) (?P<old>{_ANY}+?) (?:to|onto|into|over to) (?P<new>{_ANY}+)",
            FIRST,
            " to | onto | into ",
        ),
        (rf"(?P<old>{_ANY}+) \x03 (?P<new>{_ANY}+)", LAST, "\x03"),
        (
            rf"(?:^| ){_PUT} (?!by |with |for )(?P<old>{_ANY}+?) (?:for|by|with) (?P<new>{_ANY}+)",
            FIRST,
            "swap|replac|exchang|trade|substitut",
        ),
        (
            rf"(?P<old>{_ANY}+) {_BE} {_REPLACED} (?:by|with|for) (?P<new>{_ANY}+)",
            LAST,
            " replaced| superseded| swapped| displaced| succeeded",
        ),
        (rf"(?P<new>{_ANY}+?) {_REPLACES} (?P<old>{_ANY}+)", FIRST, "replac|supersed|displac|over from"),
        (
            rf"(?P<new>{_ANY}+?)?[ \x01]*{_INSTEAD} {_VIA}(?P<old>{_ANY}+)",
            FIRST,
            "instead of|rather than|in place of|and not|\x01 not",
        ),
        (rf"not (?P<old>{_ANY}+?) any ?(?:more|longer)", ANY, "not "),
        (rf"no longer (?P<old>{_ANY}+)", ANY, "no longer"),
        (rf"{_BEGIN}(?P<old>{_ANY}+?) {_BE}(?: now| finally| officially| all)? {_GONE}(?= |$)", LAST, ""),
        (rf"{_BEGIN}(?P<old>{_ANY}+?) (?:out|off)(?: \x01| and|$)", LAST, "out|off"),
        (rf"(?:^| ){_LEFT} (?P<old>{_ANY}+)", FIRST, ""),
        (
            rf"{_BEGIN}(?:it )?(?:was|were|formerly|previously|before|up from|down from) (?P<old>{_ANY}+)",
            FIRST,
            "",
        ),
        (rf"{_BEGIN}(?P<old>{_ANY}+?) {_ENDED}", LAST, "contract|subscription|licen|trial|support"),
        (rf" used to (?P<old>{_ANY}+)", ANY, " used to "),
        (rf"{_MOVED} (?:{_ANY}+? )?(?:to|onto) (?P<new>{_ANY}+?) from (?P<old>{_ANY}+)", FIRST, " from "),
    )
)
_TAKES_ITS_PLACE = 2, 3  # 'replaced A with B', which is not 'B replaced A'
_TOOK_ITS_PLACE = 4
_ACTS = frozenset((0, 1, 2, 4, 5, 10, 14))
_FORBIDS = re.compile(r"\b(?:never|not|cannot|nobody|avoid|without|(?:no|any) longer)\b(?! only)")
_REASON = re.compile(
    r" (?:because|since|due to|so that|thanks to|given that|as (?=(?:we|it|they|he|she|i|that|this|there"
    r"|nobody|\S+ (?:is|are|was|were|has|had|have|kept|keeps)) ))"
)
_REJECTED = re.compile(
    r"\b(?:decided (?:against|not to)|(?:voted|turned|shot|talked) (?:it )?down|ruled (?:it )?out|passed on"
    r"|pass on|reject(?:ed|s)?|vetoed|shelved|not (?:adopted|taken|chosen|going with|worth it|pursued"
    r"|switching|for us|accepted)|(?:said|says|so|answer(?: is)?|verdict|\x01|\x02) no\b|no thanks|stay(?:ing"
    r"|s|ed)? (?:off|put|with)|stick(?:ing)? with|stuck with|won't use|will not use|against it|lost (?:in|on"
    r"|to|out)|did not (?:make it|convince|win|help)|is not an option|not an option|dismissed|discarded"
    r"|declined|gave up on)\b"
)
_TRIED = re.compile(
    r"\b(?:tried|trying|look(?:ed|ing) (?:at|into|hard at)|looked|evaluat(?:ed|ing|ion)|consider(?:ed|ing)?"
    r"|came up|pitch(?:ed)?|propos(?:ed|al)|suggest(?:ed|ion)?|debated|discuss(?:ed|ion)|floated"
    r"|prototyp(?:ed?|ing)|short-?list(?:ed)?|demo(?:ed)?|quoted|spin|trial|spike[ds]?|bake-?off|rfc|poc"
    r"|experiment(?:ed)?|tested|compared|on the table|on a branch|benchmarked|toyed|played with)\b"
)
_FAILED = re.compile(
    r"\b(?:no|not|nothing|nobody|dropp?ed|skipped|skip|killed|failed|too|against|threw|thrown|reverted|without"
    r"|worse|slower|missing|lacks?|lacked|abandoned|never|didn|out)\b"
)
_PLANNED = re.compile(
    r"\b(?:should we|shall we|might|maybe|perhaps|thinking (?:about|of)|think about|considering|plan(?:s|ning"
    r"|ned)? to|could (?:move|switch|replace|use|drop)|would (?:be|move|switch|replace|use|like)|if we (?:ever"
    r"|drop|move|switch|replace|leave)|what if|nothing decided|not decided|undecided|to be decided"
    r"|wants? to (?:move|switch|replace|drop)|will (?:move|switch|replace|migrate|drop|retire)"
    r"|going to (?:move|switch|replace|migrate|drop)|next (?:year|quarter|month|sprint)|some ?day|eventually"
    r"|todo|proposal to)\b"
)
_NEWS = re.compile(
    r"\b(?:now|nowadays|these days|from (?:now|here|today|then|this|next|monday|tuesday|wednesday|thursday"
    r"|friday) ?\w*|as (?:of|from)|any ?more|no longer|again|starting|effective|going forward|henceforth"
    r"|instead|since (?:today|this)|changed|moved|switched|raised|lowered|bumped|upgraded|migrated|replaced"
    r"|new (?:source|home|default|rule|standard)|is now|are now|new )\b"
)


_EVENT = re.compile(
    r"^(?:bulk-)?(?:deleted|removed|cleaned|fixed|rebased|restarted|cancell?ed|revoked|emptied|rewrote"
    r"|corrected|updated|reviewed|closed|renamed|added|found|investigated|ran|wrote|wiped|archived|rotated"
    r"|paid)\b|\b(?:still (?:says?|said|mention\w*|quot\w*|assum\w*|has|had|contain\w*|refer\w*|point\w*)"
    r"|leftovers?|left over|stale|there (?:is|are|was|were) still|got rewritten|was rewritten"
    r"|(?:was|were|is|are) (?:deleted|removed"
    r"|cleaned up|fixed|emptied|revoked|gone from))\b"
)


def is_event(text: str) -> bool:
    """Whether a clause tells of something that was done or found once, rather than of what holds."""
    return bool(_EVENT.search(text))


def cut_reason(clause: str) -> str:
    """A clause without the reason that it ends with."""
    found = _REASON.search(clause)
    return clause[: found.start()] if found else clause


def find_replaced(clause: str) -> Iterator[tuple[str, str, str]]:
    """What a clause says is gone: (region, what takes its place or '', where in the region it stands).

    The clause is lower case, its words and pauses parted by single spaces. Regions are wide: they hold the name of what
    is gone at one end, and may hold words beside it.
    """
    is_turned = False
    for at, (pattern, place, cues) in enumerate(_PATTERNS):
        if (at == _TOOK_ITS_PLACE and is_turned) or not any(cue in clause for cue in cues):
            continue
        for found in pattern.finditer(clause):
            groups = found.groupdict()
            new = groups.get("new") or ""
            if at in _ACTS and _FORBIDS.search(
                clause[: found.start()] + (new if clause.startswith(new) else "")
            ):
                continue  # 'never replace A with B' keeps A
            is_turned = is_turned or at in _TAKES_ITS_PLACE
            yield groups["old"].strip(), new.strip(), place


def is_rejection(text: str) -> bool:
    """Whether a text tells of something that was looked at and not taken."""
    return bool(_REJECTED.search(text) or (_TRIED.search(text) and _FAILED.search(text)))


_DONE = re.compile(r"\b(?:now|no longer|any ?more|as of today|from now on)\b")


def is_plan(text: str) -> bool:
    """Whether a text speaks of what may come rather than of what is."""
    return bool(_PLANNED.search(text)) and not _DONE.search(text)


def is_news(text: str) -> bool:
    """Whether a text says that something is different from now on."""
    return bool(_NEWS.search(text))


def join_words(words: Iterable[str]) -> str:
    """Words and pauses as the clause that the patterns read."""
    return " ".join(words).lower()


_DENIAL = re.compile(
    r"\b(?:never|not|no longer|no|cannot|forbidden|banned|prohibited|disallowed|disabled|avoid|without|off"
    r"|stop|unsupported|deprecated)\b"
)


def is_denial(text: str) -> bool:
    """Whether a clause denies or forbids."""
    return bool(_DENIAL.search(text))
