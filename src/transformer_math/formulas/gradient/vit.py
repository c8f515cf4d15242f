"""How the formula of a vision transformer's gradients is read."""

from transformer_math.formulas.cases import pulled_back
from transformer_math.formulas.modalities.patches import first
from transformer_math.formulas.reading import reading
from transformer_math.formulas.symbols import layers_as_symbols
from transformer_math.gradient.vit import vit_logits_vjp
from transformer_math.modalities.patches import patchify


@reading("eq-vit-logits-vjp")
def one_picture(a, outputs, arguments):
    """The formula speaks of one picture, and of its patches in place of its pixels."""
    X, p = first(arguments["X"]), arguments["parameters"]
    if min(p.W_out.shape) == 1:  # a matrix of one row or column is read as a vector
        return
    _, dlogits, (dp,) = pulled_back(vit_logits_vjp, {**arguments, "X": X})
    T = patchify(X, arguments["patch_size"])
    layers = layers_as_symbols(p.layers, arguments["n_heads"], "PreNormEncoderLayer")
    given = {"T": T, "x^class": p.x_class[None], "dlogits": dlogits, "n": len(T)}
    wanted = {"dP": dp.P, "dx^class": dp.x_class, "dE": dp.E}
    yield {**a, **layers, **given}, wanted | {"dW^out": dp.W_out, "db^out": dp.b_out}
