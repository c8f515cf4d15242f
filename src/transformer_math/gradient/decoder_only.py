"""The gradient of the decoder-only model: back through the last norm and the layers, to the embeddings, which were used twice."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Pullback, Size, twin
from transformer_math.gradient._stack import LayerTwin, through_layers
from transformer_math.gradient.decoder_only_layer import decoder_only_layer_vjp
from transformer_math.gradient.layer_norm import layer_norm_vjp
from transformer_math.gradient.lookup import embed_vjp, scale_embedding_vjp
from transformer_math.gradient.probabilities import logits_vjp
from transformer_math.model.decoder_only import DecoderOnlyParameters


def through_decoder_only(
    X: np.ndarray, parameters: DecoderOnlyParameters, layer_twins: Iterable[LayerTwin]
) -> tuple[np.ndarray, Pullback]:
    """From scaled embeddings to logits, and back to them and the parameters, but for what the lookup adds to E's gradient."""
    Z, stack = through_layers(X, layer_twins)
    Z_out, last = layer_norm_vjp(Z, parameters.norm)
    logits, projection = logits_vjp(Z_out, parameters.E.T)

    def pullback(dlogits):
        dZ_out, dW_out, _ = projection(dlogits)
        dZ, dnorm = last(dZ_out)
        dX, dlayers = stack(dZ)
        layers = tuple(d for (d,) in dlayers)
        return dX, DecoderOnlyParameters(dW_out.T, layers, dnorm)

    return logits, pullback


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
