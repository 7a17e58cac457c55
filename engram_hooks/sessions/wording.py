"""How a kept sentence is worded as a note: one sentence, without fillers, short enough to be shown."""

from __future__ import annotations

import re

MAX_SUMMARY_CHARS = 200

VERBS = (
    "use|run|write|commit|push|force-push|add|install|put|keep|prefer|format|reformat|test|mock|stub|ask|check|create|edit"
    "|touch|modify|delete|remove|log|name|pin|import|export|include|end|show|explain|answer|reply|respond|speak"
    "|read|update|bump|upgrade|merge|rebase|squash|deploy|call|return|throw|catch|swallow|raise|handle|validate"
    "|escape|quote|set|store|hardcode|hard-code|disable|enable|generate|document|sign|tag|make|pass|wrap|follow"
    "|avoid|stick|expose|inline|mention|change|rewrite|refactor|rename|bypass|rely|assume|guess|invent|apologise|apologize"
    "|summarise|summarize|round|convert|build|lint|type|annotate|review|verify|confirm|amend|stage|restart|drop|truncate"
    "|migrate|send|publish|release|translate|cache|retry|share|copy|trust|suggest|propose|cite|print|sort|declare|define"
    "|open|close|leave|give|provide|prefix|suffix|indent|target|support|ship|vendor|fork|squelch|suppress|batch"
    "|parametrize|parameterize|extend|subclass|instantiate|nest|start|begin|stop|do|let|work|think|tell|list|link"
)
_SENTENCE_WORDS = frozenset(
    (
        "the a an all every each any no never always don't do we i our my it when whenever if in on at for with by to"
        " from go stick stay switch move migrate support cap lead tests commits code docs please only must both"
        " everything nothing ab immer nie niemals bitte wir keine toujours jamais ne nous siempre nunca"
    ).split()
) | frozenset(VERBS.split("|"))
_OPENER = re.compile(
    r"^(?:(?:ok(?:ay)?|so|well|also|and|but|btw|by the way|hey|hi|hello|please|pls|actually|alright|right|great|perfect"
    r"|fine|good|yes|yeah|yep|cool|nice|thanks|thank you|one more thing|another thing|oh|ah|hm+|wait|sure|important"
    r"|reminder|note|just so you know|fyi|again|team|claude|looks good|sounds good|(?:that )?makes sense|agreed"
    r"|that works|bitte|und|übrigens|por favor|s'il (?:te|vous) plaît)(?:\s*[,:;!.–—-]+\s*|\s+))+",
    re.IGNORECASE,
)
_CLOSER = re.compile(
    r"[\s,]*\b(?:please|pls|thanks|thank you|thx|ok(?:ay)?|right|bitte|danke)[\s.!]*$", re.IGNORECASE
)
_EDGE = " \t,;:–—-*_"


def strip_opener(sentence: str) -> str:
    """Without "ok, so please ..." at the front; as it is where nothing else would be left."""
    rest = _OPENER.sub("", sentence, count=1)
    return rest or sentence


def phrase(note: str, *, lead: str = "", max_chars: int = MAX_SUMMARY_CHARS) -> str:
    """The note as one sentence of at most `max_chars` characters, `lead` in front of it."""
    note = _CLOSER.sub("", strip_opener(" ".join(note.split()))).strip(_EDGE)
    note = note.rstrip(" .!") if not note.endswith("etc.") else note
    text = f"{lead} {note}" if lead else note
    first = text.split(" ", 1)[0]
    if first.lower() in _SENTENCE_WORDS and first.islower():
        text = text[0].upper() + text[1:]
    if len(text) >= max_chars:
        return text[: max_chars - 1].rsplit(" ", 1)[0].rstrip(_EDGE) + "…"
    return text if text.endswith(("?", "…")) else text + "."
