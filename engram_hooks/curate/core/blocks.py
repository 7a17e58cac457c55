"""Core memory through the facade: the two blocks that every session begins with, read, changed and undone."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.core.worth import order_by_worth
from engram_hooks.errors import EngramError, UsageError
from engram_hooks.recall.core import fold, percent
from engram_hooks.sessions import core_lines, core_mirror
from engram_hooks.store import core, settings
from engram_hooks.store.core import BLOCKS
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.memory import Engram

_MAX_NAMED = 3
_MAX_NAMED_CHARS = 70


@dataclass(frozen=True, slots=True)
class CoreBlock:
    """One block: its entries, the room they take, its file, and what is wrong with that ('' for nothing).

    `conflict` is the path of a file with the text that lost where file and store were both changed.
    """

    block: str
    entries: tuple[str, ...]
    chars: int
    max_chars: int
    version: int
    updated_at: int
    file: str
    pending: str
    conflict: str

    @property
    def percent(self) -> int:
        """How full it is."""
        return percent(self.chars, self.max_chars)

    def as_dict(self) -> dict[str, Any]:
        """The block for JSON."""
        return {**asdict(self), "percent": self.percent}


@dataclass(frozen=True, slots=True)
class CoreChange:
    """What a change did: the block now, the entries that went and those that came, what could not be done beside."""

    block: CoreBlock
    gone: tuple[str, ...]
    new: tuple[str, ...]
    problem: str = ""


def take_over_files(memory: Engram) -> None:
    """Read what a person wrote into the files of the blocks, where one was changed. Raises `StoreError`."""
    if core_mirror.is_touched(memory.db, memory.data):
        core_mirror.settle_quietly(memory.db, memory.data, caps_of(memory), now_ms=_now_ms())


def read_core(memory: Engram, block: str = "") -> list[CoreBlock]:
    """The block of that name, or both. Raises `UsageError` for another name."""
    return [_read(memory, name) for name in ([check_block(block)] if block else BLOCKS)]


def add_core(memory: Engram, block: str, text: str, *, reason: str = "") -> CoreChange:
    """Add an entry for each line of `text`; what is there already is not added twice.

    Raises `UsageError` for an empty text, `EngramError` where it does not fit or reads as an order to an agent.
    """
    new = core_lines.split_entries(text)
    if not new:
        raise UsageError("an empty entry says nothing", hint='engram core add user "My name is Ana"')
    block = check_block(block)
    return _change(memory, block, lambda lines: [*lines, *_without(new, lines)], action="add", reason=reason)


def replace_core(memory: Engram, old: str, new: str, *, block: str = "", reason: str = "") -> CoreChange:
    """Put other entries in place of the one that `old` is a part of.

    Raises `EngramError` where no entry or several hold it, and as `add_core`.
    """
    entries = core_lines.split_entries(new)
    if not entries:
        raise UsageError("an empty entry says nothing", hint="engram core remove TEXT")
    block, line = find_entry(memory, old, block=block)

    def swap(lines: list[str]) -> list[str]:
        at = lines.index(line)
        rest = [item for item in lines if item != line]
        return [*rest[:at], *_without(entries, rest), *rest[at:]]

    return _change(memory, block, swap, action="replace", reason=reason)


def remove_core(memory: Engram, part: str, *, block: str = "", reason: str = "") -> CoreChange:
    """Take the entry out that `part` is a part of. Raises `EngramError` where no entry or several hold it."""
    block, line = find_entry(memory, part, block=block)
    return _change(
        memory, block, lambda lines: [item for item in lines if item != line], action="remove", reason=reason
    )


def undo_core(
    memory: Engram, *, block: str = "", is_redo: bool = False, to_version: int | None = None
) -> CoreChange:
    """Go back to the text before the last change, once more with each call; redo takes that back.

    `to_version` goes to any version. Without a block the one that was changed last. Raises `EngramError`
    where there is nothing to undo, or the old text does not fit the block any more.
    """
    block = check_block(block) if block else _changed_last(memory)
    versions = {row["version"]: row for row in core.list_versions(memory.db, block)}
    target = to_version if to_version is not None else find_target(versions, is_redo=is_redo)
    if target is None or (target and target not in versions):
        what = (
            f"there is no version {target}"
            if target
            else f"there is nothing to {'re' if is_redo else 'un'}do"
        )
        raise EngramError(f"{what} in the {block} block", hint=f"engram core history {block}")
    text = versions[target]["text"] if target else ""
    reason = f"back to version {target}" if target else "back to nothing"
    return _change(
        memory,
        block,
        lambda _: text.split("\n") if text else [],
        action="redo" if is_redo else "undo",
        reason=reason,
        restores=target,
    )


def history_of_core(memory: Engram, block: str = "") -> list[dict[str, Any]]:
    """Every version of the block of that name, or of both, oldest first; `block` names it."""
    names = [check_block(block)] if block else BLOCKS
    rows = [{"block": name, **row} for name in names for row in core.list_versions(memory.db, name)]
    return sorted(rows, key=lambda row: (row["created_at"], row["version"]))


def find_entry(memory: Engram, part: str, *, block: str = "") -> tuple[str, str]:
    """(block, entry) that a part of its text means. Raises `EngramError` where no entry or several hold it."""
    names = [check_block(block)] if block else BLOCKS
    found: list[tuple[str, str]] = []
    for name in names:
        lines = core.read_lines(memory.db, name)
        found += [(name, lines[at]) for at in core_lines.find_matches(lines, part)]
    whole = [item for item in found if fold(item[1]) == fold(part)]
    if len(whole) == 1:
        return whole[0]
    if not found:
        raise EngramError(f"no entry of core memory holds {part[:60]!r}", hint="engram core show")
    if len(found) > 1:
        listed = "\n".join(f"  {line} ({name})" for name, line in found)
        raise EngramError(
            f"{len(found)} entries of core memory hold {part[:60]!r}:\n{listed}",
            hint="give more of its text, or --block",
        )
    return found[0]


def find_target(versions: dict[int, dict[str, Any]], *, is_redo: bool) -> int | None:
    """The version that an undo or redo brings back, 0 for the empty block, None where there is none.

    What an undo brought back counts as the version it restores, so that the next one goes further.
    """
    if not versions:
        return None

    def resolve(version: int) -> int:
        restored = versions[version]["restores"] if version in versions else None
        return version if restored is None else int(restored)

    here = resolve(max(versions))
    if not is_redo:
        return resolve(here - 1) if here else None
    if versions[max(versions)]["restores"] is None:
        return None
    after = [v for v, row in versions.items() if row["restores"] is None and resolve(v - 1) == here]
    return max(after, default=None)


def check_block(name: str) -> str:
    """The block of a name. Raises `UsageError` where there is none."""
    block = name.strip().lower()
    if block not in BLOCKS:
        raise UsageError(f"there is no block {name[:40]!r}", hint=f"one of: {', '.join(BLOCKS)}")
    return block


def caps_of(memory: Engram) -> dict[str, Any]:
    """The settings that bound the blocks."""
    return settings.read(memory.db, memory.project_id or 0, memory.environ)


def _read(memory: Engram, block: str) -> CoreBlock:
    cap = core_mirror.cap_of(caps_of(memory), block)
    text, version, *_, updated_at = core.read_block(memory.db, block)
    conflict = core_mirror.conflict_of(memory.data, block)
    return CoreBlock(
        block=block,
        entries=tuple(text.split("\n")) if text else (),
        chars=len(text),
        max_chars=cap,
        version=version,
        updated_at=updated_at,
        file=core_mirror.file_of(memory.data, block),
        pending=core_mirror.find_pending(memory.db, memory.data, block, cap),
        conflict=conflict if os.path.exists(conflict) else "",
    )


def _change(
    memory: Engram,
    block: str,
    edit: Callable[[list[str]], list[str]],
    *,
    action: str,
    reason: str,
    restores: int | None = None,
) -> CoreChange:
    cap = core_mirror.cap_of(caps_of(memory), block)
    core_mirror.settle_files(memory.db, memory.data, caps_of(memory), now_ms=_now_ms())
    if pending := core_mirror.find_pending(memory.db, memory.data, block, cap):
        path = core_mirror.file_of(memory.data, block)
        raise EngramError(
            f"the file of the {block} block was edited and is not taken over: {pending}",
            hint=f"change {path}, or delete it: it is written again from what is kept",
        )
    with Transaction(memory.db):
        old = core.read_lines(memory.db, block)
        new = edit(old)
        _require_fit(block, old, new, cap)
        core.write_block(
            memory.db,
            block,
            new,
            actor="person",
            action=action,
            now_ms=_now_ms(),
            reason=reason,
            restores=restores,
        )
    problem = ""
    try:
        if not core_mirror.write_file(memory.db, memory.data, block, cap):
            problem = "its file was changed at the same moment; the next command brings both together"
    except OSError as error:
        problem = f"its file could not be written: {error.strerror}"
    gone = tuple(line for line in old if line not in new)
    return CoreChange(_read(memory, block), gone, tuple(line for line in new if line not in old), problem)


def _require_fit(block: str, old: Sequence[str], new: Sequence[str], cap: int) -> None:
    """Raise where entries cannot be told, or take more room than there is (and more than before)."""
    chars = core_lines.count_chars(new)
    fresh = [line for line in new if line not in old]
    if fresh and (fault := core_lines.find_fault(new, chars)):
        raise EngramError(f"this is told to no agent: {fault}", hint="say it otherwise")
    if chars <= cap or (chars < core_lines.count_chars(old) and not fresh):
        return
    least = order_by_worth(old)[:_MAX_NAMED]
    named = "".join(f"\n  {line[:_MAX_NAMED_CHARS]}" for line in least)
    raise EngramError(
        f"the {block} block has {core_lines.count_chars(old):,} of {cap:,} characters; with this it would have"
        f" {chars:,}." + (f" The entries that matter least:{named}" if least else ""),
        hint=f"engram core replace {block} OLD NEW, engram core remove {block} TEXT, or engram core compact",
    )


def _changed_last(memory: Engram) -> str:
    changed = {block: core.read_block(memory.db, block)[5] for block in BLOCKS}
    return max(BLOCKS, key=lambda block: changed[block])


def _without(new: Sequence[str], lines: Sequence[str]) -> list[str]:
    known = {fold(line) for line in lines}
    return [line for line in new if fold(line) not in known]


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
