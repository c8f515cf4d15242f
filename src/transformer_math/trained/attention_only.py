"""A model of attention alone: what is left of the Transformer without its feed-forward networks, and its gradient."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from jaxtyping import Float, Int

from transformer_math.attention.multi_head import (
    AttentionParameters,
    multi_head_attention,
)
from transformer_math.block.layer_norm import NormParameters, layer_norm
from transformer_math.contract import Pullback, Size, contract, twin
from transformer_math.gradient._stack import through_layers
from transformer_math.gradient.layer_norm import pre_norm_vjp
from transformer_math.gradient.lookup import embed_at_positions_vjp
from transformer_math.gradient.multi_head import self_attention_vjp
from transformer_math.gradient.probabilities import logits_vjp
from transformer_math.model.transformer import embed_at_positions, initialise
from transformer_math.output.probabilities import logits
from transformer_math.shapes import SelfMask, Tokens


@contract
@dataclass(frozen=True)
class AttentionLayerParameters:
    """What one layer learns: its attention, and the normalisation before it."""

    attention: AttentionParameters
    norm: NormParameters


@contract
@dataclass(frozen=True)
class AttentionOnlyParameters:
    """Everything that the model learns: embeddings, layers, and the projection to the vocabulary."""

    E: Float[np.ndarray, "V d_model"]
    layers: tuple[AttentionLayerParameters, ...]
    W_out: Float[np.ndarray, "d_model V"]


@contract
def attention_only(
    Z: Tokens,
    layers: Sequence[AttentionLayerParameters],
    n_heads: Size,
    mask: SelfMask | None = None,
) -> Tokens:
    r"""Let every layer add what its heads found to what was there.

        X^(ℓ) = LayerNorm_ℓ(Z^(ℓ-1))
        Z^(ℓ) = Z^(ℓ-1) + MultiHead_ℓ(X^(ℓ), X^(ℓ))
        ℓ = 1, …, N
        AttentionOnly(Z^(0)) = Z^(N)

    Book: eq-attention-only. Source: Elhage et al. (2021).
    """
    for p in layers:
        X = layer_norm(Z, p.norm)
        Z = Z + multi_head_attention(X, X, p.attention, n_heads, mask)[0]
    return Z


@contract
def attention_only_logits(
    ids: Int[np.ndarray, "... n"],
    parameters: AttentionOnlyParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
) -> Float[np.ndarray, "... n V"]:
    """Embed, add positions, pass the layers, and score every token of the vocabulary at every position."""
    Z = embed_at_positions(ids, parameters.E)
    return logits(attention_only(Z, parameters.layers, n_heads, mask), parameters.W_out)


@contract
def attention_only_weights(
    ids: Int[np.ndarray, "... n"],
    parameters: AttentionOnlyParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
) -> tuple[Float[np.ndarray, "... n_heads n n"], ...]:
    """The attention weights of each layer, a matrix for every head: row i is where token i looked."""
    Z, weights = embed_at_positions(ids, parameters.E), []
    for p in parameters.layers:
        x = layer_norm(Z, p.norm)
        found, A = multi_head_attention(x, x, p.attention, n_heads, mask)
        Z = Z + found
        weights.append(A)
    return tuple(weights)


@twin
def attention_only_vjp(
    Z: Tokens,
    layers: Sequence[AttentionLayerParameters],
    n_heads: Size,
    mask: SelfMask | None = None,
) -> tuple[Tokens, Pullback]:
    r"""The layers, and their pullback to the tokens and to everything that the layers learn.

        AttentionOnly*(Z^(0); dZ^(N)) = dZ^(0)
        (D^(ℓ), D'^(ℓ)) = MultiHead_ℓ*(X^(ℓ), X^(ℓ); dZ^(ℓ))
        dZ^(ℓ-1) = dZ^(ℓ) + LayerNorm_ℓ*(Z^(ℓ-1); D^(ℓ) + D'^(ℓ))
        ℓ = 1, …, N

    Book: eq-attention-only-vjp. Source: Elhage et al. (2021).
    """

    def layer_vjp(p):
        attend = partial(
            self_attention_vjp, parameters=p.attention, n_heads=n_heads, mask=mask
        )
        return partial(pre_norm_vjp, sublayer_vjp=attend, parameters=p.norm)

    Z, stack = through_layers(Z, map(layer_vjp, layers))

    def pullback(dZ):
        dZ, gradients = stack(dZ)
        return dZ, type(layers)(
            AttentionLayerParameters(dattention, dnorm)
            for dnorm, dattention in gradients
        )

    return Z, pullback


@twin
def attention_only_logits_vjp(
    ids: Int[np.ndarray, "... n"],
    parameters: AttentionOnlyParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
) -> tuple[Float[np.ndarray, "... n V"], Pullback]:
    """The logits, and their pullback to everything that the model learns."""
    Z, embedding = embed_at_positions_vjp(ids, parameters.E)
    Z, layers = attention_only_vjp(Z, parameters.layers, n_heads, mask)
    scored, projection = logits_vjp(Z, parameters.W_out)

    def pullback(dlogits):
        dZ, dW_out, _ = projection(dlogits)
        dZ, dlayers = layers(dZ)
        (dE,) = embedding(dZ)
        return (AttentionOnlyParameters(dE, dlayers, dW_out),)

    return scored, pullback


def initialise_attention_only(
    rng: np.random.Generator, vocab_size: int, d_model: int, n_heads: int, n_layers: int
) -> AttentionOnlyParameters:
    """Draw the parameters with which training would start: those of `initialise`, without the feed-forward networks."""
    whole = initialise(rng, vocab_size, d_model, n_heads, d_ff=1, n_layers=n_layers)
    layers = tuple(
        AttentionLayerParameters(p.attention, p.norm_1) for p in whole.layers
    )
    return AttentionOnlyParameters(whole.E, layers, whole.W_out)
