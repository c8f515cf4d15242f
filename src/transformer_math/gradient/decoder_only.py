"""The gradient of the decoder-only model: back through the last norm and the layers, to the embeddings, which were used twice."""

from dataclasses import replace
from functools import partial

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Pullback, Size, twin
from transformer_math.gradient._decoder_only import through_decoder_only
from transformer_math.gradient.decoder_only_layer import decoder_only_layer_vjp
from transformer_math.gradient.lookup import embed_vjp, scale_embedding_vjp
from transformer_math.model.decoder_only import DecoderOnlyParameters


@twin
def decoder_only_logits_vjp(
    ids: Int[np.ndarray, "... n"], parameters: DecoderOnlyParameters, n_heads: Size
) -> tuple[Float[np.ndarray, "... n V"], Pullback]:
    r"""The logits of the model, and their pullback to everything that it learns; E gets the gradients of both its uses.

        D^(0) = LayerNorm*(Z^(N); dx E)
        D^(r) = DecoderOnlyLayer_{N-r+1}*(Z^(N-r); D^(r-1))
        r = 1, …, N
        dZ^(0) = D^(N)
        dE_vj = Σ_i dx_iv LayerNorm(Z^(N))_ij + √d_model Σ_{i : t_i = v} (dZ^(0))_ij
        v = 0, …, V - 1

    Book: eq-decoder-only-vjp. Source of tied weights: Press and Wolf (2017), arXiv:1608.05859.
    """
    p = parameters
    rows, embedding = embed_vjp(ids, p.E)
    X, scale = scale_embedding_vjp(rows)
    layers = (
        partial(decoder_only_layer_vjp, parameters=one, n_heads=n_heads)
        for one in p.layers
    )
    logits, through = through_decoder_only(X, p, layers)

    def pullback(dlogits):
        dX, found = through(dlogits)
        (dE,) = embedding(*scale(dX))
        return (replace(found, E=found.E + dE),)

    return logits, pullback
