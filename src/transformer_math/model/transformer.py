"""The whole model of the ten steps: from token ids to a distribution over the vocabulary at every position."""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from transformer_math.attention.multi_head import AttentionParameters
from transformer_math.block.encoder_layer import EncoderLayerParameters, Mask
from transformer_math.block.feed_forward import FeedForwardParameters
from transformer_math.contract import Size, contract, requires
from transformer_math.embedding.lookup import embed, scale_embedding
from transformer_math.model.encoder import encoder
from transformer_math.output.probabilities import logits, probabilities
from transformer_math.position.sinusoidal import add_position, sinusoidal
from transformer_math.trees import leaves


@contract
@dataclass(frozen=True)
class TransformerParameters:
    """Everything the model learns: embeddings, N encoder layers, and the projection to the vocabulary."""

    E: Float[np.ndarray, "V d_model"]
    layers: tuple[EncoderLayerParameters, ...]
    W_out: Float[np.ndarray, "d_model V"]


@contract
def transformer(
    ids: Int[np.ndarray, "... n"],
    parameters: TransformerParameters,
    n_heads: Size,
    mask: Mask | None = None,
) -> Float[np.ndarray, "... n V"]:
    r"""Run steps 2 to 10: embed, scale, add positions, pass the layers, project, softmax.

        p = softmax(Encoder(sqrt(d_model) E_ids + P) W^out)

    Book: eq-transformer. Source: Vaswani et al. (2017), arXiv:1706.03762.
    """
    X = scale_embedding(embed(ids, parameters.E))
    P = sinusoidal(X.shape[-2], X.shape[-1]).astype(X.dtype, copy=False)
    Z = encoder(add_position(X, P), parameters.layers, n_heads, mask)
    return probabilities(logits(Z, parameters.W_out))


@contract
@requires(
    lambda d_model, n_heads: d_model % n_heads == 0,
    "d_model is {d_model}, which does not divide into {n_heads} heads. Fix: d_model = n_heads * d_k.",
)
def initialise(
    rng: np.random.Generator,
    vocab_size: Size,
    d_model: Size,
    n_heads: Size,
    d_ff: Size,
    n_layers: Size,
) -> TransformerParameters:
    """Draw the parameters with which training would start.

    Matrices are uniform in +-sqrt(6 / (rows + columns)) (Glorot and Bengio, 2010), embeddings normal with variance
    1 / d_model, biases and shifts 0, scales 1. Raises ValueError where d_model does not divide by n_heads.
    """
    return TransformerParameters(
        E=rng.normal(size=(vocab_size, d_model)) / math.sqrt(d_model),
        layers=tuple(_layer(rng, d_model, d_ff) for _ in range(n_layers)),
        W_out=_matrix(rng, d_model, vocab_size),
    )


@contract
@requires(
    lambda parameters: all(
        np.size(x) and np.asarray(x).dtype.kind in "fiu"
        for x in leaves(parameters).values()
    ),
    "the parameters hold something that is neither an array nor a number. Fix: pass a tree of arrays, such as initialise(...).",
)
def count_parameters(parameters) -> int:
    """Count the numbers in a tree of parameters: arrays in dataclasses, tuples, lists and dicts.

    >>> count_parameters((np.zeros((2, 3)), np.zeros(3)))
    9
    """
    return sum(np.size(leaf) for leaf in leaves(parameters).values())


def _layer(rng: np.random.Generator, d_model: int, d_ff: int) -> EncoderLayerParameters:
    one, zero = np.ones(d_model), np.zeros(d_model)
    projections = [_matrix(rng, d_model, d_model) for _ in range(4)]
    return EncoderLayerParameters(
        attention=AttentionParameters(*projections, zero, zero, zero, zero),
        feed_forward=FeedForwardParameters(
            _matrix(rng, d_model, d_ff),
            np.zeros(d_ff),
            _matrix(rng, d_ff, d_model),
            zero,
        ),
        gamma_1=one,
        beta_1=zero,
        gamma_2=one,
        beta_2=zero,
    )


def _matrix(rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    bound = math.sqrt(6 / (rows + columns))
    return rng.uniform(-bound, bound, size=(rows, columns))
