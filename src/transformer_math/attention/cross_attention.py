"""Cross-attention: the queries come from one sequence, keys and values from another."""

import numpy as np
from jaxtyping import Float

from transformer_math.attention.scaled_dot_product import attention
from transformer_math.contract import contract
from transformer_math.shapes import Mask


@contract
def cross_attention(
    Z: Float[np.ndarray, "*batch n d_model"],
    memory: Float[np.ndarray, "*batch m d_memory"],
    W_Q: Float[np.ndarray, "d_model d_k"],
    W_K: Float[np.ndarray, "d_memory d_k"],
    W_V: Float[np.ndarray, "d_memory d_v"],
    mask: Mask | None = None,
) -> tuple[Float[np.ndarray, "*batch n d_v"], Float[np.ndarray, "*batch n m"]]:
    r"""Let each token of one sequence take from the tokens of another what it looks for.

        O = attention(Z W^Q, Y W^K, Y W^V) ∈ R^(n × d_v)

    Queries come from Z, keys and values from `memory` Y, which may have another length and another width. Returns O,
    a row for each token of Z, and the weights, a column for each token of Y. The mask speaks of Y, whose padding it
    hides. Raises ValueError for shapes that do not meet. Book: eq-cross-attention.
    Source: Bahdanau et al. (2015), arXiv:1409.0473; Vaswani et al. (2017), section 3.2.3, arXiv:1706.03762.

    >>> I, memory = np.eye(2), np.array([[9.0, 0.0], [0.0, 9.0], [0.0, 0.0]])
    >>> cross_attention(np.array([[0.0, 5.0]]), memory, I, I, I)[1].round(2)
    array([[0., 1., 0.]])
    """
    return attention(Z @ W_Q, memory @ W_K, memory @ W_V, mask)
