"""The decoder-only model while it learns: what enters, and what each sublayer adds, with gaps."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from jaxtyping import Bool, Float, Int

from transformer_math.contract import Pullback
from transformer_math.gradient._decoder_only import through_decoder_only
from transformer_math.gradient._stack import LayerTwin
from transformer_math.gradient._sublayers import (
    decoder_only_sublayers,
    two_sublayers_vjp,
    with_dropout,
)
from transformer_math.gradient.dropout import dropout_vjp
from transformer_math.gradient.layer_norm import pre_norm_vjp
from transformer_math.gradient.lookup import embed_vjp, scale_embedding_vjp
from transformer_math.model.decoder_only import DecoderOnlyParameters

Masks = Sequence[Bool[np.ndarray, "... n d_model"]]


def dropping_logits_vjp(
    ids: Int[np.ndarray, "... n"],
    parameters: DecoderOnlyParameters,
    n_heads: int,
    kept: Masks,
    p: float,
) -> tuple[Float[np.ndarray, "... n V"], Pullback]:
    """The logits with dropout, and their pullback: `kept` has a mask for the embeddings, and one for each sublayer."""
    rows, embedding = embed_vjp(ids, parameters.E)
    X, scale = scale_embedding_vjp(rows)
    X, first = dropout_vjp(X, kept[0], p)
    pairs = zip(kept[1::2], kept[2::2], strict=True)
    layers = zip(parameters.layers, pairs, strict=True)
    twins = [dropping_layer(layer, n_heads, pair, p) for layer, pair in layers]
    logits, through = through_decoder_only(X, parameters, twins)

    def pullback(dlogits):
        dX, found = through(dlogits)
        (dE,) = embedding(*scale(*first(dX)))
        return (replace(found, E=found.E + dE),)

    return logits, pullback


def dropping_layer(layer, n_heads: int, kept: Masks, p: float) -> LayerTwin:
    """A layer with dropout after each of its two sublayers."""
    sublayers = decoder_only_sublayers(layer, n_heads)
    dropping = (with_dropout(twin, mask, p) for twin, mask in zip(sublayers, kept))
    attend, transform = dropping
    return partial(
        two_sublayers_vjp,
        parameters=layer,
        around=pre_norm_vjp,
        attend=attend,
        transform=transform,
    )
