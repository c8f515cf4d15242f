"""Analogies: which word is to c as b is to a? Many questions at once, with their own words in the search or not."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import OrMinusInfinity, contract, requires
from transformer_math.embedding.word_vectors import distinct_words
from transformer_math.scaling import power_of_two

_three_in_vocabulary = requires(
    lambda W, questions: (
        questions.shape[1] == 3 and questions.min() >= 0 and questions.max() < len(W)
    ),
    lambda W, questions: (
        f"questions of shape {questions.shape} hold ids from {questions.min()} to {questions.max()}; wanted three columns, "
        f"a, b and c, of ids in 0..{len(W) - 1}. Fix: number_analogies(analogies, words)[:, :3]."
    ),
)
_four_in_vocabulary = requires(
    lambda W, analogies: (
        analogies.shape[1] == 4 and analogies.min() >= 0 and analogies.max() < len(W)
    ),
    lambda W, analogies: (
        f"analogies of shape {analogies.shape} hold ids from {analogies.min()} to {analogies.max()}; wanted four columns, "
        f"a, b, c and d, of ids in 0..{len(W) - 1}. Fix: number_analogies(analogies, words)."
    ),
)


@contract
@distinct_words
@requires(
    lambda analogies: len(analogies) > 0 and all(len(a) == 4 for a in analogies),
    "an analogy is no quadruple, or there is none. Fix: (a, b, c, d) for “a is to b as c is to d”.",
)
@requires(
    lambda analogies, words: {w for four in analogies for w in four} <= set(words),
    lambda analogies, words: (
        f"{min({w for four in analogies for w in four} - set(words))!r} has no vector. "
        "Fix: ask only about words of the vocabulary."
    ),
)
def number_analogies(
    analogies: Sequence[tuple[str, str, str, str]], words: Sequence[str]
) -> Int[np.ndarray, "m 4"]:
    """Write analogies as rows of ids: the places of a, b, c and d among the words.

    Raises ValueError for words that are not there, and for one that stands twice.

    >>> number_analogies([("he", "his", "she", "her")], ["her", "his", "she", "he"])
    array([[3, 1, 2, 0]])
    """
    number = {word: i for i, word in enumerate(words)}
    return np.array([[number[word] for word in four] for four in analogies])


@contract
@_three_in_vocabulary
def analogy_cosines(
    W: Float[np.ndarray, "V d"], questions: Int[np.ndarray, "m 3"]
) -> Float[np.ndarray, "m V"]:
    r"""For each question a, b, c: how near each word's direction is to b − a + c.

    Every vector counts with length 1. A word with a vector of zeros is near nothing. Raises ValueError for ids outside 0..V - 1.
    Source: Mikolov, Yih and Zweig (2013).

    >>> W = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
    >>> analogy_cosines(W, np.array([[0, 0, 2]])).round(3)
    array([[0.   , 0.707, 1.   ]])
    """
    unit = _of_length_one(W)
    a, b, c = unit[questions.T]
    return _of_length_one(b - a + c) @ unit.T


@contract
@requires(
    lambda cosines, questions: (
        questions.min() >= 0 and questions.max() < cosines.shape[1]
    ),
    "the questions hold ids that no column of {cosines.shape} stands for. Fix: the questions that the cosines were made for.",
)
def exclude_asked(
    cosines: Float[np.ndarray, "m V"], questions: Int[np.ndarray, "m r"]
) -> Annotated[Float[np.ndarray, "m V"], OrMinusInfinity]:
    """Take the words of each question out of its search: minus infinity in place of their cosines.

    >>> exclude_asked(np.array([[0.9, 0.8, 0.7]]), np.array([[0, 2]]))
    array([[-inf,  0.8, -inf]])
    """
    kept = cosines.copy()
    np.put_along_axis(kept, questions, -np.inf, axis=1)
    return kept


@contract
@_four_in_vocabulary
def analogy_accuracy(
    W: Float[np.ndarray, "V d"], analogies: Int[np.ndarray, "m 4"]
) -> float:
    """The share of analogies a, b, c, d for which d is nearest to b − a + c, of all words but a, b and c.

    >>> analogy_accuracy(np.array([[3.0, 1], [1, 3], [3, 2], [2, 3]]), np.array([[0, 1, 2, 3]]))
    1.0
    """
    questions, wanted = analogies[:, :3], analogies[:, 3]
    cosines = exclude_asked(analogy_cosines(W, questions), questions)
    return float(np.mean(cosines.argmax(axis=1) == wanted))


@contract
@_four_in_vocabulary
def analogy_accuracy_unrestricted(
    W: Float[np.ndarray, "V d"], analogies: Int[np.ndarray, "m 4"]
) -> float:
    """The share of analogies a, b, c, d for which d is nearest to b − a + c, of all words, a, b and c among them.

    >>> analogy_accuracy_unrestricted(np.array([[3.0, 1], [1, 3], [3, 2], [2, 3]]), np.array([[0, 1, 2, 3]]))
    0.0
    """
    cosines = analogy_cosines(W, analogies[:, :3])
    return float(np.mean(cosines.argmax(axis=1) == analogies[:, 3]))


def _of_length_one(X: np.ndarray) -> np.ndarray:
    X = X / power_of_two(X)
    return X / np.maximum(
        np.linalg.norm(X, axis=-1, keepdims=True), np.finfo(X.dtype).tiny
    )
