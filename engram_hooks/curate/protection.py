"""Which memories nothing but a person may archive, merge or compact."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

PROTECTED_KINDS = "constraint", "decision", "architecture"
PROTECTED_TAGS = "security", "security-rule"


def is_protected(row: Mapping[str, Any]) -> bool:
    """Whether a record (kind, tags, is_pinned) changes by a person's word alone."""
    return bool(
        row["kind"] in PROTECTED_KINDS
        or row["is_pinned"]
        or any(tag in PROTECTED_TAGS for tag in row["tags"].split())
    )
