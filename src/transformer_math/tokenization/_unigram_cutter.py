"""Unigram made fast for many texts: what `viterbi` looks up is made once."""

from collections.abc import Callable, Collection

import numpy as np  # noqa: F401

from transformer_math.tokenization.unigram import Unigram, _best_ways, _scores_of


def unigram_cutter(
    unigram: Unigram,
) -> Callable[[Collection[str]], dict[str, list[str]]]:
    """A function that cuts words as `viterbi` does.

    >>> unigram_cutter(Unigram(("a", "b", "ab"), np.log([0.5, 0.25, 0.25])))(["aab"])
    {'aab': ['a', 'ab']}
    """
    table, unknown = _scores_of(unigram)
    return lambda words: _best_ways(words, table, unknown)
