"""A vision transformer: the encoder over the patches of a picture, and a class read off its first token."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from transformer_math.attention.multi_head import multi_head_attention
from transformer_math.block.encoder_layer import (
    EncoderLayerParameters,
    encoder_layer_pre_norm,
)
from transformer_math.block.layer_norm import NormParameters, layer_norm
from transformer_math.contract import Size, contract, requires
from transformer_math.modalities.patches import vit_input
from transformer_math.model.encoder import encoder_pre_norm
from transformer_math.output.probabilities import logits
from transformer_math.shapes import SelfMask


@contract
@dataclass(frozen=True)
class ViTParameters:
    """What a vision transformer learns: patch embedding, class token, positions, layers, the last norm, and the head."""

    E: Float[np.ndarray, "d_patch d_model"]
    x_class: Float[np.ndarray, " d_model"]
    P: Float[np.ndarray, "tokens d_model"]
    layers: tuple[EncoderLayerParameters, ...]
    norm: NormParameters
    W_out: Float[np.ndarray, "d_model K"]
    b_out: Float[np.ndarray, " K"]


@contract
def vit_logits(
    X: Float[np.ndarray, "... H W C"],
    patch_size: Size,
    parameters: ViTParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
) -> Float[np.ndarray, "... K"]:
    r"""Read a picture and give each class a score, from what the last layer made of the class token.

        Z^(0) = [x^class; T E] + P
        Z^(ℓ) = PreNormEncoderLayer_ℓ(Z^(ℓ-1))
        ℓ = 1, …, N
        Y = LayerNorm(Z^(N))
        logits = Y_0 W^out + b^out

    Book: eq-vit-logits. Source: Dosovitskiy et al. (2021), equations 1 to 4, arXiv:2010.11929.
    """
    p = parameters
    Z = vit_input(X, patch_size, p.E, p.x_class, p.P)
    Y = encoder_pre_norm(Z, p.layers, p.norm, n_heads, mask)
    return logits(Y[..., 0, :], p.W_out, p.b_out)


@contract
def vit_attention(
    X: Float[np.ndarray, "... H W C"],
    patch_size: Size,
    parameters: ViTParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
) -> Float[np.ndarray, "... n_layers n_heads tokens tokens"]:
    """The attention weights of every layer and head: row i is where token i looked; token 0 is the class token."""
    p = parameters
    Z, found = vit_input(X, patch_size, p.E, p.x_class, p.P), []
    for layer in p.layers:
        U = layer_norm(Z, layer.norm_1)
        found.append(multi_head_attention(U, U, layer.attention, n_heads, mask)[1])
        Z = encoder_layer_pre_norm(Z, layer, n_heads, mask)
    return np.stack(found, axis=-4)


@contract
@requires(
    lambda A: A.min() >= 0 and np.allclose(A.sum(axis=-1), 1, atol=1e-4),
    "a row of A holds a negative number or does not add up to 1. Fix: attention weights, as softmax makes them, not scores.",
)
def attention_rollout(
    A: Float[np.ndarray, "... n_layers n_heads n n"],
) -> Float[np.ndarray, "... n n"]:
    r"""Follow attention down through all layers: how much of token i's last vector comes from token j of the input.

        R^(0) = I
        R^(ℓ) = 1/2 R^(ℓ-1) + 1/(2H) Σ_{h=0}^(H-1) A_{ℓ h} R^(ℓ-1)
        ℓ = 1, …, N
        rollout(A) = R^(N)

    Heads are averaged, and half of each vector is taken to come along the residual. Book: eq-rollout.
    Source: Abnar and Zuidema (2020), section 3, arXiv:2005.00928.

    >>> attention_rollout(np.array([[[[0.0, 1.0], [0.0, 1.0]]]]))
    array([[0.5, 0.5],
           [0. , 1. ]])
    """
    n_layers, n = A.shape[-4], A.shape[-1]
    I = np.eye(n, dtype=A.dtype)
    R = np.broadcast_to(I, (*A.shape[:-4], n, n))
    for l in range(n_layers):
        R = (I + A[..., l, :, :, :].mean(axis=-3)) / 2 @ R
    return R


@contract
@requires(
    lambda logits, labels: labels.min() >= 0 and labels.max() < logits.shape[-1],
    lambda logits, labels: (
        f"the labels run from {labels.min()} to {labels.max()}; wanted classes in 0..{logits.shape[-1] - 1}. "
        "Fix: number the classes from 0, one column of the logits for each."
    ),
)
def accuracy(logits: Float[np.ndarray, "n K"], labels: Int[np.ndarray, " n"]) -> float:
    r"""The share of pictures whose own class has the highest score; of several as high, the first counts.

        accuracy(logits, y) = 1/n Σ_{i=0}^(n-1) [argmax_k logits_ik = y_i]

    Book: eq-accuracy.

    >>> accuracy(np.array([[1.0, 3.0], [2.0, 0.0]]), labels=np.array([1, 1]))
    0.5
    """
    return float((logits.argmax(axis=-1) == labels).mean())
