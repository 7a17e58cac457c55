"""Orders in English: to drop instructions, to be somebody else, to show what is hidden, to keep quiet about it."""

from __future__ import annotations

import re

# What stands before an order: nothing, a mark, or words that lead to one.
_LEAD = r"""(?:(?<![\w'-])(?:please|pls|kindly|now|then|and|but|just|simply|immediately|instead|also|first|finally|so|
    must|should|shall|always|ok(?:ay)?|important|urgent|note|warning|system|assistant|agent|claude|gpt|ai|llm|
    you\s+(?:will|can|may|need\s+to|have\s+to|are\s+to|ought\s+to|should\s+now|must\s+now|are\s+(?:now\s+)?
    (?:required|instructed|ordered|asked|told|commanded|allowed|free|permitted|authori[sz]ed|supposed)\s+to)|
    (?:need|want|order|command|require|ask|instruct|urge|advise|authori[sz]e)\s+you\s+to|
    (?:(?:make|be)\s+sure|remember|don'?t\s+forget|not\s+forget|try|proceed|begin|start|continue)\s+to|
    (?:time|going|safe|okay|tools?|best|better|necessary|essential|imperative)\s+to|let'?s|go\s+ahead\s+and|
    your\s+\w+(?:\s+\w+)?\s+is\s+to|task:?\s+(?:is\s+)?to)[\s,:;-]+|
    (?:^|[\n.!?:;,()\[\]{}"'`*_>|#=/\\<\u2026\u2014\u2013\u201c\u2018\xb7\u3002-])[\s*_"'`>\u2022]{0,9})$"""
_LEAD_CHARS = 48
_GAP = r"[\s\"'`*_,()-]+"

_DROP = r"""(?:ignore|disregard|forget(?:\s+about)?|discard|neglect|dismiss|bypass|override|overrule|
    overwrite|abandon|unlearn|
    erase|nullify|suspend|set\s+aside|put\s+aside|throw\s+(?:away|out)|pay\s+no\s+(?:attention|heed)\s+to|
    (?:do\s+not|don'?t|never|no\s+longer|stop|cease|quit|refuse\s+to|avoid)\s+
    (?:follow(?:ing)?|obey(?:ing)?|comply(?:ing)?\s+with|adher(?:e|ing)\s+to|listen(?:ing)?\s+to|heed(?:ing)?|
    respect(?:ing)?|apply(?:ing)?|be\s+bound\s+by))"""
_WHOSE = r"""(?:all|any|every|each|of|the|these|those|this|that|your|my|our|its|other|and|or|else|whatever|such|
    previous|previously|prior|above|earlier|preceding|foregoing|past|former|existing|current|original|initial|old|
    system|developer|operator|user|safety|security|ethical|moral|content|usage|given|default|built-?in|internal|
    hidden|core|standing|set|stated|provided|received|established|usual|normal|standard|aforementioned|active|
    list(?:ed)?|entire|whole|complete|remaining|conflicting|contrary|earlier-given|project|repo(?:sitory)?|company|
    human|admin(?:istrator)?|owner|team|reviewer|maintainer)(?:'s|s'|\u2019s)?"""
_STRONG_NOUN = r"""(?:instructions?|directives?|guidelines?|guidance|content\s+policy|prompts?|orders|
    commandments|guard-?rails?|programming|
    (?:safety|security)\s+(?:rules|measures|protocols?|checks|policies|policy|filters?)|training|briefing|directions|
    system\s+(?:rules|messages?|policy|policies)|alignment)"""
_WEAK_NOUN = r"""(?:rules?|context|constraints?|restrictions?|limitations?|limits|policy|policies|messages?|text|
    conversations?|boundaries|requirements|commands|tasks?|filters?|content|memory|memories|notes|input|restraints|
    safeguards?|principles|protocols?|settings|goals?|objectives?|turns?|statements?)"""
_WHEN = r"""(?:previous(?:ly)?|prior|above|earlier|preceding|foregoing|past|former|your|original|initial|
    aforementioned|old)"""
_BACK = r"""(?:above|before|earlier|previously|so\s+far|prior\s+to|until\s+now|up\s+to|you\s+(?:were|have|
    had|received|
    got|know|follow)|(?:we|i|they)\s+(?:gave|told|set|said)|given\s+to\s+you|that\s+(?:came|come|were|was)|
    from\s+(?:the\s+)?(?:user|system|developer|operator|your))"""
_ALL_SAID = r"""(?:everything|anything|all|whatever|what)(?:\s+(?:of|else|that|which|was|has|have|is|been|you|you'?ve|
    i|i'?ve|we|we'?ve|they|were|had|written|stated|in|this|the|conversation|chat|text|about|your|from|to|
    it)){0,6}?\s+(?:above|
    before|prior|previous(?:ly)?|earlier|preced\w+|told|said|learned|learnt|instructed|asked|so\s+far|know|knew|
    (?:came|comes|come)\s+before|to\s+do\s+(?:before|earlier))"""

_OVERRIDE = rf"""(?<![\w-])(?P<order>{_DROP}(?:
    (?:{_GAP}{_WHOSE})+{_GAP}{_STRONG_NOUN}\b|
    {_GAP}{_STRONG_NOUN}(?:\s+\w+)?\s+{_BACK}|
    (?:{_GAP}{_WHOSE})*{_GAP}{_WHEN}(?:{_GAP}{_WHOSE})*{_GAP}{_WEAK_NOUN}\b|
    (?:{_GAP}{_WHOSE})*{_GAP}{_WEAK_NOUN}\s+{_BACK}|
    \s+(?:about\s+)?{_ALL_SAID}\b))"""
_VOID = rf"""(?<![\w-])(?P<order>(?=(?:\w+\s+){{0,3}}?(?:your|all|{_WHEN}|what|everything|any|safety|system)\b)
    (?:{_WHOSE}\s+)*(?:{_STRONG_NOUN}|(?:what|everything|all)\s+(?:that\s+)?you\s+(?:were|have\s+been)\s+told|rules|
    constraints|restrictions|limitations)\s+
    (?:(?:above|before|earlier|that|which|you|i|we|were|was|are|have|had|has|been|given|received|told|got|so|far|
    until|now|to|by|the|user|here)\s+){{0,6}}?
    (?:(?:were|was)\s+(?:only\s+|just\s+)?(?:a\s+test|a\s+joke|for\s+testing)|(?:are|is|have\s+been|
    has\s+been|become|no\s+longer)\s+
    (?:(?:now|hereby|all|therefore|officially|completely|entirely|currently|temporarily)\s+)*
    (?:(?:only\s+|just\s+)?(?:a\s+test|a\s+joke|for\s+testing)|void|cancell?ed|revoked|
    rescinded|suspended|lifted|null|superseded|obsolete|invalid|withdrawn|overridden|
    replaced|deleted|erased|no\s+longer\s+(?:valid|apply|applicable|binding|in\s+(?:effect|force))|appl(?:y|ies)\b))
    [^.!?\n]*)"""
_NEW_TASK = r"""(?<![\w-])(?P<order>(?:
    (?:(?:your|the|here\s+(?:is|are)\s+(?:your|the))\s+)?(?:new|updated|real|actual|true|revised|changed|only)\s+
    (?:(?:system|developer|operator|secret|hidden|urgent|priority|primary)\s+)?(?:instructions?|task|
    objective|goal|mission|directives?|orders?|prompt|role|
    purpose)(?:\s+(?:from|by|for)\s+[^.:\n]{1,40})?\s*(?:is|are|:|begins?|follows?)(?=.{0,12}\S{2})|
    (?:follow|obey|execute|comply\s+with|adhere\s+to|carry\s+out)\s+(?:only\s+)?(?:these|the\s+following|my|
    those|this)\s+
    (?:new|instead|updated|secret|hidden|real)\s*(?:instructions?|orders?|directives?|rules)?|
    (?:these|the\s+following|this)\s+(?:instructions?|rules|message|text|prompt|note)\s+(?:override|supersede|replace|
    take\s+(?:precedence|priority)\s+over|overrule|outrank)s?\s[^.\n]{0,60}(?:instructions?|rules|prompts?|guidelines|
    directives|else|others?)|
    (?:stop|pause|halt|abort|abandon|cancel|drop)\s+(?:what\s+you\s+are\s+doing|what\s+you're\s+doing|
    (?:the|your|this|all)\s+(?:current|present|original|
    assigned|other|ongoing)?\s*(?:task|work|job|goal|objective|review|analysis)s?)\s*(?:and|,|;|\.)|
    do\s+the\s+(?:exact\s+)?opposite\s+of\s+(?:what|your|the\s+(?:instructions|rules|user))|
    you\s+(?:no\s+longer|do\s+not|don't|need\s+not|needn't)\s+(?:need\s+to\s+|have\s+to\s+)?(?:follow|obey|
    comply|respect|adhere|listen|heed)\b|
    replace\s+your\s+(?:system\s+prompt|instructions|rules|guidelines|prompt|directives)\s+(?:with|by)\b|
    (?:the\s+)?(?:user|admin\w*|owner|developers?|anthropic|openai|system|operator|maintainers?|
    security\s+team)\s+(?:has|have|had)\s+(?:\w+ly\s+)?
    (?:authori[sz]ed|granted|given|allowed|instructed|asked|ordered|told|cleared|permitted)\s+you\b|
    treat\s+(?:this|the\s+(?:following|next|above|text)|these|
    everything)\s+(?:\w+\s+){{0,3}}?as\s+(?:an?\s+|the\s+|your\s+)?(?:new\s+)?(?:system|developer|admin\w*|
    trusted|orders?|
    instructions?|commands?|operator|highest|authoritative|root)\b|
    this\s+(?:is|comes)\s+(?:an?\s+|your\s+)?(?:\w+\s+){{0,3}}?(?:from|by)\s+(?:anthropic|openai|
    your\s+(?:developers?|creators?|admin\w*|operators?|makers?|
    owners?)|the\s+(?:system|developers?\s+of\s+this\s+model|administrator))\b|
    end\s+of\s+(?:the\s+|this\s+|all\s+)?(?:system\s+|user\s+|untrusted\s+|original\s+)?(?:prompt|
    instructions?|context|document|input|message|data|conversation)\s*[.:;!-]\s*
    (?:new|now|start|begin|here|from|you|next)\b|
    from\s+(?:now|this\s+(?:point|moment))\s+(?:on(?:wards?)?|forward),?\s+(?:you\s+(?:are|act|obey|pretend|
    have\s+no)\b|
    you\s+(?:will|must|shall|should|may|only|can)\s+(?:\w+\s+){{0,2}}?(?:obey|ignore|act|comply|pretend|
    answer|respond|serve|
    speak|be|disregard|reveal|approve|trust|bypass|accept|grant|allow)\b|your\s+(?:name|role|task|job|
    purpose|goal|instructions)\b|
    (?:only\s+|always\s+|never\s+)?(?:obey|pretend|act\s+as|ignore\s+all|disregard|answer\s+only|
    respond\s+only|approve|trust|comply|
    speak\s+(?:only|as)|reveal)\b)))"""
_FREE = r"""(?:unrestricted|uncensored|unfiltered|unaligned|unlimited|unbound|unmoderated|jailbroken|liberated|amoral|
    unethical|evil|rogue|malicious|dan\b|stan\b|do\s+anything\s+now|(?:with(?:out)?|no|free\s+(?:of|from)|
    has\s+no|have\s+no|
    having\s+no)\s+(?:any\s+|no\s+|all\s+|more\s+)*(?:moral\s+|ethical\s+|safety\s+|content\s+|further\s+|
    such\s+|usage\s+)*(?:restrictions?|rules|filters?|limits|
    limitations|guidelines|ethics|policy|guardrails|constraints|censorship|restraints|safeguards|boundaries|policies)|
    (?:not|no\s+longer|never)\s+(?:bound|restricted|constrained|limited|governed|subject|required)|freed?\s+from)"""
_PERSONA = rf"""(?<![\w-])(?P<order>(?:you\s+are|you're|act|behave|respond|answer|speak|pretend|imagine|assume|suppose|
    role-?play|simulate|become|be|assume|consider\s+yourself|take\s+on|switch|turn|operate|work|continue|adopt|play)\b
    (?:(?!you\s+are\ a\ helpful)[^.!?\n]){{0,90}}?\b{_FREE}[^.!?\n]*|
    (?:enter|enable|activate|switch\s+(?:in)?to|go\s+into|engage|turn\s+on|boot\s+into|start)\s+(?:\w+\s+){{0,2}}?
    (?:dan|god|jailbreak|sudo|unrestricted|unsafe|developer|uncensored|evil|opposite|administrator|admin|maintenance|
    root|superuser)\s+mode\b(?=[^\n]{{0,80}}\b(?:you|your|ignor|all|without|no\s+|output|print|reveal|
    disable|obey|answer|and|unlock)|\s*[.!]?\s*$)|
    (?:dan|god|jailbreak|unrestricted|developer|uncensored|maintenance|debug|root|
    admin)\s+mode\s+(?:is\s+)?(?:now\s+|hereby\s+)*
    (?:enabled|activated|active|on|unlocked|engaged)\b[^.!?\n]*|
    you\s+are\s+now\s+(?:(?:going\s+to\s+|to\s+)?(?:act|behave|operat|play|speak|respond)\w*|
    in\s+(?:\w+\s+)?(?:developer|god|
    dan|jailbreak|debug|maintenance|root|admin|sudo|unrestricted)\s+mode|(?:an?|the|my|our)\s+(?:[\w-]+\s+){{0,4}}?
    (?:ai|bot|assistant|agent|model|persona|character|hacker|pirate|shell|terminal|interpreter|superuser|chatbot|
    root\s+shell|dan)\b)[^.!?\n]*)"""
_SHOWN = r"""(?:print|reveal|show|repeat|output|display|tell|disclose|leak|dump|recite|summari[sz]e|expose|
    give|write(?:\s+out)?|
    echo|share|state|return|spell\s+out|paste|translate|encode|send|read\s+out|quote|copy)"""
_REVEAL = rf"""(?<![\w-])(?P<order>{_SHOWN}\s+(?:(?:me|us|out|back|here|verbatim|exactly|to\s+me)\s+)*
    (?:(?:the|your|all|of|full|entire|exact|complete|hidden|secret|original|initial|above|whole|verbatim|current|own|
    text|contents?|everything\s+in)\s+){{0,6}}
    (?:(?:your|hidden|secret|original|initial|above|full|entire|exact|complete|
    verbatim)\s+(?:system\s+)?(?:prompt|instructions|
    system\s+message|directives|guidelines|configuration\s+prompt|developer\s+message)|
    (?:system|developer|pre-?)\s*prompt(?=[^.\n]{{0,60}}(?:verbatim|word\s+for\s+word|in\s+full|to\s+(?:me|
    us|http|the\s+user)|
    here|above|http|and\s|,|[.!]|$))|system\s+(?:message|instructions)\b|
    instructions\s+(?:you\s+(?:were|have\s+been|received)|above|given\s+to\s+you)|
    (?:everything|all\s+text|text|words|lines|content)\s+(?:above|before)\s+(?:this|the)\s+(?:line|message|
    point|text|sentence|prompt))\b)"""
_PEOPLE = r"""(?:the\s+|your\s+|any\s+|to\s+the\s+|a\s+)?(?:users?|humans?|operators?|developers?|owners?|
    anyone|anybody|them|him|her|people|
    maintainers?|reviewers?|person|team|principal|customer|admins?)"""
_QUIET = rf"""(?<![\w-])(?P<order>(?:(?:do\s+not|don'?t|never|must\s+not|mustn'?t|cannot|should\s+not|avoid|
    refrain\s+from|without)\s+
    (?:ever\s+)?(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|alert(?:ing)?|notify(?:ing)?|warn(?:ing)?|
    talk(?:ing)?|bring(?:ing)?)\s+
    (?:(?:about\s+)?(?:this|it|that|these|any\s+of\s+this|anything|the\s+above|(?:this|the|these|
    that)\s+(?:\w+\s+)?(?:note|message|instructions?|step|change|
    request|action|command|comment|order|task|text|file))\s+(?:\w+\s+){{0,5}}?to\s+{_PEOPLE}|
    {_PEOPLE}\s+(?:about\s+|of\s+|that\s+you|what\s+you|why\s+you|anything|this|it\b)[^.!?\n]{{0,60}})|
    (?:do\s+not|don'?t|never)\s+(?:ever\s+)?(?:report|reveal|disclose|explain|show|say)\s+
    (?:(?:this|it|that|anything)\s+)?to\s+the\s+(?:user|human|operator)\b|
    without\s+(?:telling|informing|notifying|asking|alerting)\s+(?:the\s+)?(?:user|human|operator|anyone)\b|
    (?:keep|hide|conceal|withhold)\s+(?:this|it|that|these|all\s+of\s+this|everything|the\s+(?:change|
    action|request|step|command)s?)\s+
    (?:\w+\s+){{0,2}}?(?:from|between\s+us)\s*(?:{_PEOPLE})?|
    (?:do\s+not|don'?t|never)\s+(?:ask|wait|request|
    seek)\s+(?:\w+\s+){{0,2}}?(?:for\s+)?(?:\w+\s+)?(?:the\s+(?:user|human|operator)\b)
    (?=[^\n]{{0,60}}\b(?:user|just|simply|before|and|run|,|[.!]|$))))"""
_ASKED = rf"""(?<![\w-])(?P<order>what\s+(?:are|is|were|was)\s+your\s+(?:initial|original|system|hidden|exact|
    secret)\s+(?:prompt|
    instructions|message|rules|directives)\b|
    {_SHOWN}\s+(?:me\s+|us\s+)?(?:all\s+(?:of\s+)?)?(?:the\s+)?(?:words|text|everything|lines|all|messages?)\s+
    (?:above\b|(?:that\s+)?you\s+(?:were|have\s+been)\s+(?:told|given|instructed)\b|
    (?:you\s+)?received\s+before\b))"""
_DECODE = r"""(?<![\w-])(?P<order>(?:decode|decipher|decrypt|unscramble|de-?obfuscate|base64[ -]?decode|rot13|unhex|
    reverse|translate|interpret|read|assemble|concatenate|join|take)\b[^.!?\n]{0,90}\b(?:and|then|,)\s+(?:then\s+)?
    (?:follow|execute|run|obey|comply|carry\s+out|do\s+(?:what|as|it|exactly)|act\s+on|perform|eval(?:uate)?|apply)\b
    (?:\s+(?:the\s+)?(?:it|them|result\w*|instructions?|orders?|commands?|output|what\w*|as|that|this|
    decoded|hidden|with|on|its|steps?))
    [^.!?\n]*)"""
# (pattern, kind, stems of which one must be there): compiled where a stem is, for that takes longer than most texts
_TABLE = tuple(
    (pattern, kind, stems.split())
    for pattern, kind, stems in (
        (
            _OVERRIDE,
            "override",
            """ignor disregard forget discard neglect dismiss bypass overr overw abandon unlearn erase nullify
            suspend aside throw attention heed follow obey comply adher listen respect apply bound""",
        ),
        (
            _VOID,
            "override",
            """void cancel revoked rescinded suspended lifted null superseded obsolete invalid withdrawn
            overridden replaced deleted erased longer test joke""",
        ),
        (
            _NEW_TASK,
            "override",
            "new follow obey these this from your stop drop abort you end treat opposite real true only",
        ),
        (
            _PERSONA,
            "persona",
            """restrict censor filter align limit bound moderat jailbr liberat moral ethic evil rogue malicious
            dan anything
            polic rules guard mode free now""",
        ),
        (_REVEAL, "reveal", "prompt instruction message above before directive guideline"),
        (_ASKED, "reveal", "above told given instructed received your"),
        (_QUIET, "concealment", "not n't never without keep hide conceal avoid refrain withhold dont"),
        (
            _DECODE,
            "encoded",
            "decod deciph decry scramb obfusc rot13 unhex revers transl interp join assem conca read take",
        ),
    )
)
_BEFORE = re.compile(_LEAD, re.X)


def find_phrases(text: str) -> list[tuple[int, int, str]]:
    """(start, end, kind) of each order in a folded text; the words that only lead to it are outside."""
    found: list[tuple[int, int, str]] = []
    for pattern, kind, needed in _TABLE:
        if not needed or any(word in text for word in needed):
            for match in re.compile(pattern, re.X).finditer(text):
                if is_led_to(text, match.start("order")):
                    found.append((*match.span("order"), kind))
    return found


def is_led_to(text: str, at: int) -> bool:
    """Whether a verb at `at` of a folded text is an order there: nothing but marks or 'please' before it."""
    return at == 0 or _BEFORE.search(text[max(0, at - _LEAD_CHARS) : at]) is not None
