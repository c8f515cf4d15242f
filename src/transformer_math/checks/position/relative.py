"""Checks of relative positions, against loops over every pair of places, in plain Python."""

import math

import numpy as np

from transformer_math.attention.masks import apply_mask
from transformer_math.attention.softmax import softmax
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import (
    batch,
    longest,
    random_mask,
    size,
    sometimes,
)
from transformer_math.checks.wrong import reject_careless_masks
from transformer_math.position.relative import (
    clipped_offsets,
    relative_attention,
    relative_attention_by_shift,
    relative_scores,
    skew,
    unskew,
)


def row_of(i, j, limit):
    """The row of the table for a query at i and a key at j: counted from the offset −limit upwards."""
    offsets = [*range(-limit, limit + 1)]
    nearest = min(offsets, key=lambda offset: abs(j - i - offset))
    return offsets.index(nearest)


def number_of_words(rng):
    return size(rng), int(rng.integers(0, 6))


@check(
    clipped_offsets,
    equation="eq-clipped-offsets",
    oracle="a search for the nearest offset that has a row, pair by pair",
)
def clipped_offsets_equal_search(clipped_offsets, rng):
    n, limit = number_of_words(rng)
    wanted = [[row_of(i, j, limit) for j in range(n)] for i in range(n)]
    return difference(clipped_offsets(n, limit), wanted)


clipped_offsets_equal_search.visits("limit = 0", lambda limit: limit == 0)


@clipped_offsets_equal_search.rejects(
    "Your offset is i − j, from the key to the query: wanted j − i, negative for an earlier key."
)
def offset_turned_round(n, limit):
    return clipped_offsets(n, limit).T


@clipped_offsets_equal_search.rejects(
    "You take the distance before you clip: the sign is lost, and earlier and later keys share a row."
)
def distance_without_sign(n, limit):
    place = np.arange(n)
    return limit + np.minimum(np.abs(place - place[:, None]), limit)


@clipped_offsets_equal_search.rejects(
    "You clip at k + 1: the largest offset with a row of its own is k, so that the table has 2k + 1 rows."
)
def clipped_one_later(n, limit):
    place = np.arange(n)
    return limit + np.clip(place - place[:, None], -limit - 1, limit + 1)


@clipped_offsets_equal_search.rejects(
    "You do not clip: an offset beyond k takes the row of k."
)
def not_clipped(n, limit):
    place = np.arange(n)
    return limit + place - place[:, None]


@clipped_offsets_equal_search.rejects(
    "Your rows begin at −k: counted from 0, the offset −k stands in row 0, and offset 0 in row k."
)
def rows_from_minus_k(n, limit):
    return clipped_offsets(n, limit) - limit


def queries_keys_values_tables(rng):
    """Queries, keys and values of one text, with every axis free, and both tables."""
    lead, (n, limit), d_k, d_v = batch(rng), number_of_words(rng), size(rng), size(rng)
    return (
        rng.normal(size=(*lead, n, d_k)),
        rng.normal(size=(*lead, n, d_k)),
        rng.normal(size=(*lead, n, d_v)),
        rng.normal(size=(2 * limit + 1, d_k)),
        rng.normal(size=(2 * limit + 1, d_v)),
    )


def looped_scores(Q, K, a_K):
    """The score of each pair alone, one product after another."""
    (n, d_k), limit = Q.shape[-2:], len(a_K) // 2
    S = np.zeros((*Q.shape[:-1], n))
    for *at, i, j in np.ndindex(S.shape):
        q, k, a = Q[*at, i], K[*at, j], a_K[row_of(i, j, limit)]
        S[*at, i, j] = sum(q[c] * (k[c] + a[c]) for c in range(d_k)) / d_k**0.5
    return S


def looped_attention(Q, K, V, a_K, a_V, mask=None):
    """Output and weights, number by number."""
    S, limit = looped_scores(Q, K, a_K), len(a_V) // 2
    allowed = np.broadcast_to(True if mask is None else mask, S.shape)
    O, A = np.zeros(V.shape), np.zeros(S.shape)
    for *at, i in np.ndindex(S.shape[:-1]):
        seen = [j for j in range(S.shape[-1]) if allowed[*at, i, j]]
        powers = {j: math.exp(S[*at, i, j]) for j in seen}
        for j in seen:
            A[*at, i, j] = powers[j] / sum(powers.values())
            O[*at, i] += A[*at, i, j] * (V[*at, j] + a_V[row_of(i, j, limit)])
    return O, A


@check(
    relative_scores,
    equation="eq-relative-scores",
    oracle="three nested loops: query, key, entry",
)
def relative_scores_equal_loops(relative_scores, rng):
    Q, K, _, a_K, _ = queries_keys_values_tables(rng)
    return difference(relative_scores(Q, K, a_K), looped_scores(Q, K, a_K))


def scores_with_rows(Q, K, a_K, rows):
    """Scores with another choice of rows: the material of wrong versions."""
    pair_keys = K[..., None, :, :] + a_K[rows]
    return np.einsum("...id,...ijd->...ij", Q, pair_keys) / np.sqrt(Q.shape[-1])


def rows_for(Q, a_K):
    return clipped_offsets(Q.shape[-2], len(a_K) // 2)


@relative_scores_equal_loops.rejects(
    "Your offset is i − j: wanted j − i, so that row 0 of the table belongs to the keys farthest before the query."
)
def scores_with_offset_turned_round(Q, K, a_K):
    return scores_with_rows(Q, K, a_K, rows_for(Q, a_K).T)


@relative_scores_equal_loops.rejects(
    "You clip at k + 1, one too late: k is half the number of rows, rounded down, and offsets beyond it take its row."
)
def scores_clipped_one_later(Q, K, a_K):
    k, place = len(a_K) // 2, np.arange(Q.shape[-2])
    rows = k + np.clip(place - place[:, None], -k - 1, k + 1)
    return scores_with_rows(Q, K, a_K, rows % len(a_K))


@relative_scores_equal_loops.rejects(
    "You take the distance and clip it before the sign: keys before and after the query get the same vector."
)
def scores_without_sign(Q, K, a_K):
    k, place = len(a_K) // 2, np.arange(Q.shape[-2])
    rows = k + np.minimum(np.abs(place - place[:, None]), k)
    return scores_with_rows(Q, K, a_K, rows)


@relative_scores_equal_loops.rejects(
    "You add the table's part after dividing by √d_k: the query meets key and vector together, and all of it is divided."
)
def table_added_after_scaling(Q, K, a_K):
    root = np.sqrt(Q.shape[-1])
    of_place = scores_with_rows(Q, np.zeros_like(K), a_K, rows_for(Q, a_K)) * root
    return Q @ K.mT / root + of_place


@relative_scores_equal_loops.rejects("You forget to divide by √d_k.")
def relative_scores_unscaled(Q, K, a_K):
    return relative_scores(Q, K, a_K) * np.sqrt(Q.shape[-1])


@relative_scores_equal_loops.rejects(
    "You forget the table: these are the scores of contents alone."
)
def scores_of_contents_alone(Q, K, a_K):
    return Q @ K.mT / np.sqrt(Q.shape[-1])


@relative_scores_equal_loops.rejects(
    "You add the vector of the offset to the query; it belongs to the key, and meets the query in the product."
)
def table_added_to_queries(Q, K, a_K):
    pair_queries = Q[..., :, None, :] + a_K[rows_for(Q, a_K)]
    return np.einsum("...ijd,...jd->...ij", pair_queries, K) / np.sqrt(Q.shape[-1])


def attention_case(rng):
    arguments = queries_keys_values_tables(rng)
    n = arguments[0].shape[-2]
    given, _ = sometimes(rng, random_mask(rng, n, n), None)
    return (*arguments, *given)


def case_with_nothing_to_see(rng):
    """The same; in the longest case each query sees what comes before it, and so the first one nothing."""
    arguments = attention_case(rng)
    if not longest():
        return arguments
    return (*arguments[:5], np.tri(arguments[0].shape[-2], k=-1, dtype=bool))


@check(
    relative_attention,
    equation="eq-relative-attention",
    oracle="nested loops over queries, keys and entries",
    symbols={"return": ("O", "A")},
)
def relative_attention_equals_loops(relative_attention, rng):
    arguments = case_with_nothing_to_see(rng)
    return difference(relative_attention(*arguments), looped_attention(*arguments))


relative_attention_equals_loops.visits(
    "a query that sees nothing",
    lambda mask: mask is not None and not mask.any(axis=-1).all(),
)


@check(
    relative_attention_by_shift,
    equation="eq-relative-attention-by-shift",
    oracle="nested loops over queries, keys and entries",
    symbols={"return": ("O", "A")},
)
def shifted_attention_equals_loops(relative_attention_by_shift, rng):
    arguments = case_with_nothing_to_see(rng)
    return difference(
        relative_attention_by_shift(*arguments), looped_attention(*arguments)
    )


def attention_with(name, scores_of, values_of):
    """Attention from other scores and other values: the material of wrong versions."""

    def attend(Q, K, V, a_K, a_V, mask=None):
        S = scores_of(Q, K, a_K, a_V)
        A = softmax(S if mask is None else apply_mask(S, mask))
        pair_values = values_of(Q, V, a_K, a_V)
        return np.einsum("...ij,...ijd->...id", A, pair_values), A

    attend.__name__ = name
    return attend


def right_scores(Q, K, a_K, a_V):
    return relative_scores(Q, K, a_K)


def right_values(Q, V, a_K, a_V):
    return V[..., None, :, :] + a_V[rows_for(Q, a_V)]


def values_alone(Q, V, a_K, a_V):
    return np.repeat(V[..., None, :, :], V.shape[-2], axis=-3)


def values_turned_round(Q, V, a_K, a_V):
    return V[..., None, :, :] + a_V[rows_for(Q, a_V).T]


def values_of_zero(Q, V, a_K, a_V):
    return right_values(Q, np.zeros_like(V), a_K, a_V)


def contents_alone(Q, K, a_K, a_V):
    return scores_of_contents_alone(Q, K, a_K)


def scored_after_scaling(Q, K, a_K, a_V):
    return table_added_after_scaling(Q, K, a_K)


def swapped_tables(Q, K, V, a_K, a_V, mask=None):
    """Each table in the other's place, cut or filled up to the width that is wanted there."""

    def fitted(table, width):
        filled = np.zeros((len(table), width))
        filled[:, : table.shape[1]] = table[:, :width]
        return filled

    return relative_attention(
        *(Q, K, V, fitted(a_V, K.shape[-1]), fitted(a_K, V.shape[-1]), mask)
    )


def nan_where_nothing_is_seen(Q, K, V, a_K, a_V, mask=None):
    S = right_scores(Q, K, a_K, a_V)
    S = S if mask is None else apply_mask(S, mask)
    with np.errstate(invalid="ignore"):
        powers = np.exp(S - S.max(axis=-1, keepdims=True))
    A = powers / powers.sum(axis=-1, keepdims=True)
    return np.einsum("...ij,...ijd->...id", A, right_values(Q, V, a_K, a_V)), A


def leaking_skew(R):
    """One entry too few cut off in front: each row begins in the row before it."""
    *lead, n, offsets = R.shape
    padded = np.concatenate([R, np.zeros((*lead, n, 1))], axis=-1)
    flat = np.roll(padded.reshape(*lead, -1), 1, axis=-1)[..., n - 1 : -1]
    return flat.reshape(*lead, n, offsets)[..., :n]


def without_a_column_of_zeros(R):
    """The rows keep their length: none is shifted."""
    n = R.shape[-2]
    return R[..., n - 1 :]


def by_leaking_shift(Q, K, V, a_K, a_V, mask=None):
    n, k = Q.shape[-2], len(a_K) // 2
    rows = k + np.clip(np.arange(1 - n, n), -k, k)
    S = (Q @ K.mT + leaking_skew(Q @ a_K[rows].T)) / np.sqrt(Q.shape[-1])
    A = softmax(S if mask is None else apply_mask(S, mask))
    return A @ V + unskew(A) @ a_V[rows], A


for made in (relative_attention_equals_loops, shifted_attention_equals_loops):
    reject_careless_masks(made, "the scores, before softmax")
    made.rejects(
        "You forget the table of the values: what is averaged is V and, for each key, the vector of its offset."
    )(attention_with("values_table_forgotten", right_scores, values_alone))
    made.rejects(
        "You forget the table of the keys: the weights do not know how far the keys stand."
    )(attention_with("keys_table_forgotten", contents_alone, right_values))
    made.rejects(
        "You add the keys' table after dividing by √d_k: all of the score is divided."
    )(attention_with("added_after_scaling", scored_after_scaling, right_values))
    made.rejects("The offset of your values is i − j: wanted j − i, as for the keys.")(
        attention_with("values_turned_round", right_scores, values_turned_round)
    )
    made.rejects(
        "You average the vectors of the offsets alone: the values themselves are missing."
    )(attention_with("offsets_alone", right_scores, values_of_zero))
    made.rejects("Your tables are exchanged: a_K is added to keys, a_V to values.")(
        swapped_tables
    )
    made.rejects(
        "A query that may attend to nothing gets NaN: give it weights of 0, as softmax does for a row of −∞."
    )(nan_where_nothing_is_seen)
    made.rejects(
        "Your shift leaks: each row begins with an entry of the row before it. In front, n − 1 entries are cut off."
    )(by_leaking_shift)


def by_offset(rng, n):
    return rng.normal(size=(*batch(rng), n, 2 * n - 1))


@check(skew, equation="eq-skew", oracle="entry by entry")
def skew_equals_entries(skew, rng):
    n = size(rng)
    R = by_offset(rng, n)
    wanted = [[R[..., i, n - 1 + j - i] for j in range(n)] for i in range(n)]
    return difference(skew(R), np.moveaxis(wanted, (0, 1), (-2, -1)))


skew_equals_entries.rejects(
    "Your shift leaks: a row begins with an entry of the row before it. In front, n − 1 entries are cut off."
)(leaking_skew)
skew_equals_entries.rejects(
    "Nothing is shifted in your version: every row gets the same columns. Without the column of zeros, cutting and reshaping "
    "moves no row."
)(without_a_column_of_zeros)


@skew_equals_entries.rejects(
    "You shift the other way: row 0 begins at offset 0, the last row at −(n − 1)."
)
def shifted_the_other_way(R):
    return skew(R)[..., ::-1, :]


@skew_equals_entries.rejects(
    "Your offsets are turned round: in row i, key j stands in column n − 1 + j − i, and not i − j."
)
def offsets_turned_round(R):
    return skew(R[..., ::-1])


@check(unskew, equation="eq-unskew", oracle="entry by entry")
def unskew_equals_entries(unskew, rng):
    n = size(rng)
    A = rng.normal(size=(*batch(rng), n, n))
    A[rng.random(A.shape) < 0.2] = 0.0  # as of keys that may not be seen
    A[rng.random(A.shape) < 0.2] = 1.0
    wanted = np.zeros((*A.shape[:-1], 2 * n - 1))
    for i in range(n):
        for j in range(n):
            wanted[..., i, n - 1 + j - i] = A[..., i, j]
    return difference(unskew(A), wanted)


@unskew_equals_entries.rejects(
    "You do not shift back: row i begins with n − 1 − i zeros."
)
def not_shifted_back(A):
    *lead, n, _ = A.shape
    return np.concatenate([np.zeros((*lead, n, n - 1)), A], axis=-1)


@unskew_equals_entries.rejects(
    "You shift the wrong way: row 0 begins with n − 1 zeros, the last row with none."
)
def shifted_back_the_wrong_way(A):
    return unskew(A[..., ::-1, :])[..., ::-1, :]
