"""The gradient of a vision transformer: from the scores of the classes back to everything that it learns."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Pullback, Size, twin
from transformer_math.gradient.encoder_layer import encoder_pre_norm_vjp
from transformer_math.gradient.patches import vit_input_vjp
from transformer_math.gradient.probabilities import logits_vjp
from transformer_math.modalities.vit import ViTParameters
from transformer_math.shapes import SelfMask


@twin
def vit_logits_vjp(
    X: Float[np.ndarray, "... H W C"],
    patch_size: Size,
    parameters: ViTParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
) -> tuple[Float[np.ndarray, "... K"], Pullback]:
    r"""The scores of the classes, and their pullback to everything that the vision transformer learns.

        Z^(0) = [x^class; T E] + P
        Z^(ℓ) = PreNormEncoderLayer_ℓ(Z^(ℓ-1))
        ℓ = 1, …, N
        Y = LayerNorm(Z^(N))
        G_ik = δ_{i, 0} dlogits_k
        i = 0, …, n
        k = 0, …, K - 1
        db^out = dlogits
        dW^out = Yᵀ G
        D^(0) = LayerNorm*(Z^(N); G (W^out)ᵀ)
        D^(r) = PreNormEncoderLayer_{N-r+1}*(Z^(N-r); D^(r-1))
        r = 1, …, N
        dP = D^(N)
        dx^class = D^(N)_0
        dE_aj = Σ_{i=0}^(n-1) T_ia D^(N)_{i+1, j}

    Book: eq-vit-logits-vjp.
    """
    p = parameters
    Z, embedding = vit_input_vjp(X, patch_size, p.E, p.x_class, p.P)
    Y, stack = encoder_pre_norm_vjp(Z, p.layers, p.norm, n_heads, mask)
    logits, head = logits_vjp(Y[..., 0, :], p.W_out, p.b_out)

    def pullback(dlogits):
        dY = np.zeros_like(Y)
        dY[..., 0, :], dW_out, db_out = head(dlogits)
        dZ, dlayers, dnorm = stack(dY)
        _, dE, dx_class, dP = embedding(dZ)
        return (ViTParameters(dE, dx_class, dP, dlayers, dnorm, dW_out, db_out),)

    return logits, pullback
