"""Word vectors from counts: which words stand near each other, compared with chance, in few dimensions."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import NonNegative, Size, Text, contract, requires
from transformer_math.scaling import (
    in_unit,
    power_of_two,
    powers_fit,
    scale_invariant,
)
from transformer_math.tokenization.units import words

_PLAIN = re.compile(r"[a-z]+|[.,:;!?()]")

distinct_words = requires(
    lambda words: len(set(words)) == len(words),
    lambda words: (
        "{!r} stands {} times among the words; wanted each once, since its place is its number. "
        "Fix: list(dict.fromkeys(words)).".format(*Counter(words).most_common(1)[0])
    ),
)


@contract
def frequent_words(tokens: Sequence[str], at_least: Size) -> list[str]:
    """The distinct tokens that occur at least so often, the most frequent first; of equals, in the order of a dictionary.

    >>> frequent_words("a whale and a sea and a ship".split(), at_least=2)
    ['a', 'and']
    """
    counts = Counter(tokens)
    chosen = [token for token in counts if counts[token] >= at_least]
    return sorted(chosen, key=lambda token: (-counts[token], token))


@contract
@distinct_words
@requires(
    lambda sentences: any(len(sentence) for sentence in sentences),
    "the sentences hold no word. Fix: at least one sentence of at least one word.",
)
def number_sentences(
    sentences: Sequence[Sequence[str]], words: Sequence[str], gap: Size
) -> Int[np.ndarray, " n"]:
    """Write sentences as one row of ids, with `gap` times -1 after each: a window of that size never reaches the next.

    A word outside the vocabulary is -1 too. Raises ValueError for sentences without a word, and for a word that stands
    twice in the vocabulary.

    >>> number_sentences([["a", "whale"], ["a", "sea"]], ["a", "sea"], gap=2)
    array([ 0, -1, -1, -1,  0,  1, -1, -1])
    """
    number = {word: i for i, word in enumerate(words)}
    apart = [-1] * gap
    return np.array(
        [i for s in sentences for i in (*(number.get(w, -1) for w in s), *apart)]
    )


@contract
@requires(
    lambda ids, vocab_size: ids.min() >= -1 and ids.max() < vocab_size,
    lambda ids, vocab_size: (
        f"ids hold {[int(i) for i in ids if not -1 <= i < vocab_size][:1]}; wanted -1..{vocab_size - 1}. "
        "Fix: number the words with one vocabulary."
    ),
)
def count_neighbours(
    ids: Int[np.ndarray, " n"], vocab_size: Size, n_contexts: Size, window: Size
) -> Float[np.ndarray, "V C"]:
    r"""Count how often token u has token v among its neighbours, at most `window` places away.

        C_uv = Σ_i Σ_{j: 0 < |i - j| ≤ w} [t_i = u] [t_j = v]

    Only the first `n_contexts` tokens count as neighbours. An id of -1 stands for a word outside the vocabulary: it
    takes up its place and is not counted. Raises ValueError for other ids outside 0..vocab_size - 1.
    Book: eq-neighbours.

    >>> count_neighbours(np.array([0, 1, 0, -1, 0]), vocab_size=2, n_contexts=2, window=1)
    array([[0., 2.],
           [2., 0.]])
    """
    C = np.zeros((vocab_size, n_contexts))
    for distance in range(1, min(window + 1, len(ids))):
        left, right = ids[:-distance], ids[distance:]
        for u, v in ((left, right), (right, left)):
            counted = (u >= 0) & (v >= 0) & (v < n_contexts)
            places = u[counted] * n_contexts + v[counted]
            C += np.bincount(places, minlength=C.size).reshape(C.shape)
    return C


@contract
@requires(
    lambda C: (C >= 0).all(),
    "C holds a negative count. Fix: pass counts, 0 or more.",
)
@requires(
    lambda C, smoothing: powers_fit(in_unit(C).sum(axis=0), smoothing),
    "smoothing {smoothing} takes counts out of the range of numbers. Fix: a power between 0 and 1, such as 0.75.",
)
@scale_invariant
def ppmi(
    C: Float[np.ndarray, "V C"], smoothing: NonNegative = 0.75
) -> Float[np.ndarray, "V C"]:
    r"""Compare each count with chance: positive pointwise mutual information.

        I_uv = {max(0, ln C_uv/(q_v Σ_{v'} C_{uv'})) if C_uv > 0; 0 otherwise}
        q_v = ((Σ_u C_uv)^α)/(Σ_{v'} (Σ_u C_{uv'})^α)

    The power a < 1 makes rare neighbours look less rare than they are, so that they weigh less. Where nothing was
    counted, I is 0. Raises ValueError for negative counts, and for a power that takes counts out of the range of numbers.
    Book: eq-ppmi. Source: Levy, Goldberg and Dagan (2015), TACL 3.

    >>> ppmi(np.array([[3.0, 0.0], [0.0, 3.0]])).round(4)
    array([[0.6931, 0.    ],
           [0.    , 0.6931]])
    """
    neighbours = C.sum(axis=0) ** smoothing
    expected = C.sum(axis=1, keepdims=True) * neighbours / (neighbours.sum() or 1.0)
    ratio = np.divide(C, expected, out=np.zeros_like(C), where=C > 0)
    return np.log(np.maximum(ratio, 1))


@contract
@requires(
    lambda I, d: d <= min(I.shape),
    lambda I, d: (
        f"d is {d}; wanted 1..{min(I.shape)}, for a matrix of shape {I.shape}. Fix: fewer dimensions, or more words."
    ),
)
def word_vectors(I: Float[np.ndarray, "V C"], d: Size) -> Float[np.ndarray, "V d"]:
    r"""Keep the d directions in which the rows of I vary most: a truncated singular value decomposition.

        W_ir = U_ir √S_rr, r = 0, …, d - 1
        I = U S Nᵀ, (Uᵀ U)_kl = (Nᵀ N)_kl = δ_kl

    A singular vector may as well point the other way; here the entry of largest size in each column of W is positive.
    Raises ValueError unless 1 <= d <= min(V, C). Book: eq-word-vectors. Source: Levy, Goldberg and Dagan (2015), TACL 3.

    >>> word_vectors(np.array([[3.0, 0.0], [4.0, 0.0]]), d=1).round(3)
    array([[1.342],
           [1.789]])
    """
    U, S, _ = np.linalg.svd(I, full_matrices=False)
    W = U[:, :d] * np.sqrt(S[:d])
    largest = W[np.abs(W).argmax(axis=0), np.arange(d)]
    return W * np.copysign(1, largest)


@contract
def vectors_of_text(
    text: Text,
    d: Size,
    at_least: Size = 5,
    n_contexts: Size = 500,
    window: Size = 1,
    always: Sequence[str] = (),
) -> tuple[list[str], Float[np.ndarray, "V d"]]:
    """The words of a text, in lower case, with their vectors: from text to counts, to PPMI, to few dimensions.

    Words of Latin letters and common marks that occur at least so often have a vector, and those of `always`.

    >>> words_known, W = vectors_of_text("The sea. The ship. The sea.", d=2, at_least=2)
    >>> words_known, W.shape
    (['.', 'the', 'sea'], (3, 2))
    """
    tokens = words(text.lower())
    known = frequent_words([t for t in tokens if _PLAIN.fullmatch(t)], at_least)
    known += [word for word in dict.fromkeys(always) if word not in known]
    numbers = {word: number for number, word in enumerate(known)}
    ids = np.array([numbers.get(token, -1) for token in tokens])
    C = count_neighbours(ids, len(known), min(n_contexts, len(known)), window)
    return known, word_vectors(ppmi(C), d)


@contract
def trigrams(word: Text) -> set[str]:
    """The runs of three characters of a word between its boundary marks.

    >>> sorted(trigrams("cat"))
    ['<ca', 'at>', 'cat']
    """
    marked = f"<{word}>"
    return {marked[i : i + 3] for i in range(len(marked) - 2)}


@contract
@requires(
    lambda words, W: len(words) == len(W),
    lambda words, W: (
        f"there are {len(words)} words for the {len(W)} rows of W. Fix: one row for each word."
    ),
)
@scale_invariant
def letters_vector(
    word: Text, words: Sequence[str], W: Float[np.ndarray, "V d"]
) -> Float[np.ndarray, " d"]:
    r"""A vector for a word that has none, from the known words that share letters with it.

        ℓ(w) = z/(‖ z ‖)
        z = Σ_u | G(w) ∩ G(u) | W_u

    FastText's idea, with what is at hand. A word that shares no trigram gets zeros. Book: eq-letters.
    Source: Bojanowski et al. (2017), TACL 5.

    >>> letters_vector("seas", ["sea", "ship"], np.array([[0.0, 2.0], [1.0, 0.0]]))
    array([0., 1.])
    """
    own = trigrams(word)
    shared = [len(own & trigrams(known)) for known in words]
    z = np.array(shared, dtype=W.dtype) @ W
    length = np.linalg.norm(z)
    return z / length if length > 0 else np.zeros_like(z)


@contract
@distinct_words
@requires(
    lambda words, W: len(words) == len(W),
    lambda words, W: (
        f"there are {len(words)} words for the {len(W)} rows of W. Fix: one row for each word."
    ),
)
@requires(
    lambda word, words: word in words,
    lambda word, words: (
        f"{word!r} has no vector. Fix: ask for one of the {len(words)} words of the vocabulary."
    ),
)
def nearest_words(
    word: Text, words: Sequence[str], W: Float[np.ndarray, "V d"], k: Size = 4
) -> list[tuple[str, float]]:
    """The k words whose vectors make the smallest angle with the word's own, each with the cosine of that angle.

    Raises ValueError for a word without a vector, and for one that stands twice.

    >>> nearest_words("sea", ["sea", "ship", "cat"], np.array([[2.0, 0.0], [3.0, 4.0], [0.0, 2.0]]), k=1)
    [('ship', 0.6)]
    """
    W = W / power_of_two(W)
    lengths = np.maximum(np.linalg.norm(W, axis=1), np.finfo(float).tiny)
    own = words.index(word)
    cosines = W @ W[own] / (lengths * lengths[own])
    order = [i for i in np.argsort(-cosines, kind="stable") if i != own]
    return [(words[i], float(cosines[i])) for i in order[:k]]
