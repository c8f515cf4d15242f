"""Checks of attention block by block, and of the step that it is made of, against PyTorch on all keys at once."""

import numpy as np
import torch

from transformer_math.attention.blockwise import blockwise_attention, online_softmax
from transformer_math.attention.scaled_dot_product import attention, scores
from transformer_math.attention.softmax import softmax
from transformer_math.checks.attention.scaled_dot_product import torch_attention
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import (
    batch,
    mask_for_heads,
    random_mask,
    size,
    sometimes,
)
from transformer_math.checks.wrong import reject_careless_masks


def state_of(S, V):
    """Maximum, sum and weighted sum over all keys at once, in PyTorch; of no keys: −∞, 0 and 0."""
    if S.shape[-1] == 0:
        empty = S.shape[:-1]
        return (
            np.full(empty, -np.inf),
            np.zeros(empty),
            np.zeros((*empty, V.shape[-1])),
        )
    S, V = torch.from_numpy(S), torch.from_numpy(V)
    m = S.amax(dim=-1)
    shift = m.clamp(min=torch.finfo(S.dtype).min)
    powers = torch.exp(S - shift[..., None])
    return [x.numpy() for x in (m, powers.sum(dim=-1), powers @ V)]


@check(
    online_softmax,
    equation="eq-online-softmax",
    oracle="torch: maximum, sum and weighted sum over all keys at once",
    cases=60,
)
def online_softmax_equals_torch(online_softmax, rng):
    lead, n, d_v = batch(rng), size(rng), size(rng)
    before, now = int(rng.choice([0, size(rng)])), size(rng)
    S = rng.normal(size=(*lead, n, before + now)) * 10 ** rng.uniform(-1, 3)
    S[rng.random(S.shape) < 0.2] = -np.inf
    V = rng.normal(size=(*lead, before + now, d_v))
    given = state_of(S[..., :before], V[..., :before, :])
    return difference(
        online_softmax(*given, S[..., before:], V[..., before:, :]), state_of(S, V)
    )


def step(m, l, o, S, V, shrink_l=True, shrink_o=True, highest=np.maximum):
    """The step with one of its parts exchanged: the material of wrong versions."""
    top = highest(m, S.max(axis=-1))
    shift = np.maximum(top, np.finfo(S.dtype).min)
    powers, shrink = np.exp(S - shift[..., None]), np.exp(m - shift)
    l = (shrink if shrink_l else 1) * l + powers.sum(axis=-1)
    o = (shrink[..., None] if shrink_o else 1) * o + powers @ V
    return top, l, o


@online_softmax_equals_torch.rejects(
    "Your old sum still refers to the old maximum: multiply it by e^(m − m′) before you add."
)
def sum_not_shrunk(m, l, o, S, V):
    return step(m, l, o, S, V, shrink_l=False)


@online_softmax_equals_torch.rejects(
    "Your old output still refers to the old maximum: multiply it by e^(m − m′), as the sum."
)
def output_not_shrunk(m, l, o, S, V):
    return step(m, l, o, S, V, shrink_o=False)


@online_softmax_equals_torch.rejects(
    "You take the block's own maximum: the running one is the larger of the two."
)
def maximum_of_the_block(m, l, o, S, V):
    return step(m, l, o, S, V, highest=lambda m, new: new)


@online_softmax_equals_torch.rejects(
    "You keep the first maximum: where a larger score comes later, its power overflows or the state no longer fits."
)
def maximum_of_the_past(m, l, o, S, V):
    return step(m, l, o, S, V, highest=lambda m, new: np.where(m > -np.inf, m, new))


@online_softmax_equals_torch.rejects(
    "You divide by the sum in every step: the output is divided once, after the last block."
)
def divided_in_every_step(m, l, o, S, V):
    m, l, o = step(m, l, o, S, V)
    return m, l, o / np.maximum(l, 1)[..., None]


@online_softmax_equals_torch.rejects(
    "Where all scores so far are −∞ you compute −∞ − (−∞), which is NaN: take at least the smallest finite number away."
)
def nothing_seen_yet(m, l, o, S, V):
    top = np.maximum(m, S.max(axis=-1))
    powers, shrink = np.exp(S - top[..., None]), np.exp(m - top)
    return top, shrink * l + powers.sum(axis=-1), shrink[..., None] * o + powers @ V


@check(
    blockwise_attention,
    equation="eq-blockwise-attention",
    oracle="torch.nn.functional.scaled_dot_product_attention",
    cases=80,
)
def blockwise_equals_torch(blockwise_attention, rng):
    lead, n, m, d_k, d_v = batch(rng), size(rng), size(rng), size(rng), size(rng)
    Q, K = (rng.normal(size=(*lead, rows, d_k)) for rows in (n, m))
    Q *= 10 ** rng.uniform(-1, 3)
    V = rng.normal(size=(*lead, m, d_v))
    given, mask = sometimes(
        rng,
        mask_for_heads(rng, lead[:-1], lead[-1], n, m)
        if lead
        else random_mask(rng, n, m),
        None,
    )
    settings = {"block": size(rng)} if rng.random() < 0.8 else {}
    wanted, _ = torch_attention(Q, K, V, mask)
    return difference(blockwise_attention(Q, K, V, *given, **settings), wanted)


reject_careless_masks(blockwise_equals_torch)


@check(
    blockwise_attention,
    equation="eq-blockwise-attention",
    oracle="zeros, for queries that may attend to nothing, beside PyTorch for the others",
)
def blockwise_rows_without_keys_are_zero(blockwise_attention, rng):
    n, m, d = size(rng), size(rng), size(rng)
    Q, K, V = (rng.normal(size=(rows, d)) for rows in (n, m, m))
    mask = rng.random((n, m)) < 0.4
    mask[rng.integers(n)] = False
    sees = mask.any(axis=-1)[:, None]
    wanted, _ = torch_attention(Q, K, V, mask | ~sees)
    got = blockwise_attention(Q, K, V, mask, block=size(rng))
    return difference(got, wanted.numpy() * sees)


@blockwise_rows_without_keys_are_zero.rejects(
    "A row that may see nothing becomes NaN: 0/0, or −∞ − (−∞). Its output is 0."
)
def rows_of_nan(Q, K, V, mask=None, block=256):
    sees = True if mask is None else mask.any(axis=-1, keepdims=True)
    return np.where(sees, blockwise_attention(Q, K, V, mask, block), np.nan)


@blockwise_rows_without_keys_are_zero.rejects(
    "You mask with a large negative number such as −1e9: a query that may attend to nothing then attends to everything. Mask with −∞."
)
def blocks_with_a_large_negative_number(Q, K, V, mask=None, block=256):
    S = scores(Q, K) if mask is None else np.where(mask, scores(Q, K), -1e9)
    return softmax(S) @ V


def by_blocks(Q, K, V, mask, block, join):
    """Attention over each block of keys by itself, joined in some wrong way."""
    parts = []
    for start in range(0, K.shape[-2], block):
        columns = slice(start, start + block)
        seen = (
            mask
            if mask is None
            else np.broadcast_to(mask, (*Q.shape[:-1], K.shape[-2]))[..., columns]
        )
        parts.append(attention(Q, K[..., columns, :], V[..., columns, :], seen)[0])
    return join(parts)


@blockwise_equals_torch.rejects(
    "You average the outputs of the blocks: each block has a sum of its own, and counts by it."
)
def blocks_averaged(Q, K, V, mask=None, block=256):
    return by_blocks(Q, K, V, mask, block, lambda parts: np.mean(parts, axis=0))


@blockwise_equals_torch.rejects(
    "You add up the outputs of the blocks: their weights then sum to the number of blocks."
)
def blocks_added(Q, K, V, mask=None, block=256):
    return by_blocks(Q, K, V, mask, block, lambda parts: np.sum(parts, axis=0))


@blockwise_equals_torch.rejects(
    "You lose the keys of the last block where the block does not divide their number."
)
def last_block_lost(Q, K, V, mask=None, block=256):
    m = max(K.shape[-2] // block, 1) * block
    seen = mask if mask is None else mask[..., :m]
    return blockwise_attention(Q, K[..., :m, :], V[..., :m, :], seen, block)


@blockwise_equals_torch.rejects("You forget to divide the scores by √d_k.")
def blocks_without_scale(Q, K, V, mask=None, block=256):
    return blockwise_attention(Q * np.sqrt(Q.shape[-1]), K, V, mask, block)


@blockwise_equals_torch.rejects(
    "Your exponentials overflow: keep the running maximum, and take it away."
)
def without_the_running_maximum(Q, K, V, mask=None, block=256):
    E = np.exp(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))
    E = E if mask is None else E * mask
    return E @ V / E.sum(axis=-1, keepdims=True)


@online_softmax_equals_torch.rejects(
    "Old sum and old output still refer to the old maximum: multiply both by e^(m − m′) before you add."
)
def nothing_shrunk(m, l, o, S, V):
    return step(m, l, o, S, V, shrink_l=False, shrink_o=False)


@online_softmax_equals_torch.rejects(
    "You begin anew with each block: add to what was there, after it was multiplied by e^(m − m′)."
)
def begun_anew(m, l, o, S, V):
    new_m, *_ = online_softmax(m, l, o, S, V)
    return new_m, *online_softmax(new_m, 0 * l, 0 * o, S, V)[1:]


@online_softmax_equals_torch.rejects(
    "You multiply by e^(m′ − m), which grows: the old numbers shrink, by e^(m − m′)."
)
def grown(m, l, o, S, V):
    new_m, sum_of_new, out_of_new = begun_anew(m, l, o, S, V)
    with np.errstate(all="ignore"):
        factor = np.where(np.isfinite(m), np.exp(new_m - m), 0.0)
    return new_m, factor * l + sum_of_new, factor[..., None] * o + out_of_new


@online_softmax_equals_torch.rejects(
    "The three come in another order: the maximum, the sum, the output."
)
def output_before_the_sum(m, l, o, S, V):
    new_m, new_l, new_o = online_softmax(m, l, o, S, V)
    return new_m, new_o, new_l


@online_softmax_equals_torch.rejects(
    "You add the block's finished average, softmax(S) V; wanted e^(S − m′) V, undivided."
)
def softmax_of_the_block(m, l, o, S, V):
    new_m, new_l, _ = online_softmax(m, l, o, S, V)
    with np.errstate(all="ignore"):
        shrink = np.where(np.isfinite(m), np.exp(m - new_m), 0.0)
    return new_m, new_l, shrink[..., None] * o + softmax(S) @ V


@online_softmax_equals_torch.rejects(
    "A query that has seen nothing keeps −∞ as its maximum: only the shift inside exp is finite."
)
def finite_maximum(m, l, o, S, V):
    new_m, new_l, new_o = online_softmax(m, l, o, S, V)
    return np.maximum(new_m, np.finfo(float).min), new_l, new_o


@online_softmax_equals_torch.rejects(
    "A query that has seen nothing keeps −∞ as its maximum; yours becomes 0, as if it had met a score of 0."
)
def zero_maximum(m, l, o, S, V):
    new_m, new_l, new_o = online_softmax(m, l, o, S, V)
    return np.where(np.isfinite(new_m), new_m, 0.0), new_l, new_o


@online_softmax_equals_torch.rejects(
    "You take one maximum for all queries: each has its own, S.max(axis=-1)."
)
def one_maximum_for_all(m, l, o, S, V):
    return step(m, l, o, S, V, highest=lambda m, new: np.maximum(m, new.max()))


@blockwise_equals_torch.rejects(
    "You do not divide by the sum of the exponentials: that is done once, after the last block."
)
def never_divided(Q, K, V, mask=None, block=256):
    S = scores(Q, K) if mask is None else np.where(mask, scores(Q, K), -np.inf)
    top = np.maximum(S.max(axis=-1, keepdims=True), np.finfo(float).min)
    return np.exp(S - top) @ V
