"""The book's sentence as numbers, for the formulas of attention."""

from collections.abc import Callable

import numpy as np

from transformer_math.corpus import SENTENCE
from transformer_math.explorables.attention.vocabulary import content, visible_words
from transformer_math.explorables.editing.offer import View

TOKENS = visible_words(SENTENCE)
GAIN = (
    4.0  # of the head that looks for similar words, in the chapter's other explorable
)


def vectors() -> np.ndarray:
    """The tokens' vectors, learned from *Moby-Dick*, to two decimals."""
    return np.round([content(token) for token in TOKENS], 2)


def weights_view(name: str, caption: str) -> Callable[[], View]:
    """A heatmap with a row for each query, which has a word before it, and a column for each key."""
    return lambda: View("heatmap", name, caption, TOKENS[1:], TOKENS, ("query", "key"))
