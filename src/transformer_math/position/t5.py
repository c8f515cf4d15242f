"""T5's positions: one number for each range of offsets and each head, added to the scores."""

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Size, contract, requires


@contract
@requires(
    lambda distance: (distance >= 0).all(),
    "distance holds a number below 0; wanted distances, which have no sign. Fix: np.abs(offset).",
)
@requires(
    lambda exact, max_distance: max_distance > exact,
    "max_distance is {max_distance} and exact {exact}; wanted a distance beyond the exact ones. Fix: max_distance > exact.",
)
def distance_range(
    distance: Int[np.ndarray, "*shape"], exact: Size = 8, max_distance: Size = 128
) -> Int[np.ndarray, "*shape"]:
    r"""The number of the range that a distance falls into: one for each at first, then ranges of growing length.

        range(x) = {x if x < E; E + Σ_{m=1}^(E-1) [x ≥ E (D/E)^(m/E)] otherwise}

    As many ranges grow as hold a single distance; the last goes on for ever. Book: eq-t5-range.
    Source: Raffel et al. (2020), section 2.1, arXiv:1910.10683.

    >>> distance_range(np.array([0, 1, 2, 3, 4, 8, 9]), exact=2, max_distance=8)
    array([0, 1, 2, 2, 3, 3, 3])
    """
    share = np.arange(1, exact) / exact
    starts = np.ceil(exact * (max_distance / exact) ** share - 1e-9)  # whole ones too
    return np.where(
        distance < exact, distance, exact + np.searchsorted(starts, distance, "right")
    )


@contract
@requires(
    lambda n_buckets: n_buckets % 4 == 0,
    "n_buckets is {n_buckets}; wanted a multiple of 4: two sides, half of each exact. Fix: 32.",
)
@requires(
    lambda n_buckets, max_distance: max_distance > n_buckets // 4,
    "max_distance is {max_distance}; wanted more than n_buckets / 4, the distances with a bucket of their own. Fix: 128.",
)
def t5_bucket(
    offset: Int[np.ndarray, "*shape"], n_buckets: Size = 32, max_distance: Size = 128
) -> Int[np.ndarray, "*shape"]:
    r"""The bucket of an offset where both sides are seen: the first half for keys before the query, the second for those after.

        bucket(x) = N/2 [x > 0] + range(|x|)
        E = N/4

    Book: eq-t5-bucket. Source: Raffel et al. (2020), section 2.1, arXiv:1910.10683.

    >>> t5_bucket(np.array([-200, -1, 0, 1, 200]))
    array([15,  1,  0, 17, 31])
    """
    after = n_buckets // 2 * (offset > 0)
    return after + distance_range(np.abs(offset), n_buckets // 4, max_distance)


@contract
@requires(
    lambda n_buckets: n_buckets % 2 == 0,
    "n_buckets is {n_buckets}; wanted an even number, half of it exact. Fix: 32.",
)
@requires(
    lambda n_buckets, max_distance: max_distance > n_buckets // 2,
    "max_distance is {max_distance}; wanted more than n_buckets / 2, the distances with a bucket of their own. Fix: 128.",
)
def t5_causal_bucket(
    offset: Int[np.ndarray, "*shape"], n_buckets: Size = 32, max_distance: Size = 128
) -> Int[np.ndarray, "*shape"]:
    r"""The bucket of an offset where only the past is seen: all buckets serve it, and the future shares bucket 0.

        pastbucket(x) = range(max(0, -x))
        E = N/2

    Book: eq-t5-causal-bucket. Source: Raffel et al. (2020), section 2.1, arXiv:1910.10683.

    >>> t5_causal_bucket(np.array([-200, -16, -1, 0, 1]))
    array([31, 16,  1,  0,  0])
    """
    return distance_range(np.maximum(0, -offset), n_buckets // 2, max_distance)


@contract
@requires(
    lambda table: len(table) % 4 == 0,
    "table has shape {table.shape}; wanted a multiple of 4 rows: two sides, half of each exact. Fix: 32 rows.",
)
@requires(
    lambda table, max_distance: max_distance > len(table) // 4,
    "max_distance is {max_distance} for {table.shape[0]} rows; wanted more than a quarter of the rows. Fix: 128.",
)
def t5_bias(
    table: Float[np.ndarray, "N n_heads"], n: Size, max_distance: Size = 128
) -> Float[np.ndarray, "n_heads n n"]:
    r"""What is added to the scores of each head: the number of the bucket that a key's offset falls into.

        B_hij = T_{bucket(j - i), h}
        i = 0, …, n - 1, j = 0, …, n - 1

    Book: eq-t5-bias. Source: Raffel et al. (2020), section 2.1, arXiv:1910.10683.

    >>> t5_bias(np.array([[0.0], [-1.0], [5.0], [-1.0]]), n=2, max_distance=2)
    array([[[ 0., -1.],
            [-1.,  0.]]])
    """
    place = np.arange(n)
    buckets = t5_bucket(place - place[:, None], len(table), max_distance)
    return np.moveaxis(table[buckets], -1, 0)


@contract
@requires(
    lambda table: len(table) % 2 == 0,
    "table has shape {table.shape}; wanted an even number of rows, half of them exact. Fix: 32 rows.",
)
@requires(
    lambda table, max_distance: max_distance > len(table) // 2,
    "max_distance is {max_distance} for {table.shape[0]} rows; wanted more than half of the rows. Fix: 128.",
)
def t5_causal_bias(
    table: Float[np.ndarray, "N n_heads"], n: Size, max_distance: Size = 128
) -> Float[np.ndarray, "n_heads n n"]:
    r"""The same for a decoder, whose buckets all belong to the past.

        B_hij = T_{pastbucket(j - i), h}
        i = 0, …, n - 1, j = 0, …, n - 1

    Keys after the query get the number of bucket 0; the causal mask forbids them. Book: eq-t5-causal-bias.
    Source: Raffel et al. (2020), section 2.1, arXiv:1910.10683.

    >>> t5_causal_bias(np.array([[0.0], [-1.0]]), n=2, max_distance=2)
    array([[[ 0.,  0.],
            [-1.,  0.]]])
    """
    place = np.arange(n)
    buckets = t5_causal_bucket(place - place[:, None], len(table), max_distance)
    return np.moveaxis(table[buckets], -1, 0)


@contract
def t5_scores(
    Q: Float[np.ndarray, "... n_heads n d_k"],
    K: Float[np.ndarray, "... n_heads m d_k"],
    bias: Float[np.ndarray, "n_heads n m"],
) -> Float[np.ndarray, "... n_heads n m"]:
    r"""T5's scores: products and bias, not divided by anything.

        S_h = Q_h K_hᵀ + B_h

    The division by the root of d_k is done once, by drawing the initial weights of the queries that much smaller.
    Book: eq-t5-scores. Source: Raffel et al. (2020), section 2.1, arXiv:1910.10683.

    >>> t5_scores(np.ones((1, 1, 4)), np.ones((1, 1, 4)), bias=np.array([[[0.5]]]))
    array([[[4.5]]])
    """
    return Q @ K.mT + bias
