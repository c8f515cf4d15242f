"""The formulas of embeddings in JavaScript give the numbers of the Python package, on cases made at random."""

import numpy as np
from parity import assert_parity

from transformer_math.embedding import (
    analogy_cosines,
    negative_sampling_loss,
    noise_distribution,
    plane_of_question,
    shifted_pmi,
)
from transformer_math.gradient import negative_sampling_loss_vjp
from transformer_math.trained.senses import distances


def cases(rng):
    counts = rng.integers(1, 5000, size=rng.integers(1, 9)).astype(float)
    rest = rng.integers(1, 50, size=(rng.integers(1, 9), 2))
    power = float(rng.uniform(0, 1.5))
    every = np.array([*counts, *np.repeat(rest[:, 0], rest[:, 1])], dtype=float)
    shares = noise_distribution(every, power)[: len(counts)]
    yield "noiseShares", [counts, rest, power], shares
    score, real, invented = float(rng.normal() * 20), *rng.uniform(0.1, 900, size=2)
    yield "surprise", [score], float(np.logaddexp(0, -score))
    yield "pairLoss", [score, real, invented], loss(score, real, invented)
    C = rng.integers(1, 60, size=(2, 3)).astype(float)
    expected = 4 * C[0].sum() * noise_distribution(C.sum(axis=0))[1]
    best = shifted_pmi(C, k=4)[0, 1]
    yield "bestScore", [float(C[0, 1]), float(expected)], float(best)
    W = rng.normal(size=(rng.integers(3, 9), rng.integers(2, 9)))
    a, b, c = (int(k) for k in rng.permutation(len(W))[:3])
    yield "planeOfQuestion", [W, a, b, c], plane_of_question(W, a, b, c)
    U, h = rng.normal(size=(5, 2)), rng.normal(size=2)
    target, invented = int(rng.integers(5)), rng.integers(5, size=rng.integers(1, 6))
    words = np.array([target, *invented])
    _, back = negative_sampling_loss_vjp(h[None], words[:1], words[None, 1:], U)
    dh, dU = back(1.0)
    errors = 1 / (1 + np.exp(-U[words] @ h)) - (np.arange(len(words)) == 0)
    wanted = {"h": h - 0.5 * dh[0], "U": U - 0.5 * dU, "errors": errors}
    yield "samplingStep", [h, U, target, invented, 0.5], wanted
    x = rng.normal(size=W.shape[1])
    lengths = np.linalg.norm(W, axis=1) * np.linalg.norm(x)
    yield "cosinesWith", [W, x], W @ x / lengths
    yield "distancesFrom", [x, W], distances(x[None], W)[0]
    at = rng.integers(len(W), size=3)
    yield "analogyCosines", [W, *map(int, at)], analogy_cosines(W, at[None])[0]


def loss(score, real, invented):
    """One real and one invented word of the same score, weighed by how often they come."""
    H, U = np.array([[1.0]]), np.array([[score], [-800.0], [800.0]])
    of_real = negative_sampling_loss(H, np.array([0]), np.array([[1]]), U)
    of_invented = negative_sampling_loss(H, np.array([2]), np.array([[0]]), U)
    return (real * of_real + invented * of_invented) / (real + invented)


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(7)
    many = [case for _ in range(200) for case in cases(rng)]
    assert_parity(tmp_path, "embedding/formulas.js", many)
