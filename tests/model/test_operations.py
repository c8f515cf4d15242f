"""Operations and bytes, counted by hand for functions small enough."""

from dataclasses import replace

import numpy as np
import pytest

from transformer_math.attention import (
    apply_mask,
    causal_mask,
    concat_heads,
    softmax,
    split_heads,
)
from transformer_math.block import feed_forward
from transformer_math.embedding import embed
from transformer_math.model import (
    BYTES,
    count_operations,
    encoder_layer_flops,
    initialise,
    logits_flops,
    transformer,
)
from transformer_math.position import sinusoidal_at

FLOAT = 8  # bytes


def test_a_matrix_product_is_a_multiplication_and_an_addition_per_term():
    product, tally = count_operations(np.matmul, np.ones((2, 3)), np.ones((3, 5)))
    assert type(product) is np.ndarray
    assert tally == {
        "matrix multiplication": 2 * 2 * 3 * 5,
        BYTES: FLOAT * (6 + 15 + 10),
    }


def test_the_feed_forward_network_counts_products_biases_and_comparisons():
    layer = initialise(
        np.random.default_rng(0), vocab_size=3, d_model=2, n_heads=1, d_ff=8, n_layers=1
    ).layers[0]
    _, tally = count_operations(feed_forward, np.ones((3, 2)), layer.feed_forward)
    del tally[BYTES]
    assert tally == {
        "matrix multiplication": 2 * 2 * (3 * 2 * 8),
        "addition": 3 * 8 + 3 * 2,
        "comparison": 3 * 8,
    }


def test_sines_and_cosines_have_names_of_their_own():
    _, tally = count_operations(sinusoidal_at, np.arange(5.0), 4)
    assert (tally["sine"], tally["cosine"], tally["multiplication"]) == (10, 10, 10)


def test_a_lookup_computes_nothing_and_moves_every_row():
    _, tally = count_operations(
        lambda E: embed(np.array([1, 2, 2]), E), np.ones((10, 4))
    )
    assert tally == {BYTES: 2 * 3 * 4 * FLOAT}


def test_a_mask_chooses_and_computes_nothing():
    _, tally = count_operations(apply_mask, np.ones((3, 3)), causal_mask(3))
    assert tally == {BYTES: 2 * 9 * FLOAT}


def test_the_largest_of_m_takes_m_less_one_comparisons():
    _, tally = count_operations(
        lambda x: x.argmax(axis=-1, keepdims=True), np.ones((3, 4))
    )
    assert tally == {"comparison": 3 * 3, BYTES: FLOAT * (12 + 3)}


def test_softmax_subtracts_exponentiates_sums_and_divides():
    _, tally = count_operations(softmax, np.ones((3, 4)))
    assert (tally["addition"], tally["exponentiation"], tally["division"]) == (
        12 + 3 * 3,
        12,
        12,
    )
    assert (
        tally["comparison"] >= 3 * 3
    )  # the rows' maxima, and the look for NaN, +inf and empty rows


def test_views_move_nothing_and_joining_heads_moves_everything():
    _, split = count_operations(split_heads, np.ones((3, 4)), 2)
    _, joined = count_operations(concat_heads, np.ones((2, 3, 2)))
    assert split == {}
    assert joined == {BYTES: 2 * 12 * FLOAT}


@pytest.mark.parametrize(("n", "n_heads", "n_layers"), [(1, 1, 1), (7, 2, 3)])
def test_the_whole_model_multiplies_as_much_as_the_formulas_say(n, n_heads, n_layers):
    d_model, d_ff, vocab_size = 4, 6, 11
    parameters = initialise(
        np.random.default_rng(1), vocab_size, d_model, n_heads, d_ff, n_layers
    )
    ids = np.arange(n)
    p, tally = count_operations(
        lambda E: transformer(ids, replace(parameters, E=E), n_heads), parameters.E
    )
    wanted = n_layers * encoder_layer_flops(n, d_model, d_ff) + logits_flops(
        n, d_model, vocab_size
    )
    assert tally["matrix multiplication"] == wanted
    assert np.array_equal(p, transformer(ids, parameters, n_heads))


def test_two_results_are_both_plain_arrays():
    results, tally = count_operations(lambda x: (x + 1, x * 2), np.ones(3))
    assert [type(result) for result in results] == [np.ndarray, np.ndarray]
    assert [result.tolist() for result in results] == [[2.0] * 3] * 2
    assert (tally["addition"], tally["multiplication"]) == (3, 3)


def test_joining_and_choosing_read_and_write_every_number():
    x = np.ones((2, 3))
    _, joined = count_operations(lambda x: np.concatenate([x, x]), x)
    _, chosen = count_operations(lambda x: np.where(x.view(np.ndarray) > 0, x, 0.0), x)
    _, turned = count_operations(lambda x: np.swapaxes(x, 0, 1), x)
    assert (joined[BYTES], chosen[BYTES], turned[BYTES]) == (192, 96, 0)
