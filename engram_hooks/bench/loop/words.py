"""What a made-up project is told in: areas, what is known of each, prompts, and empty notes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Facet:
    """Something known of every area: the note, prompts that need it, and what an agent that uses it writes.

    In texts `{a}` is the area, `{v}` one of `values`; `topic` is what empty notes call it.
    """

    topic: str
    note: str
    prompts: tuple[str, ...]
    code: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """One split: `empty` are notes of some `{areas}` and `{topics}` that help with nothing.

    `said` and `code` are what an agent writes in any turn. `late` stands behind an empty note that is needed later, and
    names `late_value`.
    """

    areas: tuple[str, ...]
    facets: tuple[Facet, ...]
    empty: tuple[str, ...]
    said: tuple[str, ...]
    code: tuple[str, ...]
    late: str
    late_value: str
