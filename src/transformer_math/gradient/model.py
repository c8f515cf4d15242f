"""The gradient of the whole model: as many lines back as forward."""

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Pullback, Size, twin
from transformer_math.gradient.encoder_layer import encoder_vjp
from transformer_math.gradient.lookup import embed_at_positions_vjp
from transformer_math.gradient.probabilities import logits_vjp
from transformer_math.model.transformer import TransformerParameters
from transformer_math.shapes import SelfMask


@twin
def transformer_logits_vjp(
    ids: Int[np.ndarray, "... n"],
    parameters: TransformerParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
) -> tuple[Float[np.ndarray, "... n V"], Pullback]:
    r"""The logits of the whole model, and their pullback to everything that it learns.

        dW^out = Z_outᵀ dlogits
        dZ = Encoder*(Z^(0); dlogits (W^out)ᵀ)
        dE = Embed*(t, E; dZ)

    With tied weights, W_out = E.T, the gradient of E is the sum `dparameters.E + dparameters.W_out.T`.
    Book: eq-transformer-vjp.
    """
    p = parameters
    Z_0, embedding = embed_at_positions_vjp(ids, p.E)
    Z, encoder = encoder_vjp(Z_0, p.layers, n_heads, mask)
    logits, projection = logits_vjp(Z, p.W_out)

    def pullback(dlogits):
        dZ, dW_out, _ = projection(dlogits)
        dZ_0, dlayers = encoder(dZ)
        (dE,) = embedding(dZ_0)
        return (TransformerParameters(dE, dlayers, dW_out),)

    return logits, pullback
