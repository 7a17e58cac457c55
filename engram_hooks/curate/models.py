"""Which model of meaning answers: what the settings wish for, had, registered, and told when it cannot be."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engram_hooks.embed.encoders import model_folder
from engram_hooks.embed.nearest import BUNDLED, BUNDLED_FINGERPRINT, FOLDER, find_table
from engram_hooks.errors import EngramError
from engram_hooks.store import meta, settings, vector_queue, vectors
from engram_hooks.store.segments import file_path
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

BUNDLED_DIMS = 256
SETTING = "embed.model"
NOTICE_MISSING, NOTICE_COLD = "model-missing", "model-without-hooks"
_FAILED_FACT = "vectors.failed"
_RECIPE = BUNDLED_FINGERPRINT.partition("-")[2]
_SAMPLE_TEXTS = 2_000


@dataclass(frozen=True, slots=True)
class State:
    """How it stands with a model: records with and without its vectors, what its files take."""

    name: str
    fingerprint: str
    dims: int
    is_hot: bool
    is_serving: bool
    vectors: int
    waiting: int
    size_bytes: int


def read_states(db: Connection, data: str, environ: Mapping[str, str], *, now_ms: int) -> list[State]:
    """How it stands with every model, the one that answers first."""
    settle_models(db, data, environ, now_ms=now_ms)
    states = []
    for model_id, name, fingerprint, dims, is_hot, is_serving in vectors.list_models(db):
        count, uids = vectors.count_vectors(db, model_id)
        paths = [file_path(data, uid) for uid in uids]
        size_bytes = sum(os.stat(path).st_size for path in paths if os.path.exists(path))
        waiting = vector_queue.count_waiting(db, model_id)
        state = State(name, fingerprint, dims, bool(is_hot), bool(is_serving), count, waiting, size_bytes)
        states.append(state)
    return states


def resolve_name(name: str, cwd: str) -> str:
    """What a person typed for a model: the full path where it is a folder, else a name on the hub."""
    path = os.path.join(cwd, os.path.expanduser(name))
    return os.path.normpath(path) if os.path.isdir(path) else name


def settle_models(db: Connection, data: str, environ: Mapping[str, str], *, now_ms: int) -> None:
    """Register the model that the settings wish for, if it is not; drop others that were on their way.

    One that cannot be had is tried once and said once; what answered before goes on, at first the bundled one.
    """
    wish = wished_model(db, environ)
    known = vectors.list_models(db)
    if wish != BUNDLED and not any(name == wish for _, name, *_ in known):
        if meta.get_fact(db, _FAILED_FACT) != wish:
            meta.set_fact(db, _FAILED_FACT, wish)  # until it is had: tried once, whatever comes
            try:
                prepare_model(db, data, wish, now_ms=now_ms)
            except EngramError as error:
                say_missing(db, wish, error.message)
        if not any(name == wish for _, name, *_ in vectors.list_models(db)):
            wish = BUNDLED if not known else known[0][1]
    if wish == BUNDLED:
        add_bundled(db, now_ms=now_ms)
    _drop_unwished(db, wish)


def wished_model(db: Connection, environ: Mapping[str, str]) -> str:
    """The name of the model that the settings wish for; `bundled` for none."""
    return str(settings.read(db, 0, environ)[SETTING]).strip() or BUNDLED


def add_bundled(db: Connection, *, now_ms: int) -> int:
    """Register the table that comes with this package; returns its model id."""
    return vector_queue.add_model(
        db, BUNDLED, BUNDLED_FINGERPRINT, dims=BUNDLED_DIMS, is_hot=True, now_ms=now_ms
    )


def prepare_model(db: Connection, data: str, name: str, *, now_ms: int) -> int:
    """Get a model (a folder, or a name on the hub), keep it in the data folder and register it.

    Returns its model id. Raises `EngramError` where it cannot be had or kept.
    """
    from engram_hooks.embed import model as source

    loaded = source.load_model(name)
    mark = f"{source.fingerprint_model(loaded)}-{_RECIPE}"
    is_hot = source.is_wordpiece(loaded)
    try:
        if is_hot:
            path = find_table(name, mark, data)
            if not os.path.exists(path):
                source.write_file(
                    path, source.compile_table(loaded, vector_queue.sample_summaries(db, limit=_SAMPLE_TEXTS))
                )
        elif not os.path.isdir(model_folder(data, mark)):
            loaded.save_pretrained(model_folder(data, mark))
    except OSError as error:
        raise EngramError(f"the model {name} cannot be kept: {error.strerror or error}") from error
    with Transaction(db):
        model_id = vector_queue.add_model(db, name, mark, dims=loaded.dim, is_hot=is_hot, now_ms=now_ms)
        meta.set_fact(db, _FAILED_FACT, "")
        if not is_hot:
            say_cold(db, name)
    return model_id


def say_missing(db: Connection, name: str, reason: str) -> None:
    """Leave a notice that a model cannot be had, once for each; it is not tried again by itself."""
    with Transaction(db):
        meta.set_fact(db, _FAILED_FACT, name)
        text = f"{reason}; meaning goes on with the model before. Try again: engram model use {name}"
        meta.post_notice(db, f"{NOTICE_MISSING}:{name}", text)


def say_cold(db: Connection, name: str) -> None:
    """Leave a notice that hooks cannot use a model, once for each."""
    text = f"the model {name} cuts words in a way that hooks do not know: they use full text alone, commands use both"
    meta.post_notice(db, f"{NOTICE_COLD}:{name}", text)


def delete_unused(db: Connection, data: str) -> None:
    """Delete the kept models in the data folder that no vectors are made with."""
    used = {mark for _, _, mark, *_ in vectors.list_models(db)}
    folder = os.path.join(data, FOLDER)
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        path = os.path.join(folder, name)
        if name.removesuffix(".bin") in used:
            continue
        if os.path.isdir(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)


def _drop_unwished(db: Connection, wish: str) -> None:
    """Drop models on their way that are not wished for, or were made anew under the same name."""
    others = [model for model in vectors.list_models(db) if not model[5]]
    newest = max((model[0] for model in others if model[1] == wish), default=0)
    serving = vectors.serving_model(db)
    for model in others:
        is_back = serving is not None and serving[1] == wish and serving[0] > model[0]
        is_foreign = model[1] == BUNDLED and model[2] != BUNDLED_FINGERPRINT
        if model[0] != newest or is_back or is_foreign:
            vector_queue.drop_model(db, model[0])
