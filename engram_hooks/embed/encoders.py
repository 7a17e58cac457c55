"""Encoding for commands and the worker: by a table, or by model2vec where a model is no table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from engram_hooks.embed.encode import Table, middle_of, normalise, quantise, sign_bits
from engram_hooks.embed.nearest import FOLDER, find_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from model2vec import StaticModel
    from numpy.typing import NDArray

# fewer texts are encoded without numpy, whose import takes longer
MIN_BATCH_TEXTS = 64
MAX_TEXT_TOKENS = 256
MIDDLE_BYTE = 128


class Encoder(Protocol):
    """What turns texts into stored vectors; `middle` is what their sign bits are taken against."""

    middle: bytes

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """The stored vector of each text, b'' where nothing in it is known."""


class TableEncoder:
    """Encodes by a table. Raises `OSError`, `ValueError` where there is none at the path."""

    def __init__(self, path: str) -> None:
        self._table = Table(path)
        self._matrix: NDArray[np.int8] | None = None
        self.middle = middle_of(self._table.read_centre())

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """The stored vector of each text, b'' where the table knows none of its words."""
        if len(texts) < MIN_BATCH_TEXTS:
            sums = (self._table.encode(text, max_tokens=MAX_TEXT_TOKENS) for text in texts)
            return [quantise(normalise(vector)) for vector in sums]
        from engram_hooks.embed import batch

        if self._matrix is None:
            self._matrix = batch.read_matrix(self._table)
        return batch.encode_texts(self._table, self._matrix, texts, max_tokens=MAX_TEXT_TOKENS)


class ModelEncoder:
    """Encodes by a model2vec model."""

    def __init__(self, model: StaticModel) -> None:
        self._model = model
        self.middle = bytes([MIDDLE_BYTE]) * model.dim

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """The stored vector of each text, b'' where the model knows nothing in it."""
        from engram_hooks.embed import batch, model

        vectors = model.encode_with(self._model, texts)
        known = (vectors * vectors).sum(1) > 0
        stored = iter(batch.quantise_rows(vectors[known]))
        return [next(stored).tobytes() if is_known else b"" for is_known in list(known)]

    def encode_query(self, text: str) -> list[float]:
        """The unit vector of a text, zeros where the model knows nothing in it."""
        from engram_hooks.embed import model

        vector: list[float] = model.encode_with(self._model, [text])[0].tolist()
        return vector


def open_encoder(name: str, fingerprint: str, data: str, *, is_hot: bool) -> Encoder | None:
    """The encoder of a model that was registered; None where what it needs is not here (any more)."""
    try:
        if is_hot:
            path = find_table(name, fingerprint, data)
            return TableEncoder(path) if path else None
        return ModelEncoder(load_kept_model(data, fingerprint))
    except (OSError, ValueError):
        return None


def load_kept_model(data: str, fingerprint: str) -> StaticModel:
    """The model that is kept in the data folder. Raises `OSError`, `ValueError` where it is not whole."""
    from model2vec import StaticModel

    folder = model_folder(data, fingerprint)
    if not os.path.isdir(folder):
        raise FileNotFoundError(folder)
    return StaticModel.from_pretrained(folder)


def model_folder(data: str, fingerprint: str) -> str:
    """Where a model that is no table is kept."""
    return os.path.join(data, FOLDER, fingerprint)


def sign_stored(stored: Sequence[bytes], middle: bytes) -> list[bytes]:
    """The sign bits of stored vectors as little-endian bytes, b'' of an empty one."""
    size = len(middle) // 8
    if len(stored) < MIN_BATCH_TEXTS:
        return [sign_bits(row, middle).to_bytes(size, "little") if row else b"" for row in stored]
    import numpy as np

    from engram_hooks.embed import batch

    filled = [row for row in stored if row]
    if not filled:
        return [b""] * len(stored)
    matrix = np.frombuffer(b"".join(filled), np.uint8).reshape(len(filled), -1)
    signs = iter(batch.sign_rows(matrix, middle))
    return [next(signs) if row else b"" for row in stored]
