"""How the formula of the cache is read."""

from itertools import islice

import numpy as np

from transformer_math.formulas.reading import calls_reading


@calls_reading("eq-kv-cache")
def token_behind_a_cache(calls):
    """K and V are those of the tokens before, which the first one lacks; q, k and v are rows, of at least two columns."""
    for call in calls:
        if len(call.arguments) < 4 or 1 in [x.shape[-1] for x in call.arguments[:3]]:
            continue
        q, k, v, cache = call.arguments
        output, longer = call.output
        for place in islice(np.ndindex(q.shape[:-1]), 2):
            rows = {"q": q[place][None], "k": k[place][None], "v": v[place][None]}
            given = rows | {"d_k": q.shape[-1]}
            given |= {"K": cache.K[place], "V": cache.V[place]}
            wanted = {
                "o": output[place][None],
                "K'": longer.K[place],
                "V'": longer.V[place],
            }
            yield given, wanted
