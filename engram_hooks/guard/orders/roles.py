"""Labels that pose as another speaker of the conversation, and delimiters of model templates."""

from __future__ import annotations

import re

_BRACKETS = re.compile(
    r"""[\[\uff3b]\s{0,3}/?\s{0,3}(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT|
    /?SYSTEM\s+(?:PROMPT|MESSAGE|OVERRIDE|REMINDER|NOTE|NOTICE)|
    system[-_ ]reminder|(?:begin|end|start)[ _](?:of[ _])?(?:system|instructions?|prompt|user|
    assistant)[\w ]{0,20})\s{0,3}[\]\uff3d:]
    |\{\{[\#~/]{0,2}(?:system|user|assistant)~?\}\}|<\s?/?\s?function=|GPT4\ Correct\ (?:User|Assistant):
    |<{1,3}/?\s{0,2}/?SYS>{1,3}|<\s{0,2}/?\s{0,2}(?:start_of_turn|end_of_turn|begin_of_text|start_header_id|
    end_header_id|eot_id|im_start|im_end|endoftext|
    s|bos|eos)\s{0,2}>(?=\s*(?:\[INST|system|user|assistant|model|human|[\uff3b<]\|))""",
    re.X | re.I,
)
_SPEAKER = re.compile(
    r"(?:^|\n)[ \t]{0,3}(?:>[ \t]{0,3}){0,3}((?:\*\*|__|\#{1,6}[ \t]{0,3}|\[|<<?|\()?(?:Human|Assistant|"
    r"HUMAN|ASSISTANT)(?:\]|>>?|\))?(?:\*\*|__)?[ \t]{0,2}(?::|\uff1a)(?:\*\*)?)(?=[ \t\n]|$)"
)
_SYSTEM = re.compile(
    r"""(?:^|\n|(?<=[.!?]\s)|(?<=---\s))[ \t>]{0,6}((?:\*\*|__|\#{1,6}[ \t]{0,3}|\[{1,2}|<{1,2}|\(|
    ={2,8}[ \t]?|-{3,8}[ \t]?|/{2}[ \t]?|\*[ \t]|>{1,4}[ \t]?)?
    (?:system|developer|user|admin(?:istrator)?|operator|anthropic|openai|moderator|
    supervisor|instructions?|response|input)
    (?:[ _-](?:prompt|message|instructions?|override|note|notice|reminder|update|alert|command|policy|
    directive|request|result|output|response|role|admin|team|
    administrator|notification|mode|log|announcement|warning)){0,2}
    (?:\]{1,2}|>{1,2}|\)|[ \t]?={2,8}|[ \t]?-{3,8})?(?:\*\*|__)?[ \t]{0,2}(?::|\uff1a|
    (?<=[\]>=)-]))(?:\*\*)?)(?=[ \t\n]{0,3}(?P<said>[^\n]{2,300}))""",
    re.X | re.I,
)
_CERTAIN = re.compile(
    r"^\W{0,9}(?:(?:system|developer)[ _-](?:prompt|message|instructions?|override|note|notice|reminder|"
    r"update|alert|directive|command|policy|notification)\b|SYSTEM\W)|^\W{0,9}\#{2,6}\s?(?:system|user|"
    r"input|instruction|response)\s?:",
    re.I,
)
_ORDERLY = re.compile(
    r"""\b(?:you|your|yourself|ignore|disregard|forget|override|obey|comply|always|never|do\s+not|don't|
    must|from\s+now|new\s+(?:instructions?|rules?|task)|
    please|reveal|print|output|execute|run|delete|send|grant|allow|approve|disable|bypass|enable|
    unrestricted|permission\w*|instructions?|assistant|agent|
    model|prompt|confirmed|authori[sz]ed|trusted|is\s+now|trust|skip|upload|proceed|answer|respond|reply)\b""",
    re.X | re.I,
)
_BANNER = re.compile(
    r"""(?:[-=*\#<\[(_~]{2,40}[ \t]{0,3})(?:(?:begin|end|start|new|stop|close|
    resume)(?:ning)?[ _]+(?:of[ _]+)?)?(?:the[ _]+|all[ _]+|your[ _]+|new[ _]+)?
    (?:system|untrusted|user|tool|assistant|engram|retrieved|external|developer|trusted|admin|memory|hidden|
    recalled|stored|prompt|instructions?|context|conversation|document|quoted|notes?|data|search|input)
    (?:[ _]+(?:prompt|message|messages|data|input|inputs|content|context|output|result|results|
    instructions?|block|section|turn|notes|memory|memories|text|override|
    document|documents|query|record|records|mode|reminder)){0,3}(?:[ _]+(?:begins?|ends?|starts?|
    follows?))?(?:[ \t]{0,3}[-=*\#>\])_~]{2,40})""",
    re.X | re.I,
)
_BANNER_SURE = re.compile(
    r"system|untrusted|engram|assistant|instruction|prompt|trusted|(?:tool|user|retrieved|external|"
    r"recalled|stored|developer)[ _]+\w|(?:end|stop|close)\w*[ _]+(?:of[ _]+)?(?:the[ _]+)?(?:context|"
    r"conversation|memory|document|data|notes?|input|user)",
    re.I,
)


def find_roles(text: str) -> list[tuple[int, int, str]]:
    """(start, end, kind) of labels and delimiters with which a text pretends that somebody else speaks."""
    found: list[tuple[int, int, str]] = []
    if "[" in text or "<" in text or "\uff3b" in text:
        found += [(*match.span(), "delimiter") for match in _BRACKETS.finditer(text)]
    if ":" in text or "\uff1a" in text or "]" in text or "=" in text or "-" in text or ">" in text:
        found += [(*match.span(1), "role") for match in _SPEAKER.finditer(text)]
        for match in _SYSTEM.finditer(text):
            said = match["said"]
            if (_CERTAIN.search(match[1]) and _ORDERLY.search(said)) or (
                is_announced(text, match.start(1)) and _ORDERLY.search(said) and _speaks_to_you(said)
            ):
                found.append((*match.span(1), "role"))
    found += [
        (*match.span(), "delimiter") for match in _BANNER.finditer(text) if _BANNER_SURE.search(match[0])
    ]
    return found


def is_announced(text: str, at: int) -> bool:
    """Whether a label at `at` opens the text or a paragraph, as a turn of a conversation does."""
    before = text[max(0, at - 8) : at].rstrip(" \t>")
    return not before or not before.strip() or before.endswith(("\n\n", ". ", "! "))


def _speaks_to_you(said: str) -> bool:
    low = said.lower()
    return (
        re.search(
            r"\b(?:you|your|ignore|disregard|obey|instructions?|assistant|agent|override|from now|permission\w*|"
            r"unrestricted)\b",
            low,
        )
        is not None
    )
