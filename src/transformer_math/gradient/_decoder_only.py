"""The decoder-only model between its scaled embeddings and its logits, pulled back: with gaps and without them."""

from collections.abc import Iterable

import numpy as np

from transformer_math.contract import Pullback
from transformer_math.gradient._stack import LayerTwin, through_layers
from transformer_math.gradient.layer_norm import layer_norm_vjp
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
