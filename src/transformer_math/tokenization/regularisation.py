"""Subword regularisation: the same word cut in another way each time it is read, so that a model meets it in all its parts."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import (
    NonNegative,
    Positive,
    Size,
    Text,
    contract,
    requires,
)
from transformer_math.tokenization._possible_merges import possible_merges
from transformer_math.tokenization.bpe import BPE
from transformer_math.tokenization.bpe import _sound as _sound_bpe
from transformer_math.tokenization.lattice import Lattice, forward_sums
from transformer_math.tokenization.unigram import Unigram, _sound, lattice

COLDEST = 1e-290  # a score of -1e17 by it is still a number

_share = requires(
    lambda dropout: dropout <= 1,
    "dropout is {dropout}; wanted a probability, 0 to 1. Fix: 0.1 is the paper's.",
)


@contract
@requires(
    lambda probabilities: bool(
        np.all(probabilities >= 0) and np.any(probabilities > 0)
    ),
    "probabilities has a negative number, or no positive one. Fix: pass those of segmentations.",
)
def tempered(
    probabilities: Float[np.ndarray, " ways"], temperature: Positive = 1.0
) -> Float[np.ndarray, " ways"]:
    r"""The posterior of segmentations at a temperature: 1 leaves it as it is, less sharpens it, more makes all ways alike.

        p_s = (P_s^(1 / T))/(Σ_r P_r^(1 / T))

    Book: eq-tempered-posterior. Source: Kudo (2018), arXiv:1804.10959, whose alpha is 1/T.

    >>> tempered(np.array([0.4, 0.1]), 0.5).round(3).tolist()
    [0.941, 0.059]
    """
    powers = (probabilities / probabilities.max()) ** (1 / temperature)
    return powers / powers.sum()


_not_frozen = requires(
    lambda temperature: temperature >= COLDEST,
    "temperature is {temperature}, and scores divided by it leave the range of float64. "
    "Fix: for the limit T -> 0 take viterbi(word, unigram).",
)


@contract
@_not_frozen
def last_edge_probabilities(
    L: Lattice, temperature: Positive = 1.0
) -> Float[np.ndarray, "places places"]:
    r"""Of the ways that lead to place j, the share whose last edge comes from place i: what is drawn, going backwards.

        q_ij = e^(α_i + L_ij / T - α_j)
        α_j = {0 if j = 0; ln Σ_{i: i < j} e^(α_i + L_ij / T) otherwise}

    Book: eq-backward-sampling. Source: Kudo (2018), arXiv:1804.10959.

    >>> L = np.array([[-np.inf, -1.0, -2.0], [-np.inf, -np.inf, -1.0], [-np.inf] * 3])
    >>> last_edge_probabilities(L)[:, 2].round(3).tolist()
    [0.5, 0.5, 0.0]
    """
    alpha = forward_sums(L / temperature)
    reached = np.where(alpha > -np.inf, alpha, 0.0)
    return np.exp(alpha[:, None] + L / temperature - reached)


@contract
@_sound
@_not_frozen
def sample_segmentation(
    word: Text,
    unigram: Unigram,
    rng: np.random.Generator,
    temperature: Positive = 1.0,
) -> list[str]:
    """Draw a segmentation from the posterior at a temperature: sums forwards, draws backwards from the last place.

        s ~ p, p_s ∝ P_s^(1 / T)

    Book: eq-segmentation-sample. Source: Kudo (2018), arXiv:1804.10959.

    >>> sample_segmentation("ab", Unigram(("a", "b"), np.log([0.5, 0.5])), np.random.default_rng(0))
    ['a', 'b']
    """
    shares = last_edge_probabilities(lattice(word, unigram), temperature)
    cuts = [len(word)]
    while cuts[-1] > 0:
        share = shares[:, cuts[-1]]
        cuts.append(
            int(rng.choice(len(share), p=share / share.sum()))
        )  # 1, but for rounding
    return [word[a:b] for b, a in zip(cuts, cuts[1:])][::-1]


@contract
@_share
def dropout_probabilities(n: Size, dropout: NonNegative) -> Float[np.ndarray, " ways"]:
    r"""The probability that each of n possible merges, ordered by rank, is the one made next; and last, that none is.

        π_k = {(1 - p) p^k if k < n; p^n otherwise}
        k = 0, …, n

    Book: eq-bpe-dropout. Source: Provilkov, Emelianenko and Voita (2020), arXiv:1910.13267.

    >>> dropout_probabilities(2, 0.1).round(3).tolist()
    [0.9, 0.09, 0.01]
    """
    k = np.arange(n + 1)
    return np.where(k < n, (1 - dropout) * dropout**k, dropout**n)


@contract
@_share
@_sound_bpe
@requires(
    lambda chunk, bpe: {chunk[i : i + 1] for i in range(len(chunk))} <= set(bpe.tokens),
    "the chunk {chunk!r} holds a character that the BPE lacks. Fix: train on a text that holds it.",
)
def encode_with_dropout(
    chunk: str | bytes, bpe: BPE, rng: np.random.Generator, dropout: NonNegative = 0.1
) -> list[int]:
    """Encode one chunk by BPE, where before every merge each possible one is passed over with probability `dropout`.

        k ~ π
        a b ← ab at the place of merge k, until k = n

    Of those that are left, the one with the lowest rank is made, the leftmost of equals; when none is left, encoding
    ends. Book: eq-dropout-sample. Source: Provilkov, Emelianenko and Voita (2020), arXiv:1910.13267.

    >>> encode_with_dropout("ab", BPE(("a", "b", "ab"), {(0, 1): 2}), np.random.default_rng(0), 0.0)
    [2]
    """
    ids = {token: number for number, token in enumerate(bpe.tokens)}
    ranks = {pair: rank for rank, pair in enumerate(bpe.merges)}
    tokens = [ids[chunk[i : i + 1]] for i in range(len(chunk))]
    while found := possible_merges(tokens, ranks):
        chosen = rng.choice(
            len(found) + 1, p=dropout_probabilities(len(found), dropout)
        )
        if chosen == len(found):
            break
        at = found[chosen]
        tokens[at : at + 2] = [bpe.merges[tokens[at], tokens[at + 1]]]
    return tokens
