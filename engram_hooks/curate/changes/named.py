"""Changes that name what was before: what a text says is gone, and which kept one says it holds."""

from __future__ import annotations

from collections.abc import Sequence

from engram_hooks.curate.changes.claims import Claim, find_run, is_head
from engram_hooks.curate.changes.contrast import is_contrast
from engram_hooks.curate.changes.subjects import Measure, liken
from engram_hooks.curate.changes.words import is_light, stem_word

# how alike in meaning two texts must be, apart from the value that both name
MIN_MEANING = 0.15


def find_gone(
    new: Sequence[Claim], old: Sequence[Claim], measure: Measure | None, *, same_subject: bool
) -> tuple[tuple[str, ...], float]:
    """(the words of what the new text says is gone and the old one asserts, how alike their subjects are).

    ((), 0) where there is none; below `MIN_MEANING` the value may be that of another subject.
    """
    best: tuple[tuple[str, ...], float] = ((), 0.0)
    for claim in new:
        for region, place in zip(claim.replaces, claim.places, strict=True):
            for other in old:
                value = _find_value(region.split(), other, place)
                if not value:
                    continue
                if same_subject:
                    return value, 1.0
                left_out = frozenset(stem_word(word) for word in value)
                if is_contrast(new, old, left_out=left_out):
                    continue
                likeness = liken(new, old, value, measure)
                if not best[0] or likeness > best[1]:
                    best = value, likeness
    return best


_DENIALS = frozenset(("never", "not", "no", "avoid", "without", "cannot"))


def _find_value(region: Sequence[str], other: Claim, place: str) -> tuple[str, ...]:
    span = find_run(region, other, place) if other.is_asserted else None
    if span is None or _DENIALS & set(other.words[: span[0]]):
        return ()
    behind = other.words[span[1]] if span[1] < len(other.words) else ""
    value = other.words[span[0] : span[1] + is_head(behind)]
    is_specific = any(word in other.names for word in value) or len(value) > 1 or len(value[0]) > 3
    return value if is_specific and not all(is_light(word) for word in value) else ()
