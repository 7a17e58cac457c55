"""How people say what is to be done, or left, from now on."""

from __future__ import annotations

from engram_hooks.sessions.patterns import Rule, compile_pattern

_EPISTEMIC = compile_pattern(
    r"\bmust (?:have|be (?:an?|some|something|because|that|the|why|wrong|missing|broken|kidding|joking))\b"
)
_TASK_OBJECT = compile_pattern(
    r"""\b(?:an?|my|your|one|two|the) [\w-]+\W*$ | \w\(|\b(?:another|different|other|line|here too)\b
    |^(?:don't|do not) (?:add|create|write|put|include|store|return|throw|raise|wrap|print|log) (?:an?
    |the|any)\b"""
)
_DONT = r"(?:do not|don't|dont|don’t)"
_REFUSAL = r"(?:no+|nope|stop|wrong|nein|non)\b\s*[,.!:;–—-]+\s*(?:please )?"
_LIMIT = (
    r"""(?:under|below|within|at most|at least|less than|more than|no more|compatible|backwards?
    |idempotent|deterministic"""
    r"|unique|encrypted|reproducible|offline|reversible|thread-safe|kept|free of|readable by)"
)
_SUBJECT = (
    r"(?:(?:the|all|every|each|any|our|no|new|public|private) [^,;:]{2,60}?"
    r"""|(?-i:(?!It|This|That|They|These|Those|He|She|You|I|There|We)[A-Z][\w.-]+)(?: [\w.-]+){0,3}
    |(?!(?:it|this|that|they|these|those|he|she|you|i|there|we|to|and|or|if|then
    |which)\b)[a-z][\w-]+(?: [a-z][\w-]+){0,2}|we)"""
)

ORDERS: tuple[Rule, ...] = (
    Rule(
        "asks to remember it",
        "fact",
        0.85,
        compile_pattern(
            r"""^(?:(?:remember|keep in mind|bear in mind|don't forget|merk dir)(?: that |,? dass |:\s*)
            |for (?:future reference|the record)[,:]\s*)(?P<note>.+)"""
        ),
        words=3,
    ),
    Rule(
        "gives an order for the future",
        "feedback",
        0.9,
        compile_pattern(
            r"""^(?:(?:can|could|would|will) you (?:please )?)?(?:from now on|from here on(?: out)?
            |going forward|in (?:the )?future|henceforth
            |as a (?:general )?rule)[,:]?\s+(?:please |you should |you must |i want you to )?(?P<note>
            (?:(?:always|never|only|no|don't|do not|we|we'll|let's|all|every|each) )*\b(?:VERB
            |[a-z]+ (?:must|should|go))\b.+)"""
        ),
        allows=("report",),
    ),
    Rule(
        "gives an order for the future",
        "feedback",
        0.88,
        compile_pattern(
            r"""^(?:(?:can|could|would|will) you (?:please )?)?(?P<note>(?:(?:always|never|only|don't
            |do not|please|we) )*VERB .+?|i want .+?),? (?:from now on|going forward
            |in (?:the )?future)\b(?:\s+please)?\W*$"""
        ),
    ),
    Rule(
        "gives a standing order",
        "feedback",
        0.85,
        compile_pattern(
            r"""^(?:you (?:should|must|need to) |make sure (?:to|you) |i (?:want
            |need) you to |remember to |claude should |in this (?:repo|project
            |codebase)[,:]? )?(?P<note>(?:always|never(?! mind)) (?:ever )?VERB\b .+)"""
        ),
    ),
    Rule(
        "gives a standing order",
        "feedback",
        0.8,
        compile_pattern(
            r"""^(?P<note>(?:whenever|every time|each time|any ?time) (?:you
            |we) \w+[^,]*, (?:(?:please|always|never|also|don't) )*VERB\b.+)"""
        ),
        allows=("pointing",),
    ),
    Rule(
        "corrects the agent",
        "feedback",
        0.75,
        compile_pattern(rf"^{_REFUSAL}(?P<note>(?:we )?(?:{_DONT}|never|always) (?:ever )?VERB .+)"),
    ),
    Rule(
        "corrects the agent",
        "feedback",
        0.7,
        compile_pattern(
            rf"""^{_REFUSAL}(?P<note>(?:we )?use [^,.;]+?(?: here\b|,? (?:not|instead of|rather than
            |because|everywhere)\b).*)"""
        ),
        never=compile_pattern(r"\b(?:an?|that|this|my|your)\b|\w\(|\bline \d"),
    ),
    Rule(
        "corrects the agent",
        "feedback",
        0.65,
        compile_pattern(rf"^{_REFUSAL}(?P<note>use [\w.+#-]+)\W*$"),
        never=compile_pattern(r"\d|\(|_|(?-i:[a-z][A-Z])|use (?:one|two|both|sudo|force)\b"),
    ),
    Rule(
        "forbids something",
        "feedback",
        0.6,
        compile_pattern(
            rf"""^(?P<note>{_DONT} (?:ever VERB .{{4,}}|(?:use|mock|stub|commit|push|force-push|install
            |amend|hard-?code|swallow|bypass|disable|skip|squash|rebase|mention|include|rely|assume
            |invent|guess|ask me|apologi[sz]e|summari[sz]e|reformat|auto-?format|co-author|vendor
            |publish|add|write|catch|log|print|import) .{{5,}}))"""
        ),
        never=_TASK_OBJECT,
        words=3,
    ),
    Rule(
        "forbids something by hand",
        "constraint",
        0.65,
        compile_pattern(
            rf"""^(?P<note>{_DONT} (?:edit|touch|modify|change|delete|run|deploy) .*?\b(?:generated
            |by hand|manually|directly"""
            r"|in prod\w*|on prod\w*|vendored|under \S+/|in \S+/(?=\W|$)|without \w+ing).*)"
        ),
    ),
    Rule(
        "states a preference",
        "feedback",
        0.7,
        compile_pattern(
            r"""^i(?: would|'d|’d)? (?:really |much |strongly |generally |usually |always )*prefer[ ]
            (?P<note>(?!to (?:wait|see|know|hear)).{6,})"""
        ),
        lead="The user prefers",
        never=compile_pattern(
            r"^(?:that|it|this|both|not|option|the (?:one|first|second|way you)|if we (?:could|did))\b"
        ),
    ),
    Rule(
        "states a dislike",
        "feedback",
        0.65,
        compile_pattern(
            r"""^i (?P<note>(?:(?:really )?(?:hate|dislike)|(?:don't|do not) (?:like
            |want)) (?:it when you |you to (?:ever )?VERB ).{5,})"""
        ),
        lead="The user's own words: I",
    ),
    Rule(
        "asks to stop",
        "feedback",
        0.7,
        compile_pattern(
            r"""^(?P<note>(?:stop|quit) (?:adding|using|writing|apologi[sz]ing|creating|asking|mocking
            |committing|including|mentioning|summari[sz]ing|explaining|guessing|reformatting|putting
            |hard-?coding|importing|inventing)\b.*)"""
        ),
        never=_TASK_OBJECT,
    ),
    Rule(
        "gives a standing order",
        "feedback",
        0.75,
        compile_pattern(
            r"""^(?P<note>(?:for (?:every|each|all|any) [^,]{3,40}, |(?:when|if|before|after) (?:you
            |we) [^,]{3,50}, (?:always|never) )(?:please )?VERB .{3,})"""
        ),
    ),
    Rule(
        "names a rule",
        "constraint",
        0.85,
        compile_pattern(
            r"^(?:rule|policy|convention|constraint|requirement|house rule)s?\s*:\s*(?P<note>.{8,})"
        ),
        words=3,
    ),
    Rule(
        "wants it for everything",
        "feedback",
        0.7,
        compile_pattern(
            r"""^(?P<note>use [^,.;]{1,50} for (?:all|every|everything|any)\b.*
            |be (?:more )?(?:concise|brief|terse)\b.*|keep (?:your |the )?(?:answers?|responses?|replies
            |explanations?|comments?|summaries|commit messages)[ ](?:very |really )?(?:short|concise
            |brief|terse|simple|in (?-i:[A-Z])\w+)\b.*)"""
        ),
    ),
    Rule(
        "says what they always do",
        "feedback",
        0.7,
        compile_pattern(
            r"""^(?:when i [^,]{3,60} )?i
            [ ](?P<note>(?:always|never|only) (?:use|write|format|want|keep|deploy|commit|run)\b .{3,})"""
        ),
        lead="The user's own words: I",
        never=compile_pattern(r"\b(?:run (?:out|into)|use (?:it|that|this))\b"),
    ),
    Rule(
        "states how the project does it",
        "constraint",
        0.7,
        compile_pattern(
            rf"""^(?:here,? |in (?:this|our) (?:repo|project|codebase|team|code)\w*,? )?
            (?P<note>we (?:{_DONT}|never|always|only|no longer) (?:ever )?VERB .+)"""
        ),
        never=compile_pattern(r"\bwe (?:don't|do not) (?:think|work|tell|test it|do anything)\b"),
        words=4,
    ),
    Rule(
        "states how the project does it",
        "constraint",
        0.7,
        compile_pattern(
            r"""^(?P<note>(?:in (?:this|our) (?:repo|project|codebase|team)\w*,? we (?:use|write|keep
            |put|name|pin|deploy|test|run) .+|we use [^,.;]+?(?: here\b|,? (?:not|instead of
            |rather than) ).*|(?:this|our) (?:repo|project|codebase|repository) (?:uses|targets|supports
            |requires|runs on) .+))"""
        ),
        words=4,
    ),
    Rule(
        "sets a limit",
        "constraint",
        0.7,
        compile_pattern(
            rf"""^(?P<note>{_SUBJECT} (?:must (?:not|never|always)|may (?:not|never) (?:ever )?(?:VERB
            |exceed|access|depend|contain|hold)|mustn't|can never|should never|(?:is|are) not allowed to
            |(?:must|has to|have to|needs? to) (?:be (?:\w+ )?{_LIMIT}|stay|remain|keep working|fit
            |work (?:offline|without|on|with)|support|run (?:on|without|in under)|start in
            |take less))\b.*)"""
        ),
        never=_EPISTEMIC,
        words=4,
    ),
    Rule(
        "sets a rule for all",
        "constraint",
        0.7,
        compile_pattern(
            r"""^(?P<note>(?:no [^,;:]{2,60}? (?:may|can) (?:VERB|exceed|access|depend|contain|hold)
            |(?:all|every|each|any|no) (?!of (?:them|these|those|it)\b)[^,;:]{2,60}? (?:must|has to
            |have to|needs? to|may (?:only|not)|should (?:always|never)))\b.{4,})"""
        ),
        never=_EPISTEMIC,
        words=5,
    ),
)
