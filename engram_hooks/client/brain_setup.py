"""Turning the brain on and off: one line of the user's own settings file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engram_hooks.client.config import change_file, parse_value, user_file
from engram_hooks.curate.brain.command import find_program, split_command, suggest_command
from engram_hooks.store.settings import variable_of

KEY = "brain.command"
SUGGESTED = "suggested"


@dataclass(frozen=True, slots=True)
class BrainPlan:
    """The command to be set ('' turns the brain off), the file it goes to, and what the user should know."""

    command: str
    file: str
    warnings: tuple[str, ...]

    @property
    def change(self) -> str:
        """The change in one line."""
        return f"sets {KEY} to: {self.command}" if self.command else f"takes {KEY} out: no model judges notes"


def plan_brain(command: str, environ: Mapping[str, str]) -> BrainPlan:
    """Look a command over before it is set; `SUGGESTED` stands for the one that is suggested, '' for none.

    Raises `EngramError` for one that cannot be split into words.
    """
    chosen = suggest_command() if command == SUGGESTED else command.strip()
    warnings = []
    if chosen:
        parse_value(KEY, chosen)
        name = split_command(chosen)[0]
        if not find_program(name, environ):
            warnings.append(f"warning: {name} is not found on PATH, nor is it the whole path of a program")
    if environ.get(variable_of(KEY)) is not None:
        warnings.append(f"warning: {variable_of(KEY)} is set in the environment, and wins over the file")
    return BrainPlan(chosen, user_file(environ), tuple(warnings))


def set_brain(plan: BrainPlan) -> bool:
    """Carry a plan out; whether the file is different now. Raises `EngramError` where it cannot be changed."""
    return change_file(plan.file, KEY, plan.command or None, is_repository=False)
