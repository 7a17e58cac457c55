"""What each setting means, for people: help, type, range, and who may set it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engram_hooks.store.settings import BUDGETS, CHOICES, DEFAULTS, RANGES, TIGHTENED, variable_of

if TYPE_CHECKING:
    from engram_hooks.store.settings import Value

_TYPE_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}

_HELP = {
    "boot.max_chars": "Characters of the boot pack, which a session begins with.",
    "minder.max_chars": "Characters that the notes on one prompt may take.",
    "minder.eagerness": "How readily a prompt brings notes.",
    "preflight.mode": "What happens at an edit of lines that carry a fix.",
    "preflight.max_chars": "Characters of the brief on a file that the agent reads.",
    "invariants.mode": "What happens at an edit that touches a critical rule.",
    "attempts.mode": "What happens at an edit that repeats an attempt that was given up.",
    "precommit.strict": "Whether the check before a commit blocks it instead of warning.",
    "log.retention_days": "Days after which the log of conversations is deleted; 0 keeps it for good.",
    "index.auto": "Whether the history of a repository is indexed without being asked.",
    "embed.model": "Folder or name of another model of meaning; empty is the one that comes along.",
    "core.user_chars": "Characters of the block about the user that every session begins with.",
    "core.agent_chars": "Characters of the block about the agent that every session begins with.",
    "branch.mainline": "The branch that all work goes into; empty finds it (origin's own, main, master, trunk).",
    "branch.scope": "Where a note made on a feature branch holds: the project (marked elsewhere), or that branch.",
    "branch.promote": "What happens to the notes of a merged branch: asked about, made the project's, or nothing.",
    "consolidate.auto": "Whether notes are tidied in the background.",
    "consolidate.idle_minutes": "Minutes without a word in any session before that begins.",
    "consolidate.every_hours": "Hours between two times that it happens by itself.",
    "consolidate.skip": "Steps to leave out, by name, separated by spaces; empty is none.",
    "brain.command": "A command that may judge notes, given a prompt on its standard input; empty is none.",
    "brain.calls_per_hour": "How often that command may run in an hour.",
    "brain.tokens_per_hour": "About how many tokens, asked and answered, it may take in an hour.",
    "brain.timeout_s": "Seconds after which an answer is no longer waited for.",
}


@dataclass(frozen=True, slots=True)
class Knob:
    """One setting."""

    key: str
    help: str
    default: Value
    choices: tuple[str, ...]
    low: int | None
    high: int | None
    repository: str  # "", "any" or "stricter": what the file of a repository may do with it

    @property
    def variable(self) -> str:
        """Its variable in the environment."""
        return variable_of(self.key)

    @property
    def expects(self) -> str:
        """What its value must be, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        words = _TYPE_WORDS[type(self.default)]
        return words if self.low is None else f"{words} from {self.low} to {self.high:,}"


def _describe(key: str) -> Knob:
    low, high = RANGES.get(key, (None, None))
    repository = "any" if key in BUDGETS else "stricter" if key in TIGHTENED else ""
    return Knob(key, _HELP[key], DEFAULTS[key], CHOICES.get(key, ()), low, high, repository)


SETTINGS = {key: _describe(key) for key in DEFAULTS}
