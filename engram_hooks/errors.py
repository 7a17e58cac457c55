"""Failures that a person can act on, and the exit codes that go with them."""

from __future__ import annotations

EXIT_OK = 0
EXIT_FAILURE = 1
EXIT_USAGE = 2
EXIT_BUG = 3
EXIT_BLOCKED = 10  # of the check in a git hook: nothing that is broken ends with it by chance
EXIT_INTERRUPTED = 130


class EngramError(Exception):
    """An expected failure: what happened, and a command or step that helps.

    `message` is one sentence for the user, `hint` (may be empty) the remedy.
    """

    exit_code = EXIT_FAILURE

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(EngramError):
    """The command was called with values that cannot be used."""

    exit_code = EXIT_USAGE


class StoreError(EngramError):
    """The store cannot be used as it is."""


class StoreMissing(StoreError):
    """There is no store yet."""


class StoreOutdated(StoreError):
    """The store has an older schema: a command or the worker upgrades it."""


class StoreNewer(StoreError):
    """The store was written by a newer engram."""


class StoreDamaged(StoreError):
    """The store is not a readable database."""


class StoreReadOnly(StoreError):
    """The store can be read and not be written."""


class StoreBusy(StoreError):
    """Another process holds the store longer than this caller may wait."""
