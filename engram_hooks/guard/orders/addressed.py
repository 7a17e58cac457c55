"""Sentences that speak to an agent rather than to a reader, and whether what they ask for is dangerous."""

from __future__ import annotations

import re

_AGENT = r"""(?:(?:(?:ai|llm|language|coding|code|automated|autonomous|virtual|chat|
    artificial\s+intelligence|generative)[\s-]+){1,3}
    (?:agents?|assistants?|models?|tools?|bots?|systems?|reviewers?|helpers?|copilots?)|llms?|ais?|
    claude(?:\s+code)?|chatgpt|gpt-?\d*|
    copilot|cursor|codex|gemini|chatbots?|ai|agents|assistants)"""
_SPOKEN_TO = re.compile(
    rf"""(?<![\w-])(?:
    (?:important|attention|note|notice|notes|message|reminder|warning|instructions?|directive|
    info(?:rmation)?|urgent|critical|
    memo|hint|hey|hi|hello|dear|psa|request|addressed|for)
    (?:[\s,:!*_-]+(?:\w+\s+){{0,2}}?(?:for|to|all|any|the|every|our|fellow|other|processing|reading|
    this)){{0,4}}[\s*_]*
    \b{_AGENT}\b(?:\s+(?:that\s+|who\s+)?(?:reading|processing|reviewing|using|working|only|read|sees?|
    reads?|parsing|users?)[^:.,\n!]{{0,40}})?[\s*_]*[:,!.\n\u2014\u2013-]|
    (?:if|when|since|as|in\s+case|should)\s+(?:you\s+are|you're|you\s+be|an?\s+you)\s+(?:an?\s+|the\s+)?{_AGENT}\b|
    (?:if|when|whenever)\s+(?:an?\s+|any\s+|the\s+)?{_AGENT}\s+(?:is\s+|are\s+)?(?:reads?|reading|sees?|
    processes|processing|encounters?|summari[sz]\w+|
    reviews?|opens?|parses|gets)\b|
    as\s+(?:an?|the)\s+{_AGENT}\s*,?\s+(?:you|your)\b|
    @(?:claude|copilot|cursor|codex|gemini)\b|
    (?:when|whenever|if|once|after|as\s+soon\s+as|before|upon|every\s+time|each\s+time|
    (?:the\s+)?next\s+time|while)\s+(?:you\s+(?:are\s+)?|an?\s+\w+\s+)?
    (?:see|read|open|process|summari[sz]ing|encounter|review|load|parse|fetch|index|reading|opening|summari[sz]e|
    summari[sz]ing|processing|reviewing|loading|receive|find|
    analy[sz]e|analy[sz]ing|parsing|come\s+across|scan|ingest)s?\s+(?:this|these)\b|
    (?:^|(?<=\n))[\w-]{{0,24}}(?:\bai|agent|assistant|llm|claude|copilot|gpt|prompt)[\w-]{{0,24}}
    (?:\s(?:instructions?|notes?|directives?|policy|rules?|orders?))?:\s|
    (?:^|(?<=[\n.!?>*:\#(\[-])|(?<=[\n.!?>*:\#(\[-]\s))\s{{0,3}}(?:claude(?:\s+code)?|chatgpt|copilot|
    assistant|agent|ai|llm|ai\s+(?:agent|assistant)|coding\s+agent|
    model)\s*[,:]\s+\w|
    (?:(?:any|all|every|the)\s+|(?:^|(?<=[\n.!?>*:#]\s)|(?<=\n)))(?:{_AGENT})\s+(?:\w+\s+){{0,4}}?(?:must|
    shall|should|have\s+to|needs?\s+to|
    are\s+(?:required|instructed|expected)\s+to|is\s+(?:required|
    instructed|expected)\s+to)\b)""",
    re.X,
)
SECRETS = r"""(?:\.env\b|\benv(?:ironment)?\s+(?:vars?|variables?|file)|api[\s_-]*keys?|
    access[\s_-]*(?:keys?|tokens?)|auth\w*\s+tokens?|tokens?|credentials?|secrets?|
    passwords?|passphrases?|private\s+keys?|ssh\s+keys?|id_rsa|id_ed25519|\.ssh\b|\.aws\b|\.npmrc|\.netrc|
    \.pypirc|\.kube|/etc/(?:passwd|shadow)|keychain|wallet|
    seed\s+phrase|cookies?|conversation(?:\s+(?:history|so\s+far))?|chat\s+(?:history|log)|system\s+prompt|
    transcripts?|memory|source\s+code|
    customer\s+(?:data|records)|user\s+data|personal\s+data|\bpii\b|\benv\b|environ\b|printenv|git\s+config)"""
DANGER = re.compile(
    rf"""{SECRETS}|https?://|\b(?:curl|wget|sudo|chmod|rm\s+-\w*[rf]|eval|exfiltrat\w*|upload|send|post|
    e-?mail|webhook|push|commit\s+directly|merge|approve\w*|
    grant\w*|allow\w*|permissions?|bypass\w*|skip\w*|disable\w*|ignore\w*|disregard\w*|forget\w*|
    override\w*|delete\w*|remove\w*|wipe\w*|erase\w*|drop|
    overwrite\w*|install\w*|download\w*|execute\w*|silently|secretly|quietly|covertly|without\s+(?:ask|tell|
    confirm|review|notif|mention)\w*|
    do\s+not\s+(?:tell|mention|ask|report|flag|warn|reveal|review|scan)|don'?t\s+(?:tell|mention|ask|report|
    flag|warn|review)|never\s+(?:tell|mention|ask|report|flag|warn|refuse)|
    system\s+prompt|your\s+(?:instructions?|rules|guidelines|memory)|from\s+now\s+on|no-verify|force|
    backdoor|vulnerab\w*|\.(?:bashrc|zshrc|profile|github/workflows)|authorized_keys|cron(?:tab|\s+job)|
    replace\s+all|transfer|
    reveal|print|cat|output|leak|base64|decode\w*|trust\w*|obey\w*|comply)\b""",
    re.X,
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")
_MAX_SENTENCE_CHARS = 400


def find_addressed(text: str) -> list[tuple[int, int, bool]]:
    """(start, end, whether it asks for something dangerous) of each sentence that is addressed to an agent."""
    found: list[tuple[int, int, bool]] = []
    for match in _SPOKEN_TO.finditer(text):
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        end = end_of_sentence(text, match.end())
        following = text[end : end + 2].strip(" ")
        if end - match.end() < 3 and following != "\n\n":  # "Dear assistant!" and then the order
            end = end_of_sentence(text, end + 1)
        found.append((start, end, DANGER.search(text, match.end(), end) is not None))
    return found


def end_of_sentence(text: str, at: int) -> int:
    """Where the sentence that `at` stands in ends: at its mark, or with its line."""
    if at and text[at - 1] in ".!?" and (text[at : at + 1].isspace() or at == len(text)):
        return at
    stop = min(len(text), at + _MAX_SENTENCE_CHARS)
    match = _SENTENCE_END.search(text, at, stop)
    return stop if match is None else match.start() + (text[match.start()] in ".!?")
