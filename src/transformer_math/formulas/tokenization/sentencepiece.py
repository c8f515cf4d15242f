"""How the formulas of SentencePiece are read."""

from collections.abc import Callable

import numpy as np

from transformer_math.formulas.reading import calls_reading
from transformer_math.formulas.texts import (
    must_agree,
    steps,
    table,
    text,
    there_and_back,
)
from transformer_math.tokenization.sentencepiece import decode_sentence
from transformer_math.tokenization.sentencepiece_model import BYTE


@calls_reading("eq-merge-pieces")
def merges_by_score(calls):
    """One case for each step; the steps must end in the pieces that the function gives."""
    for call in calls:
        chunk, scores = call.arguments
        parts = list(chunk)
        for i, values in steps(parts, _scored(scores), max):
            score = table([[text(a + b), value] for a, b, value in values])
            given = {"x": [text(part) for part in parts], "n": len(parts)}
            yield given | {"score": score}, {"i": i}
            parts[i : i + 2] = [parts[i] + parts[i + 1]]
        must_agree(parts, list(call.output))


def _scored(scores: dict) -> Callable:
    return lambda a, b: scores.get(a + b, -np.inf)


@calls_reading("eq-sentencepiece-lossless")
def there_and_back_in_pieces(calls):
    """The ids that a text became, and the text that they become."""
    for call in calls:
        own, model = call.arguments
        if isinstance(own, str) and BYTE in model.kinds and not model.squeeze:
            back = decode_sentence(call.output, model)
            yield there_and_back(own, call.output, back), {}
