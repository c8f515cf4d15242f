"""How the formulas of a VQ-VAE are read: its parameters by their letters, and the choices a are those of the nearest codes."""

from transformer_math.formulas.reading import reading
from transformer_math.modalities.codebook import (
    codebook_loss,
    commitment_loss,
    nearest_codes,
)
from transformer_math.modalities.vq_vae import decode, encode


def letters(p):
    """A model's arrays and sizes by their printed names."""
    k, d = p.C.shape
    arrays = {"W^e": p.W_e, "b^e": p.b_e, "C": p.C, "W^d": p.W_d, "b^d": p.b_d}
    return arrays | {"k": k, "d": d, "m": len(p.b_e) // d}


@reading("eq-vq-encode")
def vectors_of_frames(a, outputs, arguments):
    """Frames and the encoder."""
    X = arguments["X"]
    if X.shape[1] > 1:  # a matrix of one column is read as a vector
        known = letters(arguments["parameters"]) | {"X": X, "n": len(X)}
        yield known, {"Z": outputs[0]}


@reading("eq-vq-decode")
def frames_of_codes(a, outputs, arguments):
    """Codes and the decoder."""
    ids, p = arguments["ids"], arguments["parameters"]
    if len(p.W_d) > 1 and len(p.b_d) > 1:
        yield letters(p) | {"a": ids, "n": len(ids)}, {"F": outputs[0]}


@reading("eq-vq-vae-loss")
def three_parts(a, outputs, arguments):
    """What the encoder, the codes and the decoder make of the frames is known."""
    X, p = arguments["X"], arguments["parameters"]
    Z = encode(X, p)
    known = {
        "X": X,
        "F": decode(nearest_codes(Z, p.C), p),
        "n": len(X),
        "beta": arguments["beta"],
        "mathcal:L^code": codebook_loss(Z, p.C),
        "mathcal:L^commit": commitment_loss(Z, p.C),
    }
    yield known, {"mathcal:L": outputs[0]}
