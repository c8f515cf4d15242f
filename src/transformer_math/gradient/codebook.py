"""Gradients around a codebook: straight through past the choice of a code, and of the two losses that draw both sides together."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Pullback, twin
from transformer_math.modalities.codebook import (
    nearest_codes,
    quantise,
    stop_gradient,
)


@twin
def stop_gradient_vjp(
    x: Float[np.ndarray, "*shape"],
) -> tuple[Float[np.ndarray, "*shape"], Pullback]:
    r"""The same numbers, and a pullback that gives nothing back.

        dx = 0 dy

    Book: eq-stop-gradient-vjp.

    >>> stop_gradient_vjp(np.array([2.0]))[1](np.array([5.0]))
    (array([0.]),)
    """
    return stop_gradient(x), lambda dy: (np.zeros_like(dy),)


@twin
def quantise_vjp(
    Z: Float[np.ndarray, "... n d"], C: Float[np.ndarray, "k d"]
) -> tuple[Float[np.ndarray, "... n d"], Pullback]:
    r"""The nearest codes, and the straight-through pullback: the vectors get what arrives at their codes, the codes nothing.

        dZ = dQ
        dC = 0 C

    Book: eq-quantise-vjp. Source: van den Oord et al. (2017), section 3.2, arXiv:1711.00937.

    >>> Q, pullback = quantise_vjp(np.array([[0.9]]), C=np.array([[1.0], [3.0]]))
    >>> pullback(np.array([[7.0]]))
    (array([[7.]]), array([[0.],
           [0.]]))
    """
    return quantise(Z, C), lambda dQ: (dQ.copy(), np.zeros_like(C))


@twin
def codebook_loss_vjp(
    Z: Float[np.ndarray, "... n d"], C: Float[np.ndarray, "k d"]
) -> tuple[float, Pullback]:
    r"""The codebook loss and its pullback: it moves the codes alone, each to the vectors that chose it.

        dZ = 0 Z
        dC_jl = 2/n Σ_{i: a_i = j} (C_jl - Z_il) dL^code

    Book: eq-codebook-loss-vjp. Source: van den Oord et al. (2017), section 3.2, arXiv:1711.00937.

    >>> loss, pullback = codebook_loss_vjp(np.array([[0.0], [3.0]]), C=np.array([[1.0]]))
    >>> pullback(1.0)[1]
    array([[-1.]])
    """
    ids = nearest_codes(Z, C)
    apart = C[ids] - Z

    def pullback(dL):
        dC = np.zeros_like(C)
        np.add.at(dC, ids.ravel(), apart.reshape(-1, C.shape[1]))
        return np.zeros_like(Z), (2 / ids.size * dL * dC).astype(C.dtype)

    return float(np.square(apart).sum(axis=-1).mean()), pullback


@twin
def commitment_loss_vjp(
    Z: Float[np.ndarray, "... n d"], C: Float[np.ndarray, "k d"]
) -> tuple[float, Pullback]:
    r"""The commitment loss and its pullback: it moves the vectors alone, each to the code that it chose.

        dZ_il = 2/n (Z_il - C_{a_i, l}) dL^commit
        dC = 0 C

    Book: eq-commitment-loss-vjp. Source: van den Oord et al. (2017), section 3.2, arXiv:1711.00937.

    >>> loss, pullback = commitment_loss_vjp(np.array([[0.0], [3.0]]), C=np.array([[1.0]]))
    >>> pullback(1.0)[0]
    array([[-1.],
           [ 2.]])
    """
    apart = Z - quantise(Z, C)
    n = Z.size // Z.shape[-1]

    def pullback(dL):
        return (2 / n * dL * apart).astype(Z.dtype), np.zeros_like(C)

    return float(np.square(apart).sum(axis=-1).mean()), pullback
