"""One life of a memory through the made-up year: what is typed, said and asked each day, and what it tells."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import Connection

from engram_hooks.bench.year.calendar import DAYS_A_WEEK, moment_of
from engram_hooks.bench.year.checkouts import Checkout
from engram_hooks.bench.year.plot import Prompt, Statement, Year
from engram_hooks.bench.year.wording import Deck
from engram_hooks.bench.year.world import RIGHT, World
from engram_hooks.curate import backfill, capture, identity, mining, review, rivals
from engram_hooks.curate.asking import recollect
from engram_hooks.curate.asking.question import Question
from engram_hooks.curate.consolidate import consolidate
from engram_hooks.paths import store_path
from engram_hooks.sessions.pack import pack
from engram_hooks.store import counts, log, lookup, places, sessions
from engram_hooks.store.create import ensure_store
from engram_hooks.store.records import TOLD
from engram_hooks.store.tidying import checkpoint
from engram_hooks.store.transactions import Transaction

PACK_CHARS = 4_000
_REVIEWED_A_WEEK = 6


@dataclass(slots=True)
class Day:
    """What a day showed: texts told and right, in packs and beside prompts; prompts that needed a note and got it."""

    pack_told: int = 0
    pack_right: int = 0
    pack_chars: int = 0
    minder_told: int = 0
    minder_right: int = 0
    asked: int = 0
    answered: int = 0
    store_bytes: int = 0
    log_rows: int = 0
    told_records: int = 0


@dataclass(slots=True)
class Life:
    """A store in a folder of its own; `play` gives it the next day."""

    folder: Path
    deck: Deck
    year: Year
    checkouts: list[Checkout]
    environ: Mapping[str, str]
    consolidates: bool
    rows_a_day: int
    rng: random.Random
    db: Connection = field(init=False)
    world: World = field(init=False)
    projects: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.db = ensure_store(str(self.folder), now_ms=moment_of(0, hour=8))
        self.world = World(self.year)
        self.projects = [self._open_project(one.folder) for one in self.checkouts]

    def play(self, day: int) -> Day:
        """Live through one day; what it showed."""
        found = Day()
        for at in range(len(self.projects)):
            self._work(at, day, self.checkouts[at].turn(day))
        if day % DAYS_A_WEEK == DAYS_A_WEEK - 1:
            for at in range(len(self.projects)):
                self._review(at, day)
        backfill.embed_missing(self.db, str(self.folder), self.environ, now_ms=moment_of(day, hour=13))
        for at in range(len(self.projects)):
            self._look_at_pack(found, at, day)
        for prompt in self.year.prompts[day]:
            self._ask(found, prompt, day)
        if self.consolidates:
            consolidate(self.db, str(self.folder), self.environ, now_ms=moment_of(day, hour=22))
        self._measure(found)
        return found

    def _open_project(self, root: Path) -> int:
        now_ms = moment_of(0, hour=8)
        found, _ = places.locate(self.db, str(root), self.environ, now_ms=now_ms, create=True)
        identity.resolve_place(self.db, str(root / ".git"), now_ms=now_ms)
        found, _ = places.locate(self.db, str(root), self.environ, now_ms=now_ms, create=False)
        assert found is not None
        return found

    def _work(self, at: int, day: int, branch: str) -> None:
        """A session with its talk and what is said in it, then the notes that are typed."""
        own = [one for one in self.year.statements[day] if one.project == at]
        self._talk(at, day, [one for one in own if not one.kind], branch)
        for number, one in enumerate(one for one in own if one.kind):
            self.world.note(one.text, one.fact)
            self._type(one, at, branch=branch, now_ms=moment_of(day, hour=12, minute=number % 60))

    def _talk(self, at: int, day: int, said: list[Statement], branch: str) -> None:
        name = f"{self.deck.projects[at]}-{day}"
        now_ms = moment_of(day)
        root = str(self.checkouts[at].folder)
        files = self.year.files_on(at, day)
        texts = []
        for number in range(self.rows_a_day):
            text = self.rng.choice(self.deck.talk)
            text = text.format(p=self.rng.choice(files), n=self.rng.randint(2, 900))
            texts.append(("user" if number % 4 == 0 else "assistant", text))
        for one in said:
            self.world.note(one.text, one.fact)
            texts.insert(self.rng.randrange(len(texts)), ("user", one.text))
        rows = [
            (f"{name}-{number}", role, "", text, now_ms + 60_000 * number)
            for number, (role, text) in enumerate(texts)
        ]
        with Transaction(self.db):
            session = sessions.add_session(
                self.db,
                name,
                project_id=self.projects[at],
                root=root,
                branch=branch,
                transcript_path=f"{root}/{name}.jsonl",
                now_ms=now_ms,
            )
            log.append_rows(self.db, session[0], rows)
            sessions.end_session(self.db, session[0], reason="other", now_ms=rows[-1][4])
        mining.mine_session(self.db, session[0], now_ms=rows[-1][4])

    def _type(self, one: Statement, at: int, *, branch: str, now_ms: int) -> None:
        path = one.fact.path
        draft = capture.Draft(
            one.text,
            kind=one.kind,
            paths=[path] if path else [],
            scope="global" if one.fact.project < 0 else "branch" if one.is_on_branch else "project",
            project_id=self.projects[at],
            branch=branch,
        )
        capture.capture(self.db, draft, now_ms=now_ms)

    def _review(self, at: int, day: int) -> None:
        """Once a week somebody goes through some of what waits: what is so is kept, the rest refused."""
        now_ms = moment_of(day, hour=12, minute=50)
        for one in review.list_proposals(self.db, self.projects[at], limit=_REVIEWED_A_WEEK):
            if self._is_so(one.record.summary, at, day):
                review.accept(self.db, one.record.id, now_ms=now_ms)
            else:
                review.refuse(self.db, [one.record.id], now_ms=now_ms)
        for pair in rivals.list_rivals(self.db, self.projects[at]):
            newer, older = pair.newer, pair.older
            is_one_thing = self._facts(newer.summary, at) == self._facts(older.summary, at)
            is_past = is_one_thing or not self._is_so(older.summary, at, day)
            if is_past and self._is_so(newer.summary, at, day):
                rivals.replace(self.db, newer.id, older.id, now_ms=now_ms)
            else:
                rivals.keep_both(self.db, newer.id, older.id)

    def _facts(self, text: str, at: int) -> set[tuple[str, str, str]]:
        return {(fact.kind, fact.about, fact.value) for fact in self.world.facts_in(text, project=at)}

    def _is_so(self, text: str, at: int, day: int) -> bool:
        return self.world.judge(text, project=at, day=day) == RIGHT

    def _look_at_pack(self, found: Day, at: int, day: int) -> None:
        text, ids, _ = pack(
            self.db,
            self.projects[at],
            branch=self.year.branch_on(at, day),
            max_chars=PACK_CHARS,
            now_ms=moment_of(day, hour=14),
        )
        told, right = self.world.count_told(self._read(ids), project=at, day=day)
        found.pack_told += told
        found.pack_right += right
        found.pack_chars = max(found.pack_chars, len(text))

    def _ask(self, found: Day, prompt: Prompt, day: int) -> None:
        question = Question(
            prompt.text,
            k=3,
            project_id=self.projects[prompt.project],
            branch=self.year.branch_on(prompt.project, day),
            now_ms=moment_of(day, hour=15),
            data=str(self.folder),
            environ=self.environ,
        )
        texts = [hit.summary for hit in recollect.preview_minder(self.db, question)]
        right = 0
        for text in texts:
            about = {fact.about for fact in self.world.facts_in(text, project=prompt.project)}
            is_so = self.world.judge(text, project=prompt.project, day=day) == RIGHT
            right += is_so and prompt.about in about
        found.minder_told += len(texts)
        found.minder_right += right
        found.asked += bool(prompt.about)
        found.answered += bool(prompt.about and right)

    def _read(self, ids: list[int]) -> list[str]:
        return [row["summary"] for row in lookup.read_many(self.db, ids)]

    def _measure(self, found: Day) -> None:
        checkpoint(self.db)
        found.store_bytes = Path(store_path(str(self.folder))).stat().st_size
        found.log_rows = sum(counts.count_conversation(self.db, one)["log"] for one in self.projects)
        statuses = lookup.count_by_status(self.db, [0, *self.projects])
        found.told_records = sum(statuses.get(status, 0) for status in TOLD)
