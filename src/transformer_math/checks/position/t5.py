"""Checks of T5's positions: against whole numbers, in which no logarithm is rounded, and against the arithmetic of its code."""

import math

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import (
    batch,
    few,
    longest,
    size,
    smallest,
    sometimes,
)
from transformer_math.position.t5 import (
    distance_range,
    t5_bias,
    t5_bucket,
    t5_causal_bias,
    t5_causal_bucket,
    t5_scores,
)

# exact ranges and the largest distance: T5's own, those whose borders are whole numbers, and any
SETTINGS = [
    (8, 128),
    (16, 128),
    (8, 128),
    (18, 338),
    (12, 675),
    (1, 2),
    (5, 37),
    (3, 24),
]


def range_by_whole_numbers(distance, exact, largest):
    """Count the borders E (D/E)^(m/E) that are reached: x^E E^m ≥ D^m E^E says it without a root."""
    if distance < exact:
        return distance
    reached = [
        m
        for m in range(1, exact)
        if distance**exact * exact**m >= largest**m * exact**exact
    ]
    return exact + len(reached)


def bucket_by_whole_numbers(offset, n_buckets, largest):
    side = n_buckets // 2 if offset > 0 else 0
    return side + range_by_whole_numbers(abs(offset), n_buckets // 4, largest)


def causal_bucket_by_whole_numbers(offset, n_buckets, largest):
    return range_by_whole_numbers(max(0, -offset), n_buckets // 2, largest)


def as_t5_computes(offset, n_buckets, largest, bidirectional):
    """The steps of T5's code, in 32 bits: Hugging Face's arithmetic on PyTorch tensors."""
    distance, first = -offset, torch.zeros_like(offset)
    if bidirectional:
        n_buckets //= 2
        first, distance = (distance < 0).long() * n_buckets, distance.abs()
    else:
        distance = distance.clamp(min=0)
    exact = n_buckets // 2
    grown = torch.log(distance.float() / exact) / math.log(largest / exact)
    large = (exact + grown * (n_buckets - exact)).clamp(0, n_buckets - 1).long()
    return first + torch.where(distance < exact, distance, large)


def setting(rng, sides):
    """Numbers of buckets and the largest distance: both given, one of them, or none."""
    exact, largest = SETTINGS[rng.integers(len(SETTINGS))]
    (given, n_buckets) = sometimes(rng, 2 * sides * exact, 32)
    if not given:
        return (), n_buckets, 128
    own, largest = sometimes(rng, largest, 128)
    return (*given, *own), n_buckets, largest


def distances(rng, shape, largest):
    return (largest ** rng.uniform(0, 1.2, size=shape)).astype(int) - 1


@check(
    distance_range,
    equation="eq-t5-range",
    oracle="borders counted in whole numbers, without roots or logarithms",
    symbols={"distance": "x", "exact": "E", "max_distance": "D"},
)
def range_equals_whole_numbers(distance_range, rng):
    exact, largest = SETTINGS[rng.integers(len(SETTINGS))]
    given, exact = sometimes(rng, exact, 8)
    own, largest = sometimes(rng, largest, 128) if given else ((), 128)
    x = distances(rng, (*batch(rng), size(rng)), largest)
    borders = [
        round(exact * (largest / exact) ** (m / exact)) for m in range(exact + 1)
    ]
    x.flat[0] = borders[rng.integers(len(borders))]  # where a rounded root would tell
    if smallest():
        x, (given, own), (exact, largest) = np.array([0]), ((1,), (2,)), (1, 2)
    wanted = [range_by_whole_numbers(int(d), exact, largest) for d in x.flat]
    return difference(distance_range(x, *given, *own), np.reshape(wanted, x.shape))


FARTHEST = "the largest distance lies beyond those with a range of their own"
SIDES = "there are two sides, or half of the buckets is exact"
range_equals_whole_numbers.excuses(FARTHEST, "max_distance = 1")


def by_logarithms(x, exact, share):
    """The range of a distance by another share of the growing ranges: the material of wrong versions."""
    safe = np.maximum(x, exact)
    grown = np.floor(exact * share(safe / exact) + 1e-9).astype(int)
    return np.where(x < exact, x, exact + grown)


@range_equals_whole_numbers.rejects(
    "Your logarithm lacks its ratio: divide log(x / E) by log(D / E), so that the ranges end at D."
)
def logarithm_without_ratio(distance, exact=8, max_distance=128):
    grown = by_logarithms(distance, exact, np.log)
    return np.minimum(grown, 2 * exact - 1)


@range_equals_whole_numbers.rejects(
    "You do not stop at D: all distances from D on share the last range."
)
def without_end(distance, exact=8, max_distance=128):
    return by_logarithms(
        distance, exact, lambda x: np.log(x) / math.log(max_distance / exact)
    )


@range_equals_whole_numbers.rejects(
    "Your borders are one off: a range begins at its border, x ≥ E (D/E)^(m/E)."
)
def border_belongs_below(distance, exact=8, max_distance=128):
    return distance_range(np.maximum(0, distance - 1), exact, max_distance) + (
        (distance > 0) & (distance < exact)
    )


@range_equals_whole_numbers.rejects(
    "Your exact part is one too long: the distances below E have a range each, and E begins the first one that grows."
)
def one_more_exact(distance, exact=8, max_distance=128):
    return np.where(
        distance <= exact,
        distance,
        distance_range(np.maximum(distance - 1, 0), exact, max_distance),
    )


@range_equals_whole_numbers.rejects(
    "Your ranges are of equal length: they should grow, each longer than the last by the same factor."
)
def equal_lengths(distance, exact=8, max_distance=128):
    step = (max_distance - exact) / exact
    grown = exact + ((distance - exact) / step).astype(int)
    return np.where(distance < exact, distance, np.minimum(grown, 2 * exact - 1))


def offsets(rng, largest):
    shape = (*batch(rng), size(rng))
    x = distances(rng, shape, largest) * rng.choice([-1, 1], size=shape)
    return np.array([0]) if smallest() else x


def bucket_check(function, equation, by_whole_numbers, sides):
    """The check of a bucket function against whole numbers."""
    name = function.__name__

    def case(bucket, rng):
        given, n_buckets, largest = setting(rng, sides)
        x = offsets(rng, largest)
        wanted = [by_whole_numbers(int(o), n_buckets, largest) for o in x.flat]
        return difference(bucket(x, *given), np.reshape(wanted, x.shape))

    case.__name__ = f"{name}_equals_whole_numbers"
    made = check(
        function,
        equation=equation,
        oracle="borders counted in whole numbers, without roots or logarithms",
        symbols={"offset": "x", "n_buckets": "N", "max_distance": "D"},
        cases=60,
    )(case)
    made.excuses(FARTHEST, "max_distance = 1")
    made.excuses(SIDES, "n_buckets = 1")
    return made


both_sides = bucket_check(t5_bucket, "eq-t5-bucket", bucket_by_whole_numbers, 2)
past_alone = bucket_check(
    t5_causal_bucket, "eq-t5-causal-bucket", causal_bucket_by_whole_numbers, 1
)


@check(
    t5_bucket,
    equation="eq-t5-bucket",
    oracle="the steps of T5's code, in 32-bit PyTorch, with its own settings",
    symbols={"offset": "x", "n_buckets": "N", "max_distance": "D"},
    cases=12,
)
def bucket_equals_t5(t5_bucket, rng):
    x = rng.integers(-300, 301, size=50)
    wanted = as_t5_computes(torch.from_numpy(x), 32, 128, bidirectional=True)
    return difference(t5_bucket(x), wanted)


@check(
    t5_causal_bucket,
    equation="eq-t5-causal-bucket",
    oracle="the steps of T5's code, in 32-bit PyTorch, with its own settings",
    symbols={"offset": "x", "n_buckets": "N", "max_distance": "D"},
    cases=12,
)
def causal_bucket_equals_t5(t5_causal_bucket, rng):
    x = rng.integers(-300, 301, size=50)
    wanted = as_t5_computes(torch.from_numpy(x), 32, 128, bidirectional=False)
    return difference(t5_causal_bucket(x), wanted)


for made in (both_sides, bucket_equals_t5):

    @made.rejects(
        "Your halves are exchanged: keys before the query, with offsets below 0, have the first half of the buckets."
    )
    def halves_exchanged(offset, n_buckets=32, max_distance=128):
        return t5_bucket(-offset, n_buckets, max_distance)

    @made.rejects(
        "You forget the side: keys after the query have the second half of the buckets."
    )
    def side_forgotten(offset, n_buckets=32, max_distance=128):
        return t5_bucket(-np.abs(offset), n_buckets, max_distance)

    @made.rejects(
        "Both sides get all buckets in your version: where both are seen, each has half of them, and half of that is exact."
    )
    def not_halved(offset, n_buckets=32, max_distance=128):
        ranges = distance_range(np.abs(offset), n_buckets // 2, max_distance * 2)
        return n_buckets // 2 * (offset > 0) + ranges


for made in (past_alone, causal_bucket_equals_t5):

    @made.rejects(
        "You use half of the buckets: in a decoder nothing stands after the query, and all of them serve the past."
    )
    def half_of_the_buckets(offset, n_buckets=32, max_distance=128):
        half = max(1, n_buckets // 4)
        return distance_range(np.maximum(0, -offset), half, max_distance)

    @made.rejects(
        "You look ahead: the distance to the past is −offset, since an earlier key has an offset below 0."
    )
    def looking_ahead(offset, n_buckets=32, max_distance=128):
        return t5_causal_bucket(-offset, n_buckets, max_distance)

    @made.rejects(
        "You take the distance to either side: what stands after the query shares bucket 0."
    )
    def either_side(offset, n_buckets=32, max_distance=128):
        return t5_causal_bucket(-np.abs(offset), n_buckets, max_distance)


def table_and_length(rng, sides):
    """A table with few rows, a length, and sometimes the largest distance; which of them there then is."""
    if longest():  # so far that the largest distance where none is said moves a border
        return (rng.normal(size=(2 * sides * 6, 1)), 48), 128
    exact, n = int(rng.choice([1, 2, 3, 5])), size(rng)
    given, largest = sometimes(rng, int(rng.integers(exact + 1, 12)), 128)
    return (rng.normal(size=(2 * sides * exact, few(rng))), n, *given), largest


def looped_bias(table, n, largest, by_whole_numbers):
    B = np.zeros((table.shape[1], n, n))
    for h, i, j in np.ndindex(B.shape):
        B[h, i, j] = table[by_whole_numbers(j - i, len(table), largest), h]
    return B


def bias_check(function, equation, by_whole_numbers, sides):
    """The check of a bias against a loop over heads and pairs of places."""

    def case(bias, rng):
        arguments, largest = table_and_length(rng, sides)
        wanted = looped_bias(*arguments[:2], largest, by_whole_numbers)
        return difference(bias(*arguments), wanted)

    case.__name__ = f"{function.__name__}_equals_loops"
    made = check(
        function,
        equation=equation,
        oracle="a loop over heads and pairs of places, its buckets in whole numbers",
        symbols={"table": "T", "max_distance": "D"},
        cases=24,
    )(case)
    made.excuses(FARTHEST, "max_distance = 1")
    made.excuses(SIDES, "N = 1")
    return made


bias_equals_loops = bias_check(t5_bias, "eq-t5-bias", bucket_by_whole_numbers, 2)
causal_bias_equals_loops = bias_check(
    t5_causal_bias, "eq-t5-causal-bias", causal_bucket_by_whole_numbers, 1
)


@bias_equals_loops.rejects(
    "Your offset is i − j: wanted j − i, from the query to the key."
)
def bias_turned_round(table, n, max_distance=128):
    return t5_bias(table, n, max_distance).mT


@bias_equals_loops.rejects(
    "You use the buckets of a decoder: here both sides are seen, and each has half of the table."
)
def bias_of_a_decoder(table, n, max_distance=128):
    exact = len(table) // 2
    return t5_causal_bias(table, n, max(max_distance, exact + 1))


@causal_bias_equals_loops.rejects(
    "Your offset is i − j: wanted j − i, which is below 0 for what came before."
)
def causal_bias_turned_round(table, n, max_distance=128):
    return t5_causal_bias(table, n, max_distance).mT


@causal_bias_equals_loops.rejects(
    "You take the distance to either side: in a decoder, what stands after the query shares bucket 0."
)
def causal_bias_of_either_side(table, n, max_distance=128):
    B = t5_causal_bias(table, n, max_distance)
    return np.where(np.tri(n, dtype=bool), B, B.mT)


def queries_keys_bias(rng):
    lead, heads, n, m, d_k = batch(rng), size(rng), size(rng), size(rng), size(rng)
    return (
        rng.normal(size=(*lead, heads, n, d_k)),
        rng.normal(size=(*lead, heads, m, d_k)),
        rng.normal(size=(heads, n, m)),
    )


@check(
    t5_scores,
    equation="eq-t5-scores",
    oracle="torch.baddbmm",
    symbols={"bias": "B", "return": "S"},
)
def t5_scores_equal_torch(t5_scores, rng):
    Q, K, bias = queries_keys_bias(rng)
    wide = np.broadcast_to(bias, (*Q.shape[:-1], K.shape[-2]))
    batches = [
        torch.tensor(x.reshape(-1, *x.shape[-2:])) for x in (wide, Q, np.array(K.mT))
    ]
    return difference(t5_scores(Q, K, bias), torch.baddbmm(*batches).view(wide.shape))


@t5_scores_equal_torch.rejects(
    "You divide by √d_k: T5 does not, its initial query weights are that much smaller."
)
def divided(Q, K, bias):
    return Q @ K.mT / np.sqrt(Q.shape[-1]) + bias


@t5_scores_equal_torch.rejects("You forget the bias.")
def without_bias(Q, K, bias):
    return Q @ K.mT


@t5_scores_equal_torch.rejects(
    "You divide products and bias by √d_k: T5 divides neither."
)
def all_divided(Q, K, bias):
    return (Q @ K.mT + bias) / np.sqrt(Q.shape[-1])


@t5_scores_equal_torch.rejects(
    "You subtract the bias: it is added; a learnt number may have any sign."
)
def subtracted(Q, K, bias):
    return Q @ K.mT - bias
