"""`engram model`: which model finds notes by meaning, and another one instead."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import json_option

if TYPE_CHECKING:
    from engram_hooks.curate.models import State
    from engram_hooks.memory import Engram

WAIT_S = 20


@click.group(name="model")
def group() -> None:
    """Choose what finds notes by meaning.

    A small model comes with engram and works offline. Any model2vec model can take its place: a folder, or a
    name on the hub, which is then downloaded once. ENGRAM_EMBED=off leaves full text alone.
    """


@group.command(name="list")
@json_option
def list_all(*, as_json: bool) -> None:
    """List the models that have vectors of your notes, or are getting them."""
    with open_memory() as memory:
        states = _read_states(memory)
    if as_json:
        output.print_json([_to_json(state) for state in states])
        return
    rows = [
        (
            output.line(state.name, max_chars=60),
            _describe(state),
            f"{state.dims}",
            "hooks and commands" if state.is_hot else "commands",
        )
        for state in states
    ]
    output.say(output.table(rows, headers=["model", "state", "dims", "used by"]))


@group.command()
@json_option
def info(*, as_json: bool) -> None:
    """Show the model that answers, how many notes have vectors, and what they take."""
    from engram_hooks.embed.nearest import is_off

    with open_memory() as memory:
        states = _read_states(memory)
        off = is_off(memory.environ)
    first = states[0]
    if as_json:
        output.print_json({**_to_json(first), "off": off})
        return
    rows = [
        ("Model", output.line(first.name, max_chars=80)),
        ("State", "switched off by ENGRAM_EMBED" if off else _describe(first)),
        ("Vectors", f"{first.vectors:,} of {first.dims} components, {output.size(first.size_bytes)}"),
        ("Used by", "hooks and commands" if first.is_hot else "commands; hooks use full text alone"),
    ]
    output.say(output.table([(output.style(label, "dim"), text) for label, text in rows]))


@group.command()
@click.argument("name")
def use(name: str) -> None:
    """Let the model NAME answer: a folder, or a name on the hub. The one before goes on until all is ready."""
    from engram_hooks.curate import models

    with open_memory() as memory:
        chosen = models.resolve_name(name, memory.cwd)
        models.prepare_model(memory.db, memory.data, chosen, now_ms=_now_ms())
        _set_wish(memory, chosen)
        _report(memory)


@group.command()
def reset() -> None:
    """Go back to the model that comes with engram."""
    with open_memory() as memory:
        _set_wish(memory, None)
        _report(memory)


def _set_wish(memory: Engram, name: str | None) -> None:
    """Write the wish into the user's settings, and say where something else still wins."""
    from engram_hooks.client import config
    from engram_hooks.curate.models import SETTING

    config.change_file(config.user_file(memory.environ), SETTING, name, is_repository=False)
    config.compile_settings(memory.db, memory.environ, memory.cwd)
    variable = config.SETTINGS[SETTING].variable
    if variable in memory.environ:
        output.say(output.style(f"{variable} in the environment still wins", "warn"), to_stderr=True)


def _report(memory: Engram) -> None:
    """Make vectors for a while, leave the rest to the worker, and say how it stands."""
    from engram_hooks.curate import backfill

    now_ms = _now_ms()
    until = time.monotonic() + WAIT_S
    backfill.embed_missing(memory.db, memory.data, memory.environ, now_ms=now_ms, until=until)
    backfill.queue_vectors(memory.db, now_ms=now_ms)
    for state in _read_states(memory):
        output.say(f"{output.line(state.name, max_chars=80)}: {_describe(state)}")


def _read_states(memory: Engram) -> list[State]:
    from engram_hooks.curate import models

    return models.read_states(memory.db, memory.data, memory.environ, now_ms=_now_ms())


def _describe(state: State) -> str:
    if state.is_serving:
        more = f", {output.count(state.waiting, 'note')} to come" if state.waiting else ""
        return f"answers, {output.count(state.vectors, 'note')}{more}"
    return f"on its way, {state.vectors:,} of {output.count(state.vectors + state.waiting, 'note')}"


def _to_json(state: State) -> dict[str, object]:
    return {
        "name": state.name,
        "fingerprint": state.fingerprint,
        "dims": state.dims,
        "answers": state.is_serving,
        "hooks": state.is_hot,
        "vectors": state.vectors,
        "waiting": state.waiting,
        "size_bytes": state.size_bytes,
    }


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
