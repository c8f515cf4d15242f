"""Small vectors for common words, made on the spot from real English, so that an explorable has something to compare."""

import re
from collections import Counter
from functools import cache

import numpy as np

from transformer_math.errors import require
from transformer_math.tokenization.corpus import english_prose
from transformer_math.tokenization.units import words

N_WORDS, WINDOW, DIMENSIONS = 400, 2, 8
_TINY = 1e-12  # a word that never has a neighbour keeps a vector of zeros
_PLAIN = re.compile(r"[a-z]+|[.,:;!?()]")

Vectors = dict[
    str, list[int]
]  # thousandths: short to send, and the same numbers in Python and JavaScript


@cache
def word_vectors() -> Vectors:
    """The vectors of the most frequent words: what stands around a word says what it is like.

    Count the words within two places of each other (at two places half), take the positive pointwise mutual
    information, and keep the directions of its eight largest singular values; every vector has length 1.
    Source: Levy and Goldberg (2014). The corpus is `english_prose`: so are the similarities.
    """
    sentences = [words(line.lower()) for line in english_prose().split("\n")]
    counts = Counter(
        word for sentence in sentences for word in sentence if _PLAIN.fullmatch(word)
    )
    vocabulary = [word for word, _ in counts.most_common(N_WORDS)]
    left = np.linalg.svd(_ppmi(_cooccurrence(sentences, vocabulary)))[0][:, :DIMENSIONS]
    unit = left / np.maximum(np.linalg.norm(left, axis=1, keepdims=True), _TINY)
    return dict(zip(vocabulary, np.rint(1000 * unit).astype(int).tolist()))


def _cooccurrence(sentences: list[list[str]], vocabulary: list[str]) -> np.ndarray:
    ids = {word: i for i, word in enumerate(vocabulary)}
    counts = np.zeros((len(ids), len(ids)))
    for sentence in sentences:
        known = np.array([ids.get(word, -1) for word in sentence])
        for distance in range(1, WINDOW + 1):
            pairs = np.stack([known[:-distance], known[distance:]])
            np.add.at(counts, tuple(pairs[:, (pairs >= 0).all(axis=0)]), 1 / distance)
    return counts + counts.T


def _ppmi(counts: np.ndarray) -> np.ndarray:
    share = counts / counts.sum()
    smoothed = (
        counts.sum(axis=0) ** 0.75
    )  # the noise distribution of word2vec: rare contexts count for less
    expected = np.maximum(np.outer(share.sum(axis=1), smoothed / smoothed.sum()), _TINY)
    return np.log(np.maximum(share / expected, 1))


def word_vector(word: str, vectors: Vectors) -> list[float]:
    """The vector of a word: its own if it has one, else the one that its letters give."""
    require(
        word != "",
        "the word is empty; wanted at least one character. Fix: pass a token of `words(text)`.",
    )
    own = vectors.get(word.lower())
    return (
        letters_vector(word.lower(), vectors)
        if own is None
        else [x / 1000 for x in own]
    )


def letters_vector(word: str, vectors: Vectors) -> list[float]:
    """The unit vector along the sum of the known words' vectors, each times the trigrams shared with it.

    FastText's idea for words that it never saw, with what is at hand. A word that shares no trigram gets zeros.
    """
    own = trigrams(word)
    shared = np.array([len(own & trigrams(known)) for known in vectors])
    total = shared.astype(float) @ np.array(list(vectors.values()))
    length = float(np.sqrt(total @ total))
    return (total / length if length else total).tolist()


def trigrams(word: str) -> set[str]:
    """The runs of three characters of a word between its boundary marks.

    >>> sorted(trigrams("cat"))
    ['<ca', 'at>', 'cat']
    """
    marked = f"<{word}>"
    return {marked[i : i + 3] for i in range(len(marked) - 2)}
