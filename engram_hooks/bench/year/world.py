"""What is true on a day of the made-up year, and so what a memory that is asked may say."""

from __future__ import annotations

from collections.abc import Sequence

from engram_hooks.bench.year.plot import Fact, Year, holds

RIGHT, WRONG, UNKNOWN = "right", "wrong", "unknown"


class World:
    """Judges texts by the facts that they state."""

    def __init__(self, year: Year) -> None:
        self._year = year
        self._facts: dict[str, dict[int, Fact]] = {}

    def note(self, text: str, fact: Fact) -> None:
        """A sentence that was typed or said, and the fact that it states."""
        self._facts.setdefault(_plain(text), {})[fact.project] = fact

    def facts_in(self, text: str, *, project: int) -> list[Fact]:
        """The facts that a text states, those of the project first; several where sentences were put together."""
        plain = _plain(text)
        own = self._facts.get(plain)
        found = [own] if own else [facts for said, facts in self._facts.items() if said in plain]
        return [facts.get(project) or facts.get(-1) or next(iter(facts.values())) for facts in found]

    def judge(self, text: str, *, project: int, day: int) -> str:
        """Whether what a text states is all so in a project on a day; UNKNOWN where it states nothing known."""
        facts = self.facts_in(text, project=project)
        if not facts:
            return UNKNOWN
        return RIGHT if all(self.is_so(fact, project=project, day=day) for fact in facts) else WRONG

    def is_so(self, fact: Fact, *, project: int, day: int) -> bool:
        """Whether a fact is so in a project on a day, on the branch that is checked out then."""
        if fact.project not in (-1, project):
            return False
        if fact.kind == "value":
            return any(
                other.about == fact.about and other.value == fact.value and holds(other, day)
                for other in self._year.facts
                if other.project == project and other.kind == "value"
            )
        if fact.branch and self._year.branch_on(project, day) != fact.branch:
            ended = [one for one in self._year.branches if one.project == project and one.name == fact.branch]
            return any(one.is_merged and one.to_day <= day for one in ended)
        return holds(fact, day)

    def count_told(self, texts: Sequence[str], *, project: int, day: int) -> tuple[int, int]:
        """(how many of the texts say something known, how many of these are right and say it first)."""
        told = right = 0
        said: set[tuple[str, str]] = set()
        for text in texts:
            verdict = self.judge(text, project=project, day=day)
            if verdict == UNKNOWN:
                continue
            told += 1
            keys = {(fact.kind, fact.about) for fact in self.facts_in(text, project=project)}
            right += verdict == RIGHT and not keys <= said
            said |= keys
        return told, right


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".").casefold()
