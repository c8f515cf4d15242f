"""The gradient of the whole Transformer of the paper: through the decoder, through its memory, through the encoder."""

import numpy as np
from jaxtyping import Float, Int

from transformer_math.attention.masks import causal_mask
from transformer_math.contract import Pullback, Size, twin
from transformer_math.gradient._encode_ids import encode_ids_vjp
from transformer_math.gradient.decoder_layer import decoder_vjp
from transformer_math.gradient.lookup import embed_at_positions_vjp
from transformer_math.gradient.probabilities import logits_vjp
from transformer_math.model.encoder_decoder import EncoderDecoderParameters
from transformer_math.shapes import SelfMask, SourceMask


@twin
def encoder_decoder_logits_vjp(
    source_ids: Int[np.ndarray, "... m"],
    target_ids: Int[np.ndarray, "... n"],
    parameters: EncoderDecoderParameters,
    n_heads: Size,
    source_mask: SourceMask | None = None,
    target_mask: SelfMask | None = None,
) -> tuple[Float[np.ndarray, "... n V"], Pullback]:
    r"""The logits of encoder and decoder, and their pullback to everything that both learn.

        dW^out = Z_outᵀ dlogits
        D = dlogits (W^out)ᵀ
        (dZ, dY) = Decoder*(Embed(t, E^target), Y; D)
        D' = Encoder*(Embed(s, E^source); dY)
        dE^target = Embed*(t, E^target; dZ)
        dE^source = Embed*(s, E^source; D')

    What the encoder learns, it learns through its memory alone: the decoder's gradient of the memory is all that it gets.
    Book: eq-encoder-decoder-vjp. Source: Vaswani et al. (2017), arXiv:1706.03762.
    """
    p = parameters
    mask = causal_mask(target_ids.shape[-1]) if target_mask is None else target_mask
    Y, encoder = encode_ids_vjp(source_ids, p.E_source, p.encoder, n_heads, source_mask)
    Z, embedding = embed_at_positions_vjp(target_ids, p.E_target)
    Z, decoder = decoder_vjp(Z, Y, p.decoder, n_heads, mask, source_mask)
    logits, projection = logits_vjp(Z, p.W_out)

    def pullback(dlogits):
        dZ, dW_out, _ = projection(dlogits)
        dZ, dY, ddecoder = decoder(dZ)
        dE_source, dencoder = encoder(dY)
        learned = dE_source, *embedding(dZ), dencoder, ddecoder, dW_out
        return (EncoderDecoderParameters(*learned),)

    return logits, pullback
