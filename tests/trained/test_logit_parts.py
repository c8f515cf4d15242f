"""The parts of the language model sum to what leaves its last layer, and what they add to the logits to the logits."""

import numpy as np

from transformer_math.model import decoder_only_logits, residual_stream
from transformer_math.trained.language_model import (
    N_HEADS,
    N_LAYERS,
    VOCAB_SIZE,
    language_model,
)
from transformer_math.trained.logit_parts import (
    PART_NAMES,
    logit_parts,
    residual_parts,
)
from transformer_math.trees import map_leaves

IDS = np.random.default_rng(3).integers(VOCAB_SIZE, size=(2, 9))


def model():
    return map_leaves(lambda x: x.astype(float), language_model())


def test_there_is_a_name_for_each_part():
    assert len(residual_parts(IDS, model())) == len(PART_NAMES)
    assert PART_NAMES[1 + N_HEADS] == "layer 1, network"
    assert PART_NAMES[-2] == f"layer {N_LAYERS}, network"


def test_the_parts_sum_to_what_leaves_the_last_layer():
    wanted = residual_stream(IDS, model(), N_HEADS)[-1]
    np.testing.assert_allclose(residual_parts(IDS, model()).sum(axis=0), wanted, atol=1e-11)  # fmt: skip


def test_what_they_add_sums_to_the_logits():
    p = model()
    parts = residual_parts(IDS[0], p)[:, -1]
    added = logit_parts(parts, p.norm, p.E).sum(axis=0) + p.E @ p.norm.beta
    np.testing.assert_allclose(added, decoder_only_logits(IDS[0], p, N_HEADS)[-1], atol=1e-9)  # fmt: skip


def test_numbers_of_any_magnitude():
    rng = np.random.default_rng(0)
    p, parts = model(), rng.normal(size=(3, model().E.shape[1]))
    plain = logit_parts(1e3 * parts, p.norm, p.E[:5], eps=1e-300)
    np.testing.assert_allclose(logit_parts(1e203 * parts, p.norm, p.E[:5], eps=1e-300), plain, rtol=1e-9)  # fmt: skip
