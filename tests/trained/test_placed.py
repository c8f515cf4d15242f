"""The decoder with seven kinds of positions: its heads are those of the chapters, its gradients follow finite differences."""

from dataclasses import replace

import numpy as np
import pytest
from directional import slopes

from transformer_math.attention import apply_mask, attention, causal_mask, softmax
from transformer_math.block.decoder_only_layer import DecoderOnlyLayerParameters
from transformer_math.gradient import cross_entropy_vjp
from transformer_math.model import DecoderOnlyParameters, decoder_only_logits
from transformer_math.position import (
    alibi_attention,
    alibi_bias,
    alibi_slopes,
    frequencies,
    relative_attention,
    rope,
    t5_causal_bias,
)
from transformer_math.trained.placed import (
    CONTEXT,
    D_K,
    ENCODINGS,
    LIMIT,
    N_HEADS,
    initialise_placed,
    placed_logits_vjp,
    placed_scores,
    turning,
    turning_no_further,
)
from transformer_math.trees import map_leaves

VOCABULARY = 7


def small(name, seed, n=6):
    """A model in double precision whose numbers are all different from their beginnings, ids and targets."""
    rng = np.random.default_rng(seed)
    parameters = initialise_placed(rng, VOCABULARY, ENCODINGS[name])
    shaken = map_leaves(lambda x: x + 0.2 * rng.normal(size=x.shape), parameters)
    return shaken, *rng.integers(VOCABULARY, size=(2, 2, n)), rng


@pytest.mark.parametrize("name", [*ENCODINGS, "RoPE, clipped"])
def test_gradients_follow_finite_differences(name):
    parameters, ids, targets, rng = small(name.split(",")[0], 1)
    encoding = ENCODINGS.get(name, turning_no_further(2))

    def loss_and_gradient(at):
        scored, through = placed_logits_vjp(ids, at, encoding)
        loss, to_logits = cross_entropy_vjp(scored, targets)
        return loss, *through(*to_logits(1.0))

    slope, difference = slopes(
        loss_and_gradient, parameters, rng, step=1e-7
    )  # less than what parts a ReLU from its kink
    assert difference == pytest.approx(slope, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("name", ENCODINGS)
def test_nothing_sees_what_follows(name):
    parameters, ids, *_ = small(name, 2)
    other = ids.copy()
    other[:, -1] = (ids[:, -1] + 1) % VOCABULARY
    one, two = (placed_logits_vjp(x, parameters, ENCODINGS[name])[0] for x in (ids, other))  # fmt: skip
    np.testing.assert_allclose(one[:, :-1], two[:, :-1], atol=1e-12)
    assert not np.allclose(one[:, -1], two[:, -1])


def test_with_rotary_positions_it_is_the_decoder_of_the_book():
    p, ids, *_ = small("RoPE", 3)
    layers = tuple(
        DecoderOnlyLayerParameters(
            one.attention.attention, one.feed_forward, one.norm_1, one.norm_2
        )
        for one in p.layers
    )
    wanted = decoder_only_logits(
        ids, DecoderOnlyParameters(p.E, layers, p.norm), N_HEADS
    )
    found, _ = placed_logits_vjp(ids, p, ENCODINGS["RoPE"])
    np.testing.assert_allclose(found, wanted, atol=1e-12)


def heads(name, seed, n=40):
    """Queries, keys and values of all heads, and what the encoding learns in a layer."""
    rng = np.random.default_rng(seed)
    own = ENCODINGS[name].new(rng, ENCODINGS[name].in_layers)
    return *rng.normal(size=(3, 2, N_HEADS, n, D_K)), {k: 30 * x for k, x in own.items()}  # fmt: skip


def attended(name, q, k, v, own):
    encoding, mask = ENCODINGS[name], causal_mask(q.shape[-2])
    A = softmax(apply_mask(encoding.scores(q, k, own)[0], mask))
    return encoding.mix(A, v, own)[0]


def by_the_book(name, q, k, v, own):
    n, mask = q.shape[-2], causal_mask(q.shape[-2])
    places = np.arange(n, dtype=float)
    if name == "Shaw":
        return relative_attention(q, k, v, own["a_K"], own["a_V"], mask)[0]
    if name == "ALiBi":
        return alibi_attention(q, k, v, alibi_slopes(N_HEADS), mask)[0]
    if name == "RoPE":
        return attention(rope(q, places), rope(k, places), v, mask)[0]
    S = q @ k.mT / np.sqrt(D_K) + (t5_causal_bias(own["T"], n) if name == "T5" else 0)
    A = np.exp(np.where(mask, S, -np.inf))
    return A / A.sum(axis=-1, keepdims=True) @ v


@pytest.mark.parametrize("name", ENCODINGS)
def test_heads_attend_as_the_functions_of_the_chapters(name):
    q, k, v, own = heads(name, 4)
    np.testing.assert_allclose(
        attended(name, q, k, v, own), by_the_book(name, q, k, v, own), atol=1e-12
    )


def test_only_the_named_doors_are_open():
    """What is added to the tokens: nothing, sinusoids, or the table's rows."""
    X = np.zeros((1, CONTEXT, 64))
    for name, encoding in ENCODINGS.items():
        own = encoding.new(np.random.default_rng(0), encoding.at_bottom)
        added, _ = encoding.add(X, own)
        assert np.any(added) == (name in ("learned", "sinusoidal"))
    assert ENCODINGS["learned"].at_bottom[0][1] == (CONTEXT, 64)
    assert dict(ENCODINGS["Shaw"].in_layers)["a_K"] == (2 * LIMIT + 1, D_K)


def test_usual_speeds_change_nothing_and_longer_vectors_sharpen():
    q, k, _, own = heads("RoPE", 5)
    usual = ENCODINGS["RoPE"].scores(q, k, own)[0]
    same = turning(frequencies(D_K)).scores(q, k, own)[0]
    np.testing.assert_array_equal(usual, same)
    longer = turning(frequencies(D_K), scale=1.5).scores(q, k, own)[0]
    np.testing.assert_allclose(longer, 2.25 * usual)


def test_scores_come_layer_by_layer_as_the_model_has_them():
    """Queries that are turned off leave the biases alone: ALiBi's in the first layer, and in the second."""
    parameters, ids, *_ = small("ALiBi", 6)

    def without_queries(layer):
        old = layer.attention.attention
        silent = replace(old, W_Q=0 * old.W_Q, b_Q=0 * old.b_Q)
        return replace(layer, attention=replace(layer.attention, attention=silent))

    silent = replace(parameters, layers=tuple(map(without_queries, parameters.layers)))
    found = placed_scores(ids, silent, ENCODINGS["ALiBi"])
    bias = alibi_bias(ids.shape[-1], alibi_slopes(N_HEADS))
    assert len(found) == 2
    for S in found:
        np.testing.assert_allclose(S, np.broadcast_to(bias, S.shape), atol=1e-12)
    whole = placed_scores(ids, parameters, ENCODINGS["ALiBi"])
    assert all(np.abs(S - bias).max() > 0.1 for S in whole)


def test_beyond_an_offset_pairs_are_compared_as_if_they_stood_at_it():
    """Pair by pair: a plane is a complex number, and an offset turns it."""
    q, k, *_ = heads("RoPE", 4)
    found, _ = turning_no_further(5).scores(q, k, {})
    planes = [x[..., ::2] + 1j * x[..., 1::2] for x in (q, k)]
    for i, j in np.ndindex(found.shape[-2:]):
        turn = np.exp(1j * frequencies(D_K) * min(i - j, 5))
        both = planes[0][..., i, :] * turn * planes[1][..., j, :].conj()
        wanted = both.real.sum(axis=-1) / np.sqrt(D_K)
        np.testing.assert_allclose(found[..., i, j], wanted, atol=1e-12)
