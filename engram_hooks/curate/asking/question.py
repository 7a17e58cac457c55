"""What is asked of the memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, where and as of when.

    `project_id` None means the global layer alone; without the folder `data` words alone answer.
    """

    text: str
    k: int = 5
    project_id: int | None = None
    branch: str = ""
    as_of_ms: int | None = None
    now_ms: int = 0
    is_explained: bool = False
    data: str = ""
    environ: Mapping[str, str] = field(default_factory=dict)

    @property
    def project_ids(self) -> list[int]:
        """The projects whose records may answer."""
        return list(dict.fromkeys((self.project_id or 0, 0)))
