"""The Transformer of the ten steps as an English model: pre-norm, RoPE, tied weights, and dropout while it learns."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from jaxtyping import Bool, Float, Int

from transformer_math.attention.masks import causal_mask
from transformer_math.attention.multi_head import AttentionParameters, concat_heads
from transformer_math.attention.projections import project, split_heads
from transformer_math.attention.scaled_dot_product import attention
from transformer_math.block.encoder_layer import EncoderLayerParameters
from transformer_math.block.feed_forward import feed_forward
from transformer_math.block.layer_norm import NormParameters, layer_norm, pre_norm
from transformer_math.contract import Pullback, Size, contract, twin
from transformer_math.embedding.lookup import embed, scale_embedding
from transformer_math.gradient._stack import through_layers
from transformer_math.gradient._sublayers import with_dropout
from transformer_math.gradient.attention import attention_vjp
from transformer_math.gradient.dropout import dropout_vjp
from transformer_math.gradient.feed_forward import feed_forward_vjp
from transformer_math.gradient.layer_norm import layer_norm_vjp, pre_norm_vjp
from transformer_math.gradient.lookup import embed_vjp, scale_embedding_vjp
from transformer_math.gradient.projections import project_vjp
from transformer_math.gradient.rope import rope_vjp
from transformer_math.model.transformer import initialise
from transformer_math.position.rope import rope
from transformer_math.shapes import Tokens


@contract
@dataclass(frozen=True)
class EnglishParameters:
    """What the model learns: embeddings, which also are the last projection, its layers, and the norm behind them."""

    E: Float[np.ndarray, "V d_model"]
    layers: tuple[EncoderLayerParameters, ...]
    norm: NormParameters


def new_parameters(
    rng: np.random.Generator,
    vocab_size: int,
    d_model: int,
    n_heads: int,
    d_ff: int,
    n_layers: int,
) -> EnglishParameters:
    """Random parameters, as `initialise` draws them, and a last norm that does nothing yet."""
    drawn = initialise(rng, vocab_size, d_model, n_heads, d_ff, n_layers)
    norm = NormParameters(np.ones(d_model), np.zeros(d_model))
    return EnglishParameters(drawn.E, drawn.layers, norm)


def turned_attention(
    Z: np.ndarray, parameters: AttentionParameters, n_heads: int, mask: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Multi-head self-attention whose queries and keys are turned by their positions; its output, and the weights."""
    p, positions = parameters, np.arange(Z.shape[-2], dtype=float)
    Q, K = (
        rope(split_heads(project(Z, W, b), n_heads), positions)
        for W, b in ((p.W_Q, p.b_Q), (p.W_K, p.b_K))
    )
    O, A = attention(Q, K, split_heads(project(Z, p.W_V, p.b_V), n_heads), mask)
    return project(concat_heads(O), p.W_O, p.b_O), A


def turned_attention_vjp(
    Z: np.ndarray, parameters: AttentionParameters, n_heads: int, mask: np.ndarray
) -> tuple[np.ndarray, Pullback]:
    """The same, and its pullback to the tokens and the parameters."""
    p, positions = parameters, np.arange(Z.shape[-2], dtype=float)
    Q, Q_pullback = project_vjp(Z, p.W_Q, p.b_Q)
    K, K_pullback = project_vjp(Z, p.W_K, p.b_K)
    V, V_pullback = project_vjp(Z, p.W_V, p.b_V)
    Q, Q_back = rope_vjp(split_heads(Q, n_heads), positions)
    K, K_back = rope_vjp(split_heads(K, n_heads), positions)
    O, O_pullback = attention_vjp(Q, K, split_heads(V, n_heads), mask)
    output, output_pullback = project_vjp(concat_heads(O), p.W_O, p.b_O)

    def pullback(doutput):
        dO, dW_O, db_O = output_pullback(doutput)
        dQ, dK, dV = O_pullback(split_heads(dO, n_heads))
        by_Q, dW_Q, db_Q = Q_pullback(concat_heads(*Q_back(dQ)))
        by_K, dW_K, db_K = K_pullback(concat_heads(*K_back(dK)))
        by_V, dW_V, db_V = V_pullback(concat_heads(dV))
        learned = dW_Q, dW_K, dW_V, dW_O, db_Q, db_K, db_V, db_O
        return by_Q + by_K + by_V, AttentionParameters(*learned)

    return output, pullback


@contract
def english_logits(
    ids: Int[np.ndarray, "... n"], parameters: EnglishParameters, n_heads: Size
) -> Float[np.ndarray, "... n V"]:
    """The scores of the next token behind each token; no token sees those that follow it."""
    Z, _ = through(ids, parameters, n_heads)
    return Z @ parameters.E.T


def through(
    ids: np.ndarray, parameters: EnglishParameters, n_heads: int
) -> tuple[Tokens, list[np.ndarray]]:
    """What leaves the last norm, and the attention weights of each layer."""
    mask, weights = causal_mask(ids.shape[-1]), []
    Z = scale_embedding(embed(ids, parameters.E))
    for p in parameters.layers:

        def attend(X, p=p):
            found, A = turned_attention(X, p.attention, n_heads, mask)
            weights.append(A)
            return found

        Z = pre_norm(Z, attend, p.norm_1)
        Z = pre_norm(Z, partial(feed_forward, parameters=p.feed_forward), p.norm_2)
    return layer_norm(Z, parameters.norm), weights


@twin
def english_logits_vjp(
    ids: Int[np.ndarray, "... n"],
    parameters: EnglishParameters,
    n_heads: Size,
    kept: Sequence[Bool[np.ndarray, "... n d_model"]],
    p: float,
) -> tuple[Float[np.ndarray, "... n V"], Pullback]:
    """The logits while it learns, and their pullback: `kept` has a mask for the embeddings, and one for each sublayer."""
    X, embedding = embed_vjp(ids, parameters.E)
    X, scale = scale_embedding_vjp(X)
    Z, first = dropout_vjp(X, kept[0], p)
    mask = causal_mask(ids.shape[-1])
    masks = zip(kept[1::2], kept[2::2], strict=True)
    Z, stack = through_layers(
        Z,
        (
            partial(_layer_vjp, layer=layer, n_heads=n_heads, mask=mask, kept=pair, p=p)
            for layer, pair in zip(parameters.layers, masks, strict=True)
        ),
    )
    Z, last = layer_norm_vjp(Z, parameters.norm)
    rows = Z.reshape(-1, Z.shape[-1])

    def pullback(dlogits):
        flat = dlogits.reshape(-1, dlogits.shape[-1])
        dZ, dnorm = last((flat @ parameters.E).reshape(Z.shape))
        dZ, dlayers = stack(dZ)
        (dE,) = embedding(*scale(*first(dZ)))
        dE += flat.T @ rows  # tied weights: the gradients of both uses
        return (EnglishParameters(dE, tuple(d for (d,) in dlayers), dnorm),)

    return (rows @ parameters.E.T).reshape(*ids.shape, -1), pullback


def _layer_vjp(Z, layer, n_heads, mask, kept, p):
    attend = with_dropout(
        lambda X: turned_attention_vjp(X, layer.attention, n_heads, mask), kept[0], p
    )
    transform = with_dropout(
        lambda X: feed_forward_vjp(X, layer.feed_forward), kept[1], p
    )
    Z, sublayer_1 = pre_norm_vjp(Z, attend, layer.norm_1)
    Z, sublayer_2 = pre_norm_vjp(Z, transform, layer.norm_2)

    def pullback(dZ):
        dZ, dnorm_2, dfeed_forward = sublayer_2(dZ)
        dZ, dnorm_1, dattention = sublayer_1(dZ)
        return dZ, EncoderLayerParameters(dattention, dfeed_forward, dnorm_1, dnorm_2)

    return Z, pullback
