"""How the formula of the running softmax is read."""

from itertools import islice

import numpy as np

from transformer_math.formulas.reading import calls_reading


@calls_reading("eq-online-softmax")
def one_query_at_a_time(calls):
    """The formula speaks of one query, which has seen a key or sees one now."""
    for call in calls:
        m, l, o, S, V = call.arguments
        for *place, i in islice(np.ndindex(m.shape), 4):
            row = (*place, i)
            wanted = [output[row] for output in call.output]
            if wanted[0] > -np.inf:
                own = {"m": m[row], "ell": l[row], "o": o[row]}
                given = own | {"s": S[row], "V": V[tuple(place)]}
                yield given, dict(zip(("m'", "ell'", "o'"), wanted))
