"""How the formulas of patches are read: the printed T has an index for each of row, column, pixel and channel."""

from transformer_math.formulas.reading import reading
from transformer_math.modalities.patches import patchify
from transformer_math.position.sinusoidal import sinusoidal


def first(pictures, axes=3):
    """The first of some pictures."""
    return pictures.reshape(-1, *pictures.shape[-axes:])[0]


def in_five(T, p, H, W):
    """Row and column of the patch, row and column in it, channel."""
    return first(T, 2).reshape(H // p, W // p, p, p, -1)


@reading("eq-patchify")
def patches_by_place(a, outputs, arguments):
    """A patch is named by its row and its column."""
    p, X = arguments["patch_size"], first(arguments["X"])
    H, W, C = X.shape
    sizes = {"p": p, "h": H // p, "w": W // p, "C": C}
    yield {"X": X, **sizes}, {"T": in_five(outputs[0], p, H, W)}


@reading("eq-unpatchify")
def pictures_by_pixel(a, outputs, arguments):
    """The same names, the other way."""
    p, H, W = (arguments[name] for name in ("patch_size", "height", "width"))
    T = in_five(arguments["T"], p, H, W)
    sizes = {"p": p, "h": H // p, "w": W // p, "H": H, "W": W, "C": T.shape[-1]}
    yield {"T": T, **sizes}, {"X": first(outputs[0])}


@reading("eq-vit-input")
def one_picture(a, outputs, arguments):
    """The formula speaks of one picture, and of its patches in place of its pixels."""
    T = patchify(first(arguments["X"]), arguments["patch_size"])
    known = {"T": T, "E": arguments["E"], "x^class": arguments["x_class"][None]}
    if len(arguments["x_class"]) > 1:  # a matrix of one column is read as a vector
        yield known | {"P": arguments["P"]}, {"Z": first(outputs[0], 2)}


@reading("eq-grid-positions")
def places_in_the_plane(a, outputs, arguments):
    """S holds the positions on a line, in half of the width."""
    rows, columns, d = (arguments[name] for name in ("rows", "columns", "d_model"))
    S = sinusoidal(max(rows, columns), d // 2)
    G = outputs[0].reshape(rows, columns, d)
    yield {"S": S, "h": rows, "w": columns, "d_model": d}, {"G": G}
