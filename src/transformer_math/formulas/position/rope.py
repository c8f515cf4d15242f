"""How the formulas of rotary positions are read."""

from transformer_math.formulas.cases import arguments_of
from transformer_math.formulas.reading import calls_reading
from transformer_math.position.rope import rope


@calls_reading("eq-rope-relative")
def query_and_key(calls):
    """Two calls belong together: the query at position i, the key at position j."""
    for pair in zip(calls[::2], calls[1::2]):
        of_query, of_key = (arguments_of(rope, call) for call in pair)
        q, k = of_query["x"], of_key["x"]
        i, j = of_query["positions"][0], of_key["positions"][0]
        given = {"q": q[0], "k": k[0], "i": i, "j": j, "b": of_query["base"]}
        turned = float(pair[0].output[0] @ pair[1].output[0])
        yield given | {"d_k": q.shape[1]}, {"result": turned}
