"""How people say who they are."""

from __future__ import annotations

from engram_hooks.sessions.patterns import Rule, compile_pattern

_NOT_A_NAME = compile_pattern(
    r"^(?:back|later|when|if|crazy|maybe|old|out|once|anytime|not|in|on|the|an?|wrong|missing|paranoid)\b"
)
_CARRIED = ("report", "moment", "pointing")
_ROLE = r"""(?:developer|engineer|designer|scientist|analyst|student|teacher|researcher|manager
|architect|admin\w*|founder|writer|lead|maintainer|dba|sre|intern)"""

PROFILE: tuple[Rule, ...] = (
    Rule(
        "gives a name",
        "user",
        0.9,
        compile_pattern(
            r"""^(?:my name(?: is|'s|’s)|i(?:'m|’m| am) called|mein name ist|ich heiße|je m'appelle|me llamo
            |mi nombre es)[ ](?P<note>[^\W\d_][\w'’-]*(?: (?-i:[A-ZÀ-Ý])[\w'’-]+){0,3})"""
        ),
        lead="The user's name is",
        never=_NOT_A_NAME,
        words=1,
        allows=_CARRIED,
    ),
    Rule(
        "says how to be called",
        "user",
        0.85,
        compile_pattern(
            r"""^(?:you can )?(?:call me|nenn mich) (?P<note>[^\W\d_][\w'’-]*(?: (?-i:[A-ZÀ-Ý])[\w'’-]+)?)
            (?=\s*[.!,;]|\s*$| (?:please|instead)\b)"""
        ),
        lead="The user wants to be called",
        never=_NOT_A_NAME,
        words=1,
        allows=_CARRIED,
    ),
    Rule(
        "says who they are",
        "user",
        0.75,
        compile_pattern(
            rf"""^i(?:'m|’m| am) (?P<note>(?:an?|the) (?:[\w/+#.-]+ ){{0,4}}{_ROLE}\b[^.;]*
            |colou?r-?blind|dyslexic\b"""
            r"|new to [\w+#.]+|not a native speaker[^.;]*)"
        ),
        lead="The user is",
        words=1,
        allows=_CARRIED,
    ),
    Rule(
        "says something about themselves",
        "user",
        0.7,
        compile_pattern(
            r"""^(?P<note>my (?:time ?zone|pronouns|native language|first language|mother tongue
            |editor|shell|keyboard layout|operating system|os|role
            |github (?:user|handle)\w*) (?:is|are|runs) .+)"""
        ),
        never=compile_pattern(r"\b(?:unknown|missing|wrong|in the|on the|not|broken|down|slow|full)\b"),
        words=3,
        allows=_CARRIED,
    ),
    Rule(
        "says where they work",
        "user",
        0.7,
        compile_pattern(r"^i (?P<note>(?:work (?:at|for|as|from)|live in) (?:[^\s,.;]+ ?){1,8})(?=[.,!;]|$)"),
        lead="The user's own words: I",
        never=compile_pattern(r"\b(?:it|this|that|them|you|now)\b"),
    ),
)
