"""How the formulas of the objective are read."""

import numpy as np

from transformer_math.formulas.cases import arguments_of
from transformer_math.formulas.reading import calls_reading, reading
from transformer_math.training.objective import cross_entropy


@calls_reading("eq-cross-entropy")
def rows_of_all_sequences(calls):
    """Positions of all sequences are rows of one matrix; without weights all count alike."""
    for call in calls:
        a = arguments_of(cross_entropy, call)
        logits = a["logits"].reshape(-1, a["logits"].shape[-1])
        weights = np.ones(len(logits)) if a["weights"] is None else a["weights"].ravel()
        given = {"logits": logits, "t": a["targets"].ravel(), "w": weights}
        sizes = {"V": logits.shape[1], "alpha": a["smoothing"]}
        yield given | sizes, {"result": call.output}


@reading("eq-shift")
def inputs_and_targets(a, outputs, arguments):
    """The tokens, and the two parts that are made of them."""
    yield {"s": a["t"], "n": len(a["t"])}, {"x[]": outputs[0], "t[]": outputs[1]}
