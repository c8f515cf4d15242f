"""The edges of subword regularisation: ways of no probability, places that no way reaches, words of all characters."""

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.tokenization import (
    BPE,
    BPETokenizer,
    encode_with_dropout,
    last_edge_probabilities,
    tempered,
)


def test_tiny_probabilities_keep_their_ratio_however_sharp():
    found = tempered(np.array([0.0, 1e-200, 1e-201]), 0.1)
    assert found == pytest.approx([0, 1, 1e-10], rel=1e-9)


def test_no_way_leads_to_a_place_that_no_piece_ends_at():
    L = np.full((3, 3), -np.inf)
    L[0, 2] = -1.0
    assert last_edge_probabilities(L)[:, 1].tolist() == [0, 0, 0]


def test_a_chunk_may_hold_every_token():
    bpe = BPE(("a", "b"), {})
    assert encode_with_dropout("ab", bpe, np.random.default_rng(0)) == [0, 1]


def test_without_pieces_of_one_character_all_are_unknown():
    tokenizer = BPETokenizer(BPE(("[UNK]",), {}))
    assert tokenizer.sample("ab", np.random.default_rng(0)) == [0, 0]


@refusals(
    ("below 0", lambda: tempered(np.array([0.5, -0.5])), ("negative",)),
    ("nothing", lambda: tempered(np.zeros(2)), ("no positive one",)),
    (
        "an unknown character",
        lambda: encode_with_dropout(
            "ac", BPE(("a", "b"), {}), np.random.default_rng(0)
        ),
        ("'ac'", "lacks"),
    ),
)
def test_bad_input(call, words):
    assert_refused(call, words)
