"""How the formulas of the vision transformer are read: one picture, as patches; layers are counted from 1."""

import numpy as np

from transformer_math.formulas.modalities.patches import first
from transformer_math.formulas.reading import reading
from transformer_math.formulas.symbols import layers_as_symbols
from transformer_math.modalities.patches import patchify


@reading("eq-vit-logits")
def one_picture(a, outputs, arguments):
    """The formula speaks of one picture, and of its patches in place of its pixels."""
    p = arguments["parameters"]
    T = patchify(first(arguments["X"]), arguments["patch_size"])
    if p.W_out.shape[0] > 1 and p.W_out.shape[1] > 1:  # a column is read as a vector
        layers = layers_as_symbols(
            p.layers, arguments["n_heads"], "PreNormEncoderLayer"
        )
        known = {**a, **layers, "T": T, "x^class": p.x_class[None]}
        yield known, {"logits": outputs[0]}


@reading("eq-rollout")
def layers_from_one(a, outputs, arguments):
    """A matrix for each layer and head; nothing stands at layer 0."""
    A = arguments["A"]
    n_layers, n_heads, n, _ = A.shape
    counted = np.concatenate([np.zeros((1, n_heads, n, n)), A])
    given = {"A": counted, "N": n_layers, "H": n_heads, "I": np.eye(n)}
    yield given, {"result": outputs[0]}
