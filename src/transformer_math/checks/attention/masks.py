"""Checks of the masks: against PyTorch's own, and one pair of positions at a time."""

import numpy as np
import torch

from transformer_math.attention.masks import (
    additive_mask,
    apply_mask,
    causal_mask,
    causal_padding_mask,
    padding_mask,
    prefix_mask,
    sliding_window_mask,
)
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, or_edge, size


@check(
    apply_mask,
    equation="eq-mask",
    axes={"S": "n m", "mask": "n m", "return": "n m"},
    oracle="torch.masked_fill",
)
def masking_equals_torch(apply_mask, rng):
    lead, n, m = batch(rng), size(rng), size(rng)
    S = rng.normal(size=(*lead, n, m))
    S[rng.random(S.shape) < or_edge(rng, 0.2, 0.0)] = -np.inf  # forbidden before
    mask = rng.random([(n, m), (1, m), (*lead, n, m)][rng.integers(3)]) < 0.6
    return difference(
        apply_mask(S, mask),
        torch.from_numpy(S).masked_fill(torch.from_numpy(~mask), -torch.inf),
    )


@masking_equals_torch.rejects(
    "Your mask is upside down: True means that attention is allowed."
)
def inverted(S, mask):
    return np.where(mask, -np.inf, S)


@masking_equals_torch.rejects(
    "You multiply by the mask: a score of 0 is not forbidden, e⁰ is 1. Forbidden is −∞."
)
def multiplied(S, mask):
    return S * mask


@masking_equals_torch.rejects(
    "You write −1e9, a large negative number, where −∞ is wanted: only −∞ forbids whatever the other scores are."
)
def large_negative_score(S, mask):
    return np.where(mask, S, -1e9)


@masking_equals_torch.rejects(
    "You write −1e−9 where −∞ is wanted: a tiny number forbids nothing."
)
def tiny_instead_of_huge(S, mask):
    return np.where(mask, S, -1e-9)


@masking_equals_torch.rejects(
    "You add −∞ where the mask is True: log M is −∞ where M is 0, and M is 1 where attention is allowed."
)
def log_of_the_inverse(S, mask):
    with np.errstate(divide="ignore"):
        return S + np.log(1.0 - mask)


@check(
    causal_mask,
    equation="eq-causal-mask",
    oracle="torch.nn.Transformer.generate_square_subsequent_mask",
)
def causal_mask_equals_torch(causal_mask, rng):
    n = size(rng)
    return difference(
        causal_mask(n), torch.nn.Transformer.generate_square_subsequent_mask(n) == 0
    )


@causal_mask_equals_torch.rejects(
    "Your tokens cannot see themselves: the diagonal is allowed, j ≤ i."
)
def blind_to_itself(n):
    return np.tri(n, k=-1, dtype=bool)


@causal_mask_equals_torch.rejects(
    "Your tokens see one step into the future: j ≤ i, not j ≤ i + 1."
)
def sees_the_next(n):
    return np.tri(n, k=1, dtype=bool)


@causal_mask_equals_torch.rejects(
    "That is a mask to be added, of 0 and −∞; wanted True where attention is allowed, and False."
)
def made_to_be_added(n):
    return np.where(np.tri(n, dtype=bool), 0.0, -np.inf)


@causal_mask_equals_torch.rejects(
    "Your mask is upside down, as PyTorch's modules want it: True where attention is forbidden. Here True means allowed."
)
def true_where_forbidden(n):
    return ~np.tri(n, dtype=bool)


@causal_mask_equals_torch.rejects(
    "Your ones and zeros are numbers; wanted True and False: np.tri(n, dtype=bool), or j <= i."
)
def ones_and_zeros(n):
    return np.tri(n)


@causal_mask_equals_torch.rejects(
    "Your mask looks ahead: it is the transpose of the one wanted."
)
def sees_the_future(n):
    return np.tri(n, dtype=bool).T


@check(
    padding_mask,
    equation="eq-padding-mask",
    oracle="comparing position and length, one pair at a time",
)
def padding_mask_equals_loop(padding_mask, rng):
    n = size(rng)
    lengths = rng.integers(0, n + 1, size=size(rng))
    return difference(
        padding_mask(lengths, n),
        [[[[j < length for j in range(n)]]] for length in lengths.tolist()],
    )


@padding_mask_equals_loop.rejects(
    "Your mask is True on the padding; True means that attention is allowed."
)
def marks_the_padding(lengths, n):
    return np.arange(n) >= lengths[:, None, None, None]


@padding_mask_equals_loop.rejects(
    "You let one padding token through: the last allowed position is length − 1."
)
def one_too_many(lengths, n):
    return np.arange(n) <= lengths[:, None, None, None]


@check(
    causal_padding_mask,
    equation="eq-causal-padding-mask",
    oracle="comparing position, place and length, one triple at a time",
)
def causal_padding_mask_equals_loop(causal_padding_mask, rng):
    n = size(rng)
    lengths = rng.integers(0, n + 1, size=size(rng))
    return difference(
        causal_padding_mask(lengths, n),
        [
            [[[j <= i and j < length for j in range(n)] for i in range(n)]]
            for length in lengths.tolist()
        ],
    )


@causal_padding_mask_equals_loop.rejects(
    "You allow what one of the two masks allows: both must allow it, & and not |."
)
def either_of_the_two(lengths, n):
    return causal_mask(n) | padding_mask(lengths, n)


@causal_padding_mask_equals_loop.rejects(
    "Your mask is upside down: True means that attention is allowed."
)
def true_where_either_forbids(lengths, n):
    return ~causal_padding_mask(lengths, n)


@causal_padding_mask_equals_loop.rejects("The padding is in sight: j < length_b too.")
def causal_alone(lengths, n):
    return np.repeat(causal_mask(n)[None, None], len(lengths), axis=0)


@causal_padding_mask_equals_loop.rejects("The future is in sight: j ≤ i too.")
def padding_alone(lengths, n):
    return np.repeat(padding_mask(lengths, n), n, axis=-2)


@causal_padding_mask_equals_loop.rejects(
    "You forbid the rows of the padding as well. They are read by nobody, and a row that may see nothing is a trap: the mask hides "
    "keys, not queries: j < length_b."
)
def rows_of_the_padding_too(lengths, n):
    padding = padding_mask(lengths, n)
    return causal_mask(n) & padding & padding.mT


@causal_padding_mask_equals_loop.rejects(
    "Your array lacks the axis of the heads: scores have the shape (batch, heads, n, n), so the mask has (batch, 1, n, n)."
)
def without_the_axis_of_heads(lengths, n):
    return causal_padding_mask(lengths, n)[:, 0]


@check(
    additive_mask,
    equation="eq-additive-mask",
    oracle="torch.zeros and torch.masked_fill",
)
def additive_mask_equals_torch(additive_mask, rng):
    mask = rng.random((*batch(rng), size(rng), size(rng))) < 0.6
    return difference(
        additive_mask(mask),
        torch.zeros(mask.shape).masked_fill(torch.from_numpy(~mask), -torch.inf),
    )


@additive_mask_equals_torch.rejects(
    "Your mask is upside down: 0 is added where attention is allowed, −∞ where it is not."
)
def infinite_where_allowed(mask):
    return np.where(mask, -np.inf, 0.0)


@additive_mask_equals_torch.rejects(
    "You write −1e9 for −∞: in a row that may see nothing such a number forbids nothing."
)
def large_negative_number_to_add(mask):
    return np.where(mask, 0.0, -1e9)


@additive_mask_equals_torch.rejects(
    "You return 1 and 0: to a score one adds 0 where attention is allowed, and −∞ where it is not."
)
def ones_and_zeros_to_add(mask):
    return mask.astype(float)


@additive_mask_equals_torch.rejects(
    "0 · ∞ is NaN: choose between the two numbers, with np.where, or take log of 1 and 0."
)
def zero_times_infinity(mask):
    with np.errstate(invalid="ignore"):
        return ~mask * -np.inf


@check(
    sliding_window_mask,
    equation="eq-sliding-window-mask",
    oracle="torch.tril and torch.triu",
)
def window_equals_torch(sliding_window_mask, rng):
    n, window = size(rng), size(rng)
    band = torch.ones(n, n, dtype=torch.bool).tril().triu(1 - window)
    return difference(sliding_window_mask(n, window), band)


@window_equals_torch.rejects(
    "Your window holds one position too many: w positions, the token itself among them, so i − w < j."
)
def one_position_too_many(n, window):
    return sliding_window_mask(n, window + 1)


@window_equals_torch.rejects(
    "Your window does not hold the token itself: it ends at j = i."
)
def window_before_the_token(n, window):
    return sliding_window_mask(n, window) & ~np.eye(n, dtype=bool)


@window_equals_torch.rejects(
    "Your window looks ahead as well: it ends at the token itself, j ≤ i."
)
def window_to_both_sides(n, window):
    return sliding_window_mask(n, window) | sliding_window_mask(n, window).T


@window_equals_torch.rejects(
    "Your window has no near end: every later position is in sight, since i − j < w holds there, too. It ends at the token itself, j ≤ i."
)
def no_near_end(n, window):
    return np.arange(n)[:, None] - np.arange(n) < window


@window_equals_torch.rejects(
    "Your window has no far end: only the last w positions are in sight, i − w < j."
)
def no_window(n, window):
    return causal_mask(n)


@window_equals_torch.rejects(
    "You cut the sequence into blocks of w; the window slides along with every token."
)
def blocks_in_place_of_a_window(n, window):
    block = np.arange(n) // window
    return causal_mask(n) & (block == block[:, None])


@check(
    prefix_mask,
    equation="eq-prefix-mask",
    oracle="torch.tril, with the first p columns of the first p rows opened",
)
def prefix_equals_torch(prefix_mask, rng):
    n = size(rng)
    prefix = int(rng.integers(1, n + 1))
    wanted = torch.ones(n, n, dtype=torch.bool).tril()
    wanted[:prefix, :prefix] = True
    return difference(prefix_mask(n, prefix), wanted)


@prefix_equals_torch.rejects(
    "Your prefix is causal too: its positions see each other in both directions."
)
def causal_prefix(n, prefix):
    return causal_mask(n)


@prefix_equals_torch.rejects(
    "Your prefix is one position too long: its last position is p − 1."
)
def prefix_too_long(n, prefix):
    position = np.arange(n)
    return position <= np.maximum(position, prefix)[:, None]


@prefix_equals_torch.rejects(
    "What follows the prefix sees the prefix alone: it sees all that came before, j ≤ i."
)
def nothing_behind_the_prefix(n, prefix):
    return np.repeat(np.arange(n)[None] < prefix, n, axis=0)


@causal_padding_mask_equals_loop.rejects(
    "Your texts see one place of their padding: places count from 0, so j < length_b, not j ≤ length_b."
)
def one_place_of_padding(lengths, n):
    i, j = np.arange(n)[:, None], np.arange(n)
    return (j <= i) & (j <= lengths[:, None, None, None])


@causal_padding_mask_equals_loop.rejects(
    "Your tokens cannot see themselves: j ≤ i, not j < i."
)
def causal_without_itself(lengths, n):
    i, j = np.arange(n)[:, None], np.arange(n)
    return (j < i) & (j < lengths[:, None, None, None])


@causal_padding_mask_equals_loop.rejects(
    "Your padding stands on the left; these texts are padded on the right, so j < length_b."
)
def padded_on_the_left(lengths, n):
    i, j = np.arange(n)[:, None], np.arange(n)
    return (j <= i) & (j >= n - lengths[:, None, None, None])


@causal_padding_mask_equals_loop.rejects(
    "Your mask looks ahead, j ≥ i: rows are queries, columns are keys, so j ≤ i."
)
def looks_ahead(lengths, n):
    i, j = np.arange(n)[:, None], np.arange(n)
    return (j >= i) & (j < lengths[:, None, None, None])


@causal_padding_mask_equals_loop.rejects(
    "All texts get the longest one's length: each has its own, `lengths[:, None, None, None]`."
)
def the_longest_for_all(lengths, n):
    return causal_padding_mask(np.full_like(lengths, lengths.max()), n)


@causal_padding_mask_equals_loop.rejects(
    "`&` binds more tightly than `<=`: put both comparisons in brackets, (j <= i) & (j < length_b)."
)
def without_brackets(lengths, n):
    i, j = np.arange(n)[:, None], np.arange(n)
    return j <= i & (j < lengths[:, None, None, None])


@window_equals_torch.rejects(
    "Your window holds one position too few: w positions, the token itself among them, so i − j < w."
)
def one_position_too_few(n, window):
    return sliding_window_mask(n, window) & ~np.tri(n, k=1 - window, dtype=bool)


@window_equals_torch.rejects(
    "Your window lies around the token, half of it ahead: it ends at the token itself, j ≤ i."
)
def centred_window(n, window):
    return np.abs(np.subtract.outer(np.arange(n), np.arange(n))) <= window // 2
