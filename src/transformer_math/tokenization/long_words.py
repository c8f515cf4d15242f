"""Lattices of long texts: edges in place of a matrix, so that time and room grow as the length of the text.

`lattice` has a place for each two places of a word: a text of 10,000 characters would fill 800 MB, nearly all of it -inf.
Here only the pieces that are there are kept. The functions are twins of those of the same names without `_by_edges`.
"""

from collections.abc import Mapping
from math import exp, inf, log

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Positive, Size, Text, contract
from transformer_math.tokenization._words import require_words
from transformer_math.tokenization.regularisation import _not_frozen
from transformer_math.tokenization.unigram import Unigram, _scores_of, _sound

Edges = list[list[tuple[int, float]]]


@contract
@_sound
def edges(word: Text, unigram: Unigram) -> Edges:
    """For each place of a word, where each piece that ends there begins, and its log-probability: a lattice's columns.

    >>> edges("ab", Unigram(("a", "b", "ab"), np.array([-1.0, -2.0, -3.0])))
    [[], [(0, -1.0)], [(0, -3.0), (1, -2.0)]]
    """
    return _edges_of(word, *_scores_of(unigram))


@contract
@_sound
def n_best_by_edges(
    word: Text, unigram: Unigram, n: Size
) -> list[tuple[list[str], float]]:
    """What `n_best` gives: the `n` most probable segmentations, each with the logarithm of its probability.

    >>> n_best_by_edges("ab", Unigram(("a", "b", "ab"), np.log([0.5, 0.25, 0.25])), 1)
    [(['ab'], -1.3862943611198906)]
    """
    ways = [[(0.0, 0, 0)]]  # a score, the place before, and which of the ways to it
    for own in edges(word, unigram)[1:]:
        found = [
            (before + score, i, k)
            for i, score in own
            for k, (before, _, _) in enumerate(ways[i])
        ]
        ways.append(sorted(found, key=lambda way: -way[0])[:n])
    return [(_pieces(word, ways, k), way[0]) for k, way in enumerate(ways[-1])]


@contract
@_sound
@_not_frozen
def sample_by_edges(
    word: Text,
    unigram: Unigram,
    rng: np.random.Generator,
    temperature: Positive = 1.0,
) -> list[str]:
    """What `sample_segmentation` draws: the same pieces, if `rng` is in the same state.

    >>> sample_by_edges("ab", Unigram(("a", "b"), np.log([0.5, 0.5])), np.random.default_rng(0))
    ['a', 'b']
    """
    found = [[(i, score / temperature) for i, score in own] for own in edges(word, unigram)]  # fmt: skip
    alpha, cuts = _forward(found), [len(word)]
    while (j := cuts[-1]) > 0:
        share = np.exp([alpha[i] + score - alpha[j] for i, score in found[j]])
        drawn = rng.choice(len(share), p=share / share.sum())
        cuts.append(found[j][drawn][0])
    return [word[a:b] for b, a in zip(cuts, cuts[1:])][::-1]


@contract
@_sound
def expected_counts_by_edges(
    word_counts: Mapping[str, int], unigram: Unigram
) -> Float[np.ndarray, " V"]:
    """What `expected_counts` gives: how often each piece is expected in a corpus.

    >>> expected_counts_by_edges({"ab": 4}, Unigram(("a", "b", "ab"), np.log([0.5, 0.25, 0.125]))).round(3).tolist()
    [2.0, 2.0, 2.0]
    """
    require_words(word_counts)
    number = {piece: t for t, piece in enumerate(unigram.pieces)}
    counts, scores = np.zeros(len(number)), _scores_of(unigram)
    for word, count in word_counts.items():
        found = _edges_of(word, *scores)
        alpha, beta = _forward(found), _backward(found)
        for j, own in enumerate(found):
            for i, score in own:
                if (t := number.get(word[i:j])) is not None:
                    counts[t] += count * exp(alpha[i] + score + beta[j] - alpha[-1])
    return counts


@contract
@_sound
def log_likelihood_by_edges(word_counts: Mapping[str, int], unigram: Unigram) -> float:
    """What `log_likelihood` gives: the log-probability of a corpus, in nats.

    >>> round(log_likelihood_by_edges({"ab": 4}, Unigram(("a", "b", "ab"), np.log([0.5, 0.25, 0.125]))), 3)
    -5.545
    """
    require_words(word_counts)
    scores = _scores_of(unigram)
    return sum(
        count * _forward(_edges_of(word, *scores))[-1]
        for word, count in word_counts.items()
    )


def _edges_of(word: str, table: Mapping[str, float], unknown: float) -> Edges:
    found: Edges = [[]]
    for j in range(1, len(word) + 1):
        alone = table.get(word[j - 1 : j], -inf)
        own, i = [(j - 1, unknown if alone == -inf else alone)], j - 1
        while i and (score := table.get(word[i - 1 : j])) is not None:
            i -= 1
            if score > -inf:
                own.append((i, score))
        found.append(own[::-1])
    return found


def _forward(found: Edges) -> list[float]:
    """`forward_sums`; every place is reached, since every character has an edge."""
    alpha = [0.0]
    for own in found[1:]:
        alpha.append(_log_sum([alpha[i] + score for i, score in own]))
    return alpha


def _backward(found: Edges) -> list[float]:
    """`backward_sums`."""
    onward: list[list[float]] = [[] for _ in found]
    onward[-1] = [0.0]
    for j in reversed(range(len(found))):
        beta = _log_sum(onward[j])
        onward[j] = [beta]
        for i, score in found[j]:
            onward[i].append(score + beta)
    return [beta for (beta,) in onward]


def _log_sum(values: list[float]) -> float:
    """The logarithm of the sum of the exponentials; none of the values is infinite."""
    highest = max(values)
    return highest + log(sum(exp(value - highest) for value in values))


def _pieces(word: str, ways: list, k: int) -> list[str]:
    """The pieces of the k-th best way, read from its end."""
    pieces, j = [], len(word)
    while j > 0:
        _, i, k = ways[j][k]
        pieces.append(word[i:j])
        j = i
    return pieces[::-1]
