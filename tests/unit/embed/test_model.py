"""Models of model2vec: had, refused, compiled to a table that says the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engram_hooks.embed import model as source
from engram_hooks.embed.encode import Table, normalise
from engram_hooks.embed.encoders import MIDDLE_BYTE, ModelEncoder, TableEncoder, open_encoder, sign_stored
from engram_hooks.errors import EngramError
from tests.support.models import DIMS, save_wordlevel, save_wordpiece

TEXTS = ("water the garden", "Flowers dry in hot summers", "retry queue", "dark mode parser", "hot water")


def dot(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A compiled model."""
    save_wordpiece(tmp_path / "model")
    path = tmp_path / "table.bin"
    source.write_file(str(path), source.compile_table(source.load_model(str(tmp_path / "model")), []))
    return Table(str(path))


def test_compiled_table_says_what_the_model_says(tmp_path: Path, table: Table) -> None:
    loaded = source.load_model(str(tmp_path / "model"))
    theirs = loaded.encode(list(TEXTS))
    ours = [normalise(table.encode(text)) for text in TEXTS]
    for i in range(len(TEXTS)):
        for j in range(len(TEXTS)):
            # the rotation changes vectors, not their cosines
            assert dot(ours[i], ours[j]) == pytest.approx(float(theirs[i] @ theirs[j]), abs=0.02)
    assert table.dims == DIMS
    assert table.find_row("[UNK]") == -1
    assert table.encode("unheard of") == []
    table.close()


def test_centre_is_that_of_the_texts(tmp_path: Path) -> None:
    save_wordpiece(tmp_path / "model")
    loaded = source.load_model(str(tmp_path / "model"))
    path = tmp_path / "table.bin"
    source.write_file(str(path), source.compile_table(loaded, TEXTS * 30))
    compiled = Table(str(path))
    mean = np.mean([normalise(compiled.encode(text)) for text in TEXTS], axis=0)
    np.testing.assert_allclose(np.array(compiled.read_centre()) / 256 / 128, mean, atol=0.01)
    compiled.close()


def test_few_texts_say_nothing_about_the_centre(table: Table) -> None:
    assert set(table.read_centre()) == {0}
    table.close()


def test_which_models_become_tables(tmp_path: Path) -> None:
    assert source.is_wordpiece(save_wordpiece(tmp_path / "a"))
    assert not source.is_wordpiece(save_wordpiece(tmp_path / "b", lowercase=False))
    assert not source.is_wordpiece(save_wordlevel(tmp_path / "c"))


def test_weights_and_shared_rows_count(tmp_path: Path) -> None:
    plain = save_wordpiece(tmp_path / "a")
    rows = source.token_rows(plain)
    plain.weights = np.full(len(rows), 2.0, np.float32)
    plain.token_mapping = np.zeros(len(rows), np.int64)
    np.testing.assert_allclose(source.token_rows(plain), np.tile(rows[0] * 2, (len(rows), 1)))


def test_fingerprint_tells_models_apart(tmp_path: Path) -> None:
    marks = [
        source.fingerprint_model(save_wordpiece(tmp_path / "a")),
        source.fingerprint_model(save_wordpiece(tmp_path / "b")),
        source.fingerprint_model(save_wordpiece(tmp_path / "c", seed=2)),
    ]
    assert marks[0] == marks[1] != marks[2]


@pytest.mark.parametrize("dims", [4, 30])
def test_unusable_size_is_refused(tmp_path: Path, dims: int) -> None:
    save_wordpiece(tmp_path / "model", dims=dims)
    with pytest.raises(EngramError, match="dimensions"):
        source.load_model(str(tmp_path / "model"))


@pytest.mark.parametrize("content", [None, b"", b"{}"])
def test_folder_without_a_model_is_refused(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        save_wordpiece(tmp_path)
        (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(EngramError, match="cannot be had") as caught:
        source.load_model(str(tmp_path))
    assert "\n" not in caught.value.message
    assert caught.value.hint


def test_encoders_agree_about_few_and_many_texts(tmp_path: Path, table: Table) -> None:
    table.close()
    encoder = TableEncoder(str(tmp_path / "table.bin"))
    texts = [*TEXTS, "unheard of"] * 20
    many = encoder.encode(texts)
    assert many == encoder.encode(texts[:6]) * 20
    assert many[5] == b""
    assert sign_stored(many, encoder.middle) == sign_stored(many[:6], encoder.middle) * 20
    assert sign_stored([b""] * 70, encoder.middle) == [b""] * 70


def test_model_that_is_no_table_encodes_through_model2vec(tmp_path: Path) -> None:
    encoder = ModelEncoder(save_wordlevel(tmp_path / "model"))
    stored = encoder.encode([*TEXTS, "unheard of"])
    assert [len(row) for row in stored] == [DIMS] * 5 + [0]
    assert encoder.middle == bytes([MIDDLE_BYTE]) * DIMS
    near = normalise([byte - 128 for byte in stored[0]])
    assert dot(near, encoder.encode_query("water the garden")) > 0.99
    assert encoder.encode_query("unheard of") == [0.0] * DIMS


def test_encoder_that_is_gone_is_none(tmp_path: Path) -> None:
    assert open_encoder("other", "f", str(tmp_path), is_hot=True) is None
    assert open_encoder("other", "f", str(tmp_path), is_hot=False) is None
    assert open_encoder("bundled", "of another version", str(tmp_path), is_hot=True) is None
