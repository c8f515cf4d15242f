import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.position import (
    distance_range,
    t5_bias,
    t5_bucket,
    t5_causal_bias,
    t5_causal_bucket,
)


def exactly(x, exact, largest):
    """The range of a distance in whole numbers, without roots."""
    if x < exact:
        return x
    return exact + sum(
        x**exact * exact**m >= largest**m * exact**exact for m in range(1, exact)
    )


@pytest.mark.parametrize(
    ("exact", "largest"), [(8, 128), (16, 128), (18, 338), (12, 675)]
)
def test_whole_borders_are_where_they_should_be(exact, largest):
    distances = np.arange(2 * largest)
    wanted = [exactly(int(x), exact, largest) for x in distances]
    assert distance_range(distances, exact, largest).tolist() == wanted


def test_ranges_never_go_back_and_all_are_used():
    ranges = distance_range(np.arange(1000))
    assert (np.diff(ranges) >= 0).all()
    assert set(ranges) == set(range(16))
    assert set(t5_causal_bucket(-np.arange(1000))) == set(range(32))


def test_both_sides_are_alike_but_for_the_half():
    x = np.arange(1, 500)
    assert np.array_equal(t5_bucket(x), 16 + t5_bucket(-x))


def test_the_future_shares_the_bucket_of_the_present():
    assert not t5_causal_bucket(np.arange(50)).any()


def test_the_bias_does_not_depend_on_where_the_text_stands():
    table = np.random.default_rng(0).normal(size=(32, 3))
    for bias in (t5_bias, t5_causal_bias):
        B = bias(table, 30)
        assert np.array_equal(B[:, 5:, 5:], B[:, :-5, :-5])


@refusals(
    ("a sign", lambda: distance_range(np.array([3, -1])), ("below 0", "abs")),
    (
        "a largest distance that is exact",
        lambda: distance_range(np.array([3]), 8, 8),
        ("max_distance is 8",),
    ),
    ("ten buckets", lambda: t5_bucket(np.array([3]), 10), ("10", "multiple of 4")),
    ("odd buckets", lambda: t5_causal_bucket(np.array([3]), 5), ("5", "even")),
    (
        "few distances",
        lambda: t5_bucket(np.array([3]), 32, 8),
        ("max_distance is 8", "n_buckets / 4"),
    ),
    (
        "fewer distances",
        lambda: t5_causal_bucket(np.array([3]), 32, 16),
        ("max_distance is 16", "n_buckets / 2"),
    ),
    ("six rows", lambda: t5_bias(np.ones((6, 1)), 3), ("(6, 1)", "multiple of 4")),
    ("five rows", lambda: t5_causal_bias(np.ones((5, 1)), 3), ("(5, 1)", "even")),
    ("offsets that are not whole", lambda: t5_bucket(np.array([0.5])), ("float",)),
)
def test_bad_input(call, words):
    assert_refused(call, words)


def test_thirty_two_buckets_for_distances_up_to_128_are_meant_if_nothing_is_said():
    offset = np.arange(-300, 301)
    for bucket in (t5_bucket, t5_causal_bucket):
        np.testing.assert_array_equal(bucket(offset), bucket(offset, 32, 128))
        assert bucket(offset).max() == 31
    table = np.random.default_rng(0).normal(size=(32, 1))
    for bias in (t5_bias, t5_causal_bias):
        told = {D: bias(table, 200, D) for D in (127, 128, 129)}
        np.testing.assert_array_equal(bias(table, 200), told[128])
        assert (told[127] != told[128]).any() and (told[129] != told[128]).any()
