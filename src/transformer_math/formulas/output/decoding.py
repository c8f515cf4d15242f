"""How the formulas of decoding are read."""

import numpy as np

from transformer_math.attention.softmax import softmax
from transformer_math.formulas.reading import reading


@reading("eq-greedy")
def every_step(a, outputs, arguments):
    """One case for each token that was added."""
    ids = outputs[0]
    for n in range(len(arguments["start"]), len(ids)):
        given = {"logits": arguments["next_logits"](ids[:n])}
        yield given, {"t_next": float(ids[n])}


@reading("eq-sequence-score")
def every_sequence(a, outputs, arguments):
    """One case for each sequence that was found: the distributions along its way, its tokens, its score."""
    first = len(arguments["start"])
    for ids, score in outputs[0]:
        rows = [arguments["next_logits"](ids[:n]) for n in range(first, len(ids))]
        given = {"p": softmax(np.array(rows)), "t": ids[first:], "n": len(rows)}
        yield given | {"alpha": arguments["power"]}, {"s": score}
