"""The gradients of a time series' encoder: of the masked projection and of the dilated convolution."""

import numpy as np
from jaxtyping import Bool, Float

from transformer_math.contract import Pullback, Size, requires_as, twin
from transformer_math.modalities.time_series import (
    dilated_convolution,
    masked_projection,
)


@twin
def masked_projection_vjp(
    X: Float[np.ndarray, "... n C"],
    W: Float[np.ndarray, "C d"],
    b: Float[np.ndarray, " d"],
    keep: Bool[np.ndarray, "... n"],
) -> tuple[Float[np.ndarray, "... n d"], Pullback]:
    r"""The masked projection and its pullback: a hidden moment teaches nothing, not even the bias.

        dX_tc = m_t Σ_j dH_tj W_cj
        dW_cj = Σ_t m_t X_tc dH_tj
        db_j = Σ_t m_t dH_tj

    Book: eq-masked-projection-vjp.

    >>> _, pullback = masked_projection_vjp(np.array([[2.0], [5.0]]), np.ones((1, 1)), np.zeros(1), np.array([True, False]))
    >>> pullback(np.ones((2, 1)))[1:]
    (array([[2.]]), array([1.]))
    """

    def pullback(dH):
        shown = keep[..., None] * dH
        rows = shown.reshape(-1, len(b))
        dW = X.reshape(-1, len(W)).T @ rows
        return shown @ W.T, dW, rows.sum(axis=0)

    return masked_projection(X, W, b, keep), pullback


@twin
@requires_as(dilated_convolution)
def dilated_convolution_vjp(
    X: Float[np.ndarray, "... n d_in"],
    W: Float[np.ndarray, "K d_in d_out"],
    b: Float[np.ndarray, " d_out"],
    dilation: Size,
) -> tuple[Float[np.ndarray, "... n d_out"], Pullback]:
    r"""The dilated convolution and its pullback: what moment t read at moment s, sends its gradient back to s.

        dX_uc = Σ_{k=0}^(K-1) Σ_t [u = t + (k - (K - 1)/2) r] Σ_j dY_tj W_kcj
        dW_kcj = Σ_t Σ_u [u = t + (k - (K - 1)/2) r] X_uc dY_tj
        db_j = Σ_t dY_tj
        u = 0, …, n - 1
        k = 0, …, K - 1

    Book: eq-dilated-convolution-vjp.

    >>> _, pullback = dilated_convolution_vjp(np.array([[1.0], [2.0], [4.0]]), np.ones((3, 1, 1)), np.zeros(1), dilation=1)
    >>> pullback(np.array([[1.0], [0.0], [0.0]]))[0].ravel()
    array([1., 1., 0.])
    """
    n, side = X.shape[-2], dilation * (len(W) // 2)
    ends = [(0, 0)] * (X.ndim - 2) + [(side, side), (0, 0)]

    def pullback(dY):
        back = W[::-1].swapaxes(1, 2)  # from t to s, the other way round
        dX = dilated_convolution(dY, back, np.zeros(W.shape[1], dY.dtype), dilation)
        padded, rows = np.pad(X, ends), dY.reshape(-1, len(b))
        taps = (padded[..., k * dilation : k * dilation + n, :] for k in range(len(W)))
        dW = np.stack([seen.reshape(-1, W.shape[1]).T @ rows for seen in taps])
        return dX, dW, rows.sum(axis=0)

    return dilated_convolution(X, W, b, dilation), pullback
