"""How the formulas of drawing with codes are read: one picture of a batch, with zeros around it, and squares by row and column."""

import numpy as np

from transformer_math.formulas.cases import arguments_of
from transformer_math.formulas.modalities.patches import first
from transformer_math.formulas.reading import calls_reading, reading
from transformer_math.modalities.patches import patchify
from transformer_math.modalities.vqgan import (
    adaptive_weight,
    discriminator_loss,
    generator_loss,
    perceptual_loss,
)


def padded(X):
    """A grid with a border of zeros."""
    return np.pad(X, [(1, 1), (1, 1), (0, 0)])


def squares(Y, p):
    """Answers by row and column of their square, by row and column in it, and by filter."""
    H, W, k = Y.shape
    return patchify(Y, p).reshape(H // p, W // p, p, p, k)


def features(E, E_hat):
    """The squares of all pictures in one list."""
    E, E_hat = (x.reshape(-1, x.shape[-1]) for x in (E, E_hat))
    return {"E": E, "E'": E_hat, "n": len(E), "k": E.shape[1]}


def scores(S, S_hat):
    """The scores of all patches in one list."""
    S, S_hat = S.ravel(), S_hat.ravel()
    return {"S": S, "S'": S_hat, "n": len(S), "m": len(S_hat)}


def drawn_scores(S_hat):
    """The same of drawn patches alone."""
    return {"S'": S_hat.ravel(), "m": S_hat.size}


@reading("eq-convolve")
def one_grid(a, outputs, arguments):
    """The formula speaks of one grid, with a border of zeros."""
    X, Y = first(arguments["X"]), first(outputs[0])
    sizes = {"h": X.shape[0], "w": X.shape[1]}
    known = {"X^pad": padded(X), "K": arguments["K"], "b": arguments["b"]}
    yield {**known, **sizes}, {"Y": Y}


@reading("eq-energies")
def squares_of_one(a, outputs, arguments):
    """The formula speaks of one picture's squares."""
    p = arguments["patch_size"]
    T = squares(first(arguments["Y"]), p)
    h, w, *_, k = T.shape
    known = {"T": T, "p": p, "h": h, "w": w, "varepsilon": arguments["eps"]}
    yield known, {"E": first(outputs[0], 2).reshape(h, w, k)}


def read(label, function, symbols, name):
    """The cases of a loss: what it is given in one list, and its value."""

    @calls_reading(label)
    def cases(made):
        for call in made:
            yield symbols(*arguments_of(function, call).values()), {name: call.output}


read("eq-perceptual-loss", perceptual_loss, features, "mathcal:L^per")
read("eq-discriminator-loss", discriminator_loss, scores, "mathcal:L^dis")
read("eq-generator-loss", generator_loss, drawn_scores, "mathcal:L^gan")


@calls_reading("eq-adaptive-weight")
def two_matrices(made):
    """The gradients of a matrix, whole."""
    for call in made:
        g_rec, g_gan, delta = arguments_of(adaptive_weight, call).values()
        known = {"G^rec": g_rec, "G^gan": g_gan, "delta": delta}
        yield known, {"lambda": call.output}
