"""A made-up index of a large repository, written directly: what hooks have to find their way in."""

from __future__ import annotations

import hashlib
import random

from engram_hooks.bench.synthetic import CHOICES, REASONS, SUBJECTS, THINGS, VERBS
from engram_hooks.history.rows import Row
from engram_hooks.store import index_changes, index_commits, index_create, index_partners
from engram_hooks.store.index_briefs import find_file_id, line_key, pack_keys, pack_lines
from engram_hooks.store.index_changes import SymbolRow
from engram_hooks.store.index_commits import ChangeRow, CommitRow
from engram_hooks.store.index_ownership import GuardRow
from engram_hooks.store.index_partners import PartnerRow
from engram_hooks.store.transactions import Transaction
from engram_hooks.terms import index_terms

FILES = 3_000
FILE_LINES = 300
SYMBOL_LINES = 20
FILES_OF_COMMIT = 4
MAX_GUARDS = 9
CHECKED_OUT = 100  # files whose content in the head is that of `file_lines`
PARTNERS = 8
INTENTS = "bugfix", "bugfix", "bugfix", "security", "revert", "feature", "refactor", "test"
STARTED_AT = 1_400_000_000_000
STEP_MS = 12_000_000
_BATCH = 1_000


def file_path(number: int) -> str:
    """The path of a file of the repository."""
    number, verb = divmod(number, len(VERBS))
    number, thing = divmod(number, len(THINGS))
    choice, subject = divmod(number, len(SUBJECTS))
    folder = CHOICES[choice % len(CHOICES)].replace(" ", "_").lower()
    return f"src/{SUBJECTS[subject].split()[-1]}/{folder}/{VERBS[verb]}_{THINGS[thing]}.py"


def file_lines(number: int) -> list[str]:
    """The lines of a file of the repository: functions of the same length."""
    rng = random.Random(number)  # noqa: S311 (data for a benchmark)
    lines: list[str] = []
    for at in range(FILE_LINES // SYMBOL_LINES):
        lines += [
            f"def {rng.choice(VERBS)}_{number}_{at}(order, *, retries=5):",
            "    if order is None:",
            "        return None",
        ]
        lines += [
            f"    {rng.choice(VERBS)}_{rng.randrange(90)}(order, {rng.randrange(1000)}, {step})"
            for step in range(SYMBOL_LINES - 5)
        ]
        lines += ["    return order", ""]
    return lines


def file_content(number: int) -> str:
    """The text of a file of the repository."""
    return "\n".join(file_lines(number)) + "\n"


def guarded_lines(number: int) -> list[list[int]]:
    """For each guard of a file the lines (from 1) that it owns."""
    rng = random.Random(-number - 1)  # noqa: S311 (data for a benchmark)
    starts = rng.sample(range(2, FILE_LINES - 10), rng.randrange(1, MAX_GUARDS))
    return [list(range(start, start + rng.randrange(1, 8))) for start in starts]


def fill_index(data: str, project_uid: str, *, commits: int, files: int = FILES) -> None:
    """Write the index of a project, as one of a repository with so many commits and files."""
    rng = random.Random(11)  # noqa: S311 (data for a benchmark)
    db = index_create.ensure_index(data, project_uid)
    try:
        hashes = [hashlib.sha1(b"%d" % at, usedforsecurity=False).hexdigest() for at in range(commits)]
        for start in range(0, commits, _BATCH):
            batch = [_make_row(at, hashes, rng, files) for at in range(start, min(start + _BATCH, commits))]
            index_commits.add_batch(db, batch)
        with Transaction(db):
            index_commits.show(db, hashes, is_all=True)
            blobs = {file_path(number): hashes[number % commits] for number in range(files)}
            blobs |= {file_path(number): _name_blob(number) for number in range(min(files, CHECKED_OUT))}
            index_changes.set_tree(db, blobs, lambda _: "source")
            index_commits.set_facts(db, {"head": hashes[-1], "symbols_head": hashes[-1]})
        for start in range(0, files, _BATCH):
            ids = {
                number: find_file_id(db, file_path(number)) or 0
                for number in range(start, min(start + _BATCH, files))
            }
            symbols = [(file_id, _make_symbols(number, commits, rng)) for number, file_id in ids.items()]
            guards = {file_id: _make_guards(number, commits, rng) for number, file_id in ids.items()}
            index_changes.put_symbols(db, symbols, guards)
            with Transaction(db):
                index_partners.put_partners(db, {one: _make_partners(files, rng) for one in ids.values()})
        index_create.settle(db)
    finally:
        db.close()


def _name_blob(number: int) -> str:
    data = file_content(number).encode()
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _make_row(at: int, hashes: list[str], rng: random.Random, files: int) -> Row:
    kind = rng.choice(("fix", "feat", "chore"))
    subject = f"{kind}: {rng.choice(VERBS)} {rng.choice(SUBJECTS)} with {rng.choice(CHOICES)}"
    body = f"{subject} {rng.choice(REASONS)} (#{at})"
    paths = [file_path(rng.randrange(files)) for _ in range(FILES_OF_COMMIT)]
    moment = STARTED_AT + at * STEP_MS
    commit = CommitRow(
        hash=hashes[at],
        parents=(hashes[at - 1],) if at else (),
        authored_at=moment,
        committed_at=moment,
        author="Ana",
        subject=subject,
        body=body,
        excerpt=f"-    send(order)\n+    send(order, key_{at})",
        intent=rng.choice(INTENTS),
        is_bulk=False,
        is_boundary=False,
        undoes="",
        terms=(
            index_terms(subject),
            index_terms(body),
            index_terms(" ".join(paths)),
            index_terms(f"send order key_{at}"),
        ),
    )
    changes = [
        ChangeRow(path, "source", "", "", "M", hashes[at - 1], hashes[at], 3, 2, b"\x05\x02\x03")
        for path in dict.fromkeys(paths)
    ]
    return commit, changes, []


def _make_symbols(number: int, commits: int, rng: random.Random) -> list[SymbolRow]:
    lines = file_lines(number)
    rows = []
    for start in range(0, len(lines), SYMBOL_LINES):
        name = lines[start].split("(")[0].removeprefix("def ")
        touched = sorted({rng.randrange(1, commits + 1) for _ in range(6)})
        rows.append(
            SymbolRow(
                name,
                name,
                "function",
                start + 1,
                start + 1,
                start + SYMBOL_LINES - 1,
                [(one, 2, 1) for one in touched],
            )
        )
    return rows


def _make_partners(files: int, rng: random.Random) -> list[PartnerRow]:
    others = rng.sample(range(1, files + 1), min(PARTNERS, files))
    return [
        PartnerRow(other_id, 0.9 - 0.1 * at, 9 - at, 12, is_hidden=at % 2 == 1, speaks=at < 2)
        for at, other_id in enumerate(others)
    ]


def _make_guards(number: int, commits: int, rng: random.Random) -> list[GuardRow]:
    lines = file_lines(number)
    owned = guarded_lines(number)
    chosen = rng.sample(range(1, commits + 1), len(owned))
    return [
        GuardRow(
            commit_id,
            rng.random(),
            pack_lines([(line, line_key(lines[line - 1])) for line in own]),
            pack_keys(rng.getrandbits(32) for _ in range(rng.randrange(6))),
        )
        for commit_id, own in zip(chosen, owned, strict=True)
    ]
