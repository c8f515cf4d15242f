"""The heads of attention, pulled back: cut apart, attended in, laid side by side, and projected together."""

import numpy as np

from transformer_math.attention.multi_head import concat_heads
from transformer_math.attention.projections import split_heads
from transformer_math.contract import Pullback
from transformer_math.gradient.attention import attention_vjp
from transformer_math.gradient.projections import project_vjp
from transformer_math.gradient.rope import rope_vjp


def attend_in_heads_vjp(
    Q: np.ndarray,
    K: np.ndarray,
    V: np.ndarray,
    W_O: np.ndarray,
    b_O: np.ndarray,
    n_heads: int,
    mask: np.ndarray | None = None,
) -> tuple[np.ndarray, Pullback]:
    r"""From projected queries, keys and values through all heads to the output, and its pullback to these and to W_O, b_O.

        dO = dO' (W^O)ᵀ
        (dO_h)_ic = dO_{i, h d_v + c}
        (dQ_h, dK_h, dV_h) = attention*(Q_h, K_h, V_h; dO_h)

    >>> I = np.eye(2)
    >>> output, pullback = attend_in_heads_vjp(I, I, I, I, np.zeros(2), n_heads=2)
    >>> pullback(np.ones((2, 2)))[4]
    array([2., 2.])
    """
    q, k, v = (split_heads(x, n_heads) for x in (Q, K, V))
    O, O_pullback = attention_vjp(q, k, v, mask)
    output, output_pullback = project_vjp(concat_heads(O), W_O, b_O)

    def pullback(gradient):
        dO, dW_O, db_O = output_pullback(gradient)
        of_heads = O_pullback(split_heads(dO, n_heads))
        return *map(concat_heads, of_heads), dW_O, db_O

    return output, pullback


def turned_projection_vjp(
    Z: np.ndarray, W: np.ndarray, b: np.ndarray, n_heads: int
) -> tuple[np.ndarray, Pullback]:
    """Queries or keys of all heads, each turned by its position, and their pullback to tokens, matrix and bias."""
    Q, projection = project_vjp(Z, W, b)
    positions = np.arange(Q.shape[-2], dtype=float)
    turned, back = rope_vjp(split_heads(Q, n_heads), positions)

    def pullback(dturned):
        (dQ,) = back(split_heads(dturned, n_heads))
        return projection(concat_heads(dQ))

    return concat_heads(turned), pullback
