"""Token embeddings: a row of a matrix for each token id, and the one-hot product that this lookup abbreviates."""

import math

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Size, contract, requires


@contract
@requires(
    lambda ids, vocab_size: ids.min() >= 0 and ids.max() < vocab_size,
    lambda ids, vocab_size: _outside(ids, vocab_size),
)
def one_hot(
    ids: Int[np.ndarray, "... n"], vocab_size: Size
) -> Float[np.ndarray, "... n V"]:
    r"""Write each id as a row of zeros with a single one.

        (1_t)_v = {1 if v = t; 0 otherwise}
        v = 0, …, V - 1

    Raises ValueError for ids that are no integers or outside 0..vocab_size - 1. Book: eq-one-hot.

    >>> one_hot(np.array([2, 0]), vocab_size=3)
    array([[0., 0., 1.],
           [1., 0., 0.]])
    """
    return np.equal(ids[..., None], np.arange(vocab_size)).astype(float)


@contract
@requires(
    lambda ids, E: ids.min() >= 0 and ids.max() < len(E),
    lambda ids, E: _outside(ids, len(E)),
)
def embed(
    ids: Int[np.ndarray, "... n"], E: Float[np.ndarray, "V d_model"]
) -> Float[np.ndarray, "... n d_model"]:
    r"""Look up the embedding of each token: row `ids[i]` of the embedding matrix.

        X_i = E_{t_i} = 1_{t_i} E

    The rows are copies: changing X leaves E as it is. Raises ValueError for ids that are no integers or outside
    0..V - 1; nothing wraps around. Book: eq-embedding. Source: Bengio et al. (2003), JMLR 3.

    >>> embed(np.array([1, 1]), E=np.array([[0.5, 0.1], [0.2, 0.9]]))
    array([[0.2, 0.9],
           [0.2, 0.9]])
    """
    return E[ids]


@contract
def scale_embedding(
    X: Float[np.ndarray, "... n d_model"],
) -> Float[np.ndarray, "... n d_model"]:
    r"""Scale embeddings up before positions are added, as the original Transformer does.

        X ← √d_model X

    Book: eq-embedding-scale. Source: Vaswani et al. (2017), section 3.4, arXiv:1706.03762.

    >>> scale_embedding(np.ones((1, 4)))
    array([[2., 2., 2., 2.]])
    """
    return math.sqrt(X.shape[-1]) * X


def _outside(ids: np.ndarray, vocab_size: int) -> str:
    first = ids[(ids < 0) | (ids >= vocab_size)][0]
    return (
        f"ids hold [{first}], outside 0..{vocab_size - 1}. "
        "Fix: encode with the vocabulary that the model was made for."
    )
