"""How the formula of equivariance is read."""

from itertools import islice

import numpy as np

from transformer_math.formulas.reading import calls_reading


@calls_reading("eq-equivariance")
def by_the_matrix(calls):
    """The formula permutes by a matrix, the function by numbers of rows."""
    for call in calls:
        Q, K, V, order = call.arguments
        *lead, n, d_k = Q.shape
        for place in islice(np.ndindex(*lead), 4):
            q, k, v = (x[place] for x in (Q, K, V))
            given = {"Q": q, "K": k, "V": v, "Pi": np.eye(n)[order], "n": n, "d_k": d_k}
            yield given, {"O'": call.output[place]}
