"""Checks of multi-head attention, against PyTorch's module with the same weights."""

from dataclasses import replace

import numpy as np
import torch

from transformer_math.attention.multi_head import concat_heads, multi_head_attention
from transformer_math.attention.projections import project, split_heads
from transformer_math.attention.scaled_dot_product import attention
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import (
    batch,
    longest,
    mask_for_heads,
    size,
    sometimes,
    tokens,
)
from transformer_math.checks.torch_layers import (
    attention_parameters,
    one_batch,
    shaken,
    torch_mask,
)
from transformer_math.checks.wrong import reject_careless_masks


@check(concat_heads, equation="eq-concat-heads", oracle="torch.cat")
def concatenation_equals_torch(concat_heads, rng):
    O = tokens(rng, size(rng), size(rng), size(rng))
    return difference(
        concat_heads(O), torch.cat(torch.unbind(torch.from_numpy(O), dim=-3), dim=-1)
    )


@concatenation_equals_torch.rejects(
    "You reshape without swapping axes first: your rows mix different tokens."
)
def reshaped_only(O):
    *batch, n_heads, n, d_v = O.shape
    return O.reshape(*batch, n, n_heads * d_v)


@concatenation_equals_torch.rejects(
    "You sum the heads; they are laid side by side, and W_O mixes them."
)
def summed(O):
    return O.sum(axis=-3)


@concatenation_equals_torch.rejects(
    "Your columns alternate between the heads; wanted all of head 0, then all of head 1."
)
def interleaved(O):
    return np.moveaxis(O, -3, -1).reshape(*O.shape[:-3], O.shape[-2], -1)


@check(
    multi_head_attention,
    equation="eq-multi-head",
    oracle="torch.nn.MultiheadAttention with the same weights",
)
def multi_head_equals_torch(multi_head_attention, rng):
    lead, n, m, n_heads = batch(rng), size(rng), size(rng), size(rng)
    d_model = n_heads * size(rng)
    module = shaken(
        torch.nn.MultiheadAttention(d_model, n_heads, batch_first=True), rng
    )
    Z, source = (rng.normal(size=(*lead, rows, d_model)) for rows in (n, m))
    given, mask = sometimes(rng, mask_for_heads(rng, lead, n_heads, n, m), None)
    if longest():
        Z, source = 1000 * Z, 1000 * source
        mask = rng.random((n, m)) < 0.6
        mask[0] = False  # it gives the bias of the output, where PyTorch has NaN
        given = (mask,)
    output, weights = module(
        *map(one_batch, (Z, source, source)),
        attn_mask=torch_mask(mask, *lead, n_heads, n, m),
        average_attn_weights=False,
    )
    closed = torch.isnan(output)
    output = torch.where(closed, module.out_proj.bias, output)
    weights = weights.nan_to_num(0.0)
    wanted = output.reshape(Z.shape), weights.reshape(*lead, n_heads, n, m)
    got = multi_head_attention(Z, source, attention_parameters(module), n_heads, *given)
    return difference(got, wanted)


reject_careless_masks(multi_head_equals_torch)


def projected(Z, source, p, n_heads, split):
    """Queries, keys and values of all heads, cut apart by `split`."""
    return (
        split(x, n_heads)
        for x in (
            project(Z, p.W_Q, p.b_Q),
            project(source, p.W_K, p.b_K),
            project(source, p.W_V, p.b_V),
        )
    )


@multi_head_equals_torch.rejects(
    "Your exp overflows for large scores, and a row that may see nothing becomes NaN: take the largest score away first, and give "
    "such a row weights of 0."
)
def naive_softmax(Z, source, p, n_heads, mask=None):
    Q, K, V = projected(Z, source, p, n_heads, split_heads)
    S = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    powers = np.exp(S if mask is None else np.where(mask, S, -np.inf))
    A = powers / powers.sum(axis=-1, keepdims=True)
    O = np.swapaxes(A @ V, -3, -2)
    return O.reshape(*O.shape[:-2], -1) @ p.W_O + p.b_O, A


def heads_by(
    Z, source, p, n_heads, mask, split=split_heads, concat=concat_heads, scale=1.0
):
    """Multi-head attention with one part exchanged: the material of wrong versions."""
    Q, K, V = projected(Z, source, p, n_heads, split)
    O, A = attention(Q * scale, K, V, mask)
    return project(concat(O), p.W_O, p.b_O), A


@multi_head_equals_torch.rejects(
    "You reshape into heads without swapping axes: your heads hold pieces of different tokens."
)
def heads_by_reshape(Z, source, p, n_heads, mask=None):
    def split(x, n_heads):
        return x.reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)

    return heads_by(Z, source, p, n_heads, mask, split)


@multi_head_equals_torch.rejects(
    "You divide by √d_model; each head divides by √d_k, the size of its own queries."
)
def scaled_by_d_model(Z, source, p, n_heads, mask=None):
    return heads_by(Z, source, p, n_heads, mask, scale=1 / np.sqrt(n_heads))


@multi_head_equals_torch.rejects(
    "Your keys and values come from Z; in cross-attention they come from the source."
)
def keys_from_the_queries_side(Z, source, p, n_heads, mask=None):
    return heads_by(Z, Z, p, n_heads, mask if Z.shape == source.shape else None)


@multi_head_equals_torch.rejects(
    "The two sequences have changed places: the queries come from Z, keys and values from the source."
)
def sources_exchanged(Z, source, p, n_heads, mask=None):
    return multi_head_attention(source, Z, p, n_heads, mask)


@multi_head_equals_torch.rejects(
    "You forget the biases of the projections: b_Q, b_K, b_V and b_O are added."
)
def without_biases(Z, source, p, n_heads, mask=None):
    zero = {
        name: np.zeros_like(getattr(p, name)) for name in ("b_Q", "b_K", "b_V", "b_O")
    }
    return heads_by(Z, source, replace(p, **zero), n_heads, mask)


@multi_head_equals_torch.rejects(
    "You average the weights over the heads; wanted those of every head, (…, n_heads, n, m)."
)
def weights_averaged(Z, source, p, n_heads, mask=None):
    output, A = heads_by(Z, source, p, n_heads, mask)
    return output, A.mean(axis=-3)


@multi_head_equals_torch.rejects(
    "You forget the last projection: W_O mixes what the heads found."
)
def without_w_o(Z, source, p, n_heads, mask=None):
    eye = np.eye(p.W_O.shape[0])
    return heads_by(
        Z, source, replace(p, W_O=eye, b_O=np.zeros(len(eye))), n_heads, mask
    )


@multi_head_equals_torch.rejects(
    "You attend with one wide head: split queries, keys and values first."
)
def one_wide_head(Z, source, p, n_heads, mask=None):
    mask = None if mask is None else mask[..., :1, :, :] if mask.ndim > 2 else mask
    output, A = heads_by(Z, source, p, 1, mask)
    return output, np.repeat(A, n_heads, axis=-3)


@check(
    multi_head_attention,
    equation="eq-masked-multi-head",
    oracle="torch.nn.MultiheadAttention with is_causal",
    cases=20,
)
def masked_multi_head_equals_torch(multi_head_attention, rng):
    lead, n, n_heads = batch(rng), size(rng), size(rng)
    d_model = n_heads * size(rng)
    module = shaken(
        torch.nn.MultiheadAttention(d_model, n_heads, batch_first=True), rng
    )
    Z = rng.normal(size=(*lead, n, d_model))
    output, weights = module(
        *[one_batch(Z)] * 3,
        attn_mask=torch.ones(n, n, dtype=torch.bool).triu(1),
        is_causal=True,
        average_attn_weights=False,
    )
    wanted = output.reshape(Z.shape), weights.reshape(*lead, n_heads, n, n)
    own = attention_parameters(module)
    return difference(
        multi_head_attention(Z, Z, own, n_heads, np.tri(n, dtype=bool)), wanted
    )


@masked_multi_head_equals_torch.rejects(
    "Your tokens see the future: the mask forbids what stands after the query."
)
def future_seen(Z, source, p, n_heads, mask=None):
    return heads_by(Z, source, p, n_heads, None)


@masked_multi_head_equals_torch.rejects(
    "You set forbidden weights to 0 after softmax: what is left of a row no longer sums to 1."
)
def masked_after_softmax(Z, source, p, n_heads, mask=None):
    _, A = heads_by(Z, source, p, n_heads, None)
    A = A if mask is None else A * mask
    V = split_heads(project(source, p.W_V, p.b_V), n_heads)
    return project(concat_heads(A @ V), p.W_O, p.b_O), A
