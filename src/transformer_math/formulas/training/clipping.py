"""How the formulas of clipping are read: all gradients after one another are the vector g."""

import numpy as np

from transformer_math.formulas.cases import arguments_of
from transformer_math.formulas.reading import calls_reading
from transformer_math.training.clipping import clip_by_norm, global_norm
from transformer_math.trees import leaves


@calls_reading("eq-global-norm")
def length_of_one_vector(calls):
    """All gradients after one another are the vector g."""
    for call in calls:
        yield (
            {"g": _flat(arguments_of(global_norm, call)["gradients"])},
            {"result": call.output},
        )


@calls_reading("eq-clipping")
def clipped_vector(calls):
    """All gradients after one another are the vector g."""
    for call in calls:
        a = arguments_of(clip_by_norm, call)
        yield {"g": _flat(a["gradients"]), "c": a["largest"]}, {"g": _flat(call.output)}


def _flat(tree):
    return np.concatenate([x.ravel() for x in leaves(tree).values()])
