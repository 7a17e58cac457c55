"""What changes along with a symbol: files and other symbols, by the commits that touched its lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from sqlite3 import Connection

from engram_hooks.history.cochange import Mate, Tally, rank
from engram_hooks.history.companions import MAX_COMMITS, Companions
from engram_hooks.store import index_partners
from engram_hooks.store.index_partners import SymbolPlace
from engram_hooks.store.index_queries import SymbolEntry


class SymbolCompanions:
    """The commits that touched any of some symbols of a file, and what else they changed."""

    def __init__(self, db: Connection, file_id: int, asked: Sequence[SymbolEntry]) -> None:
        """Take an index, a file of the head, and symbols of it."""
        self._db = db
        self._file_id = file_id
        self._asked = asked
        self.companions = Companions(db)
        self.places: dict[int, SymbolPlace] = {}
        self._newest_first = self._list_moments(entry.id for entry in asked)
        self._files: Tally[int] = Tally()
        self._symbols: Tally[int] = Tally()
        for moment in self._newest_first[:MAX_COMMITS]:
            changed, size = self.companions.changed_at(moment)
            self._files.add([one for one in changed if one != file_id], size)
            others = self._list_others(self.companions.commit_at(moment))
            self._symbols.add(others, len(others) + 1)

    @property
    def total(self) -> int:
        """How many commits on the symbols there are from which something is concluded."""
        return self._files.total

    def rank_files(self, limit: int) -> list[Mate[int]]:
        """The files that change along, best first."""
        return rank(
            self._files,
            named={},
            look_at=self._look_at_file,
            chances_of=lambda file_id: self._count_since(self.companions.moments_of(file_id)),
            limit=limit,
        )

    def rank_symbols(self, limit: int) -> list[Mate[int]]:
        """The symbols that change along, best first; `places` says where they are."""

        def look_at(symbol_id: int) -> tuple[str, bool]:
            place = self.places[symbol_id]
            path, is_same_kind = self._look_at_file(place.file_id)
            return f"{path} {place.qualified} {place.start_line:07}", is_same_kind

        return rank(
            self._symbols,
            named={},
            look_at=look_at,
            chances_of=lambda symbol_id: self._count_since(self._list_moments([symbol_id])),
            limit=limit,
        )

    def _look_at_file(self, file_id: int) -> tuple[str, bool]:
        path, role = self.companions.files[file_id]
        own = self.companions.files.get(self._file_id)
        return path, own is not None and own[1] == role

    def _count_since(self, moments: Sequence[int]) -> int:
        """How many of the commits were made since the first of some moments, given newest first."""
        return bisect_right([-moment for moment in self._newest_first], -moments[-1])

    def _list_moments(self, symbol_ids: Iterable[int]) -> list[int]:
        """When symbols changed, newest first."""
        commits = {
            one for number in symbol_ids for one in index_partners.list_commits_of_symbol(self._db, number)
        }
        moments = (self.companions.moment_of(one) for one in commits)
        return sorted((moment for moment in moments if moment is not None), reverse=True)

    def _list_others(self, commit_id: int) -> list[int]:
        """The innermost symbols that a commit touched, but for those that were asked for, hold these or are in them."""
        touched = [
            place
            for place in index_partners.list_symbols_of(self._db, commit_id)
            if place.file_id in self.companions.files and not self._is_own(place)
        ]
        touched.sort(key=lambda place: (place.file_id, place.start_line, -place.end_line))
        inner = [
            place
            for place, after in zip(touched, [*touched[1:], None], strict=False)
            if after is None or after.file_id != place.file_id or after.start_line > place.end_line
        ]
        self.places.update((place.id, place) for place in inner)
        return [place.id for place in inner]

    def _is_own(self, place: SymbolPlace) -> bool:
        return place.file_id == self._file_id and any(
            place.start_line <= entry.end_line and entry.start_line <= place.end_line for entry in self._asked
        )
