"""Gradients of what draws with codes: convolutions, reading and writing patches, and the losses that make a picture sharp."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Positive, Pullback, Size, requires_as, twin
from transformer_math.modalities.patches import patchify, unpatchify
from transformer_math.modalities.vqgan import (
    convolve,
    discriminator_loss,
    energies,
    generator_loss,
    perceptual_loss,
)


@twin
def convolve_vjp(
    X: Float[np.ndarray, "... h w c"],
    K: Float[np.ndarray, "3 3 c d"],
    b: Float[np.ndarray, " d"],
) -> tuple[Float[np.ndarray, "... h w d"], Pullback]:
    r"""A convolution, and its pullback: what a cell gave to nine places comes back from nine places.

        dX_rsk = Σ_{u=0}² Σ_{v=0}² Σ_j dY^pad_{r+2-u, s+2-v, j} K_uvkj
        dK_uvkj = Σ_{r=0}^(h-1) Σ_{s=0}^(w-1) X^pad_{r+u, s+v, k} dY_rsj
        db_j = Σ_{r=0}^(h-1) Σ_{s=0}^(w-1) dY_rsj
        r = 0, …, h - 1
        s = 0, …, w - 1
        u = 0, …, 2
        v = 0, …, 2

    Book: eq-convolve-vjp.

    >>> Y, pullback = convolve_vjp(np.array([[[1.0], [10.0]]]), np.ones((3, 3, 1, 1)), np.zeros(1))
    >>> pullback(np.array([[[1.0], [2.0]]]))[0]
    array([[[3.],
            [3.]]])
    """
    *lead, h, w, c = X.shape
    around = [(0, 0)] * len(lead) + [(1, 1), (1, 1), (0, 0)]

    def pullback(dY):
        padded, flat = np.pad(X, around), dY.reshape(-1, len(b))
        dpadded, dK = np.zeros_like(padded), np.empty_like(K)
        dnine = dY @ K.reshape(-1, len(b)).T
        for k, (u, v) in enumerate(np.ndindex(3, 3)):
            place = np.s_[..., u : u + h, v : v + w, :]
            dK[u, v] = padded[place].reshape(-1, c).T @ flat
            dpadded[place] += dnine[..., k * c : (k + 1) * c]
        return dpadded[..., 1:-1, 1:-1, :], dK, flat.sum(axis=0)

    return convolve(X, K, b), pullback


@twin
@requires_as(energies)
def energies_vjp(
    Y: Float[np.ndarray, "... H W k"], patch_size: Size, eps: Positive = 1e-4
) -> tuple[Float[np.ndarray, "... n k"], Pullback]:
    r"""How strongly the filters answer, and the pullback to their answers: a strong one gets most of what its square gets.

        dT_rsabk = T_rsabk/(p² E_rsk) dE_rsk
        r = 0, …, h - 1
        s = 0, …, w - 1
        a = 0, …, p - 1
        b = 0, …, p - 1

    Book: eq-energies-vjp.

    >>> E, pullback = energies_vjp(np.array([[[3.0], [-4.0]]]), patch_size=1)
    >>> pullback(np.array([[1.0], [1.0]]))[0].round(3)
    array([[[ 1.],
            [-1.]]])
    """
    E = energies(Y, patch_size, eps)

    def pullback(dE):
        T = patchify(Y, patch_size).reshape(*E.shape[:-1], -1, E.shape[-1])
        dT = T * (dE / E / patch_size**2)[..., None, :]
        flat = dT.reshape(*E.shape[:-1], -1)
        return (unpatchify(flat, patch_size, *Y.shape[-3:-1]),)

    return E, pullback


@twin
def perceptual_loss_vjp(
    E: Float[np.ndarray, "... n k"], E_hat: Float[np.ndarray, "... n k"]
) -> tuple[float, Pullback]:
    r"""The distance of features, and its pullback to both sides.

        dE_ij = 2/(n k) (E_ij - E'_ij) dL^per
        dE'_ij = -dE_ij

    Book: eq-perceptual-loss-vjp.

    >>> perceptual_loss_vjp(np.array([[1.0, 2.0]]), np.array([[1.0, 4.0]]))[1](1.0)[1]
    array([[0., 2.]])
    """

    def pullback(dL):
        dE_hat = (2 * dL / E.size * (E_hat - E)).astype(E.dtype)
        return -dE_hat, dE_hat

    return perceptual_loss(E, E_hat), pullback


@twin
def discriminator_loss_vjp(
    S: Float[np.ndarray, "*real"], S_hat: Float[np.ndarray, "*drawn"]
) -> tuple[float, Pullback]:
    r"""The discriminator's loss, and its pullback: scores that are on their side, and far enough, get none.

        dS_i = {-1/(2n) dL^dis if S_i < 1; 0 otherwise}
        dS'_i = {1/(2m) dL^dis if S'_i > -1; 0 otherwise}

    Book: eq-discriminator-loss-vjp.

    >>> discriminator_loss_vjp(np.array([2.0, 0.5]), np.array([-3.0]))[1](1.0)
    (array([ 0.  , -0.25]), array([0.]))
    """

    def pullback(dL):
        dS = np.where(S < 1, -dL / (2 * S.size), 0)
        dS_hat = np.where(S_hat > -1, dL / (2 * S_hat.size), 0)
        return dS.astype(S.dtype), dS_hat.astype(S_hat.dtype)

    return discriminator_loss(S, S_hat), pullback


@twin
def generator_loss_vjp(
    S_hat: Float[np.ndarray, "*drawn"],
) -> tuple[float, Pullback]:
    r"""The generator's loss, and its pullback: every score gets the same push upwards.

        dS'_i = -1/m dL^gan
        i = 0, …, m - 1

    Book: eq-generator-loss-vjp.

    >>> generator_loss_vjp(np.array([-3.0, 1.0]))[1](1.0)
    (array([-0.5, -0.5]),)
    """
    return generator_loss(S_hat), lambda dL: (np.full_like(S_hat, -dL / S_hat.size),)
