"""Every command: where it is, what it does in a few words. Only the one that is typed is loaded."""

from __future__ import annotations

from importlib import import_module

import click

from engram_hooks.errors import UsageError

PLACE = "engram_hooks.cli."

# name: (module:attribute, what `engram --help` says), in the order in which people need them
COMMANDS: dict[str, tuple[str, str]] = {
    "add": ("add:command", "Keep a note: a decision, a rule, a fact."),
    "recall": ("recall:command", "Ask the memory."),
    "why-not": ("why_not:command", "Say why a prompt is given a note, or not."),
    "shown": ("shown:command", "List what a session was given, and why."),
    "feedback": ("feedback:command", "Say that a note was useful, or wrong."),
    "review": ("review:command", "Go through what recent sessions decided."),
    "core": ("core:group", "Keep what every session begins with."),
    "context": ("context_pack:command", "Show what the next session is told."),
    "list": ("list_records:command", "List notes."),
    "show": ("show:command", "Show one note, what it replaced and what it rests on."),
    "edit": ("edit:command", "Change a note."),
    "supersede": ("supersede:command", "Let one note replace another."),
    "audit": ("audit:command", "See who changed what, when and why."),
    "forget": ("forget:command", "Take a note back, or remove every trace of it."),
    "log": ("log:command", "Read and search what was said in sessions."),
    "index": ("index:command", "Learn a repository from its history."),
    "preflight": ("preflight:command", "Say what to know before a file is changed."),
    "history": ("history:command", "List the commits that made a file or function what it is."),
    "why": ("why:command", "Ask the history why something is as it is."),
    "pre-commit": ("precommit:command", "Check what is staged before it is committed."),
    "invariant": ("invariant:group", "Keep rules that always hold."),
    "exec": ("exec_command:command", "Run a check and learn from how it ends."),
    "attempts": ("attempts:group", "See what was tried and failed."),
    "cochange": ("cochange:command", "List what changes along with a file or function."),
    "graph": ("graph:command", "Show what notes speak of and how these things stand to each other."),
    "inspect": ("inspect:command", "Show couplings, load-bearing files and churn of a repository."),
    "consolidate": ("consolidate:command", "Put memory in order; it is done daily by itself."),
    "branches": ("branches:group", "See what becomes of notes that were made on branches."),
    "projects": ("projects:command", "List, rename and merge projects."),
    "stats": ("stats:command", "Show how much is kept."),
    "import": ("import_file:command", "Bring notes and conversations in from a file."),
    "setup": ("setup:command", "Connect engram with Claude Code."),
    "uninstall": ("uninstall:command", "Disconnect engram from Claude Code."),
    "doctor": ("doctor:command", "Find out what does not work, and repair it."),
    "model": ("model:group", "Choose what finds notes by meaning."),
    "brain": ("brain:group", "Let a model of your own judge notes."),
    "config": ("config:command", "Read and change settings."),
    "guard": ("guard:command", "Filter text as engram does, on its way in or out."),
    "scan-secrets": ("scan_secrets:command", "Find and remove secrets that were kept earlier."),
    "backup": ("backup:command", "Copy the store to a file."),
    "restore": ("restore:command", "Bring a note back, or a copy of the store."),
    "demo": ("demo:command", "See in a minute what engram does."),
    "completion": ("completion:command", "Print what a shell needs to complete commands."),
    "hook": ("hook:hook", "Serve one event of the client."),
    "statusline": ("hook:statusline", "Print the status line."),
    "bench": ("bench:group", "Measure engram on this machine."),
}


class LazyGroup(click.Group):
    """A group that imports a command only when it is called by its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, None where there is none."""
        if cmd_name not in COMMANDS:
            from difflib import get_close_matches

            near = get_close_matches(cmd_name, COMMANDS, n=1)
            hint = f"engram {near[0]}" if near else "engram --help"
            raise UsageError(f"there is no command {cmd_name[:40]!r}", hint=hint)
        module, attribute = COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(PLACE + module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands out of the table, so that help imports none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])
