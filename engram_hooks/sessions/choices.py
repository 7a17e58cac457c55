"""How decisions, and causes that were found, are put into words."""

from __future__ import annotations

from engram_hooks.sessions.patterns import ASSISTANT, BLAME, BOTH, PRONOUN, UNKNOWN, Rule, compile_pattern

_CHOICE = compile_pattern(
    r"""^(?:that|this|it|those|your|option|plan|number|both|all|none|neither|what|whatever|how|whichever
    |[a-d1-9]\b|an? \w+$|the \w+$)"""
)
_SETTLED = compile_pattern(r"\b(?:decided|agreed) (?:to|on|that) (?:it|that|this|the \w+)\b(?:\W|$)")
_FIRM = r"""(?:because|since|so that|instead of|rather than|over|not|to avoid|everywhere|across
|in this (?:repo|project))"""

CHOICES: tuple[Rule, ...] = (
    Rule(
        "says that it is a decision",
        "decision",
        0.9,
        compile_pattern(
            r"""^(?:final |the |our |my )?(?:decision(?: is)?|decided|agreed|we agreed|entscheidung
            |décision|decisión)\s*[:–—]\s*(?P<note>.+)"""
        ),
        speakers=BOTH,
        never=compile_pattern(r"^(?:yes|no|ok|pending|tbd|none|open|n/?a|unclear)\b\W*$"),
        allows=("idea", "report", "joke", "moment", "pointing"),
        words=1,
    ),
    Rule(
        "announces a decision",
        "decision",
        0.8,
        compile_pattern(
            r"""^(?:after [^,]{3,60}, )?(?P<note>(?:we|i|the team)(?:'ve
            |’ve| have)? (?:just |finally |now )?(?:decided|agreed|chose|chosen|settled|opted) (?:to|on
            |that|for|against|not|(?-i:[A-Z]\w+))\b.{3,})"""
        ),
        never=_SETTLED,
        words=4,
        allows=("moment",),
    ),
    Rule(
        "announces a decision",
        "decision",
        0.8,
        compile_pattern(
            r"""^(?P<note>(?:we|the team|you and i)(?:'ve|’ve| have)? (?:decided|agreed|chose|chosen
            |settled|opted)[ ](?:to|on|that|for|against|not|(?-i:[A-Z]\w+))\b.{3,})"""
        ),
        speakers=(ASSISTANT,),
        never=_SETTLED,
        words=4,
        allows=("moment",),
    ),
    Rule(
        "takes a choice",
        "decision",
        0.75,
        compile_pattern(
            r"""^(?:then )?(?:let's|let’s|lets|let us|we'll|we’ll|we will|we're going to
            |we are going to|i'll|i will)[ ](?P<note>(?:go|stick|stay) with .+)"""
        ),
        never=compile_pattern(rf"^(?:go|stick|stay) with (?:{_CHOICE.pattern.lstrip('^')})"),
        words=3,
    ),
    Rule(
        "takes a choice",
        "decision",
        0.7,
        compile_pattern(r"^(?:then )?(?P<note>(?:go(?: ahead)?|stick) with .+)"),
        never=compile_pattern(rf"^(?:go(?: ahead)?|stick) with (?:{_CHOICE.pattern.lstrip('^')})"),
        words=3,
    ),
    Rule(
        "takes a choice with its reason",
        "decision",
        0.75,
        compile_pattern(
            rf"""^(?:then )?(?:let's|let’s|lets|let us|we'll|we’ll|we will
            |we're going to)[ ](?P<note>(?:use|keep|store|put|drop|pick|choose|move|switch|make
            |write) .{{2,80}}? {_FIRM} .{{3,}})"""
        ),
        words=5,
    ),
    Rule(
        "takes a choice with its reason",
        "decision",
        0.7,
        compile_pattern(
            r"""^(?:i(?:'ll|’ll| will|'m going to)|we(?:'ll|’ll| will)|let's|let’s) (?P<note>(?:use
            |go with|keep|stick with|store|pick|choose)[ ].{2,80}?(?:instead of|rather than|over
            |,? not) .{2,80}?(?:,|;| -| –| —)? (?:because|since|as|so that|to avoid) .{5,})"""
        ),
        speakers=BOTH,
        words=6,
    ),
    Rule(
        "announces a move",
        "decision",
        0.75,
        compile_pattern(
            r"""^(?P<note>we(?:'re|’re| are|'ve|’ve| have)? (?:now )?(?:switching|switched|moving
            |moved|migrating|migrated) (?:[\w\s/.-]{0,40} )?
            (?:from .{2,40} )?to (?-i:[A-Z])?[\w.+#-]+.*)"""
        ),
        never=compile_pattern(r"\bto (?:the (?:next|other)|a different|it|that|another|main|master)\b"),
        words=4,
    ),
    Rule(
        "announces a move",
        "decision",
        0.7,
        compile_pattern(
            r"""^(?:i want (?:us )?to |we want to |let's |let’s )(?P<note>(?:switch|move|migrate) (?:over )?
            (?:from .{2,40} to|to (?-i:[A-Z])[\w.+#-]+ (?:for|because|since|instead)) .{2,})"""
        ),
        words=4,
    ),
    Rule(
        "takes a choice",
        "decision",
        0.7,
        compile_pattern(r"^(?:then )?(?P<note>(?-i:[A-Z])[\w.+#-]+(?: [\w.+#-]+)?) it is\W*$"),
        lead="Chosen:",
        never=compile_pattern(
            r"""^(?:so|look|how|nice|good|great|cute|there|then|here|what|how|as|that|this|whatever
            |where|ok|yes|no|done)\b"""
        ),
        words=1,
    ),
    Rule(
        "explains a cause",
        "incident",
        0.7,
        compile_pattern(
            r"""^(?:it |as it |it has )?turn(?:s
            |ed) out (?:that |to be (?:that )?)?,? ?(?P<note>.{8,}?\b(?:because|caused by|due to|so that
            |only when|when|unless|depends on|whenever|if)\b.{4,})"""
        ),
        speakers=BOTH,
        never=compile_pattern(rf"{PRONOUN.pattern}|{BLAME.pattern}"),
        words=6,
        allows=("report", "moment"),
    ),
    Rule(
        "names the root cause",
        "incident",
        0.7,
        compile_pattern(
            r"""^(?P<note>(?:the )?(?:root cause|real cause|culprit|underlying (?:problem|cause
            |issue))(?: of [^,:;]{3,60})?[ ]?(?:was|is|turned out to be|:)(?: that)? .{12,})"""
        ),
        speakers=BOTH,
        never=compile_pattern(rf"{BLAME.pattern}|{UNKNOWN.pattern}"),
        words=6,
        allows=("report", "moment"),
    ),
    Rule(
        "warns of a trap",
        "incident",
        0.75,
        compile_pattern(
            r"^(?:gotcha|beware|watch out|caveat|lesson learn(?:ed|t)|careful)\s*[:,–—!-]\s*(?P<note>.{12,})"
        ),
        never=compile_pattern(rf"{PRONOUN.pattern}|{BLAME.pattern}"),
        words=4,
        allows=("report", "moment"),
    ),
)
