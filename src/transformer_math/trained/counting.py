"""The best that counting makes of several texts: a Kneser-Ney model of each, counted apart, and a cache, mixed by weight."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from jaxtyping import Float, Int

from transformer_math.trained.kneser_ney import fit_ngrams, ngram_probabilities

ROUNDS = 50


@dataclass(frozen=True)
class Mixture:
    """What was chosen on validation: the order of each text's model, how far back the cache looks, and the weights."""

    orders: dict[str, int]
    cache: int
    weights: Float[np.ndarray, " models"]


def cache_probabilities(
    ids: Int[np.ndarray, " n"], vocab_size: int, size: int
) -> Float[np.ndarray, " n"]:
    """The share of each token among the `size` before it; the first has none before it, and gets 1 / V.

    >>> cache_probabilities(np.array([5, 5, 7, 5]), vocab_size=10, size=2)
    array([0.1, 1. , 0. , 0.5])
    """
    shares = [np.mean(ids[max(i - size, 0) : i] == x) for i, x in enumerate(ids[1:], 1)]
    return np.array([1 / vocab_size, *shares])


def mixture_weights(p: Float[np.ndarray, "n models"]) -> Float[np.ndarray, " models"]:
    """The weights by which the models together make a text likeliest, by EM: each gets the share that it explains.

    >>> mixture_weights(np.array([[0.5, 0.1], [0.5, 0.1], [0.4, 0.2]])).round(2)
    array([1., 0.])
    """
    weights = np.full(p.shape[1], 1 / p.shape[1])
    for _ in range(ROUNDS):
        joint = p * weights
        weights = (joint / joint.sum(axis=1, keepdims=True)).mean(axis=0)
    return weights


def choose_mixture(
    training: Mapping[str, np.ndarray],
    validation: np.ndarray,
    vocab_size: int,
    orders: tuple[int, ...] = (3, 4, 5),
    caches: tuple[int, ...] = (128, 512),
) -> Mixture:
    """Of all orders and caches those that give the validation text the highest probability, each at its best weights."""
    by_text = {
        name: {n: _by_counts(ids, validation, vocab_size, n) for n in orders}
        for name, ids in training.items()
    }
    by_cache = {
        size: cache_probabilities(validation, vocab_size, size) for size in caches
    }
    tried = []
    for *chosen, size in product(*([orders] * len(training)), caches):
        columns = [by_text[name][n] for name, n in zip(training, chosen)]
        p = np.stack([*columns, by_cache[size]], axis=1)
        weights = mixture_weights(p)
        nats = -np.log(p @ weights).mean()
        tried.append((nats, Mixture(dict(zip(training, chosen)), size, weights)))
    return min(tried, key=lambda one: one[0])[1]


def mixture_losses(
    mixture: Mixture,
    training: Mapping[str, np.ndarray],
    ids: np.ndarray,
    vocab_size: int,
) -> Float[np.ndarray, " n"]:
    """The loss of each token by a mixture that was chosen elsewhere, in nats."""
    columns = [
        _by_counts(training[name], ids, vocab_size, order)
        for name, order in mixture.orders.items()
    ]
    columns.append(cache_probabilities(ids, vocab_size, mixture.cache))
    return -np.log(np.stack(columns, axis=1) @ mixture.weights)


def _by_counts(
    known: np.ndarray, ids: np.ndarray, vocab_size: int, order: int
) -> np.ndarray:
    return ngram_probabilities(fit_ngrams(known, vocab_size, order), ids)
