"""The lattice of a word: all its segmentations at once, and sums and maxima over them that take no list of them.

Places in a word of n characters are numbered 0 to n. `L[i, j]` is the log-probability of the piece from place i to
place j, -inf where there is none; a segmentation is a way from place 0 to place n.
"""

from typing import Annotated

import numpy as np
from jaxtyping import Float

from transformer_math.contract import OrMinusInfinity, Size, contract, requires

Lattice = Annotated[Float[np.ndarray, "places places"], OrMinusInfinity]
Scores = Annotated[Float[np.ndarray, " places"], OrMinusInfinity]

_upward = requires(
    lambda L: bool(np.all(L[np.tri(len(L), dtype=bool)] == -np.inf)),
    "L has an edge that does not lead to a later place. Fix: L[i, j] is -inf unless i < j.",
)


@contract
@_upward
def forward_sums(L: Lattice) -> Scores:
    r"""For each place, the logarithm of the sum of the probabilities of all ways from place 0.

        α_j = {0 if j = 0; ln Σ_{i: i < j} e^(α_i + L_ij) otherwise}

    The last entry is the log-probability of the word, over all its segmentations. Book: eq-unigram-forward.
    Source: Kudo (2018), arXiv:1804.10959.

    >>> L = np.log([[0, 0.5, 0.25], [0, 0, 0.5], [0, 0, 0]], where=np.triu(np.ones((3, 3)), 1) > 0, out=np.full((3, 3), -np.inf))
    >>> np.exp(forward_sums(L)).round(3).tolist()
    [1.0, 0.5, 0.5]
    """
    alpha = np.zeros_like(L[0])
    for j in range(1, len(L)):
        alpha[j] = np.logaddexp.reduce(alpha[:j] + L[:j, j])
    return alpha


@contract
@_upward
def backward_sums(L: Lattice) -> Scores:
    r"""For each place, the logarithm of the sum of the probabilities of all ways to the last place.

        β_i = {0 if i = n; ln Σ_{j: j > i} e^(L_ij + β_j) otherwise}

    Book: eq-unigram-backward.

    >>> float(backward_sums(np.full((1, 1), -np.inf))[0])
    0.0
    """
    beta = np.zeros_like(L[0])
    for i in reversed(range(len(L) - 1)):
        beta[i] = np.logaddexp.reduce(L[i, i + 1 :] + beta[i + 1 :])
    return beta


@contract
@_upward
@requires(
    lambda L: forward_sums(L)[-1] > -np.inf,
    "no way leads through the lattice L. Fix: give every character a piece of its own.",
)
def edge_posteriors(L: Lattice) -> Float[np.ndarray, "places places"]:
    r"""For each edge, the probability that a segmentation drawn from the posterior takes it.

        γ_ij = e^(α_i + L_ij + β_j - α_n)

    Raises ValueError where no way leads through. Book: eq-unigram-posterior.

    >>> float(edge_posteriors(np.array([[-np.inf, -3.0], [-np.inf, -np.inf]]))[0, 1])
    1.0
    """
    alpha, beta = forward_sums(L), backward_sums(L)
    return np.exp(alpha[:, None] + L + beta - alpha[-1])


@contract
@_upward
def best_scores(L: Lattice) -> Scores:
    r"""For each place, the log-probability of the best way from place 0: `forward_sums` with a maximum for the sum.

        δ_j = {0 if j = 0; max_{i: i < j} (δ_i + L_ij) otherwise}

    Book: eq-unigram-viterbi. Source: Viterbi (1967).

    >>> float(best_scores(np.array([[-np.inf, -3.0], [-np.inf, -np.inf]]))[-1])
    -3.0
    """
    delta = np.zeros_like(L[0])
    for j in range(1, len(L)):
        delta[j] = np.max(delta[:j] + L[:j, j])
    return delta


@contract
@_upward
def n_best_ways(L: Lattice, n: Size) -> list[tuple[tuple[int, ...], float]]:
    """The `n` best ways through a lattice, the best first: the places that each goes by, and the sum on its edges.

    At each place the n best ways to it are kept: no others can lead on to one of the n best. Of equal ways that with the
    longest last piece comes first; of those, the one with the longest piece before it; and so on.

    >>> n_best_ways(np.array([[-np.inf, -3.0], [-np.inf, -np.inf]]), 2)
    [((0, 1), -3.0)]
    """
    ways: list[list[tuple[tuple[int, ...], float]]] = [[((0,), 0.0)]]
    for j in range(1, len(L)):
        found = [
            ((*places, j), score + float(L[i, j]))
            for i in range(j)
            if L[i, j] > -np.inf
            for places, score in ways[i]
        ]
        ways.append(sorted(found, key=lambda way: -way[1])[:n])
    return ways[-1]
