"""An n-gram model with interpolated Kneser-Ney smoothing: among the best that count, and so one to beat."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Size, contract, requires

NgramCounts = Int[np.ndarray, "*shape"]


@contract
@requires(
    lambda total: total.min() >= 1,
    "a context has the total {total}; wanted contexts that were seen. Fix: where none was, the shorter context alone counts.",
)
@requires(
    lambda counts, total: (counts >= 0).all() and (counts <= total).all(),
    lambda counts, total: (
        f"counts run from {counts.min()} to {counts.max()}, totals from {total.min()} to {total.max()}; wanted no count below 0 "
        "or above the total of its context. Fix: how often each token stands after it, and how often any does."
    ),
)
@requires(
    lambda total, kinds: (kinds >= 1).all() and (kinds <= total).all(),
    lambda total, kinds: (
        f"kinds run from {kinds.min()} to {kinds.max()}, totals from {total.min()} to {total.max()}; wanted at least 1, and no "
        "more than the total of the context. Fix: how many different tokens stand after it."
    ),
)
@requires(
    lambda discount: 0 <= discount <= 1,
    "discount is {discount}; wanted a number from 0 to 1, since a count is 1 at least. Fix: kneser_ney_discount(counts).",
)
@requires(
    lambda shorter: shorter.min() >= 0 and shorter.max() <= 1 + 1e-9,
    lambda shorter: (
        f"shorter runs from {shorter.min()} to {shorter.max()}; wanted probabilities, from 0 to 1. "
        "Fix: what kneser_ney gives for the shorter context, and 1 / V for the shortest."
    ),
)
def kneser_ney(
    counts: NgramCounts,
    total: NgramCounts,
    kinds: NgramCounts,
    discount: float,
    shorter: Float[np.ndarray, "*shape"],
) -> Float[np.ndarray, "*shape"]:
    r"""Take a discount D off every count, and share what was taken by the distribution of the shorter context.

        P = (max(c - D, 0) + D N P')/C

    c counts the token after its context, C all tokens after it, N the different ones among them; P' is the probability
    by the context without its first token. The shortest context has P' = 1 / V.
    Raises ValueError for counts, kinds, discounts and probabilities that no text can have.
    Book: eq-kneser-ney. Source: Kneser and Ney (1995); interpolated: Chen and Goodman (1999).

    >>> kneser_ney(np.array([3, 1, 0]), np.array([4, 4, 4]), np.array([2, 2, 2]), 0.5, np.array([0.2, 0.2, 0.6]))
    array([0.675, 0.175, 0.15 ])
    """
    return (np.maximum(counts - discount, 0) + discount * kinds * shorter) / total


@contract
def kneser_ney_discount(counts: NgramCounts) -> float:
    r"""How much to take off: the share of what was seen once among what was seen once or twice, each token counted.

        D = n_1/(n_1 + 2 n_2)

    Book: eq-kneser-ney-discount. Source: Ney, Essen and Kneser (1994).

    >>> kneser_ney_discount(np.array([1, 1, 1, 1, 2, 2, 5]))
    0.5
    """
    once, twice = ((counts == number).sum() for number in (1, 2))
    return float(once / max(once + 2 * twice, 1))


@dataclass(frozen=True)
class Level:
    """The counts of one length: n-grams and contexts as sorted numbers, and what `kneser_ney` wants to know of them."""

    grams: Int[np.ndarray, " grams"]
    counts: Int[np.ndarray, " grams"]
    contexts: Int[np.ndarray, " contexts"]
    totals: Int[np.ndarray, " contexts"]
    kinds: Int[np.ndarray, " contexts"]
    discount: float


@dataclass(frozen=True)
class NGramModel:
    """NgramCounts for every length from 1 to the order."""

    levels: tuple[Level, ...]
    vocab_size: int


@contract
@requires(
    lambda order, vocab_size: (vocab_size + 1) ** order < 2**63,
    "n-grams of {order} tokens out of {vocab_size} do not fit into 64 bits. Fix: a lower order.",
)
def fit_ngrams(ids: Int[np.ndarray, " n"], vocab_size: Size, order: Size) -> NGramModel:
    """Count n-grams of every length up to `order`.

    The longest are counted as often as they stand in the text. Of a shorter one it counts before how many different
    tokens it stands: "Francisco" is frequent, but follows "San" alone, and should not be expected elsewhere.

    >>> fit_ngrams(np.array([0, 1, 0, 1]), vocab_size=2, order=1).levels[0].counts
    array([2, 2])
    """
    base, levels = vocab_size + 1, []
    for length in range(1, order + 1):
        grams, counts = np.unique(_grams(ids, length, vocab_size), return_counts=True)
        if length < order:
            longer = np.unique(_grams(ids, length + 1, vocab_size))
            grams, counts = np.unique(longer % base**length, return_counts=True)
        contexts, of_gram = np.unique(grams // base, return_inverse=True)
        totals = np.bincount(of_gram, counts).astype(int)
        discount = kneser_ney_discount(counts)
        levels.append(
            Level(grams, counts, contexts, totals, np.bincount(of_gram), discount)
        )
    return NGramModel(tuple(levels), vocab_size)


@contract
def ngram_probabilities(
    model: NGramModel, ids: Int[np.ndarray, " n"]
) -> Float[np.ndarray, " n"]:
    """The probability of each token given those before it, as many of them as the model's order has.

    >>> ngram_probabilities(fit_ngrams(np.array([0, 1, 0, 1]), vocab_size=2, order=2), np.array([0, 1])).round(3)
    array([0.833, 0.833])
    """
    p = np.full(len(ids), 1 / model.vocab_size)
    for length, level in enumerate(model.levels, 1):
        grams = _grams(ids, length, model.vocab_size)
        gram, seen = _find(level.grams, grams)
        context, known = _find(level.contexts, grams // (model.vocab_size + 1))
        counts = np.where(seen, level.counts[gram], 0)
        totals, kinds = level.totals[context], level.kinds[context]
        q = kneser_ney(counts, totals, kinds, level.discount, p)
        p = np.where(known, q, p)
    return p


def _grams(ids: np.ndarray, length: int, vocab_size: int) -> np.ndarray:
    # the n-gram that ends at each token, as one number; the token V stands before the text
    padded = np.concatenate([np.full(length - 1, vocab_size), ids])
    windows = np.lib.stride_tricks.sliding_window_view(padded, length)
    return windows @ (vocab_size + 1) ** np.arange(length - 1, -1, -1)


def _find(known: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return place, known[place] == wanted
