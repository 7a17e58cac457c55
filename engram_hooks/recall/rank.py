"""How well a record answers a prompt, on an absolute scale: words by rarity, names, place, kind, age."""

from __future__ import annotations

from engram_hooks.recall.fields import AT, BM25, DETAIL, ID, KIND, SUMMARY, TAGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from engram_hooks.recall.fields import Row

    Scored = tuple[float, Row, dict[str, Any]]  # Any: a reason is a number or a list of words

# How much matching rarity is half-way convincing; the floors of the gate are set against it.
MASS_UNIT = 6.0
NEAR_TIE = 0.03
CLOSE_CHARS = 30
MAX_WEIGHED_TERMS = 10
_FEW_RECORDS = 20
_IN_SUMMARY, _IN_TAGS, _IN_DETAIL = 1.0, 0.9, 0.6
_STEMMED = 0.9
_KIND_BONUS = {"constraint": 0.04, "incident": 0.03, "decision": 0.03, "feedback": 0.02, "procedure": 0.02}
_SUFFIXES = frozenset(
    ("", "s", "es", "ed", "d", "e", "y", "ies", "ied", "ing", "er", "ers", "r", "rs", "ly", "n")
)
_ENDINGS = ("ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "s", "e", "y")
_MAX_FOLDED_ROWS = 10
_MAX_TRIES = 6
_E = 2.718281828459045


def score(
    terms: Sequence[str],
    identifiers: Sequence[str],
    rows: Sequence[Row],
    *,
    df: Mapping[str, int],
    total: int,
    cosines: Mapping[int, float] | None = None,
) -> list[Scored]:
    """Candidates with a score from 0 to 1 and the reasons for it, best first.

    `rows` end with their bm25; `df` says in how many of the `total` records a term occurs (missing: in none).
    `cosines` gives the similarity of meaning by record id where vectors are at hand. The score does not
    depend on the other candidates: 0.5 means the same for every prompt and store.
    """
    weights = weigh(terms, identifiers, df=df, total=total)
    asked = sum(sorted(weights.values(), reverse=True)[:MAX_WEIGHED_TERMS]) or 1.0
    stems = [(term, _stem(term), weight) for term, weight in weights.items()]
    names = frozenset(identifiers)
    scored: list[Scored] = []
    folds = _MAX_FOLDED_ROWS
    for row in sorted(rows, key=_by_bm25):
        text, folds = _read(row, folds)
        found = _match(text, len(row[SUMMARY]), len(row[SUMMARY]) + len(row[TAGS]) + 1, stems)
        cosine = cosines.get(row[ID]) if cosines else None
        value = _combine(found, weights, names=names, asked=asked, row=row, cosine=cosine)
        reasons = {
            "matched": [hit[0] for hit in found],
            "identifiers": [hit[0] for hit in found if hit[0] in names],
            "coverage": round(sum(weights[hit[0]] * hit[1] for hit in found) / asked, 3),
            "bm25": row[BM25] if len(row) > BM25 else None,
            "cosine": cosine,
        }
        scored.append((round(value, 4), row, reasons))
    return _order(scored)


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


def _combine(
    found: list[tuple[str, float, int]],
    weights: Mapping[str, float],
    *,
    names: frozenset[str],
    asked: float,
    row: Row,
    cosine: float | None,
) -> float:
    """One number of all signals: how much matches, what share of the question that is, and the rest."""
    mass = sum(weights[term] * place * (1.5 if term in names else 1.0) for term, place, _ in found)
    if not mass and not cosine:
        return 0.0
    share = min(1.0, mass / asked)
    doubt: float = _E ** (-mass / MASS_UNIT)
    value = (1.0 - doubt) * (0.45 + 0.55 * share)
    if len(found) > 1:
        spots = sorted(at for _, _, at in found)
        close = sum(spots[i] - spots[i - 1] < CLOSE_CHARS for i in range(1, len(spots)))
        value += 0.06 * close / (len(spots) - 1)
        value += _KIND_BONUS.get(row[KIND], 0.0)
    if cosine is not None:
        value = max(value, 0.6 * value + 0.6 * max(0.0, cosine))
    return min(1.0, value)


def _log(value: float) -> float:
    """The natural logarithm to five digits; loading the math module costs more than all of this room."""
    power: float = value**1e-7
    return (power - 1.0) * 1e7


def _by_bm25(row: Row) -> tuple[float, int]:
    return (float(row[BM25]) if len(row) > BM25 else 0.0, int(row[ID]))


def _read(row: Row, folds: int) -> tuple[str, int]:
    """Summary, tags and detail as one string; for a few rows with the folded forms of accented words."""
    text = f"{row[SUMMARY]}\n{row[TAGS]}\n{row[DETAIL]}"
    if not text.isascii() and folds and any("\xc0" <= c < "\u0250" for c in text):
        from engram_hooks.terms import index_terms

        return f"{text}\n{index_terms(text)}", folds - 1
    return text, folds


def _match(
    text: str, summary_end: int, tags_end: int, stems: list[tuple[str, str, float]]
) -> list[tuple[str, float, int]]:
    """(term, weight of the place it stands in, position) for every term that the text holds as a word."""
    lower = text.lower()
    if len(lower) != len(text):
        text = lower
    found = []
    for term, stem, _ in stems:
        at = lower.find(stem)
        tries = _MAX_TRIES
        while at >= 0 and tries:
            fit = _fits(text, lower, at, term=term, stem=stem)
            if fit:
                place = _IN_SUMMARY if at <= summary_end else _IN_TAGS if at <= tags_end else _IN_DETAIL
                found.append((term, place * fit, at))
                break
            at = lower.find(stem, at + 1)
            tries -= 1
    return found


def _fits(text: str, lower: str, at: int, *, term: str, stem: str) -> float:
    """How well a word is the term: 1 the same, a little less in another form, 0 another word."""
    if not stem.isascii() and len(stem) <= 2:
        return 1.0  # a pair of a script without spaces
    if at and lower[at - 1].isalnum() and not (text[at].isupper() and not text[at - 1].isupper()):
        return 0.0
    end = at + len(stem)
    if stem == term and not lower[end : end + 1].isalnum():
        return 1.0
    stop = end
    while stop < len(lower) and stop - end < 5 and lower[stop].isalnum():
        if text[stop].isupper() and not text[stop - 1].isupper():
            break
        stop += 1
    if lower[at:stop] == term:
        return 1.0
    if stem == term and not term.isalpha():
        return 1.0 if stop == end else 0.0
    rest = lower[end:stop]
    return _STEMMED if rest in _SUFFIXES or (not stem.isascii() and len(rest) < 5) else 0.0


def _stem(term: str) -> str:
    """A prefix that the other forms of a word share; names, numbers and short words stay whole."""
    if not term.isalpha() or len(term) < 5:
        return term
    if not term.isascii():
        return term[:-2] if len(term) > 5 else term
    for ending in _ENDINGS:
        if term.endswith(ending) and len(term) - len(ending) >= 4:
            return term[: -len(ending)]
    return term


def _order(scored: list[Scored]) -> list[Scored]:
    """Best first; of those whose scores hardly differ the newest first, whatever the order of the input."""
    scored.sort(key=lambda item: (-item[0], -item[1][AT], -item[1][ID]))
    out: list[Scored] = []
    start = 0
    for i in range(1, len(scored) + 1):
        if i == len(scored) or scored[start][0] - scored[i][0] > NEAR_TIE:
            out.extend(sorted(scored[start:i], key=lambda item: (-item[1][AT], -item[1][ID])))
            start = i
    return out
