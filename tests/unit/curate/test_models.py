"""Another model: taking over, going back, and what happens when it cannot be had."""

from __future__ import annotations

import os
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.curate import backfill, models
from engram_hooks.embed import model as source
from engram_hooks.embed.nearest import BUNDLED, BUNDLED_FINGERPRINT, find_nearest
from engram_hooks.errors import EngramError
from engram_hooks.store import records, vector_queue, vectors
from engram_hooks.store.meta import take_notices
from tests.conftest import NOW_MS
from tests.support.models import save_wordlevel, save_wordpiece

SUMMARIES = ("Water the garden", "Retry the queue", "Dark mode for the parser")


def wish(name: str) -> dict[str, str]:
    return {"ENGRAM_EMBED_MODEL": name}


def add_all(db: Connection) -> None:
    for summary in SUMMARIES:
        records.insert(
            db, {"kind": "fact", "project_id": 0, "summary": summary}, now_ms=NOW_MS, actor="person"
        )


def embed(db: Connection, data: str, environ: dict[str, str], *, limit: int | None = None) -> int:
    return backfill.embed_missing(db, data, environ, now_ms=NOW_MS, limit=limit)


def answering(db: Connection) -> str:
    model = vectors.serving_model(db)
    assert model is not None
    return model[1]


def find(db: Connection, data: str, text: str) -> list[int]:
    scan = vectors.open_scan(db, data, (0,))
    assert scan is not None
    return list(find_nearest(text, scan, data, limit=2))


def test_bundled_table_is_what_its_fingerprint_says() -> None:
    import hashlib

    from engram_hooks.embed.encode import BUNDLED_PATH, Table

    digest = hashlib.sha256(Path(BUNDLED_PATH).read_bytes()).hexdigest()
    assert BUNDLED_FINGERPRINT.split("-")[0] == digest[:16]
    table = Table(BUNDLED_PATH)
    assert table.dims == models.BUNDLED_DIMS
    table.close()


def test_model_takes_over_when_all_is_ready(store: Connection, data: str, tmp_path: Path) -> None:
    add_all(store)
    embed(store, data, {})
    folder = str(tmp_path / "model")
    save_wordpiece(Path(folder))
    assert embed(store, data, wish(folder), limit=1) == 1
    assert answering(store) == BUNDLED
    assert find(store, data, "flowers in the garden")[0] == 1
    assert [name for _, name, *_ in vectors.list_models(store)] == [BUNDLED, folder]
    assert embed(store, data, wish(folder)) == 2
    assert answering(store) == folder
    assert find(store, data, "hot summers")[0] == 1
    assert len(vectors.list_models(store)) == 1
    assert embed(store, data, wish(folder)) == 0


def test_going_back_does_so_too(store: Connection, data: str, tmp_path: Path) -> None:
    folder = str(tmp_path / "model")
    save_wordpiece(Path(folder))
    add_all(store)
    embed(store, data, wish(folder))
    assert answering(store) == folder
    kept = Path(data) / "models"
    assert len(os.listdir(kept)) == 1
    assert embed(store, data, {}) == 3
    assert answering(store) == BUNDLED
    assert os.listdir(kept) == []


def test_change_of_mind_half_way_drops_what_was_begun(store: Connection, data: str, tmp_path: Path) -> None:
    for name in ("a", "b"):
        save_wordpiece(tmp_path / name, seed=ord(name))
    add_all(store)
    embed(store, data, {})
    for name in ("a", "b"):
        embed(store, data, wish(str(tmp_path / name)), limit=1)
    names = [name for _, name, *_ in vectors.list_models(store)]
    assert names == [BUNDLED, str(tmp_path / "b")]
    embed(store, data, {})
    assert [name for _, name, *_ in vectors.list_models(store)] == [BUNDLED]


def test_model_made_anew_under_its_name_replaces_itself(store: Connection, data: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    save_wordpiece(folder)
    add_all(store)
    embed(store, data, wish(str(folder)))
    before = vectors.serving_model(store)
    save_wordpiece(folder, seed=5)
    models.prepare_model(store, data, str(folder), now_ms=NOW_MS)
    assert embed(store, data, wish(str(folder))) == 3
    after = vectors.serving_model(store)
    assert before is not None
    assert after is not None
    assert (after[1], after[2] != before[2]) == (str(folder), True)


def test_model_that_is_no_table_serves_commands_and_says_so_once(
    store: Connection, data: str, tmp_path: Path
) -> None:
    folder = str(tmp_path / "model")
    save_wordlevel(Path(folder))
    add_all(store)
    assert embed(store, data, wish(folder)) == 3
    assert answering(store) == folder
    assert find(store, data, "water the garden") == []  # as a hook asks
    notices = [text for slug, text in take_notices(store) if slug.startswith(models.NOTICE_COLD)]
    assert len(notices) == 1
    assert "full text alone" in notices[0]
    embed(store, data, wish(folder))
    assert take_notices(store) == []


def test_model_that_cannot_be_had_is_tried_once_and_said_once(
    store: Connection, data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[str] = []
    load = source.load_model

    def count(name: str) -> object:
        tries.append(name)
        return load(name)

    monkeypatch.setattr(source, "load_model", count)
    folder = str(tmp_path / "gone")
    (tmp_path / "gone").mkdir()
    add_all(store)
    assert embed(store, data, wish(folder)) == 3
    assert answering(store) == BUNDLED
    embed(store, data, wish(folder))
    assert tries == [folder]
    (notice,) = take_notices(store)
    assert folder in notice[1]
    assert f"engram model use {folder}" in notice[1]
    with pytest.raises(EngramError, match="cannot be had"):
        models.prepare_model(store, data, folder, now_ms=NOW_MS)


def test_table_of_another_version_of_engram_is_made_anew(store: Connection, data: str) -> None:
    add_all(store)
    vector_queue.add_model(store, BUNDLED, "older-1", dims=256, is_hot=True, now_ms=NOW_MS)
    assert find(store, data, "garden") == []
    assert embed(store, data, {}) == 3
    assert [mark for _, _, mark, *_ in vectors.list_models(store)] == [BUNDLED_FINGERPRINT]
    assert find(store, data, "garden")[0] == 1


def test_states_tell_how_it_stands(store: Connection, data: str, tmp_path: Path) -> None:
    folder = str(tmp_path / "model")
    save_wordpiece(Path(folder))
    add_all(store)
    embed(store, data, {})
    embed(store, data, wish(folder), limit=1)
    states = models.read_states(store, data, wish(folder), now_ms=NOW_MS)
    assert [(s.name, s.is_serving, s.vectors, s.waiting) for s in states] == [
        (BUNDLED, True, 3, 0),
        (folder, False, 1, 2),
    ]


def test_names_of_folders_become_whole(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    assert models.resolve_name("model", str(tmp_path)) == str(tmp_path / "model")
    assert models.resolve_name("./model/", str(tmp_path)) == str(tmp_path / "model")
    assert models.resolve_name("minishlab/potion-base-8M", str(tmp_path)) == "minishlab/potion-base-8M"
