"""How the formulas of segmentations are read."""

from collections.abc import Iterator

import numpy as np

from transformer_math.formulas.cases import Case
from transformer_math.formulas.reading import calls_reading, reading
from transformer_math.formulas.texts import table, text
from transformer_math.tokenization.unigram import Unigram, viterbi


@reading("eq-unigram")
def pieces_by_id(a, outputs, arguments):
    """s are the ids of the pieces, p the probabilities of all."""
    pieces, scores = arguments["unigram"]
    ids = [pieces.index(piece) for piece in arguments["segmentation"]]
    if ids:
        yield {"s": np.array(ids), "p": np.exp(scores)}, {"result": outputs[0]}


@calls_reading("eq-unigram-segmentation")
def segmentations_to_choose_from(calls):
    """All segmentations of parts of a word, as ids; those with unknown characters or two best ways are left out."""
    for call in calls:
        word, unigram = call.arguments
        for start in range(len(word)):
            yield from _best_of_all(word[start : start + 6], unigram)


def _best_of_all(word: str, unigram: Unigram) -> Iterator[Case]:
    pieces, scores = unigram
    ids = {piece: number for number, piece in enumerate(pieces)}
    ways = _ways(word, ids)
    worth = sorted(scores[way].sum() for way in ways)
    if len(ways) > 1 and worth[-1] - worth[-2] > 1e-6:
        listed = table([[text(word), {"members": ways}]])
        given = {"p": np.exp(scores), "w": text(word), "mathcal:S": listed}
        yield given, {"s^*": [ids[piece] for piece in viterbi(word, unigram)]}


def _ways(word: str, ids: dict[str, int]) -> list[list[int]]:
    """Every segmentation of a word into pieces, as ids."""
    if not word:
        return [[]]
    firsts = (word[:end] for end in range(1, len(word) + 1))
    return [
        [ids[first], *rest]
        for first in firsts
        if first in ids
        for rest in _ways(word[len(first) :], ids)
    ]
