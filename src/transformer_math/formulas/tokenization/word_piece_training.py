"""How the formula of WordPiece's training is read."""

from itertools import islice
from typing import Any

import numpy as np

from transformer_math.formulas.cases import arguments_of
from transformer_math.formulas.reading import calls_reading
from transformer_math.formulas.texts import MOST_STEPS, table
from transformer_math.tokenization.pair_index import merge_pair
from transformer_math.tokenization.word_piece_training import (
    join_pieces,
    marked_characters,
    merge_counts,
    train_word_piece,
)


@calls_reading("eq-word-piece-train")
def pieces_as_they_are_made(calls):
    """One case for each of the first pieces that were made, where no other pair is worth as much."""
    for call in calls:
        a = arguments_of(train_word_piece, call)
        pieces = list(call.output.vocabulary)
        corpus = {
            tuple(marked_characters(w)): count for w, count in a["word_counts"].items()
        }
        known = len(a["specials"]) + len({piece for word in corpus for piece in word})
        for made in islice(pieces[known:], MOST_STEPS):
            pairs, counts = merge_counts(corpus)
            values = dict(zip(pairs, a["value"](counts)))
            best = max(values, key=values.get)
            if sorted(values.values())[-2:-1] < [values[best] - 1e-6]:
                yield _choice(pieces, values), _by_ids(best, pieces)
            pair = next(pair for pair in values if join_pieces(*pair) == made)
            corpus = {tuple(merge_pair(w, pair, made)): corpus[w] for w in corpus}


def _by_ids(pair: tuple[str, str], pieces: list[str]) -> dict[str, int]:
    return dict(zip("ab", map(pieces.index, pair)))


def _choice(pieces: list[str], values: dict[tuple, float]) -> dict[str, Any]:
    """The pieces that stand in the corpus, and what each two of them are worth."""
    known = sorted({pieces.index(piece) for pair in values for piece in pair})
    rows = [
        [x, y, values.get((pieces[x], pieces[y]), -np.inf)]
        for x in known
        for y in known
    ]
    return {"mathcal:V": known, "value": table(rows)}
