"""The encoder with its embedding before it, pulled back: from ids to the memory that the decoder reads."""

from collections.abc import Sequence

import numpy as np

from transformer_math.block.encoder_layer import EncoderLayerParameters
from transformer_math.contract import Pullback
from transformer_math.gradient.encoder_layer import encoder_vjp
from transformer_math.gradient.lookup import embed_at_positions_vjp


def encode_ids_vjp(
    ids: np.ndarray,
    E: np.ndarray,
    layers: Sequence[EncoderLayerParameters],
    n_heads: int,
    mask: np.ndarray | None = None,
) -> tuple[np.ndarray, Pullback]:
    r"""The encoder's output for a row of ids, and its pullback to the embeddings and to the layers.

        D' = Encoder*(Embed(s, E); dY)
        dE = Embed*(s, E; D')

    >>> memory, pullback = encode_ids_vjp(np.array([1, 0, 1]), np.eye(2), (), n_heads=1)
    >>> dE, dlayers = pullback(np.ones((3, 2)))
    >>> dE.round(3)
    array([[1.414, 1.414],
           [2.828, 2.828]])
    """
    Z, embedding = embed_at_positions_vjp(ids, E)
    Z, encoder = encoder_vjp(Z, layers, n_heads, mask)

    def pullback(dZ):
        dZ, dlayers = encoder(dZ)
        return *embedding(dZ), dlayers

    return Z, pullback
