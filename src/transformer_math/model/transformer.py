"""The whole model of the ten steps: from token ids to a distribution over the vocabulary at every position."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from transformer_math.block.encoder_layer import EncoderLayerParameters
from transformer_math.contract import Size, contract, requires
from transformer_math.embedding.lookup import embed, scale_embedding
from transformer_math.model._initial import (
    new_embedding,
    new_encoder_layer,
    new_matrix,
)
from transformer_math.model.encoder import encoder
from transformer_math.output.probabilities import logits, probabilities
from transformer_math.position.sinusoidal import add_position, sinusoidal
from transformer_math.shapes import SelfMask
from transformer_math.trees import Tree, leaves


@contract
@dataclass(frozen=True)
class TransformerParameters:
    """Everything the model learns: embeddings, N encoder layers, and the projection to the vocabulary."""

    E: Float[np.ndarray, "V d_model"]
    layers: tuple[EncoderLayerParameters, ...]
    W_out: Float[np.ndarray, "d_model V"]


@contract
def embed_at_positions(
    ids: Int[np.ndarray, "... n"], E: Float[np.ndarray, "V d_model"]
) -> Float[np.ndarray, "... n d_model"]:
    r"""Look the tokens up, scale them, and add their positions: what enters the first layer.

        Embed(t, E) = √d_model E_t + P

    Book: eq-embed-at-positions. Source: Vaswani et al. (2017), sections 3.4 and 3.5, arXiv:1706.03762.
    """
    X = scale_embedding(embed(ids, E))
    P = sinusoidal(X.shape[-2], X.shape[-1]).astype(X.dtype, copy=False)
    return add_position(X, P)


@contract
def transformer_logits(
    ids: Int[np.ndarray, "... n"],
    parameters: TransformerParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
) -> Float[np.ndarray, "... n V"]:
    r"""Run steps 2 to 9 and the last projection: a score for every token of the vocabulary at every position.

        logits = Encoder(sqrt(d_model) E_ids + P) W^out

    With the causal mask this is a language model. Source: Vaswani et al. (2017), arXiv:1706.03762.
    """
    Z = embed_at_positions(ids, parameters.E)
    return logits(encoder(Z, parameters.layers, n_heads, mask), parameters.W_out)


@contract
def transformer(
    ids: Int[np.ndarray, "... n"],
    parameters: TransformerParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
) -> Float[np.ndarray, "... n V"]:
    r"""Run steps 2 to 10: embed, scale, add positions, pass the layers, project, softmax.

        Z^(0) = √d_model E_t + P
        Z_out = Encoder(Z^(0))
        p = softmax(Z_out W^out)

    Book: eq-transformer. Source: Vaswani et al. (2017), arXiv:1706.03762.
    """
    return probabilities(transformer_logits(ids, parameters, n_heads, mask))


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
        E=new_embedding(rng, vocab_size, d_model),
        layers=tuple(new_encoder_layer(rng, d_model, d_ff) for _ in range(n_layers)),
        W_out=new_matrix(rng, d_model, vocab_size),
    )


@contract
@requires(
    lambda parameters: all(
        np.size(x) and np.asarray(x).dtype.kind in "fiu"
        for x in leaves(parameters).values()
    ),
    "the parameters hold something that is neither an array nor a number. Fix: pass a tree of arrays, such as initialise(...).",
)
def count_parameters(parameters: Tree) -> int:
    """Count the numbers in a tree of parameters: arrays in dataclasses, tuples, lists and dicts.

    >>> count_parameters((np.zeros((2, 3)), np.zeros(3)))
    9
    """
    return sum(np.size(leaf) for leaf in leaves(parameters).values())
