"""What an index answers about what changes along: with a file, and with a symbol of it."""

from __future__ import annotations

from dataclasses import dataclass
from sqlite3 import Connection

from engram_hooks.errors import EngramError
from engram_hooks.history.cochange import MAX_KEPT, Mate
from engram_hooks.history.import_graph import is_hidden
from engram_hooks.history.places import spellings
from engram_hooks.history.questions import find_symbols, unknown_file
from engram_hooks.history.symbol_companions import SymbolCompanions
from engram_hooks.store import index_briefs, index_partners, index_queries

NEIGHBOUR_SHARE = 0.1  # of what a partner's partner counts
MAX_ASKED = 10  # partners whose own partners are looked at


@dataclass(frozen=True, slots=True)
class Coupling:
    """What changes along: a file, or a symbol in it (`symbol` is '' else).

    It changed in `support` of the `total` commits on what was asked for; `score` is 0 to 1. `is_hidden`: both are
    sources, and no import tells of it. `speaks`: worth telling unasked.
    """

    path: str
    symbol: str
    score: float
    support: int
    total: int
    is_hidden: bool
    speaks: bool

    @property
    def confidence(self) -> float:
        """The share of the commits that changed it, too."""
        return self.support / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class Couplings:
    """The files and symbols that change along with a file, or with the symbols `asked` for, best first."""

    path: str
    asked: tuple[str, ...]
    files: tuple[Coupling, ...]
    symbols: tuple[Coupling, ...]


def tell_couplings(db: Connection, path: str, symbol: str | None = None, *, limit: int) -> Couplings:
    """What changes along with a file of the head, or with a symbol of it, at most `limit` of each.

    Raises `EngramError` for a file or symbol that the head does not have.
    """
    for spelling in spellings(path):
        file_id = index_briefs.find_file_id(db, spelling)
        if file_id is not None:
            break
    else:
        if index_queries.find_file(db, spellings(path)):
            raise EngramError(f"{path} is not in the indexed head any more", hint=f"engram history {path}")
        raise unknown_file(db, path)
    if symbol:
        return _tell_of_symbol(db, file_id, path, symbol, limit=limit)
    return Couplings(path, (), tuple(_list_files(db, file_id, path, limit=limit)), ())


def _list_files(db: Connection, file_id: int, path: str, *, limit: int) -> list[Coupling]:
    """The partners of a file; where they are few, then theirs."""
    rows = index_briefs.list_partners(db, file_id, limit=limit)
    files = [Coupling(row[0], "", *row[1:]) for row in rows]
    if not files or len(files) >= limit:
        return files
    known = {path, *(one.path for one in files)}
    further: dict[str, float] = {}
    for partner in files[:MAX_ASKED]:
        partner_id = index_briefs.find_file_id(db, partner.path) or 0
        for other, score, *_ in index_briefs.list_partners(db, partner_id, limit=MAX_KEPT):
            if other not in known:
                further[other] = further.get(other, 0.0) + NEIGHBOUR_SHARE * partner.score * score
    guesses = sorted(further.items(), key=lambda pair: (-pair[1], pair[0]))[: limit - len(files)]
    lowest, total = files[-1].score, files[-1].total
    return files + [
        Coupling(other, "", min(score, lowest), 0, total, False, False) for other, score in guesses
    ]


def _tell_of_symbol(db: Connection, file_id: int, path: str, symbol: str, *, limit: int) -> Couplings:
    """What changes along with the symbols of a file that a name means."""
    asked = find_symbols(db, file_id, path, symbol)
    around = SymbolCompanions(db, file_id, asked)
    links = index_partners.read_links(db)

    def make(mate: Mate[int], other_id: int, name: str = "") -> Coupling:
        other = around.companions.files[other_id][0]
        is_linked = other_id in links.get(file_id, ()) or file_id in links.get(other_id, ())
        hidden = other_id != file_id and is_hidden(path, other, is_linked=is_linked)
        score = round(mate.score, 6)
        return Coupling(other, name, score, mate.support, around.total, hidden, mate.speaks)

    files = [make(mate, mate.key) for mate in around.rank_files(limit)]
    places = around.places
    symbols = [
        make(mate, places[mate.key].file_id, places[mate.key].qualified)
        for mate in around.rank_symbols(limit)
    ]
    return Couplings(
        path, tuple(dict.fromkeys(entry.qualified for entry in asked)), tuple(files), tuple(symbols)
    )
