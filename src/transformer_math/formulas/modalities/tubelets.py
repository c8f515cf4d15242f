"""How the formulas of tubelets are read: an index for each of time, row, column, frame, pixel and channel."""

from transformer_math.formulas.modalities.patches import first
from transformer_math.formulas.reading import reading
from transformer_math.modalities.tubelets import tubelets


def in_seven(T, L, p, F, H, W):
    """Time, row and column of the tubelet; frame, row and column in it; channel."""
    return first(T, 2).reshape(F // L, H // p, W // p, L, p, p, -1)


def sizes_of(L, p, F, H, W, C):
    """The sizes of tubelets, and how many there are."""
    counted = {"m": F // L, "h": H // p, "w": W // p}
    return {"tau": L, "p": p, "C": C} | counted


@reading("eq-tubelets")
def tubelets_by_place(a, outputs, arguments):
    """A tubelet is named by its time, its row and its column."""
    L, p, X = arguments["length"], arguments["patch_size"], first(arguments["X"], 4)
    F, H, W, C = X.shape
    yield {"X": X, **sizes_of(L, p, F, H, W, C)}, {"T": in_seven(outputs[0], L, p, F, H, W)}  # fmt: skip


@reading("eq-untubelets")
def films_by_pixel(a, outputs, arguments):
    """The same names, the other way."""
    L, p = arguments["length"], arguments["patch_size"]
    F, H, W = (arguments[name] for name in ("frames", "height", "width"))
    T = in_seven(arguments["T"], L, p, F, H, W)
    sizes = sizes_of(L, p, F, H, W, T.shape[-1]) | {"F": F, "H": H, "W": W}
    if T.size < 300:  # the printed sum visits every tubelet for every pixel
        yield {"T": T, **sizes}, {"X": first(outputs[0], 4)}


def by_time(Z, P_time):
    """The class token's row, and the others with an axis for time and one for place."""
    return Z[0], Z[1:].reshape(len(P_time), -1, Z.shape[-1])


def known_of(arguments):
    """The first film of a batch in tubelets, and what it is told."""
    L, p, U = (arguments[name] for name in ("length", "patch_size", "P_time"))
    T = tubelets(first(arguments["X"], 4), L, p)
    named = {"E": arguments["E"], "x^class": arguments["x_class"]}
    n = len(arguments["P_space"]) - 1
    sizes = {"m": len(U), "N": n}
    return named | sizes | {
        "T": T.reshape(len(U), n, -1), "S": arguments["P_space"], "U": U,
    }  # fmt: skip


@reading("eq-video-input")
def one_film(a, outputs, arguments):
    """The formula speaks of one film, of its tubelets in place of its pixels, and names them by time and place."""
    of_class, Z = by_time(first(outputs[0], 2), arguments["P_time"])
    yield known_of(arguments), {"z^class": of_class, "Z": Z}
