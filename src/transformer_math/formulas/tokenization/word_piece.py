"""How the formula of the longest piece is read."""

import numpy as np

from transformer_math.formulas.reading import calls_reading
from transformer_math.tokenization.word_piece import WordPiece


@calls_reading("eq-longest-piece")
def every_place_of_a_word(calls):
    """M says which parts of a word are pieces; encoding begins at 0 and goes on where the piece before it ended."""
    for call in calls:
        if len(call.arguments) == 3:
            word, start, word_piece = call.arguments
            yield {"M": _fits(word, word_piece), "i": start}, {"result": call.output}


def _fits(word: str, word_piece: WordPiece) -> np.ndarray:
    """1 where the characters i, ..., j - 1 of a word are a piece, 0 elsewhere."""
    places, known = range(len(word) + 1), word_piece.vocabulary
    mark = word_piece.prefix
    rows = [
        [j > i and mark * (i > 0) + word[i:j] in known for j in places]
        for i in places[:-1]
    ]
    return np.array(rows, dtype=float)
