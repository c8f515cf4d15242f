"""Checks of rotary attention and of the layer around it, against PyTorch's fused attention on numbers of the complex plane."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import torch
from torch.nn import functional as F

from transformer_math.attention.masks import causal_mask
from transformer_math.attention.multi_head import concat_heads, multi_head_attention
from transformer_math.attention.projections import project, split_heads
from transformer_math.attention.scaled_dot_product import attention
from transformer_math.block.decoder_only_layer import (
    DecoderOnlyLayerParameters,
    decoder_only_layer,
    rotary_attention,
)
from transformer_math.block.feed_forward import feed_forward
from transformer_math.block.layer_norm import (
    NormParameters,
    add_norm,
    layer_norm,
    pre_norm,
)
from transformer_math.checks.block.layer_norm import random_parameters
from transformer_math.checks.compare import difference, worst
from transformer_math.checks.gradient.feed_forward import random_network
from transformer_math.checks.gradient.multi_head import random_attention
from transformer_math.checks.gradients import as_tensors
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import few, longest, size, small_batch
from transformer_math.position.rope import rope


def turned(x: torch.Tensor) -> torch.Tensor:
    """Each pair of neighbours is a complex number; position p multiplies pair r by e^(i p ω_r)."""
    n, d_k = x.shape[-2:]
    powers = [10000.0 ** (-r / d_k) for r in range(0, d_k, 2)]
    angles = torch.arange(n)[:, None] * torch.tensor(powers, dtype=torch.float64)
    numbers = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    turns = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(numbers * turns).flatten(-2)


def torch_rotary(Z: torch.Tensor, p: SimpleNamespace, n_heads: int) -> torch.Tensor:
    """Rotary attention with PyTorch's fused kernel."""

    def heads(W, b):
        return (Z @ W + b).unflatten(-1, (n_heads, -1)).transpose(-3, -2)

    Q, K, V = heads(p.W_Q, p.b_Q), heads(p.W_K, p.b_K), heads(p.W_V, p.b_V)
    O = F.scaled_dot_product_attention(turned(Q), turned(K), V, is_causal=True)
    return O.transpose(-3, -2).flatten(-2) @ p.W_O + p.b_O


def torch_layer(Z: torch.Tensor, p: SimpleNamespace, n_heads: int) -> torch.Tensor:
    """The layer, its normalisations PyTorch's own."""

    def norm(x, q):
        return F.layer_norm(x, x.shape[-1:], q.gamma, q.beta)

    Z = Z + torch_rotary(norm(Z, p.norm_1), p.rotary_attention, n_heads)
    f = p.feed_forward
    return Z + torch.relu(norm(Z, p.norm_2) @ f.W_1 + f.b_1) @ f.W_2 + f.b_2


def random_heads(rng, d_model, n_heads):
    """Attention whose heads have an even d_k, and any d_v."""
    d_k, d_v = 2 * few(rng), few(rng)
    return random_attention(rng, d_model, n_heads * d_k, n_heads * d_v)


def random_layer(rng, d_model, n_heads):
    """A layer's parameters: no bias is 0, no scale is 1."""
    return DecoderOnlyLayerParameters(
        random_heads(rng, d_model, n_heads),
        random_network(rng, d_model, few(rng)),
        *(random_parameters(rng, d_model) for _ in range(2)),
    )


def random_tokens(rng):
    """Tokens of some sequences."""
    return rng.normal(size=(*small_batch(rng), size(rng, mostly=3), size(rng)))


def rotary_case(rng):
    """Tokens, parameters, and how many heads."""
    n_heads, Z = few(rng), random_tokens(rng)
    return Z, random_heads(rng, Z.shape[-1], n_heads), n_heads


def layer_case(rng):
    """Tokens, a layer, and how many heads it has."""
    n_heads, Z = few(rng), random_tokens(rng)
    return Z, random_layer(rng, Z.shape[-1], n_heads), n_heads


def _plain_weights(Q, K):
    """The weights of turned queries and keys, pair by pair, each score by itself."""
    n, d_k = Q.shape[-2:]
    A = np.zeros((n, n))
    for i in range(n):
        scores = []
        for j in range(i + 1):
            parts = [
                np.conj(complex(*Q[i, r : r + 2]))
                * complex(*K[j, r : r + 2])
                * np.exp(1j * (j - i) * 10000.0 ** (-r / d_k))
                for r in range(0, d_k, 2)
            ]
            scores.append(sum(part.real for part in parts) / d_k**0.5)
        powers = np.exp(np.array(scores) - max(scores))
        A[i, : i + 1] = powers / powers.sum()
    return A


def weights_of_head(Z, p, n_heads, head):
    d_k = p.W_Q.shape[1] // n_heads
    own = slice(head * d_k, (head + 1) * d_k)
    Q, K = (Z @ W[:, own] + b[own] for W, b in ((p.W_Q, p.b_Q), (p.W_K, p.b_K)))
    return _plain_weights(Q, K)


@check(
    rotary_attention,
    equation="eq-rotary-attention",
    oracle="torch's fused attention of turned complex numbers; the weights, score by score",
    cases=24,
)
def rotary_attention_equals_torch(rotary_attention, rng):
    Z, p, n_heads = rotary_case(rng)
    if longest():
        Z = 1000 * Z
    output, A = rotary_attention(Z, p, n_heads)
    wanted = torch_rotary(torch.from_numpy(Z), as_tensors(p), n_heads)
    place = (0,) * (Z.ndim - 2)
    own = [weights_of_head(Z[place], p, n_heads, h) for h in range(n_heads)]
    return worst(
        [difference(output, wanted), difference(np.asarray(A)[place], np.stack(own))]
    )


rotary_attention_equals_torch.excuses("dimensions turn in pairs", "Hd_k = 1")


def _left(x, positions):
    return x


def _back(x, positions):
    return rope(x, -positions)


def _attended(
    Z,
    p,
    n_heads,
    turn_Q=rope,
    turn_K=rope,
    turn_V=_left,
    mask=None,
    attend=attention,
):
    """Rotary attention whose parts can be exchanged."""
    positions = np.arange(Z.shape[-2], dtype=float)
    Q, K, V = (
        turn(split_heads(project(Z, W, b), n_heads), positions)
        for turn, W, b in (
            (turn_Q, p.W_Q, p.b_Q),
            (turn_K, p.W_K, p.b_K),
            (turn_V, p.W_V, p.b_V),
        )
    )
    O, A = attend(Q, K, V, causal_mask(Z.shape[-2]) if mask is None else mask)
    joined = np.swapaxes(O, -3, -2).reshape(*Z.shape[:-1], -1)
    return joined @ p.W_O + p.b_O, A


def _naive(Q, K, V, mask):
    powers = np.exp(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])) * mask
    A = powers / powers.sum(axis=-1, keepdims=True)
    return A @ V, A


@rotary_attention_equals_torch.rejects(
    "Your exp overflows for large scores: take the largest score of the row away first."
)
def naive_softmax(Z, p, n_heads):
    return _attended(Z, p, n_heads, attend=_naive)


@rotary_attention_equals_torch.rejects(
    "Your queries and keys are not turned: nothing says where a token stands."
)
def not_turned(Z, p, n_heads):
    return multi_head_attention(Z, Z, p, n_heads, causal_mask(Z.shape[-2]))


@rotary_attention_equals_torch.rejects(
    "You let tokens look ahead: a token attends to itself and to what stands before it, j ≤ i."
)
def looking_ahead(Z, p, n_heads):
    n = Z.shape[-2]
    return _attended(Z, p, n_heads, mask=np.ones((n, n), dtype=bool))


@rotary_attention_equals_torch.rejects(
    "Your keys stay as they are: both are turned, and only the difference of their positions is left."
)
def keys_left(Z, p, n_heads):
    return _attended(Z, p, n_heads, turn_K=_left)


@rotary_attention_equals_torch.rejects(
    "Your queries stay as they are: both are turned, and only the difference of their positions is left."
)
def queries_left(Z, p, n_heads):
    return _attended(Z, p, n_heads, turn_Q=_left)


@rotary_attention_equals_torch.rejects(
    "You turn the keys the other way round: queries and keys turn the same way."
)
def keys_backwards(Z, p, n_heads):
    return _attended(Z, p, n_heads, turn_K=_back)


@rotary_attention_equals_torch.rejects(
    "Your values are turned too: positions change who attends to whom, not what is handed over."
)
def values_turned(Z, p, n_heads):
    return _attended(Z, p, n_heads, turn_V=rope)


@rotary_attention_equals_torch.rejects(
    "You turn before you cut the heads apart: each head has frequencies of its own, from its first pair to its last."
)
def turned_before_the_split(Z, p, n_heads):
    positions = np.arange(Z.shape[-2], dtype=float)
    Q, K = (
        split_heads(rope(project(Z, W, b), positions), n_heads)
        for W, b in ((p.W_Q, p.b_Q), (p.W_K, p.b_K))
    )
    V = split_heads(project(Z, p.W_V, p.b_V), n_heads)
    O, A = attention(Q, K, V, causal_mask(Z.shape[-2]))
    return project(concat_heads(O), p.W_O, p.b_O), A


@rotary_attention_equals_torch.rejects(
    "You forget the last projection: W_O mixes what the heads have found."
)
def without_last_bias(Z, p, n_heads):
    output, A = rotary_attention(Z, p, n_heads)
    return output - p.b_O, A


@check(
    decoder_only_layer,
    equation="eq-decoder-only-layer",
    oracle="the same layer of PyTorch's normalisation, fused attention and products",
    cases=24,
)
def decoder_only_layer_equals_torch(decoder_only_layer, rng):
    Z, p, n_heads = layer_case(rng)
    if longest():
        norm = p.norm_1
        p = replace(p, norm_1=NormParameters(1000 * norm.gamma, norm.beta))
    wanted = torch_layer(torch.from_numpy(Z), as_tensors(p), n_heads)
    return difference(decoder_only_layer(Z, p, n_heads), wanted)


decoder_only_layer_equals_torch.excuses("dimensions turn in pairs", "Hd_k = 1")


def _attend(p, n_heads):
    return lambda U: rotary_attention(U, p.rotary_attention, n_heads)[0]


def _transform(p):
    return lambda U: feed_forward(U, p.feed_forward)


@decoder_only_layer_equals_torch.rejects(
    "You normalise after adding, as the paper did; here what goes into a sublayer is normalised, and what comes out is added."
)
def normalised_after(Z, p, n_heads):
    Z = add_norm(Z, _attend(p, n_heads)(Z), p.norm_1)
    return add_norm(Z, _transform(p)(Z), p.norm_2)


@decoder_only_layer_equals_torch.rejects(
    "The exp of your attention overflows for large scores: take the largest score of the row away first.",
    raises=True,
)
def naive_attention(Z, p, n_heads):
    Z = pre_norm(
        Z, lambda U: naive_softmax(U, p.rotary_attention, n_heads)[0], p.norm_1
    )
    return pre_norm(Z, _transform(p), p.norm_2)


@decoder_only_layer_equals_torch.rejects(
    "Your attention does not know positions: its queries and keys are turned by them."
)
def without_positions(Z, p, n_heads):
    mask = causal_mask(Z.shape[-2])
    Z = pre_norm(
        Z,
        lambda U: multi_head_attention(U, U, p.rotary_attention, n_heads, mask)[0],
        p.norm_1,
    )
    return pre_norm(Z, _transform(p), p.norm_2)


@decoder_only_layer_equals_torch.rejects(
    "Attention and network both read Z in your version; the network reads what attention has added to."
)
def side_by_side(Z, p, n_heads):
    attended = _attend(p, n_heads)(layer_norm(Z, p.norm_1))
    return Z + attended + _transform(p)(layer_norm(Z, p.norm_2))


@decoder_only_layer_equals_torch.rejects(
    "Your network comes first: tokens look back, then each is transformed by itself."
)
def network_first(Z, p, n_heads):
    Z = pre_norm(Z, _transform(p), p.norm_2)
    return pre_norm(Z, _attend(p, n_heads), p.norm_1)


@decoder_only_layer_equals_torch.rejects(
    "Your two normalisations have changed places: the first is attention's, the second the network's."
)
def norms_exchanged(Z, p, n_heads):
    Z = pre_norm(Z, _attend(p, n_heads), p.norm_2)
    return pre_norm(Z, _transform(p), p.norm_1)


@decoder_only_layer_equals_torch.rejects(
    "The residual around the network is missing: Z' + FFN(…)."
)
def without_second_residual(Z, p, n_heads):
    Z = pre_norm(Z, _attend(p, n_heads), p.norm_1)
    return _transform(p)(layer_norm(Z, p.norm_2))
