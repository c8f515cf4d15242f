"""Multi-head attention: several small attentions side by side, joined and mixed."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from transformer_math.attention.projections import project, split_heads
from transformer_math.attention.scaled_dot_product import attention
from transformer_math.contract import Size, contract, requires
from transformer_math.shapes import CrossMask


@contract
@dataclass(frozen=True)
class AttentionParameters:
    """The four matrices of a multi-head attention, all heads side by side, and their biases.

    Hd_k is H d_k, the columns of all heads together; Hd_v is H d_v. Raises ValueError for shapes that do not agree.
    """

    W_Q: Float[np.ndarray, "d_model Hd_k"]
    W_K: Float[np.ndarray, "d_model Hd_k"]
    W_V: Float[np.ndarray, "d_model Hd_v"]
    W_O: Float[np.ndarray, "Hd_v d_model"]
    b_Q: Float[np.ndarray, " Hd_k"]
    b_K: Float[np.ndarray, " Hd_k"]
    b_V: Float[np.ndarray, " Hd_v"]
    b_O: Float[np.ndarray, " d_model"]


@contract
def concat_heads(
    O: Float[np.ndarray, "... n_heads n d_v"],
) -> Float[np.ndarray, "... n all_heads"]:
    r"""Lay the outputs of the heads side by side: the inverse of `split_heads`.

        O = Concat(O_0, …, O_{H-1}) ∈ R^(n × H d_v)

    Book: eq-concat-heads. Source: Vaswani et al. (2017), section 3.2.2, arXiv:1706.03762.

    >>> concat_heads(np.array([[[1.0, 2.0]], [[3.0, 4.0]]]))
    array([[1., 2., 3., 4.]])
    """
    *batch, n_heads, n, d_v = O.shape
    return np.swapaxes(O, -3, -2).reshape(*batch, n, n_heads * d_v)


@contract
@requires(
    lambda parameters, n_heads: (
        parameters.W_Q.shape[1] % n_heads == 0
        and parameters.W_V.shape[1] % n_heads == 0
    ),
    "W_Q has shape {parameters.W_Q.shape} and W_V {parameters.W_V.shape}: their columns do not divide into {n_heads} heads. "
    "Fix: another n_heads, or another d_model.",
)
def multi_head_attention(
    Z: Float[np.ndarray, "... n d_model"],
    source: Float[np.ndarray, "... m d_model"],
    parameters: AttentionParameters,
    n_heads: Size,
    mask: CrossMask | None = None,
) -> tuple[Float[np.ndarray, "... n d_model"], Float[np.ndarray, "... n_heads n m"]]:
    r"""Let every head attend in a subspace of its own, then mix what they found.

        Q_h = Z W^Q_h + b^Q_h
        K_h = Y W^K_h + b^K_h
        V_h = Y W^V_h + b^V_h
        O_h = attention(Q_h, K_h, V_h)
        O = Concat(O_0, …, O_{H-1})
        MultiHead(Z, Y) = O W^O + b^O ∈ R^(n × d_model)

    Queries come from Z, keys and values from `source` Y: the same Z for self-attention, another sequence for
    cross-attention. The mask is shared by all, (n, m), or has exactly the axes of the scores, (..., n_heads, n, m), with
    1 for n_heads or n where it is the same for all of them. Returns O' and the weights of every head.
    Raises ValueError where the width does not divide by the heads. Book: eq-multi-head, eq-masked-multi-head.
    Source: Vaswani et al. (2017), section 3.2.2, arXiv:1706.03762.

    >>> I, zero = np.eye(2), np.zeros(2)
    >>> parameters = AttentionParameters(I, I, I, I, zero, zero, zero, zero)
    >>> multi_head_attention(I, I, parameters, n_heads=2)[1].round(2)
    array([[[0.73, 0.27],
            [0.5 , 0.5 ]],
    <BLANKLINE>
           [[0.5 , 0.5 ],
            [0.27, 0.73]]])
    """
    p = parameters
    Q = split_heads(project(Z, p.W_Q, p.b_Q), n_heads)
    K = split_heads(project(source, p.W_K, p.b_K), n_heads)
    V = split_heads(project(source, p.W_V, p.b_V), n_heads)
    O, A = attention(Q, K, V, mask)
    return project(concat_heads(O), p.W_O, p.b_O), A
