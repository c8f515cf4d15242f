"""The mixture of counts: its weights make the text likeliest, and what it chooses is the best of what it tries."""

import numpy as np

from transformer_math.trained.counting import (
    cache_probabilities,
    choose_mixture,
    mixture_losses,
    mixture_weights,
)


def test_no_other_weights_make_the_text_likelier():
    rng = np.random.default_rng(0)
    p = rng.random((500, 3))
    found = np.log(p @ mixture_weights(p)).mean()
    for _ in range(200):
        assert np.log(p @ rng.dirichlet(np.ones(3))).mean() <= found + 1e-6


def test_the_cache_counts_what_came_just_before():
    ids = np.random.default_rng(0).integers(4, size=30)
    found = cache_probabilities(ids, 4, size=7)
    for i in range(1, 30):
        before = ids[max(i - 7, 0) : i].tolist()
        assert found[i] == before.count(ids[i]) / len(before)


def test_it_chooses_the_text_that_is_alike():
    rng = np.random.default_rng(1)
    alike, other = (np.resize(rng.permutation(50), 3000) for _ in range(2))
    noise = rng.integers(50, size=3000)
    training = {"alike": alike, "other": other, "noise": noise}
    mixture = choose_mixture(training, alike[:400], 50, orders=(2, 3), caches=(16,))
    assert mixture.weights[0] > 0.9 and np.isclose(mixture.weights.sum(), 1)
    losses = mixture_losses(mixture, training, alike[400:800], 50)
    assert losses.shape == (400,) and losses[5:].mean() < 0.3
