"""The contract itself: what its messages say, what it leaves alone, and what it costs."""

import inspect
import pickle
from dataclasses import replace
from time import perf_counter
from typing import Annotated

import numpy as np
import pytest
import torch
from bad_input import assert_refused, refusals
from jaxtyping import Bool, Float

from transformer_math.attention import (
    AttentionParameters,
    attention,
    multi_head_attention,
    project,
    scores,
    softmax,
)
from transformer_math.block import NormParameters, layer_norm, relu
from transformer_math.contract import EvenSize, Size, contract, requires
from transformer_math.contract.arrays import all_finite
from transformer_math.contract.calls import inside
from transformer_math.embedding import (
    count_neighbours,
    frequent_words,
    number_sentences,
)
from transformer_math.model import (
    BYTES,
    count_operations,
    encoder,
    initialise,
    transformer,
)
from transformer_math.tokenization import unknown_share
from transformer_math.training import begin_and_end

rng = np.random.default_rng(3)
Z, W = rng.normal(size=(2, 3)), rng.normal(size=(3, 5))
model = initialise(rng, 11, 4, 2, 7, 2)
heads = model.layers[0].attention
Q = rng.normal(size=(2, 3, 4))


@refusals(
    ("transposed", lambda: project(Z, W.T), ("W has shape (5, 3)", "(d_in, d_out)", "d_in = 3", "Z of shape (2, 3)", "W.T")),
    ("PyTorch", lambda: project(Z, W.T), ("PyTorch stores weights transposed",)),
    ("list", lambda: project([[1.0]], W), ("Z is a list", "np.array(Z)")),
    ("None", lambda: project(None, W), ("Z is None", "np.array(...)")),
    ("tensor", lambda: project(torch.ones(2, 3), W), ("torch.Tensor", "np.array(Z.detach())")),
    ("half precision", lambda: project(Z.astype(np.float16), W), ("float16", "Z.astype(float)")),
    ("long double", lambda: project(Z.astype(np.longdouble), W), ("float128", "Z.astype(float)")),
    ("complex", lambda: project(Z.astype(complex), W), ("complex128", "Z.real")),
    ("masked", lambda: project(np.ma.masked_array(Z), W), ("MaskedArray",)),
    ("too few axes", lambda: attention(Z[0], Z, Z), ("Q has shape (3,)", "at least 2 axes", "Q[None, :]")),
    ("d_k of 0", lambda: scores(Z[:, :0], Z[:, :0]), ("(2, 0)", "nothing empty")),
    ("batches differ", lambda: attention(Q, Q[:1], Q[:1]), ("K has shape (1, 3, 4)", "*batch = (2,)", "leading axes")),
    ("a bias that is NaN", lambda: project(Z, W, float("nan")), ("b is nan", "finite")),
    ("NaN in V", lambda: attention(Z, Z, Z * np.nan), ("V holds nan at index (0, 0)",)),
    ("an additive mask", lambda: attention(Z, Z, Z, np.zeros((2, 2))), ("mask has dtype float64", "mask == 0", "-inf")),
    ("a mask of 0 and 1", lambda: attention(Z, Z, Z, np.ones((2, 2), int)), ("int64", "mask.astype(bool)")),
    ("no parameters", lambda: multi_head_attention(Q, Q, None, 2), ("parameters is None", "AttentionParameters")),
    ("parameters of another width", lambda: encoder(Z, model.layers, 2), ("layers[0]", "d_model = 3", "(2, 3)")),
    ("a layer, not layers", lambda: encoder(Q, model.layers[0], 2), ("EncoderLayerParameters", "[layers]")),
    ("weights do not fit", lambda: replace(heads, W_V=np.ones((4, 6))), ("W_O has shape (4, 4)", "Hd_v = 6", "W_V")),
    ("NaN in parameters", lambda: replace(heads, b_Q=np.full(4, np.nan)), ("b_Q holds nan",)),
    ("heads do not divide", lambda: multi_head_attention(Q, Q, heads, 3), ("3 heads", "(4, 4)")),
    ("heads as a fraction", lambda: multi_head_attention(Q, Q, heads, 2.0), ("n_heads is 2.0", "whole number")),
)  # fmt: skip
def test_a_message_says_what_came_what_was_wanted_and_the_fix(call, words):
    assert_refused(call, words)


def test_parameters_that_were_spoilt_later_are_refused_too():
    spoilt = initialise(rng, 11, 4, 2, 7, 1)
    spoilt.layers[0].feed_forward.W_1[0, 0] = np.nan
    assert_refused(
        lambda: transformer(np.array([1]), spoilt, 2),
        ("parameters.layers[0].feed_forward.W_1 holds nan at index (0, 0)",),
    )


def test_what_fits_is_computed():
    assert project(Z, W.astype(np.float32)).dtype == np.float64  # as NumPy promotes
    assert np.array_equal(project(Z, W, 1), Z @ W + 1)
    assert multi_head_attention(Q, Q, heads, np.int64(2))[1].shape == (2, 2, 3, 3)
    view = np.lib.stride_tricks.as_strided(Z, writeable=False)
    assert np.array_equal(project(view, W), Z @ W)


@contract
@requires(lambda x, n: len(x) >= n, "x has {x.shape} entries for n = {n}. Fix: fewer.")
def first(
    x: Float[np.ndarray, " m"], n: Size = 1, keep: Bool[np.ndarray, " m"] | None = None
) -> Float[np.ndarray, " k"]:
    """A function with a default, a condition and a choice."""
    return x[:n] if keep is None else x[keep][:n]


def test_keywords_defaults_and_conditions():
    x = np.arange(3.0)
    keep = np.array([False, True, True])
    assert first(x).tolist() == [0]
    assert first(n=1, keep=keep, x=x).tolist() == [1]
    assert_refused(lambda: first(x, n=4), ("(3,)", "n = 4"))
    assert_refused(lambda: first(keep=keep[:2], x=x), ("keep has shape (2,)", "m = 3"))
    with pytest.raises(TypeError, match="multiple values"):
        first(x, 2, n=2)
    with pytest.raises(TypeError, match="missing"):
        first()


def test_a_number_may_be_a_letter():
    @contract
    def square(n: EvenSize, x: Float[np.ndarray, "n n"]):
        return x

    assert square(2, np.eye(2)).shape == (2, 2)
    assert_refused(lambda: square(4, np.eye(2)), ("n = 4", "the argument n"))
    assert_refused(lambda: square(2, np.ones((2, 3))), ("(2, 3)", "n = 2"))
    assert_refused(lambda: square(3, np.eye(3)), ("n is 3", "use 4"))
    assert_refused(lambda: square(-1, np.eye(3)), ("n is -1", "at least 2"))


def test_an_annotation_may_carry_more():
    @contract
    def plain(x: Annotated[Float[np.ndarray, "*rows m"], "a note"]):
        return x

    assert_refused(lambda: plain(np.array([np.inf])), ("x holds inf at index (0,)",))


def test_inside_the_package_values_are_not_looked_at_again():
    norm = NormParameters(np.ones(4), np.zeros(4))
    spoilt = inside(layer_norm, Q * np.nan, norm)
    assert np.isnan(spoilt).all()
    assert_refused(lambda: layer_norm(Q * np.nan, norm), ("nan",))


def test_after_a_refusal_values_are_looked_at_again():
    assert_refused(lambda: softmax(np.array([np.nan])), ("nan",))
    assert_refused(lambda: softmax(np.array([0.0, np.nan])), ("nan at index (1,)",))


def test_counting_arrays_pass_uncounted():
    x = rng.normal(size=(3, 4))
    y, tally = count_operations(relu, x)
    assert tally == {"comparison": 12, BYTES: 2 * x.nbytes + 8}
    assert type(y) is np.ndarray


def test_functions_unwrap_and_pickle():
    assert inspect.unwrap(softmax).__code__.co_filename.endswith("softmax.py")
    assert pickle.loads(pickle.dumps(softmax)) is softmax
    again = pickle.loads(pickle.dumps(heads))
    assert type(again) is AttentionParameters
    assert np.array_equal(again.W_Q, heads.W_Q)


def test_finite_sums_do_not_hide_anything():
    with np.errstate(all="raise"):
        assert all_finite(np.array([1e200, -1e200]))
        assert all_finite(np.full(9, 1e30, np.float32))
        assert not all_finite(np.array([np.inf, -np.inf]))
        assert not all_finite(np.broadcast_to(np.nan, (2, 2)))


def test_a_call_costs_microseconds():
    small = np.ones((2, 2))

    def seconds(function):
        start = perf_counter()
        for _ in range(200):
            function(small, small)
        return (perf_counter() - start) / 200

    assert min(seconds(scores) for _ in range(5)) < 2e-3  # generous: types are checked


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint64])
def test_numbers_of_tokens_are_wide_enough_to_be_multiplied(dtype):
    met = count_neighbours(np.array([13, 1, 13, 1], dtype), 20, 20, window=1)
    assert np.argwhere(met).tolist() == [[1, 13], [13, 1]]
    assert begin_and_end(np.array([5, 7], dtype), 200, 300).tolist() == [200, 5, 7, 300]


@refusals(
    ("beyond all whole numbers", lambda: begin_and_end(np.array([2**63], np.uint64), 0, 1), ("9223372036854775808", "at most")),
    ("one text for texts", lambda: frequent_words("a whale", 1), ("tokens is one text, 'a whale'", "a list of texts", "[tokens]")),
    ("bytes for texts", lambda: frequent_words(b"a whale", 1), ("tokens is one text, b'a whale'",)),
    ("one text for numbers", lambda: unknown_share("abc", 0), ("ids is one text, 'abc'", "a list of whole numbers", "[0, 1]")),
    ("one sentence for sentences", lambda: number_sentences("sea", ["s", "e"], 1), ("sentences is one text", "[sentences]")),
)  # fmt: skip
def test_what_python_takes_for_a_list_is_refused(call, words):
    assert_refused(call, words)
