"""What is true of point clouds and is no equation's check."""

import numpy as np
import pytest

from transformer_math.modalities import (
    PointNetParameters,
    chamfer_distance,
    farthest_points,
    gumbel_noise,
    gumbel_softmax,
    nearest_neighbours,
    point_net,
)

rng = np.random.default_rng(7)


def a_network():
    sizes = (3, 16), (16,), (16, 8), (8,)
    return PointNetParameters(*(rng.normal(size=size) for size in sizes))


def test_the_order_of_the_points_does_not_matter_to_the_net():
    X, network = rng.normal(size=(40, 3)), a_network()
    for _ in range(20):
        assert np.allclose(
            point_net(rng.permutation(X), network), point_net(X, network)
        )


def test_a_point_that_stands_there_twice_changes_nothing_in_the_net():
    X, network = rng.normal(size=(9, 3)), a_network()
    twice = np.concatenate([X, X[2:3]])
    assert np.allclose(point_net(twice, network), point_net(X, network))


def test_no_point_is_chosen_twice():
    for n in range(1, 30):
        X = rng.integers(0, 2, size=(n, 3)).astype(float)  # many lie on each other
        assert sorted(farthest_points(X, n)) == list(range(n))


def test_a_shorter_sample_begins_the_longer_one():
    X = rng.normal(size=(50, 3))
    assert np.array_equal(farthest_points(X, 30, 4)[:11], farthest_points(X, 11, 4))


def test_a_centre_is_the_first_member_of_its_own_group():
    X = rng.normal(size=(30, 3))
    assert np.array_equal(nearest_neighbours(X, X, 4)[:, 0], np.arange(30))


def test_the_chamfer_distance_of_a_cloud_from_itself_is_zero_in_any_order():
    X = rng.normal(size=(2, 20, 3))
    assert not chamfer_distance(X, X[:, ::-1]).any()


def test_the_chamfer_distance_does_not_ask_which_cloud_comes_first():
    X, Y = rng.normal(size=(20, 3)), rng.normal(size=(7, 3))
    assert np.isclose(chamfer_distance(X, Y), chamfer_distance(Y, X))


def test_the_largest_sum_of_logit_and_noise_is_a_draw_by_the_probabilities():
    logits = np.array([0.0, 1.0, -0.5, 2.0])
    noise = gumbel_noise(np.random.default_rng(1).uniform(1e-15, 1, size=(200_000, 4)))
    drawn = np.bincount((logits + noise).argmax(axis=1), minlength=4) / 200_000
    wanted = np.exp(logits) / np.exp(logits).sum()
    assert np.abs(drawn - wanted).max() < 0.005  # four standard errors and more


def test_a_cold_gumbel_softmax_is_nearly_a_single_code():
    logits, noise = np.array([0.3, -1.0, 0.2]), np.array([0.1, 0.0, 0.9])
    y = gumbel_softmax(logits, noise, 0.01)
    assert y.argmax() == 2 and y[2] > 0.999


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: farthest_points(np.zeros((2, 3)), 3), "only 2 points"),
        (lambda: farthest_points(np.zeros((2, 3)), 1, 2), "start is 2"),
        (lambda: farthest_points(np.zeros((2, 3)), 1, -1), "start is -1"),
        (lambda: nearest_neighbours(np.zeros((1, 3)), np.zeros((2, 3)), 3), "k is 3"),
        (lambda: gumbel_noise(np.array([0.0])), "between 0 and 1"),
        (lambda: gumbel_noise(np.array([1.0])), "between 0 and 1"),
    ],
)
def test_what_cannot_be_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()
