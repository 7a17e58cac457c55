"""Tiny model2vec models, saved to a folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from model2vec import StaticModel
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

WORDS = (
    "water",
    "garden",
    "hot",
    "summer",
    "flower",
    "##s",
    "dry",
    "queue",
    "retry",
    "dark",
    "mode",
    "parser",
)
DIMS = 32


def save_wordpiece(folder: Path, *, dims: int = DIMS, seed: int = 1, lowercase: bool = True) -> StaticModel:
    """A model that cuts words like BERT; words of gardens point one way, all others another."""
    vocabulary = {token: at for at, token in enumerate(("[PAD]", "[UNK]", *WORDS))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", continuing_subword_prefix="##"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return _save(folder, tokenizer, dims=dims, seed=seed)


def save_wordlevel(folder: Path, *, dims: int = DIMS) -> StaticModel:
    """A model that knows whole words only: no table can be made of it."""
    vocabulary = {token: at for at, token in enumerate(("[PAD]", "[UNK]", *WORDS))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return _save(folder, tokenizer, dims=dims, seed=1)


def _save(folder: Path, tokenizer: Tokenizer, *, dims: int, seed: int) -> StaticModel:
    rng = np.random.default_rng(seed)
    garden, other = rng.standard_normal((2, dims))
    vectors = np.array(
        [(garden if at < 7 else other) + 0.5 * rng.standard_normal(dims) for at in range(len(WORDS) + 2)],
        np.float32,
    )
    model = StaticModel(vectors, tokenizer, normalize=True)
    model.save_pretrained(folder)
    return model
