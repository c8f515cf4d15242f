"""The gradient of a VQ-VAE: from the rebuilt frames through the decoder, straight past the codes, and through the encoder."""

import numpy as np

from transformer_math.contract import NonNegative, Pullback, requires_as, twin
from transformer_math.gradient.codebook import (
    codebook_loss_vjp,
    commitment_loss_vjp,
    quantise_vjp,
)
from transformer_math.modalities.vq_vae import Frames, VqVae, encode, vq_vae_loss


@twin
@requires_as(vq_vae_loss)
def vq_vae_loss_vjp(
    X: Frames, parameters: VqVae, beta: NonNegative = 0.25
) -> tuple[float, Pullback]:
    r"""The loss of a VQ-VAE, and its pullback to the encoder, the codes and the decoder.

        dF = 2/n dL (F - X)
        dW^d = Qᵀ dF
        db^d = Σ_i dF_i
        dY = dF (W^d)ᵀ + (2 β)/(n m) dL (Y - Q)
        dW^e = Xᵀ dY
        db^e = Σ_i dY_i

    Book: eq-vq-vae-loss-vjp. Source: van den Oord et al. (2017), section 3.2, arXiv:1711.00937.
    """
    p, n, Z = parameters, len(X), encode(X, parameters)
    Q, past_the_choice = quantise_vjp(Z, p.C)
    code, to_codes = codebook_loss_vjp(Z, p.C)
    commit, to_vectors = commitment_loss_vjp(Z, p.C)
    rows = Q.reshape(n, -1)
    apart = rows @ p.W_d + p.b_d - X
    loss = float(np.square(apart).sum(axis=-1).mean()) + code + beta * commit

    def pullback(dL):
        dF = (2 / n * dL * apart).astype(X.dtype)
        dZ = past_the_choice((dF @ p.W_d.T).reshape(Z.shape))[0]
        dY = (dZ + to_vectors(beta * dL)[0]).reshape(n, -1)
        dW_e, dC, dW_d = X.T @ dY, to_codes(dL)[1], rows.T @ dF
        return (VqVae(dW_e, dY.sum(axis=0), dC, dW_d, dF.sum(axis=0)),)

    return loss, pullback
