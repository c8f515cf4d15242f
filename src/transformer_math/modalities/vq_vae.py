"""The smallest VQ-VAE: a matrix makes vectors of a frame, the nearest codes take their places, a matrix makes the frame again."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import NonNegative, contract, requires
from transformer_math.modalities.codebook import (
    codebook_loss,
    commitment_loss,
    nearest_codes,
)

Frames = Float[np.ndarray, "n d_frame"]


@contract
@dataclass(frozen=True)
class VqVae:
    """Encoder W_e and b_e, codebook C, decoder W_d and b_d; d_code is several times d, once for each code of a frame."""

    W_e: Float[np.ndarray, "d_frame d_code"]
    b_e: Float[np.ndarray, " d_code"]
    C: Float[np.ndarray, "k d"]
    W_d: Float[np.ndarray, "d_code d_frame"]
    b_d: Float[np.ndarray, " d_frame"]


def _divides(parameters: VqVae) -> bool:
    return len(parameters.b_e) % parameters.C.shape[1] == 0


_whole_codes = requires(
    lambda parameters: _divides(parameters),
    lambda parameters: (
        f"the encoder gives {len(parameters.b_e)} numbers, which codes of {parameters.C.shape[1]} do not divide. "
        "Fix: as many columns in W_e as codes of a frame, times the width of a code."
    ),
)


@contract
@_whole_codes
def encode(X: Frames, parameters: VqVae) -> Float[np.ndarray, "n m d"]:
    r"""The vectors of each frame that are to become codes.

        Y = X W^e + b^e
        Z_iul = Y_{i, ud + l}
        u = 0, …, m - 1
        l = 0, …, d - 1

    Book: eq-vq-encode. Source: van den Oord et al. (2017), section 3.1, arXiv:1711.00937.
    """
    p = parameters
    return (X @ p.W_e + p.b_e).reshape(len(X), -1, p.C.shape[1])


@contract
@_whole_codes
@requires(
    lambda ids, parameters: ids.min() >= 0 and ids.max() < len(parameters.C),
    lambda ids, parameters: (
        f"ids go from {ids.min()} to {ids.max()}; the codebook has the codes 0 to {len(parameters.C) - 1}. Fix: its own ids."
    ),
)
@requires(
    lambda ids, parameters: ids.shape[1] * parameters.C.shape[1] == len(parameters.W_d),
    "a frame has {ids.shape[1]} codes, and the decoder reads another number of them. Fix: the ids that this model gave.",
)
def decode(ids: Int[np.ndarray, "n m"], parameters: VqVae) -> Frames:
    r"""Frames from their codes.

        F_iv = b^d_v + Σ_{u=0}^(m-1) Σ_{l=0}^(d-1) C_{a_iu, l} W^d_{ud + l, v}

    Book: eq-vq-decode. Source: van den Oord et al. (2017), section 3.1, arXiv:1711.00937.
    """
    p = parameters
    return p.C[ids].reshape(len(ids), -1) @ p.W_d + p.b_d


@contract
@_whole_codes
def vq_vae_loss(X: Frames, parameters: VqVae, beta: NonNegative = 0.25) -> float:
    r"""The three parts of what is learned: frames made again, codes near their vectors, vectors near their codes.

        L = 1/n Σ_i ‖ X_i - F_i ‖² + L^code + β L^commit

    Book: eq-vq-vae-loss. Source: van den Oord et al. (2017), equation 3, arXiv:1711.00937.
    """
    Z, C = encode(X, parameters), parameters.C
    apart = decode(nearest_codes(Z, C), parameters) - X
    rebuilt = float(np.square(apart).sum(axis=-1).mean())
    return rebuilt + codebook_loss(Z, C) + beta * commitment_loss(Z, C)
