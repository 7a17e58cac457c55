"""A pattern that is compiled when it is first asked: to compile all of them takes longer than most commands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class LatePattern:
    """What of `re.Pattern` is used, by the same names; from the first call on as fast as that."""

    if TYPE_CHECKING:
        search: Callable[..., re.Match[str] | None]
        match: Callable[..., re.Match[str] | None]
        finditer: Callable[..., Iterator[re.Match[str]]]
        sub: Callable[..., str]

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:  # Any: of whatever type the method of a pattern is
        method = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, method)
        return method
