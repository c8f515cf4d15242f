"""The gradient of attention from one sequence to another, a single head with its three projections."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Pullback, twin
from transformer_math.gradient.attention import attention_vjp
from transformer_math.gradient.projections import project_vjp
from transformer_math.shapes import Mask


@twin
def cross_attention_vjp(
    Z: Float[np.ndarray, "*batch n d_model"],
    memory: Float[np.ndarray, "*batch m d_memory"],
    W_Q: Float[np.ndarray, "d_model d_k"],
    W_K: Float[np.ndarray, "d_memory d_k"],
    W_V: Float[np.ndarray, "d_memory d_v"],
    mask: Mask | None = None,
) -> tuple[Float[np.ndarray, "*batch n d_v"], Pullback]:
    r"""Cross-attention's output and its pullback: who asked hears of the queries, the memory of keys and values.

        (dQ, dK, dV) = attention*(Z W^Q, Y W^K, Y W^V; dO)
        dZ = dQ (W^Q)ᵀ
        dY = dK (W^K)ᵀ + dV (W^V)ᵀ
        dW^Q = Zᵀ dQ
        dW^K = Yᵀ dK
        dW^V = Yᵀ dV

    Book: eq-cross-attention-vjp.

    >>> I, memory = np.eye(2), np.zeros((3, 2))
    >>> O, pullback = cross_attention_vjp(np.ones((1, 2)), memory, I, I, I)
    >>> pullback(np.array([[3.0, 0.0]]))[1]
    array([[1., 0.],
           [1., 0.],
           [1., 0.]])
    """
    Q, Q_pullback = project_vjp(Z, W_Q)
    K, K_pullback = project_vjp(memory, W_K)
    V, V_pullback = project_vjp(memory, W_V)
    O, O_pullback = attention_vjp(Q, K, V, mask)

    def pullback(dO):
        dQ, dK, dV = O_pullback(dO)
        dZ, dW_Q, _ = Q_pullback(dQ)
        dY_K, dW_K, _ = K_pullback(dK)
        dY_V, dW_V, _ = V_pullback(dV)
        return dZ, dY_K + dY_V, dW_Q, dW_K, dW_V

    return O, pullback
