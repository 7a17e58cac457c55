"""What doctor can find: slugs with their weight, explained in docs/messages.md, and one sentence each."""

from __future__ import annotations

from dataclasses import asdict, dataclass

ERROR, WARNING, NOTE = "error", "warning", "note"

LEVELS = {
    "settings-invalid": ERROR,
    "settings-refused": ERROR,
    "hooks-disabled": ERROR,
    "hooks-unregistered": ERROR,
    "hooks-incomplete": WARNING,
    "hooks-outdated": WARNING,
    "hooks-doubled": WARNING,
    "other-tool": WARNING,
    "launcher-missing": ERROR,
    "launcher-outdated": WARNING,
    "hook-failed": ERROR,
    "hook-slow": WARNING,
    "engram-off": WARNING,
    "store-missing": NOTE,
    "store-outdated": WARNING,
    "store-newer": ERROR,
    "store-damaged": ERROR,
    "store-unusable": ERROR,
    "store-read-only": ERROR,
    "store-inconsistent": WARNING,
    "store-busy": WARNING,
    "store-journal": WARNING,
    "store-permissions": WARNING,
    "spool-backlog": WARNING,
    "hook-failures": WARNING,
    "jobs-pending": NOTE,
    "jobs-failing": WARNING,
    "config-unusable": WARNING,
    "core-refused": WARNING,
    "core-conflict": NOTE,
    "brain-missing": WARNING,
    "brain-resting": WARNING,
    "projects-alike": NOTE,
}
"""Weight by slug: an error keeps engram from working, a warning takes something away, a note is to know."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that doctor saw: the slug, what it is here, and the command that helps (may be empty)."""

    slug: str
    text: str
    hint: str = ""

    @property
    def level(self) -> str:
        """`error`, `warning` or `note`."""
        return LEVELS[self.slug]

    def as_dict(self) -> dict[str, str]:
        """The finding for JSON."""
        return {**asdict(self), "level": self.level}
