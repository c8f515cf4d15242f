"""How the formulas of word2vec are read."""

import numpy as np

from transformer_math.embedding.word2vec import window_pairs
from transformer_math.formulas.reading import calls_reading, with_arguments


@calls_reading("eq-window-pairs")
def pairs_counted(calls):
    """The pairs are those that the function gave: c and o, one of each a row; u and v are any two words."""
    for call in calls:
        ids, window = call.arguments
        c, o = window_pairs(ids, window).T
        for u, v in {*zip(c.tolist(), o.tolist())}:
            given = {"c": c, "o": o, "t": ids, "n": len(ids), "w": window}
            yield given | {"u": u, "v": v}, {}


@with_arguments("eq-cbow")
def a_full_window(arguments):
    """The formula speaks of places with as many words around them as the window holds."""
    return arguments | {"contexts": np.maximum(arguments["contexts"], 0)}
