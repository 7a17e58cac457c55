"""Questions that a repository on disk answers itself: withheld sentences, and what changed together later.

What is asked must not stand in the index. So the history up to a moment is written anew without one sentence of
each asked commit, and partners are asked for with commits after that moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from engram_hooks.bench.borrowed import MAIN, borrow, read_head
from engram_hooks.bench.monorepo.truth import Question
from engram_hooks.bench.plain_git import Entry, PlainGit
from engram_hooks.bench.rewritten import rewrite
from engram_hooks.bench.why import (
    Asked,
    Outcome,
    Progress,
    ask_partners,
    ask_questions,
    open_memory,
    quantile,
)
from engram_hooks.bench.withheld import withhold
from engram_hooks.errors import EngramError
from engram_hooks.history import git, roles

KNOWN_SHARE = 0.8
MAX_QUESTIONS = 100
MAX_PARTNERS = 200
MAX_FILES = 20
MIN_TOGETHER, MAX_TOGETHER = 2, 10
KIND = "withheld sentence"
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Material:
    """What the older part of a history and the newer one give to ask for."""

    withheld: dict[str, tuple[str, str]]
    files: dict[str, tuple[str, ...]]
    partners: tuple[tuple[str, frozenset[str]], ...]


def measure(repo: Path, folder: Path, *, on_progress: Progress) -> Outcome:
    """Ask what the history of `repo` answers; all is written into `folder`.

    Raises `EngramError` where there is no commit, or nothing to ask for.
    """
    on_progress("histories read", 0, 1)
    old = _borrow_older(repo, folder / "old")
    material = gather(old, repo)
    if not material.withheld and not material.partners:
        raise EngramError(f"the messages of {repo} have no sentence to ask for, and no files change together")

    def edit(name: str, message: str) -> str:
        return material.withheld[name][1] if name in material.withheld else message

    new_names = rewrite(old, folder / "repo", edit)
    questions = [
        Question(KIND, asked, (new_names[name],), material.files[name])
        for name, (asked, _) in material.withheld.items()
        if name in new_names
    ]
    with open_memory(folder, folder / "repo") as memory:
        report = memory.index(on_progress=on_progress)
        asked = Asked(memory, PlainGit(folder / "repo"), on_progress)
        why = ask_questions(asked, questions)
        cochange = ask_partners(asked, material.partners)
    return Outcome(
        name=str(repo),
        head=read_head(old),
        commits=report.commits,
        index_s=report.seconds,
        why_p50_ms=quantile(asked.why_ms, 0.5),
        preflight_p95_ms=0.0,
        why=why,
        preflight=(),
        cochange=cochange,
    )


def gather(old: Path, repo: Path) -> Material:
    """What to ask for: `old` stands at an ancestor of the head of `repo`."""
    listing = git.run(["ls-tree", "-r", "-z", "--name-only", MAIN], str(old))
    present = {name.decode("utf-8", "replace") for name in listing.split(b"\0") if name}
    older = PlainGit(old, MAIN).entries
    newer = PlainGit(repo, f"{read_head(old)}..HEAD").entries
    withheld = _choose_sentences(older, present)
    return Material(
        withheld,
        {one.name: one.files for one in older if one.name in withheld},
        _choose_partners(newer, present),
    )


def _choose_sentences(entries: Sequence[Entry], present: set[str]) -> dict[str, tuple[str, str]]:
    """(sentence, rest of the message) of commits that touch a few files of source that are still there."""
    found: dict[str, tuple[str, str]] = {}
    for entry in entries:
        source = [path for path in entry.files if roles.role_of(path) == roles.SOURCE and path in present]
        if source and len(entry.files) <= MAX_FILES and (parts := withhold(entry.message)):
            found[entry.name] = parts
    counts = Counter(sentence for sentence, _ in found.values())
    unique = [name for name in found if counts[found[name][0]] == 1]
    return {name: found[name] for name in spread(unique, MAX_QUESTIONS)}


def _choose_partners(entries: Sequence[Entry], present: set[str]) -> tuple[tuple[str, frozenset[str]], ...]:
    """(a file of source, the others) of commits that changed a few files that were there before."""
    found: list[tuple[str, frozenset[str]]] = []
    for number, entry in enumerate(entries):
        files = [path for path in entry.files if path in present and _counts(path)]
        source = [path for path in files if roles.role_of(path) == roles.SOURCE]
        if source and MIN_TOGETHER <= len(files) <= MAX_TOGETHER:
            given = source[number % len(source)]
            found.append((given, frozenset(files) - {given}))
    return tuple(spread(found, MAX_PARTNERS))


def _counts(path: str) -> bool:
    """Whether a file is worth telling: changelogs and other prose go with everything."""
    return roles.role_of(path) not in {*roles.NOISE, roles.DOCS}


def spread(items: Sequence[_Item], count: int) -> list[_Item]:
    """At most so many of the items, evenly from all of them."""
    if len(items) <= count:
        return list(items)
    return [items[at * len(items) // count] for at in range(count)]


def _borrow_older(repo: Path, folder: Path) -> Path:
    """A repository that stands at the commit up to which the history counts as known."""
    chain = git.run(["rev-list", "--first-parent", "HEAD"], str(repo), timeout_s=600.0).split()
    moment = chain[int((1 - KNOWN_SHARE) * len(chain))].decode("ascii")
    borrow(repo, folder)
    git.run(["update-ref", MAIN, moment], str(folder))
    return folder
