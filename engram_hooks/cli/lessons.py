"""Rules and failed approaches as a preflight prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.cli import output
from engram_hooks.cli.history import format_date
from engram_hooks.recall.rules import tell_rule

if TYPE_CHECKING:
    from engram_hooks.curate.lessons import Lessons

MAX_SHOWN = 8
_STYLES = {"critical": "bad", "warning": "warn"}


def draw_lessons(lessons: Lessons) -> list[str]:
    """The lines for a person, rules first, an empty one before each part; [] for none."""
    rules = [
        "  " + output.style(output.safe(tell_rule(rule)), _STYLES.get(rule[5], "dim"))
        for rule in lessons.rules[:MAX_SHOWN]
    ]
    lines = ["", *rules] if rules else []
    for one in lessons.tries[:MAX_SHOWN]:
        head = f"{output.style(f't{one.id}', 'id')}  {format_date(one.at)}  tried and given up"
        lines += ["", f"  {head}", f"    {output.line(one.summary)}"]
    return lines


def lessons_to_json(lessons: Lessons) -> dict[str, object]:
    """The keys `invariants` and `attempts` of `engram preflight --json`."""
    return {
        "invariants": [
            {"id": rule[1], "text": rule[2], "severity": rule[5], "enforcement": rule[6] or None}
            for rule in lessons.rules
        ],
        "attempts": [
            {
                "id": f"t{one.id}",
                "commit": None,
                "summary": one.summary,
                "outcome": one.outcome,
                "date": format_date(one.at),
            }
            for one in lessons.tries
        ],
    }
