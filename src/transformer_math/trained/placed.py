"""A small decoder that is told of places in seven ways, and its gradient.

There are three doors through which a place can come in: what is added to the tokens, what is done to scores, and what is
mixed from values. An encoding says what it does at each of them, and everything else is the same for all.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from jaxtyping import Float, Int

from transformer_math.attention.masks import apply_mask, causal_mask
from transformer_math.attention.multi_head import AttentionParameters, concat_heads
from transformer_math.attention.projections import split_heads
from transformer_math.block.feed_forward import FeedForwardParameters
from transformer_math.block.layer_norm import NormParameters
from transformer_math.contract import Pullback
from transformer_math.gradient._stack import LayerTwin, through_layers
from transformer_math.gradient._sublayers import two_sublayers_vjp
from transformer_math.gradient.feed_forward import feed_forward_vjp
from transformer_math.gradient.layer_norm import layer_norm_vjp, pre_norm_vjp
from transformer_math.gradient.learned import add_learned_position_vjp
from transformer_math.gradient.lookup import embed_vjp, scale_embedding_vjp
from transformer_math.gradient.probabilities import logits_vjp
from transformer_math.gradient.projections import project_vjp
from transformer_math.gradient.relative import relative_scores_vjp
from transformer_math.gradient.rope import rotate_pairs_vjp
from transformer_math.gradient.softmax import softmax_vjp
from transformer_math.gradient.t5 import t5_causal_bias_vjp, t5_scores_vjp
from transformer_math.model.decoder_only import initialise_decoder_only
from transformer_math.position.alibi import alibi_bias, alibi_slopes
from transformer_math.position.relative import skew, unskew
from transformer_math.position.sinusoidal import frequencies, sinusoidal

CONTEXT, N_HEADS, D_MODEL, D_FF, N_LAYERS = 32, 4, 64, 128, 2
D_K, LIMIT, BUCKETS = D_MODEL // N_HEADS, 16, 32
Own = dict[str, Float[np.ndarray, "..."]]  # what an encoding learns, by name


@dataclass(frozen=True)
class PlacedAttention:
    """What one layer's attention learns, and what its encoding learns there."""

    attention: AttentionParameters
    own: Own


@dataclass(frozen=True)
class PlacedLayer:
    """What one layer learns."""

    attention: PlacedAttention
    feed_forward: FeedForwardParameters
    norm_1: NormParameters
    norm_2: NormParameters


@dataclass(frozen=True)
class PlacedParameters:
    """Everything that the model learns; `own` is what its encoding learns at the bottom."""

    E: Float[np.ndarray, "V d_model"]
    own: Own
    layers: tuple[PlacedLayer, ...]
    norm: NormParameters


def add_nothing(X: np.ndarray, own: Own) -> tuple[np.ndarray, Pullback]:
    """The tokens as they come."""
    return X, lambda dX: (dX, {})


def add_sinusoids(X: np.ndarray, own: Own) -> tuple[np.ndarray, Pullback]:
    """The paper's sine and cosine waves, added to the tokens."""
    return X + sinusoidal(*X.shape[-2:]).astype(X.dtype), lambda dX: (dX, {})


def add_learned(X: np.ndarray, own: Own) -> tuple[np.ndarray, Pullback]:
    """A learned row for each place, added to the tokens."""
    Z, back = add_learned_position_vjp(X, own["P"])

    def pullback(dZ):
        dX, dP = back(dZ)
        return dX, {"P": dP}

    return Z, pullback


def compared(q: np.ndarray, k: np.ndarray, own: Own) -> tuple[np.ndarray, Pullback]:
    """The products of queries and keys alone, over the root of d_k."""
    root = math.sqrt(q.shape[-1])
    return q @ k.mT / root, lambda dS: (dS @ k / root, dS.mT @ q / root, {})


def compared_with_offsets(
    q: np.ndarray, k: np.ndarray, own: Own
) -> tuple[np.ndarray, Pullback]:
    """Shaw's scores: to each key the vector of its clipped offset is added."""
    S, back = relative_scores_vjp(q, k, own["a_K"])

    def pullback(dS):
        dq, dk, da_K = back(dS)
        return dq, dk, {"a_K": da_K}

    return S, pullback


def compared_in_buckets(
    q: np.ndarray, k: np.ndarray, own: Own
) -> tuple[np.ndarray, Pullback]:
    """T5's numbers for ranges of distances, added to the products; these are divided as everywhere."""
    B, to_table = t5_causal_bias_vjp(own["T"], q.shape[-2])
    root = math.sqrt(q.shape[-1])
    S, back = t5_scores_vjp(q / root, k, B)

    def pullback(dS):
        dq, dk, dB = back(dS)
        return dq / root, dk, {"T": to_table(dB)[0]}

    return S, pullback


def compared_turned(
    q: np.ndarray,
    k: np.ndarray,
    own: Own,
    omega: Float[np.ndarray, " half"] | None = None,
    scale: float = 1.0,
) -> tuple[np.ndarray, Pullback]:
    """Queries and keys turned by their places, at other speeds and made longer if wanted, and then compared."""
    speeds = frequencies(q.shape[-1]) if omega is None else omega
    angles = np.arange(q.shape[-2], dtype=float)[:, None] * speeds
    (turned_q, back_q), (turned_k, back_k) = (
        rotate_pairs_vjp(scale * x, angles) for x in (q, k)
    )
    S, back = compared(turned_q, turned_k, own)

    def pullback(dS):
        dq, dk, _ = back(dS)
        return scale * back_q(dq)[0], scale * back_k(dk)[0], {}

    return S, pullback


def compared_with_slopes(
    q: np.ndarray, k: np.ndarray, own: Own
) -> tuple[np.ndarray, Pullback]:
    """ALiBi: from each product a penalty is taken that grows with the distance."""
    S, back = compared(q, k, own)
    slopes = alibi_slopes(q.shape[-3]).astype(q.dtype)
    return S + alibi_bias(q.shape[-2], slopes), back


def mixed(A: np.ndarray, v: np.ndarray, own: Own) -> tuple[np.ndarray, Pullback]:
    """The values, mixed by the weights."""
    return A @ v, lambda dO: (dO @ v.mT, A.mT @ dO, {})


def mixed_with_offsets(
    A: np.ndarray, v: np.ndarray, own: Own
) -> tuple[np.ndarray, Pullback]:
    """Shaw's mix: to each value the vector of its clipped offset is added."""
    n, a_V = v.shape[-2], own["a_V"]
    r = LIMIT + np.clip(np.arange(1 - n, n), -LIMIT, LIMIT)

    def pullback(dO):
        by_offset = unskew(A).reshape(-1, len(r))
        da_V = np.zeros_like(a_V)
        np.add.at(da_V, r, by_offset.T @ dO.reshape(-1, dO.shape[-1]))
        return dO @ v.mT + skew(dO @ a_V[r].T), A.mT @ dO, {"a_V": da_V}

    return A @ v + unskew(A) @ a_V[r], pullback


@dataclass(frozen=True)
class Encoding:
    """What an encoding does at each door, and the shapes of what it learns at the bottom and in each layer."""

    add: Callable = add_nothing
    scores: Callable = compared
    mix: Callable = mixed
    at_bottom: tuple[tuple[str, tuple[int, ...]], ...] = ()
    in_layers: tuple[tuple[str, tuple[int, ...]], ...] = ()

    def new(
        self, rng: np.random.Generator, shapes: tuple[tuple[str, tuple[int, ...]], ...]
    ) -> Own:
        """Small random numbers, of these names and shapes."""
        return {name: 0.02 * rng.normal(size=shape) for name, shape in shapes}

    def longest(self, wanted: int) -> int:
        """How many of the wanted places it has: a table that is added has a row for each place of training, and no more."""
        return min([wanted, *(rows for _, (rows, _) in self.at_bottom)])


OFFSETS = (2 * LIMIT + 1, D_K)
ENCODINGS = {
    "none": Encoding(),
    "learned": Encoding(add=add_learned, at_bottom=(("P", (CONTEXT, D_MODEL)),)),
    "sinusoidal": Encoding(add=add_sinusoids),
    "Shaw": Encoding(
        scores=compared_with_offsets,
        mix=mixed_with_offsets,
        in_layers=(("a_K", OFFSETS), ("a_V", OFFSETS)),
    ),
    "T5": Encoding(scores=compared_in_buckets, in_layers=(("T", (BUCKETS, N_HEADS)),)),
    "RoPE": Encoding(scores=compared_turned),
    "ALiBi": Encoding(scores=compared_with_slopes),
}


def turning(omega: Float[np.ndarray, " half"], scale: float = 1.0) -> Encoding:
    """Rotary positions at other speeds, with queries and keys that are `scale` times as long."""

    def compared_at_other_speeds(q, k, own):
        return compared_turned(q, k, own, omega, scale)

    return Encoding(scores=compared_at_other_speeds)


def turning_no_further(offset: int) -> Encoding:
    """Rotary positions in which pairs that stand further apart than an offset are compared as if they stood at it."""

    def compared_no_further(q, k, own):
        near, from_near = compared_turned(q, k, own)
        angles = offset * frequencies(q.shape[-1])
        turned, back_q = rotate_pairs_vjp(q, np.broadcast_to(angles, (q.shape[-2], len(angles))))  # fmt: skip
        far, from_far = compared(turned, k, own)
        beyond = np.tri(q.shape[-2], k=-offset - 1, dtype=bool)

        def pullback(dS):
            dq, dk, _ = from_near(np.where(beyond, 0, dS))
            dturned, dk_far, _ = from_far(np.where(beyond, dS, 0))
            return dq + back_q(dturned)[0], dk + dk_far, {}

        return np.where(beyond, far, near), pullback

    return Encoding(scores=compared_no_further)


def initialise_placed(
    rng: np.random.Generator, vocab_size: int, encoding: Encoding
) -> PlacedParameters:
    """Random parameters; what all encodings have in common is the same for all."""
    sizes = vocab_size, D_MODEL, N_HEADS, D_FF, N_LAYERS
    common = initialise_decoder_only(rng, *sizes)
    bottom = encoding.new(rng, encoding.at_bottom)
    layers = tuple(
        PlacedLayer(
            PlacedAttention(p.rotary_attention, encoding.new(rng, encoding.in_layers)),
            p.feed_forward,
            p.norm_1,
            p.norm_2,
        )
        for p in common.layers
    )
    return PlacedParameters(common.E, bottom, layers, common.norm)


def placed_attention_vjp(
    U: np.ndarray, parameters: PlacedAttention, encoding: Encoding
) -> tuple[np.ndarray, Pullback]:
    """Causal self-attention that is told of places as the encoding says, and its pullback."""
    p, own = parameters.attention, parameters.own
    Q, to_Q = project_vjp(U, p.W_Q, p.b_Q)
    K, to_K = project_vjp(U, p.W_K, p.b_K)
    V, to_V = project_vjp(U, p.W_V, p.b_V)
    q, k, v = (split_heads(x, N_HEADS) for x in (Q, K, V))
    S, to_scores = encoding.scores(q, k, own)
    A, to_weights = softmax_vjp(apply_mask(S, causal_mask(U.shape[-2])))
    O, to_mix = encoding.mix(A, v, own)
    output, to_O = project_vjp(concat_heads(O), p.W_O, p.b_O)

    def pullback(gradient):
        dO, dW_O, db_O = to_O(gradient)
        dA, dv, of_mix = to_mix(split_heads(dO, N_HEADS))
        dq, dk, of_scores = to_scores(*to_weights(dA))
        by_Q, dW_Q, db_Q = to_Q(concat_heads(dq))
        by_K, dW_K, db_K = to_K(concat_heads(dk))
        by_V, dW_V, db_V = to_V(concat_heads(dv))
        learned = dW_Q, dW_K, dW_V, dW_O, db_Q, db_K, db_V, db_O
        down = {**of_scores, **of_mix}
        return by_Q + by_K + by_V, PlacedAttention(
            AttentionParameters(*learned), {name: down[name] for name in own}
        )

    return output, pullback


def placed_layer(parameters: PlacedLayer, encoding: Encoding) -> LayerTwin:
    """Normalise, attend, add; normalise, transform, add; with its pullback."""
    p = parameters
    attend = partial(placed_attention_vjp, parameters=p.attention, encoding=encoding)
    transform = partial(feed_forward_vjp, parameters=p.feed_forward)
    return lambda Z: two_sublayers_vjp(Z, p, pre_norm_vjp, attend, transform)


def placed_logits_vjp(
    ids: Int[np.ndarray, "... n"], parameters: PlacedParameters, encoding: Encoding
) -> tuple[Float[np.ndarray, "... n V"], Pullback]:
    """The logits of the whole model, and their pullback to everything that it learns."""
    p = parameters
    rows, embedding = embed_vjp(ids, p.E)
    X, scale = scale_embedding_vjp(rows)
    Z, bottom = encoding.add(X, p.own)
    Z, stack = through_layers(Z, [placed_layer(one, encoding) for one in p.layers])
    Z, last = layer_norm_vjp(Z, p.norm)
    logits, projection = logits_vjp(Z, p.E.T)

    def pullback(dlogits):
        dZ, dW_out, _ = projection(dlogits)
        dZ, dnorm = last(dZ)
        dZ, dlayers = stack(dZ)
        dX, down = bottom(dZ)
        (dE,) = embedding(*scale(dX))
        layers = tuple(own for (own,) in dlayers)
        return (PlacedParameters(dE + dW_out.T, down, layers, dnorm),)

    return logits, pullback


def placed_scores(
    ids: Int[np.ndarray, "... n"], parameters: PlacedParameters, encoding: Encoding
) -> list[Float[np.ndarray, "... n_heads n n"]]:
    """The scores of each layer, before the mask."""
    Z, _ = scale_embedding_vjp(embed_vjp(ids, parameters.E)[0])
    Z, _ = encoding.add(Z, parameters.own)
    found = []
    for p in parameters.layers:
        U, own = layer_norm_vjp(Z, p.norm_1)[0], p.attention.attention
        q, k = (
            split_heads(project_vjp(U, W, b)[0], N_HEADS)
            for W, b in ((own.W_Q, own.b_Q), (own.W_K, own.b_K))
        )
        found.append(encoding.scores(q, k, p.attention.own)[0])
        Z, _ = placed_layer(p, encoding)(Z)
    return found
