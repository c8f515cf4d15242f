"""How the formula of the gradients of a vision transformer's input is read."""

from transformer_math.formulas.cases import pulled_back
from transformer_math.formulas.modalities.patches import first
from transformer_math.formulas.reading import reading
from transformer_math.gradient.patches import vit_input_vjp
from transformer_math.modalities.patches import patchify


@reading("eq-vit-input-vjp")
def one_picture(a, outputs, arguments):
    """The formula speaks of one picture, and of its patches in place of its pixels."""
    X, p = first(arguments["X"]), arguments["patch_size"]
    _, dZ, (dX, dE, dx, dP) = pulled_back(vit_input_vjp, {**arguments, "X": X})
    known = {"T": patchify(X, p), "E": arguments["E"], "dZ": dZ, "n": len(dZ) - 1}
    yield known, {"dT": patchify(dX, p), "dE": dE, "dx^class": dx, "dP": dP}
