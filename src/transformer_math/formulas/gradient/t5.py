"""How the formula of the gradients of T5's scores is read."""

import numpy as np

from transformer_math.formulas.cases import pulled_back
from transformer_math.formulas.reading import reading
from transformer_math.gradient.t5 import t5_scores_vjp


@reading("eq-t5-scores-vjp")
def every_text_of_the_batch(a, outputs, arguments):
    """The formula speaks of a batch: here, of three texts that are alike."""
    three = {name: np.stack([arguments[name]] * 3) for name in ("Q", "K")}
    batch = {**three, "bias": arguments["bias"]}
    _, dS, (dQ, dK, dB) = pulled_back(t5_scores_vjp, batch)
    yield {**three, "dS": dS}, {"dQ": dQ, "dK": dK, "dB": dB}
