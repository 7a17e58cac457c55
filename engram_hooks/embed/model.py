"""Models of meaning other than the bundled table: had through model2vec, compiled to a table where they can be."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from engram_hooks.embed.encode import MAGIC, ROW_MEAN_LENGTH, place_token
from engram_hooks.errors import EngramError
from engram_hooks.paths import make_private_dir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model2vec import StaticModel
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MAX_DIMS = 1_024
MIN_CENTRE_TEXTS = 100
_ROW_LIMIT = 127
_CLIP_PERCENT = 99.99
_SEED = 20_260_301


def load_model(name: str) -> StaticModel:
    """A model2vec model from a folder or by its name on the hub. Raises `EngramError` where it cannot be had."""
    from model2vec import StaticModel
    from safetensors import SafetensorError

    try:
        model = StaticModel.from_pretrained(name, force_download=False)
    except (OSError, ValueError, KeyError, RuntimeError, TypeError, SafetensorError) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise EngramError(
            f"the model {name} cannot be had: {reason[:200]}",
            hint="name a folder with a model2vec model, or one of the hub while you are online",
        ) from error
    if not 8 <= model.dim <= MAX_DIMS or model.dim % 8:
        raise EngramError(
            f"the model {name} has {model.dim} dimensions; engram takes 8 to {MAX_DIMS}, in eights"
        )
    return model


def is_wordpiece(model: StaticModel) -> bool:
    """Whether the model cuts words as the reader of tables does: lower-case WordPiece in the manner of BERT."""
    spec = read_spec(model)
    cutter, normaliser = spec.get("model") or {}, spec.get("normalizer") or {}
    return bool(
        cutter.get("type") == "WordPiece"
        and cutter.get("continuing_subword_prefix") == "##"
        and normaliser.get("type") == "BertNormalizer"
        and normaliser.get("lowercase")
        and normaliser.get("strip_accents") is not False
    )


def read_spec(model: StaticModel) -> dict[str, Any]:
    """The tokeniser of a model as the tokenizers library describes it."""
    found: dict[str, Any] = json.loads(model.tokenizer.to_str())
    return found


def token_rows(model: StaticModel) -> Floats:
    """The vector of each token by its number, with its weight."""
    vectors = np.asarray(model.embedding, np.float32)
    count = model.tokenizer.get_vocab_size()
    mapping = np.arange(count) if model.token_mapping is None else np.asarray(model.token_mapping)[:count]
    rows: Floats = vectors[mapping]
    if model.weights is not None:
        rows = rows * np.asarray(model.weights, np.float32)[:count, None]
    return rows


def make_rotation(dims: int) -> NDArray[np.float64]:
    """The rotation that spreads what a model says evenly over its components; the same for the same number."""
    rotation: NDArray[np.float64] = np.linalg.qr(np.random.default_rng(_SEED).standard_normal((dims, dims)))[
        0
    ]
    return rotation


def compile_table(model: StaticModel, texts: Sequence[str]) -> bytes:
    """A WordPiece model in the form that `encode.Table` reads; `texts` say what a middling text is like."""
    rotation = make_rotation(model.dim)
    vocabulary = {token: row for token, row in model.tokenizer.get_vocab().items() if not _is_special(token)}
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    rows = token_rows(model)[[vocabulary[token] for token in tokens]] @ rotation
    step = np.percentile(np.abs(rows), _CLIP_PERCENT) / _ROW_LIMIT or 1.0
    whole = np.clip(np.rint(rows / step), -_ROW_LIMIT, _ROW_LIMIT).astype(np.int16)
    centre = np.zeros(model.dim)
    if len(texts) >= MIN_CENTRE_TEXTS:
        centre = _unit_rows(model.encode(list(texts), use_multiprocessing=False)).mean(0) @ rotation
    scaled = np.clip(np.rint(centre * 256 * ROW_MEAN_LENGTH), -32_767, 32_767).astype("<i2")
    slots = _hash_tokens(tokens)
    head = MAGIC + b"".join(n.to_bytes(4, "little") for n in (model.dim, len(tokens), len(slots)))
    return b"".join(
        [head.ljust(64, b"\0"), slots.tobytes(), scaled.tobytes(), (whole + 128).astype(np.uint8).tobytes()]
    )


def fingerprint(content: bytes) -> str:
    """A short name for a model's content."""
    return hashlib.sha256(content).hexdigest()[:16]


def fingerprint_model(model: StaticModel) -> str:
    """A short name for a model that is no table: its vectors and its tokeniser."""
    vectors = np.ascontiguousarray(token_rows(model)).tobytes()
    return fingerprint(vectors + model.tokenizer.to_str().encode())


def encode_with(model: StaticModel, texts: Sequence[str]) -> NDArray[np.float64]:
    """The rotated unit vectors of texts; rows of zeros where no token is known."""
    return _unit_rows(model.encode(list(texts), use_multiprocessing=False)) @ make_rotation(model.dim)


def write_file(path: str, content: bytes) -> None:
    """Write a compiled table as a whole, for the user alone. Raises `OSError`."""
    make_private_dir(os.path.dirname(path))
    temporary = f"{path}.{os.getpid()}.tmp"
    with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def _is_special(token: str) -> bool:
    return token.startswith("[unused") or token in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def _unit_rows(vectors: Any) -> NDArray[np.float64]:  # Any: model2vec gives arrays of several types
    wide = np.asarray(vectors, np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0)
    return unit


def _hash_tokens(tokens: Sequence[str]) -> NDArray[np.uint64]:
    """The hash table of tokens: 40 bits of fingerprint and 24 bits of row + 1 a slot."""
    count = 1 << max(6, (2 * len(tokens)).bit_length())
    slots = [0] * count
    for row, token in enumerate(tokens):
        slot, mark = place_token(token, count)
        while slots[slot]:
            slot = (slot + 1) % count
        slots[slot] = mark << 24 | (row + 1)
    return np.array(slots, "<u8")
