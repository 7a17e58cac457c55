"""Giving vectors to the records that wait for one, and sealing them into segments."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engram_hooks import spawn
from engram_hooks.curate import models
from engram_hooks.embed.encoders import open_encoder, sign_stored
from engram_hooks.embed.nearest import is_off
from engram_hooks.store import jobs, sealing, vector_queue, vectors
from engram_hooks.store.segments import Segment, file_path, make_header, write_segment

if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

    from engram_hooks.embed.encoders import Encoder
    from engram_hooks.store.sealing import SealedRow
    from engram_hooks.store.vectors import Model

BATCH_RECORDS = 512
# a tail of this length is sealed by the worker; a command, which would have to load numpy, leaves it longer
SEAL_ROWS = 256
SEAL_ROWS_IN_COMMAND = 2_048
SEAL_EVERY_ROWS = 32_768
SEGMENT_ROWS = 131_072
MERGE_RATIO = 4
MIN_GONE, GONE_SHARE = 256, 10
MAX_DETAIL_CHARS = 1_200
JOB_KIND, JOB_KEY = "vectors", "all"
LEAVE_READY_RECORDS, LEAVE_READY_S = 32, 0.3


@dataclass(frozen=True, slots=True)
class Plan:
    """What a segment is made of: older segments and rows of the tail of one project."""

    project_id: int
    merged: list[SealedRow]
    tail: list[tuple[int, int, bytes]]


def embed_missing(
    db: Connection,
    data: str,
    environ: Mapping[str, str],
    *,
    now_ms: int,
    limit: int | None = None,
    until: float | None = None,
) -> int:
    """Give vectors to records that wait for one, the newest first; returns how many were given.

    At most `limit` records, and no longer than to `until` (a moment of the monotonic clock). With neither all
    is done: a model on its way is filled and takes over, long tails are sealed. Raises `StoreError`.
    """
    if is_off(environ):
        return 0
    models.settle_models(db, data, environ, now_ms=now_ms)
    done = 0
    for model in vectors.list_models(db):
        left = None if limit is None else limit - done
        done += _fill(db, data, model, now_ms=now_ms, limit=left, until=until)
    return done


def run_job(db: Connection, data: str, environ: Mapping[str, str], *, now_ms: int, until: float) -> None:
    """The worker's part: sweep up, then give vectors until the moment `until`; what is left is queued again.

    Raises `StoreError`, `OSError`.
    """
    if is_off(environ):
        return
    sealing.sweep(db, data, now_ms=now_ms)
    done = embed_missing(db, data, environ, now_ms=now_ms, until=until)
    if done and vectors.has_todo(db):
        jobs.add_job(db, JOB_KIND, JOB_KEY, project_id=0, now_ms=now_ms + 1)


def leave_ready(db: Connection, data: str, environ: Mapping[str, str], *, now_ms: int) -> None:
    """What a command does before it ends: vectors for the few records it brought; for many the worker is started.

    Raises `StoreError`.
    """
    if is_off(environ) or (vectors.serving_model(db) is not None and not vectors.has_todo(db)):
        return
    until = time.monotonic() + LEAVE_READY_S
    embed_missing(db, data, environ, now_ms=now_ms, limit=LEAVE_READY_RECORDS, until=until)
    if vectors.has_todo(db) and queue_vectors(db, now_ms=now_ms) and not spawn.is_worker_running(data):
        spawn.start_worker(data, dict(environ))


def queue_vectors(db: Connection, *, now_ms: int) -> bool:
    """Queue the job that gives vectors where records wait for one; whether it was."""
    if not vectors.has_todo(db) and vectors.serving_model(db) is not None:
        return False
    jobs.add_job(db, JOB_KIND, JOB_KEY, project_id=0, now_ms=now_ms)
    return True


def text_of(summary: str, tags: str, detail: str) -> str:
    """What of a record is turned into its vector."""
    return f"{summary}\n{tags}\n{detail[:MAX_DETAIL_CHARS]}"


def _fill(
    db: Connection, data: str, model: Model, *, now_ms: int, limit: int | None, until: float | None
) -> int:
    """Make the vectors of one model that are missing, seal, and let it answer once it is complete."""
    model_id, name, fingerprint, _, is_hot, is_serving = model
    min_rows = SEAL_ROWS if limit is None else SEAL_ROWS_IN_COMMAND
    done = 0
    if vector_queue.count_waiting(db, model_id) or needs_seal(db, model_id, min_rows=min_rows):
        encoder = open_encoder(name, fingerprint, data, is_hot=is_hot)
        if encoder is None:
            return 0
        unsealed = 0
        while (until is None or time.monotonic() < until) and (limit is None or done < limit):
            size = BATCH_RECORDS if limit is None else min(BATCH_RECORDS, limit - done)
            put = _embed_batch(db, model_id, encoder, size=size)
            if not put:
                break
            done, unsealed = done + put, unsealed + put
            if unsealed >= SEAL_EVERY_ROWS:
                seal(db, data, model, middle=encoder.middle, now_ms=now_ms, min_rows=min_rows)
                unsealed = 0
        seal(db, data, model, middle=encoder.middle, now_ms=now_ms, min_rows=min_rows)
    if not is_serving and vector_queue.promote_model(db, model_id):
        models.delete_unused(db, data)
    return done


def _embed_batch(db: Connection, model_id: int, encoder: Encoder, *, size: int) -> int:
    waiting = vector_queue.list_waiting(db, model_id, limit=size)
    if not waiting:
        return 0
    texts = [text_of(summary, tags, detail) for _, _, _, summary, tags, detail in waiting]
    stored = encoder.encode(texts)
    signs = sign_stored(stored, encoder.middle)
    made = [(*row[:3], sign, vector) for row, sign, vector in zip(waiting, signs, stored, strict=True)]
    return vector_queue.put_vectors(db, model_id, made)


def needs_seal(db: Connection, model_id: int, *, min_rows: int = SEAL_ROWS) -> bool:
    """Whether a tail is long, or segments hold much that is out of date."""
    return bool(sealing.list_tails(db, model_id, min_rows=min_rows)) or any(
        _is_outdated(rows, gone) for _, rows, gone in sealing.count_gone(db, model_id)
    )


def seal(
    db: Connection, data: str, model: Model, *, middle: bytes, now_ms: int, min_rows: int = SEAL_ROWS
) -> int:
    """Put long tails into segments, and make segments anew that hold much that is out of date.

    Returns how many segments were made. Raises `OSError` where the disk refuses.
    """
    made = 0
    for project_id, _ in sealing.list_tails(db, model[0], min_rows=min_rows):
        made += _seal_tail(db, data, model, project_id, middle=middle, now_ms=now_ms)
    for project_id, rows, gone in sealing.count_gone(db, model[0]):
        if _is_outdated(rows, gone):
            for row in sealing.list_segments(db, model[0], project_id):
                plan = Plan(project_id, [row], [])
                made += build_segment(db, data, model, plan, middle=middle, now_ms=now_ms)
    return made


def _is_outdated(rows: int, gone: int) -> bool:
    return gone > max(MIN_GONE, rows // GONE_SHARE)


def _seal_tail(
    db: Connection, data: str, model: Model, project_id: int, *, middle: bytes, now_ms: int
) -> int:
    """Put the tail of a project into segments, together with the last ones that are not much larger."""
    tail = sealing.read_tail(db, model[0], project_id)
    made = 0
    for start in range(0, len(tail), SEGMENT_ROWS):
        plan = Plan(project_id, [], tail[start : start + SEGMENT_ROWS])
        size = len(plan.tail)
        for row in reversed(sealing.list_segments(db, model[0], project_id)):
            if row[2] > MERGE_RATIO * size or size + row[2] > SEGMENT_ROWS:
                break
            plan.merged.insert(0, row)
            size += row[2]
        made += build_segment(db, data, model, plan, middle=middle, now_ms=now_ms)
    return made


def build_segment(db: Connection, data: str, model: Model, plan: Plan, *, middle: bytes, now_ms: int) -> bool:
    """Make one segment after a plan; False where another process is at it.

    The file is written between two short transactions; the second makes it count.
    """
    begun = sealing.begin_segment(db, model[0], plan.project_id, now_ms=now_ms)
    if begun is None:
        return False
    segment_id, uid = begun
    try:
        row_count, parts = _pack(db, data, plan, middle=middle)
        write_segment(file_path(data, uid), parts)
    except (OSError, ValueError):
        sealing.abandon_segment(db, segment_id)
        raise
    return sealing.finish_segment(
        db,
        segment_id,
        row_count=row_count,
        tail_ids=[row_id for row_id, _, _ in plan.tail],
        merged_ids=[row[0] for row in plan.merged],
    )


def _pack(db: Connection, data: str, plan: Plan, *, middle: bytes) -> tuple[int, list[bytes]]:
    """How many rows a planned segment has, and what its file holds."""
    from engram_hooks.embed.batch import pack_segment

    void = sealing.list_void(db, plan.project_id)
    sealed = [
        (_read_rows(data, row), {record_id for record_id, last in void.items() if last >= row[0]})
        for row in plan.merged
    ]
    tail = [(record_id, stored) for _, record_id, stored in plan.tail]
    row_count, parts = pack_segment(sealed, tail, middle=middle)
    return row_count, [make_header(len(middle), row_count), *parts]


def _read_rows(data: str, row: SealedRow) -> bytes:
    segment_id, uid, row_count, _, _, dims = row
    segment = Segment(file_path(data, uid), segment_id=segment_id, row_count=row_count, dims=dims)
    try:
        return segment.read_all_rows()
    finally:
        segment.close()
