"""What a merge is worth to WordPiece: the gain in the likelihood of the corpus, the score that stands for it, the count."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from transformer_math.contract import Size, contract, requires
from transformer_math.tokenization._x_ln_x import x_ln_x


@contract
@dataclass(frozen=True)
class PairCounts:
    """Of several pairs a, b: the places `m` that a merge would change, the tokens `n_a` and `n_b`, whether a is b.

    `N` is the number of all tokens in the corpus, the same for all pairs.
    """

    m: Float[np.ndarray, " pairs"]
    n_a: Float[np.ndarray, " pairs"]
    n_b: Float[np.ndarray, " pairs"]
    same: Bool[np.ndarray, " pairs"]
    N: Size


_possible = requires(
    lambda pairs: bool(
        np.all((pairs.m > 0) & (pairs.m < pairs.N))
        and np.all(pairs.m * (1 + pairs.same) <= pairs.n_a)
        and np.all(pairs.m <= pairs.n_b)
    ),
    "a pair stands at no place, or at more places than there are tokens. Fix: merge_counts(words) counts them.",
)


@contract
@requires(
    lambda n: bool(np.all(n >= 0) and np.any(n > 0)),
    "the counts are {n}; wanted none below 0, and one above. Fix: count the tokens of a text.",
)
def corpus_log_likelihood(n: Float[np.ndarray, " V"]) -> float:
    r"""The logarithm of the probability of a corpus under a model that draws each token by itself, as often as it occurs.

        L = Σ_t n_t ln n_t/N
        N = Σ_t n_t

    Book: eq-corpus-likelihood.

    >>> corpus_log_likelihood(np.array([1.0, 1, 0]))  # two tokens, each with probability 1/2
    -1.3862943611198906
    """
    return float(x_ln_x(n).sum() - x_ln_x(n.sum()))


@contract
@_possible
def merge_gain(pairs: PairCounts) -> Float[np.ndarray, " pairs"]:
    r"""By how much the log-likelihood of the corpus grows when each pair is merged, all other tokens left as they are.

        Δ = φ(m) + φ(N) - φ(N - m) + δ
        δ = {φ(n_a - 2m) - φ(n_a) if a = b; φ(n_a - m) - φ(n_a) + φ(n_b - m) - φ(n_b) else}
        φ(x) = x ln x

    Book: eq-merge-gain, eq-gain-by-score. Source: Schuster and Nakajima (2012), doi:10.1109/ICASSP.2012.6289079.

    >>> pair = PairCounts(*np.array([[4.0], [4], [4]]), np.array([False]), N=16)  # always together
    >>> merge_gain(pair).round(3)
    array([8.997])
    """
    m, n_a, n_b, same, N = (getattr(pairs, name) for name in pairs.__match_args__)
    of_a = x_ln_x(n_a - np.where(same, 2 * m, m)) - x_ln_x(n_a)
    of_b = np.where(same, 0, x_ln_x(n_b - m) - x_ln_x(n_b))
    of_all = x_ln_x(np.full_like(m, N)) - x_ln_x(N - m)
    return x_ln_x(m) + (of_a + of_b) + of_all


@contract
@_possible
def merge_score(pairs: PairCounts) -> Float[np.ndarray, " pairs"]:
    """How many times as often the two tokens stand together as they would by chance.

        s = (m / N)/((n_a / N) (n_b / N))

    Book: eq-merge-score.

    >>> merge_score(PairCounts(*np.array([[4.0], [4], [4]]), np.array([False]), N=16))
    array([4.])
    """
    return pairs.m * pairs.N / (pairs.n_a * pairs.n_b)


@contract
@_possible
def merge_count(pairs: PairCounts) -> Float[np.ndarray, " pairs"]:
    """How many places a merge would change: what byte-pair encoding goes by.

    >>> merge_count(PairCounts(*np.array([[4.0], [4], [4]]), np.array([False]), N=16))
    array([4.])
    """
    return pairs.m
