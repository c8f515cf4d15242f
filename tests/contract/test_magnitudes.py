"""Norms of numbers of any magnitude: exact fractions say what is right, from the smallest numbers to the largest."""

import math
from fractions import Fraction

import numpy as np
import pytest

from transformer_math.block import NormParameters, layer_norm, rms_norm
from transformer_math.gradient import layer_norm_vjp, rms_norm_vjp
from transformer_math.output import probabilities
from transformer_math.scaling import length, power_of_two
from transformer_math.tokenization import (
    Unigram,
    last_edge_probabilities,
    merge_pieces,
    renyi_entropy,
    sample_segmentation,
    tempered,
)
from transformer_math.training import clip_by_norm, global_norm, perplexity

RANGES = {np.float16: (-4, 4), np.float32: (-37, 38), np.float64: (-306, 307)}
EXACT = {np.float16: 2e-3, np.float32: 1e-6, np.float64: 1e-14}
SCALES = [
    pytest.param(dtype, power, id=f"{dtype.__name__}-1e{power}")
    for dtype, (least, most) in RANGES.items()
    for power in sorted({least, least // 2, -1, 0, 1, most // 2, most})
]
SINGLE_OR_DOUBLE = [scale for scale in SCALES if scale.values[0] is not np.float16]


def root(square):
    """The root of a fraction of any size, to the last digit of a float."""
    shift = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    return Fraction(math.sqrt(square / Fraction(4) ** shift)) * Fraction(2) ** shift


def numbers(dtype, power):
    return np.array([0.3, -0.4, 0.1, 0.25]).astype(dtype) * dtype(10.0**power)


def exactly(x):
    return [Fraction(float(one)) for one in x]


def close(got, wanted, dtype):
    wanted = np.array(wanted, float)
    apart = np.abs(np.asarray(got, float) - wanted).max()
    assert apart <= 4 * EXACT[dtype] * np.abs(wanted).max()


@pytest.mark.parametrize(("dtype", "power"), SCALES)
def test_lengths_and_clipping(dtype, power):
    x = numbers(dtype, power)
    wanted = root(sum(one**2 for one in exactly(x)))
    assert abs(Fraction(length(x)) / wanted - 1) < 1e-6
    assert abs(Fraction(global_norm({"a": x[:1], "b": x[1:]})) / wanted - 1) < 1e-6
    largest = float(wanted) / 3
    clipped = clip_by_norm({"x": x}, largest)["x"]
    assert clipped.dtype == dtype
    close(
        clipped, [float(one / wanted * Fraction(largest)) for one in exactly(x)], dtype
    )


@pytest.mark.parametrize("dtype", RANGES)
def test_gradients_far_longer_than_the_bound_keep_their_direction(dtype):
    x = numbers(dtype, RANGES[dtype][1])
    wanted = root(sum(one**2 for one in exactly(x)))
    close(clip_by_norm(x, 1.0), [float(one / wanted) for one in exactly(x)], dtype)


@pytest.mark.parametrize(("dtype", "power"), SINGLE_OR_DOUBLE)
@pytest.mark.parametrize("eps", [0.0, 1e-5])
def test_norms_and_their_gradients(dtype, power, eps):
    x, one = numbers(dtype, power), np.ones(4, dtype)
    exact, e = exactly(x), Fraction(eps)
    mean = sum(exact) / 4
    centred = [v - mean for v in exact]
    sigma = root(sum(v**2 for v in centred) / 4 + e)
    rms = root(sum(v**2 for v in exact) / 4 + e)
    of_layer = [float(v / sigma) for v in centred]
    of_rms = [float(v / rms) for v in exact]
    close(layer_norm(x, NormParameters(one, 0 * one), eps), of_layer, dtype)
    close(rms_norm(x, one, eps), of_rms, dtype)
    y, pullback = layer_norm_vjp(x, NormParameters(one, 0 * one), eps)
    close(y, of_layer, dtype)
    g = np.array([1, -2, 0.5, 0.75], dtype) * dtype(10.0 ** min(power, 0))
    z, s = [v / sigma for v in centred], exactly(g)
    along = sum(a * b for a, b in zip(s, z)) / 4
    wanted = [float((a - sum(s) / 4 - b * along) / sigma) for a, b in zip(s, z)]
    close(pullback(g)[0], wanted, dtype)
    y, pullback = rms_norm_vjp(x, one, eps)
    close(y, of_rms, dtype)
    z = [v / rms for v in exact]
    along = sum(a * b for a, b in zip(s, z)) / 4
    wanted = [float((a - b * along) / rms) for a, b in zip(s, z)]
    close(pullback(g)[0], wanted, dtype)


@pytest.mark.parametrize(("dtype", "power"), SINGLE_OR_DOUBLE)
def test_equal_numbers_of_any_size_have_no_direction(dtype, power):
    x, one = np.full(4, dtype(10.0) ** dtype(power)), np.ones(4, dtype)
    y, pullback = layer_norm_vjp(x, NormParameters(one, one), 1e-5)
    assert np.array_equal(layer_norm(x, NormParameters(one, one), 1e-5), one)
    assert np.array_equal(y, one)
    assert np.isfinite(pullback(one)[0]).all()


def test_powers_of_two_round_nothing():
    x = np.random.default_rng(0).normal(size=(5, 7))
    assert np.array_equal(x / power_of_two(x) * power_of_two(x), x)
    assert (np.abs(x / power_of_two(x)) <= 1).all()
    assert power_of_two(np.zeros((1, 2))).tolist() == [[1.0]]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_gradients_without_a_length_are_refused(bad):
    with pytest.raises(ValueError, match=r"NaN or infinity.*Fix: \S"):
        clip_by_norm({"W": np.array([1.0, bad])}, 1.0)
    with pytest.raises(ValueError, match=r"longer than any float64"):
        clip_by_norm({"W": np.array([1.7e308, 1.7e308])}, 1.0)


def test_a_perplexity_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match=r"the loss is 10000.0.*Fix: \S"):
        perplexity(1e4)
    assert math.isfinite(perplexity(709.78))


def shannon(p):
    return -math.fsum(x * math.log2(x) for x in p)


@pytest.mark.parametrize("distance", [1e-2, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 0.0])
def test_renyi_goes_over_into_shannon(distance):
    p = np.array([0.5, 0.25, 0.125, 0.125])
    slope = (
        math.log(2)
        / 2
        * (math.fsum(x * math.log2(x) ** 2 for x in p) - shannon(p) ** 2)
    )
    for alpha in (1 - distance, 1 + distance):
        wanted = shannon(p) - (alpha - 1) * slope
        assert abs(renyi_entropy(p, alpha) - wanted) < 1e-13 + distance**2


@pytest.mark.parametrize(
    "alpha", [1e-300, 0.1, 0.999999, 1.0, 1.000001, 70.0, 1100.0, 1e300]
)
def test_renyi_of_equal_shares_is_a_logarithm(alpha):
    p = np.full(50_000, 1 / 50_000)
    assert abs(renyi_entropy(p, alpha) - math.log2(50_000)) < 1e-10


@pytest.mark.parametrize("alpha", [1100, 10**5])
def test_renyi_of_a_large_order_is_exact(alpha):
    p = [Fraction(1, 2), Fraction(3, 10), Fraction(1, 5)]
    total = sum((x / p[0]) ** alpha for x in p[:1]) + 0
    wanted = (alpha * math.log2(p[0]) + math.log2(total)) / (1 - alpha)
    assert abs(renyi_entropy(np.array(p, float), float(alpha)) - wanted) < 1e-12


def test_temperatures_near_0_are_right_or_refused():
    assert tempered(np.array([0.4, 0.1]), 1e-320).tolist() == [1.0, 0.0]
    ab = Unigram(("a", "b", "ab"), np.log([0.5, 0.25, 0.25]))
    rng = np.random.default_rng(0)
    assert sample_segmentation("ab", ab, rng, 1e-200) == ["ab"]
    for call in (
        lambda: sample_segmentation("ab", ab, rng, 1e-320),
        lambda: last_edge_probabilities(
            np.array([[-np.inf, -1.0], [-np.inf] * 2]), 1e-320
        ),
        lambda: probabilities(np.array([-1.0, -2.0]), 1e-320),
    ):
        with pytest.raises(ValueError, match=r"temperature is 1e-320.*Fix: \S"):
            call()
    assert probabilities(np.array([-1.0, -2.0]), 1e-300).tolist() == [1.0, 0.0]


def test_a_score_that_is_nan_is_refused():
    with pytest.raises(ValueError, match=r"a score is NaN.*Fix: \S"):
        merge_pieces("ab", {"ab": math.nan})
