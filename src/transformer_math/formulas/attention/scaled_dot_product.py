"""How the formulas of attention are read."""

from itertools import islice

import numpy as np

from transformer_math.formulas.reading import calls_reading, reading


@reading("eq-score-variance")
def deviation(a, outputs, arguments):
    """σ is the root of the variance."""
    yield {"d_k": a["d_k"], "sigma": a["variance"] ** 0.5}, {"result": outputs[0]}


@calls_reading("eq-past-alone")
def every_causal_output(calls):
    """The formula speaks of the attention under a causal mask, and has none."""
    for call in calls:
        Q, K, V, _ = call.arguments
        *lead, n, d_k = Q.shape
        for place in islice(np.ndindex(*lead), 4):
            q, k, v = (x[place] for x in (Q, K, V))
            given = {"Q": q, "K": k, "V": v, "n": n, "d_k": d_k}
            yield given, {"O[]": call.output[0][place]}
