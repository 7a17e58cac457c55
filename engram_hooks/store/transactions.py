"""A short write transaction: begun at once, committed or rolled back as one."""

from __future__ import annotations

from engram_hooks.store.connect import DatabaseError, begin, explain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection


class Transaction:
    """`with Transaction(db):` writes all or nothing; inside another one it joins that one.

    Raises a child of `StoreError` where the store is busy, full or damaged.
    """

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._is_outer = False

    def __enter__(self) -> Connection:
        if not self._db.in_transaction:
            begin(self._db)
            self._is_outer = True
        return self._db

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if self._is_outer:
            self._end("ROLLBACK" if kind else "COMMIT")
        if isinstance(error, DatabaseError):
            raise explain(error) from error

    def _end(self, command: str) -> None:
        try:
            self._db.execute(command)
        except DatabaseError as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise explain(error) from error
