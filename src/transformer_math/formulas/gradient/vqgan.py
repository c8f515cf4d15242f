"""How the formulas of the gradients of drawing with codes are read."""

from transformer_math.formulas.cases import arguments_of, pulled_back
from transformer_math.formulas.modalities.patches import first
from transformer_math.formulas.modalities.vqgan import (
    drawn_scores,
    features,
    padded,
    scores,
    squares,
)
from transformer_math.formulas.reading import calls_reading, reading
from transformer_math.gradient.vqgan import (
    convolve_vjp,
    discriminator_loss_vjp,
    energies_vjp,
    generator_loss_vjp,
    perceptual_loss_vjp,
)


@reading("eq-convolve-vjp")
def one_grid(a, outputs, arguments):
    """The formula speaks of one grid; it and the gradient that arrives have a border of zeros."""
    X = first(arguments["X"])
    _, dY, (dX, dK, db) = pulled_back(convolve_vjp, {**arguments, "X": X})
    known = {"X^pad": padded(X), "K": arguments["K"], "dY": dY, "dY^pad": padded(dY)}
    sizes = {"h": X.shape[0], "w": X.shape[1]}
    yield {**known, **sizes}, {"dX": dX, "dK": dK, "db": db}


@reading("eq-energies-vjp")
def squares_of_one(a, outputs, arguments):
    """The formula speaks of one picture's squares."""
    Y, p = first(arguments["Y"]), arguments["patch_size"]
    E, dE, (dY,) = pulled_back(energies_vjp, {**arguments, "Y": Y})
    T, dT = squares(Y, p), squares(dY, p)
    h, w, *_, k = T.shape
    known = {"T": T, "E": E.reshape(h, w, k), "dE": dE.reshape(h, w, k), "p": p}
    yield {**known, "h": h, "w": w}, {"dT": dT}


def read(label, twin, symbols, name, *wrt):
    """The cases of a loss's pullback: what it is given in one list, what arrives, and the gradients in one list each."""

    @calls_reading(label)
    def cases(made):
        for call in made:
            arguments = arguments_of(twin, call)
            _, dL, gradients = pulled_back(twin, arguments)
            known = symbols(*arguments.values())
            shapes = (known[of].shape for of in wrt)
            found = zip(wrt, gradients, shapes)
            wanted = {f"d{of}": g.reshape(shape) for of, g, shape in found}
            yield {**known, f"d{name}": dL}, wanted


read(
    "eq-perceptual-loss-vjp", perceptual_loss_vjp, features, "mathcal:L^per", "E", "E'"
)
read(
    "eq-discriminator-loss-vjp",
    discriminator_loss_vjp,
    scores,
    "mathcal:L^dis",
    "S",
    "S'",
)
read("eq-generator-loss-vjp", generator_loss_vjp, drawn_scores, "mathcal:L^gan", "S'")
