"""When the minder speaks and when it keeps silent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engram_hooks.recall import gate
from engram_hooks.recall.fields import ID
from engram_hooks.recall.gate import choose, decide, tell_reason

if TYPE_CHECKING:
    from engram_hooks.recall.rank import Scored


def _hit(value: float, record_id: int, *, summary: str = "") -> Scored:
    text = summary or f"note {record_id} on subject{record_id} alone{record_id}"
    return (value, (record_id, "fact", "project", None, text, "", "", 0.5, 0.8, 1, -1.0), {})


def _ids(
    *scored: Scored, eagerness: str = "normal", shown: tuple[int, ...] = (), max_records: int = 3
) -> list[int]:
    chosen = choose(scored, eagerness=eagerness, shown_ids=shown, max_records=max_records)
    return [row[ID] for _, row, _ in chosen]


@pytest.mark.parametrize("value", [0.0, 0.1, 0.29])
def test_silence_below_the_floor(value: float) -> None:
    assert _ids(_hit(value, 1)) == []


def test_speech_from_the_floor() -> None:
    assert _ids(_hit(0.3, 1)) == [1]


def test_more_than_one_record_needs_better_odds() -> None:
    assert _ids(_hit(0.45, 1), _hit(0.4, 2)) == [1]
    assert _ids(_hit(0.6, 1), _hit(0.55, 2)) == [1, 2]


def test_no_candidate_is_silence() -> None:
    assert _ids() == []


def test_record_far_behind_the_best_is_left_out() -> None:
    scored = _hit(0.95, 1), _hit(0.7, 2), _hit(0.35, 3)
    assert _ids(*scored, eagerness="high") == [1, 2]


def test_record_is_shown_once_in_a_session() -> None:
    assert _ids(_hit(0.9, 1), _hit(0.85, 2), shown=(1,)) == [2]


def test_shown_record_silences_its_rewordings() -> None:
    text = "retries are capped at five per order"
    again = "retries are capped at five per order now"
    assert _ids(_hit(0.9, 1, summary=text), _hit(0.89, 2, summary=again), shown=(1,)) == []


def test_near_duplicates_collapse_to_the_first() -> None:
    texts = ["The project uses Forgejo for source control", "The project uses Forgejo for its source control"]
    assert _ids(*(_hit(0.9, i, summary=text) for i, text in enumerate(texts, 1))) == [1]


def test_at_most_three_records() -> None:
    hits = [_hit(0.9, i) for i in range(1, 9)]
    assert len(_ids(*hits)) == 3
    assert len(_ids(*hits, max_records=1)) == 1


def test_eagerness_moves_the_floor() -> None:
    hits = [_hit(0.75, 1), _hit(0.55, 2), _hit(0.4, 3)]
    assert [_ids(*hits, eagerness=word) for word in ("off", "low", "normal", "high")] == [
        [],
        [1],
        [1, 2],
        [1, 2, 3],
    ]


def test_unknown_eagerness_is_normal() -> None:
    assert _ids(_hit(0.35, 1), eagerness="loud") == _ids(_hit(0.35, 1)) == [1]


def test_every_candidate_has_a_verdict() -> None:
    again = "retries are capped at five per order now"
    hits = [
        _hit(0.95, 1, summary="retries are capped at five per order"),
        _hit(0.9, 2, summary=again),
        _hit(0.9, 3),
        _hit(0.8, 4),
        _hit(0.8, 5),
        _hit(0.8, 6),
        _hit(0.45, 7),
        _hit(0.1, 8),
    ]
    assert decide(hits, eagerness="high", shown_ids=(3,)) == {
        1: gate.SHOWN,
        2: gate.REWORDED,
        3: gate.KNOWN,
        4: gate.SHOWN,
        5: gate.SHOWN,
        6: gate.ENOUGH,
        7: gate.BEHIND,
        8: gate.UNLIKELY,
    }


def test_reason_names_words_matters_and_meaning() -> None:
    reasons = {"matched": ["label", "usage"], "matters": ["charged"], "cosine": 0.756}
    assert tell_reason(0.831, reasons) == "0.83: words label, usage; same matter: charged; meaning 0.76"
    assert tell_reason(0.5, {"matched": [], "matters": [], "cosine": 0.4}) == "0.50: meaning 0.40"
