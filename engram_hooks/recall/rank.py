"""How likely it is that a prompt needs a record: words by rarity, meaning, matters, kind."""

from __future__ import annotations

from engram_hooks.recall import weights as w
from engram_hooks.recall.fields import AT, BM25, DETAIL, ID, KIND, SUMMARY, TAGS
from engram_hooks.recall.topics import find_topics, find_words, stem_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    from engram_hooks.recall.fields import Row

    Scored = tuple[float, Row, dict[str, Any]]  # Any: a reason is a number or a list of words
    Match = tuple[str, float, int]  # a term of the prompt, the weight of its form and place, where it stands

_FEW_RECORDS = 20
_MAX_FOLDED_ROWS = 10
_E = 2.718281828459045


def score(
    terms: Sequence[str],
    identifiers: Sequence[str],
    rows: Sequence[Row],
    *,
    df: Mapping[str, int],
    total: int,
    cosines: Mapping[int, float] | None = None,
    unread: Collection[int] = (),
    intent: str = "",
    near_tie: float = 0.0,
) -> list[Scored]:
    """Candidates with the probability (0 to 1) that they are needed and the reasons for it, best first.

    `rows` end with their bm25; `df` says in how many of the `total` records a term occurs (missing: in none).
    `cosines` gives the similarity of meaning by record id where vectors are at hand; records in `unread` have
    none yet and are judged by their words. `intent` is what `intent.find_intent` says. Of records whose log
    odds differ by at most `near_tie` the newest goes first.
    A score does not depend on the other rows, nor on their order.
    """
    prompt = _Prompt(terms, identifiers, df=df, total=total, intent=intent)
    if cosines:
        prompt.rest, prompt.lowest = _rest_of(cosines), min(cosines.values())
    scored: list[Scored] = []
    folds = _MAX_FOLDED_ROWS
    for row in sorted(rows, key=_by_bm25):
        text, lower, folds = _read(row, folds)
        cosine = cosines.get(row[ID], prompt.lowest) if cosines and row[ID] not in unread else None
        reasons = _judge(prompt, row, text, lower, cosine=cosine)
        is_blank = not reasons["matched"] and not reasons["matters"] and cosine is None
        value = 0.0 if is_blank else round(1.0 / (1.0 + _E ** -reasons["odds"]), 4)
        scored.append((value, row, reasons))
    return _order(scored, near_tie)


class _Prompt:
    """What is known of a prompt before any record is looked at."""

    __slots__ = ("asked", "intent", "lowest", "names", "others", "rarity", "rest", "stems", "topics")

    def __init__(
        self,
        terms: Sequence[str],
        identifiers: Sequence[str],
        *,
        df: Mapping[str, int],
        total: int,
        intent: str,
    ) -> None:
        self.rarity = weigh(terms, identifiers, df=df, total=total)
        self.stems = [(term, stem_of(term)) for term in self.rarity]
        self.names = frozenset(identifiers)
        self.topics = find_topics(terms)
        self.others = list(dict.fromkeys(pair for _, others in self.topics for pair in others))
        self.asked = sum(self.rarity.values()) or 1.0
        self.intent = intent
        self.rest = self.lowest = 0.0


def weigh(
    terms: Sequence[str], identifiers: Sequence[str], *, df: Mapping[str, int], total: int
) -> dict[str, float]:
    """The rarity of every distinct term in natural logarithms: over 4 for a word of one record in 150."""
    size = total + _FEW_RECORDS
    out = {}
    for term in (*identifiers, *terms):
        if term not in out:
            out[term] = _log((size + 1) / (df.get(term, 0) + 1))
    return out


def _judge(prompt: _Prompt, row: Row, text: str, lower: str, *, cosine: float | None) -> dict[str, Any]:
    """The log odds that a record is needed, and what they are made of."""
    rarity, names = prompt.rarity, prompt.names
    found = _place(find_words(text, lower, prompt.stems), row)
    words = sum(rarity[term] * place * (w.VERBATIM if term in names else 1.0) for term, place, _ in found)
    share = sum(rarity[hit[0]] * hit[1] for hit in found) / prompt.asked
    parts = _add_up(found, words, share=share, cosine=cosine, rest=prompt.rest)
    parts["kind"] = _suit(row[KIND], lower, prompt.intent)
    odds = sum(parts.values())
    matters: list[str] = []
    if prompt.topics and odds > w.HOPELESS:
        matters = _shared_matters(lower, prompt, {hit[0] for hit in found})
        value = w.LEXICAL_TOPIC if cosine is None else w.RECORD_TOPIC
        parts["matters"] = value * min(len(matters), w.MAX_MATTERS)
        odds += parts["matters"]
    return {
        "matched": [hit[0] for hit in found],
        "identifiers": [hit[0] for hit in found if hit[0] in names],
        "matters": matters,
        "coverage": round(share, 3),
        "bm25": row[BM25] if len(row) > BM25 else None,
        "cosine": cosine,
        "signals": parts,
        "odds": odds,
    }


def _add_up(
    found: Sequence[Match], words: float, *, share: float, cosine: float | None, rest: float
) -> dict[str, float]:
    """What words and meaning add to the log odds."""
    words = min(words, w.MAX_WORDS)
    is_pair, close = len(found) > 1, _closeness(found)
    if cosine is None:
        return {
            "start": w.LEXICAL_BIAS,
            "words": w.LEXICAL_WORDS * words,
            "share": w.LEXICAL_SHARE * min(share, 1.0),
            "pair": w.LEXICAL_PAIR * is_pair + w.LEXICAL_CLOSE * close,
        }
    return {
        "start": w.RECORD_BIAS,
        "words": w.RECORD_WORDS * words,
        "pair": w.RECORD_PAIR * is_pair + w.RECORD_CLOSE * close,
        "meaning": w.RECORD_MEANING * cosine,
        "gap": w.RECORD_GAP * (cosine - rest),
    }


def _closeness(found: Sequence[Match]) -> float:
    """The share of neighbouring matches that stand together."""
    if len(found) < 2:
        return 0.0
    spots = sorted(at for _, _, at in found)
    return sum(spots[i] - spots[i - 1] < w.CLOSE_CHARS for i in range(1, len(spots))) / (len(spots) - 1)


def _rest_of(cosines: Mapping[int, float]) -> float:
    """What records that are not the nearest have in common with this prompt."""
    values = sorted(cosines.values(), reverse=True)[w.REST_FROM : w.REST_TO]
    size = w.REST_TO - w.REST_FROM
    return (sum(values) + w.USUAL_COSINE * (size - len(values))) / size


def _suit(kind: str, lower: str, intent: str) -> float:
    """How well what a record is suits what a prompt is about."""
    if intent == "cause":
        return w.RECORD_REASON if any(word in lower for word in w.REASON_WORDS) else 0.0
    if kind == "incident":
        return w.RECORD_KIND if intent == "symptom" else -w.RECORD_KIND if intent else 0.0
    if kind == "state":
        return w.RECORD_KIND if intent == "status" else -w.RECORD_KIND if intent else 0.0
    return 0.0


def _shared_matters(lower: str, prompt: _Prompt, matched: set[str]) -> list[str]:
    """Words of the prompt that stand in the text under another word for the same matter."""
    present = [pair for pair in prompt.others if pair[1] in lower]
    if not present:
        return []
    words = {hit[0] for hit in find_words(lower, lower, present)}
    shared: list[str] = []
    for own, others in prompt.topics if words else ():
        left = [term for term in own if term not in matched and term not in shared]
        if left and any(word in words for word, _ in others):
            shared += left
    return shared


def _log(value: float) -> float:
    """The natural logarithm to five digits; loading the math module costs more than all of this room."""
    power: float = value**1e-7
    return (power - 1.0) * 1e7


def _by_bm25(row: Row) -> tuple[float, int]:
    return (float(row[BM25]) if len(row) > BM25 else 0.0, int(row[ID]))


def _read(row: Row, folds: int) -> tuple[str, str, int]:
    """Summary, tags and detail as one text, also in lower case; for a few rows with the folded accented words."""
    text = f"{row[SUMMARY]}\n{row[TAGS]}\n{row[DETAIL]}"
    if not text.isascii() and folds and any("\xc0" <= c < "\u0250" for c in text):
        from engram_hooks.terms import index_terms

        text, folds = f"{text}\n{index_terms(text)}", folds - 1
    lower = text.lower()
    return (text if len(lower) == len(text) else lower), lower, folds


def _place(found: list[Match], row: Row) -> list[Match]:
    """Matches weighed by where they stand: a summary says more than tags, and these more than the detail."""
    summary_end = len(row[SUMMARY])
    tags_end = summary_end + len(row[TAGS]) + 1
    return [
        (
            term,
            fit * (w.IN_SUMMARY if at <= summary_end else w.IN_TAGS if at <= tags_end else w.IN_DETAIL),
            at,
        )
        for term, fit, at in found
    ]


def _order(scored: list[Scored], near_tie: float) -> list[Scored]:
    """Best first; of those whose odds hardly differ the newest first, whatever the order of the input.

    Where ties are broken by age, records that hold the most of the names in the prompt go before all others:
    who asks for a thing by its name wants that thing.
    """
    scored.sort(key=lambda item: (-item[2]["odds"], -item[1][AT], -item[1][ID]))
    most = max((len(item[2]["identifiers"]) for item in scored), default=0)
    if near_tie and most:
        named = [item for item in scored if len(item[2]["identifiers"]) == most]
        others = [item for item in scored if len(item[2]["identifiers"]) < most]
        return _break_ties(named, near_tie) + _break_ties(others, near_tie)
    return _break_ties(scored, near_tie)


def _break_ties(scored: list[Scored], near_tie: float) -> list[Scored]:
    out: list[Scored] = []
    start = 0
    for i in range(1, len(scored) + 1):
        if i == len(scored) or scored[start][2]["odds"] - scored[i][2]["odds"] > near_tie:
            out.extend(sorted(scored[start:i], key=lambda item: (-item[1][AT], -item[1][ID])))
            start = i
    return out
