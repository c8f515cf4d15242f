"""How the formulas of word vectors are read."""

from itertools import islice
from typing import Any

import numpy as np

from transformer_math.embedding.word_vectors import letters_vector, trigrams
from transformer_math.formulas.reading import calls_reading
from transformer_math.formulas.texts import table, text


@calls_reading("eq-word-vectors")
def decomposition(calls):
    """U, S and N are NumPy's, each direction turned as the page says; k and l are any two of them."""
    for call in calls:
        I, d = call.arguments
        U, sizes, N = np.linalg.svd(I, full_matrices=False)
        turns = np.sign(U[np.abs(U).argmax(axis=0), np.arange(len(sizes))])
        factors = {"U": U * turns, "S": np.diag(sizes), "N": N.T * turns}
        for k, l in islice(np.ndindex(len(sizes), len(sizes)), 4):
            yield factors | {"I": I, "d": d, "k": k, "l": l}, {"W[]": call.output}


@calls_reading("eq-letters")
def sets_of_runs(calls):
    """The runs of the word, or of one like a known one, and of each known word by its row; some run must be common."""
    for call in calls:
        word, known, W = call.arguments
        for own in (word, known[0], known[-1] + word):
            vector = letters_vector(own, known, W)
            rows = [[text(own), _runs(own)]]
            rows += [[u, _runs(other)] for u, other in enumerate(known)]
            if np.any(vector):
                yield {"w": text(own), "W": W, "G": table(rows)}, {"result": vector}


def _runs(word: str) -> dict[str, Any]:
    return {"members": [text(run) for run in sorted(trigrams(word))]}
