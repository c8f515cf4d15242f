"""FastText: a word's vector is the sum of the vectors of its runs of characters, so words never seen have one too."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import NonNegative, Size, Text, contract, requires
from transformer_math.scaling import homogeneous


@contract
@requires(
    lambda shortest, longest: shortest <= longest,
    "shortest is {shortest} and longest {longest}. Fix: shortest <= longest.",
)
def character_ngrams(word: Text, shortest: Size = 3, longest: Size = 6) -> list[str]:
    r"""List the runs of `shortest` to `longest` characters of a word between its marks, and the whole word with them.

        G_w = { s_i s_{i+1} … s_{i+n-1} : 3 ≤ n ≤ 6 } ∪ { s }
        s = < w >

    The whole marked word stands once, at the end; runs that come twice are listed twice. A character is a code point.
    Book: eq-ngrams. Source: Bojanowski et al. (2017), section 3.2, arXiv:1607.04606.

    >>> character_ngrams("where", longest=3)
    ['<wh', 'whe', 'her', 'ere', 're>', '<where>']
    """
    s = f"<{word}>"
    sizes = range(shortest, min(longest, len(s) - 1) + 1)
    return [s[i : i + n] for n in sizes for i in range(len(s) - n + 1)] + [s]


@contract
@requires(
    lambda text: not any("\ud800" <= character <= "\udfff" for character in text),
    "the text holds half of a character (a lone surrogate), which UTF-8 cannot write. Fix: read the text as UTF-8.",
)
def fnv_1a(text: str) -> int:
    r"""Make a number below 2^32 of a text, byte by byte of its UTF-8: first the exclusive or, then the product.

        h ← (h ⊕ x_i) · 16777619 mod 2³²

    Book: eq-fnv-1a. Source: Bojanowski et al. (2017), section 3.2, arXiv:1607.04606.

    >>> hex(fnv_1a("foobar"))
    '0xbf9cf968'
    """
    h = 2166136261
    for x in text.encode():
        h = (h ^ x) * 16777619 % 2**32
    return h


@contract
@requires(
    lambda words: len(words) > 0,
    "there are no words, and no rows that they are made of. Fix: at least one word.",
)
@requires(
    lambda n_buckets: n_buckets <= 2**32,
    "n_buckets is {n_buckets}; a hash is below 2^32, and no row after that is ever used. Fix: 2_000_000, for example.",
)
def ngram_rows(
    words: Sequence[str], n_buckets: Size, shortest: Size = 3, longest: Size = 6
) -> tuple[Int[np.ndarray, " m"], Int[np.ndarray, " m"]]:
    """The rows of the table that the words are made of, and the word that each belongs to.

    Runs of characters share the first `n_buckets` rows by their hash, known words have a row each after them.
    Raises ValueError where there is no word, and for more buckets than there are hashes.

    >>> rows, owners = ngram_rows(["at", "cat"], n_buckets=100, longest=3)
    >>> owners.tolist(), rows[owners == 0].tolist(), rows[-1]
    ([0, 0, 0, 1, 1, 1, 1], [74, 6, 100], np.int64(101))
    """
    rows, owners = [], []
    for i, word in enumerate(words):
        *runs, _ = character_ngrams(word, shortest, longest)
        rows += [*(fnv_1a(run) % n_buckets for run in runs), n_buckets + i]
        owners += [i] * (len(runs) + 1)
    return np.array(rows), np.array(owners)


@contract
@requires(
    lambda rows, owners, Z: rows.min() >= 0 and rows.max() < len(Z),
    lambda rows, owners, Z: (
        f"rows hold {int(rows[(rows < 0) | (rows >= len(Z))][0])}, outside 0..{len(Z) - 1}. "
        "Fix: a row of Z for each bucket and word."
    ),
)
@requires(
    lambda owners: bool(owners[0] == 0 and np.isin(np.diff(owners), (0, 1)).all()),
    "owners do not count up from 0, one after the other. Fix: rows, owners = ngram_rows(words, n_buckets).",
)
def sum_of_ngrams(
    rows: Int[np.ndarray, " m"],
    owners: Int[np.ndarray, " m"],
    Z: Float[np.ndarray, "B d"],
) -> Float[np.ndarray, "V d"]:
    r"""Add up the vectors that each word is made of.

        W_vj = Σ_{k: o_k = v} Z_{r_k j}

    Raises ValueError for rows that Z does not have, and for owners that are out of order.
    Book: eq-ngram-sum. Source: Bojanowski et al. (2017), section 3.2.

    >>> sum_of_ngrams(np.array([2, 0, 2]), np.array([0, 0, 1]), Z=np.array([[1.0], [0.0], [4.0]]))
    array([[5.],
           [4.]])
    """
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    return np.add.reduceat(Z[rows], starts, axis=0)


@contract
def unseen_vector(
    word: Text,
    Z: Float[np.ndarray, "B d"],
    n_buckets: Size,
    shortest: Size = 3,
    longest: Size = 6,
) -> Float[np.ndarray, " d"]:
    """The vector of a word without a row of its own: the sum over its runs of characters, or zeros where it has none.

    >>> unseen_vector("at", Z=np.eye(100), n_buckets=100, longest=3).nonzero()[0]
    array([ 6, 74])
    """
    *runs, _ = character_ngrams(word, shortest, longest)
    return Z[[fnv_1a(run) % n_buckets for run in runs]].sum(axis=0)


@contract
@requires(
    lambda X: (X >= 0).all() and X.any(),
    "X holds a negative count, or no pair at all. Fix: X = cooccurrences(...), of a text in which words meet.",
)
@homogeneous
def expected_negatives(
    X: Float[np.ndarray, "V C"], k: NonNegative
) -> Float[np.ndarray, "V C"]:
    r"""Say how often each pair comes up as a negative example, on average: k for each pair counted, drawn from the noise.

        N_ij = k Σ_{j'} X_{ij'} ((Σ_{i'} X_{i'j})^(3/4))/(Σ_{j'} (Σ_{i'} X_{i'j'})^(3/4))

    Raises ValueError for negative counts, and for nothing but zeros. Book: eq-expected-negatives.
    Source: Mikolov et al. (2013), arXiv:1310.4546.

    >>> expected_negatives(np.array([[3.0, 0.0], [0.0, 3.0]]), k=2)
    array([[3., 3.],
           [3., 3.]])
    """
    noise = X.sum(axis=0) ** 0.75
    return k * X.sum(axis=1, keepdims=True) * noise / noise.sum()


@contract
@requires(
    lambda X, N: (X >= 0).all() and (N >= 0).all(),
    "X or N holds a negative count. Fix: pass counts, and N = expected_negatives(X, k).",
)
def expected_sampling_loss(
    X: Float[np.ndarray, "V C"],
    N: Float[np.ndarray, "V C"],
    W: Float[np.ndarray, "V d"],
    W_context: Float[np.ndarray, "C d"],
) -> float:
    r"""The loss of skip-gram with negative sampling over a whole text, with the mean in place of every draw.

        L = -Σ_i Σ_j (X_ij ln σ(S_ij) + N_ij ln σ(-S_ij))
        S_ij = w_i · w'_j
        σ(x) = 1/(1 + e^(-x))

    Raises ValueError for negative counts. Book: eq-expected-sampling. Source: Levy and Goldberg (2014).

    >>> W = np.zeros((1, 1))
    >>> round(expected_sampling_loss(np.array([[2.0]]), np.array([[6.0]]), W, W), 4)
    5.5452
    """
    S = W @ W_context.T
    return float((X * np.logaddexp(0, -S) + N * np.logaddexp(0, S)).sum())
