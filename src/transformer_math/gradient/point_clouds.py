"""Gradients on the way from a group of points to its code and back: PointNet, the chamfer distance, the Gumbel-softmax."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Positive, Pullback, requires_as, twin
from transformer_math.gradient.feed_forward import relu_vjp
from transformer_math.gradient.projections import project_vjp
from transformer_math.gradient.softmax import softmax_vjp
from transformer_math.modalities.point_clouds import (
    PointNetParameters,
    chamfer_distance,
    gumbel_softmax,
)
from transformer_math.scaling import homogeneous_of_degree_2_vjp


@twin
def point_net_vjp(
    X: Float[np.ndarray, "... n d"], parameters: PointNetParameters
) -> tuple[Float[np.ndarray, "... d_model"], Pullback]:
    r"""PointNet and its pullback: each entry's gradient goes to the point that had the largest value, and on through both layers.

        PointNet*(X; dh) = dX
        ρ_j = argmax_i H_ij
        dH_ij = [i = ρ_j] dh_j
        dF_il = (dH W_2ᵀ)_il [(X W_1 + b_1)_il > 0]
        dX = dF W_1ᵀ
        dW_1 = Xᵀ dF
        db_1 = Σ_i dF_i
        dW_2 = max(0, X W_1 + b_1)ᵀ dH
        db_2 = Σ_i dH_i
        i = 0, …, n - 1

    Book: eq-point-net-vjp.

    >>> same = PointNetParameters(np.eye(2), np.zeros(2), np.eye(2), np.zeros(2))
    >>> h, pullback = point_net_vjp(np.array([[1.0, 5.0], [3.0, 2.0]]), same)
    >>> pullback(np.array([1.0, 10.0]))[0]
    array([[ 0., 10.],
           [ 1.,  0.]])
    """
    p = parameters
    wide, to_points = project_vjp(X, p.W_1, p.b_1)
    hidden, to_wide = relu_vjp(wide)
    H, to_hidden = project_vjp(hidden, p.W_2, p.b_2)
    winners = H.argmax(axis=-2, keepdims=True)

    def pullback(dh):
        dH = np.zeros_like(H)
        np.put_along_axis(dH, winners, dh[..., None, :], axis=-2)
        dhidden, dW_2, db_2 = to_hidden(dH)
        dX, dW_1, db_1 = to_points(*to_wide(dhidden))
        return dX, PointNetParameters(dW_1, db_1, dW_2, db_2)

    return H.max(axis=-2), pullback


@twin
@homogeneous_of_degree_2_vjp
def chamfer_distance_vjp(
    X: Float[np.ndarray, "... n d"], Y: Float[np.ndarray, "... m d"]
) -> tuple[Float[np.ndarray, "..."] | np.floating, Pullback]:
    r"""The chamfer distance and its pullback: each point is drawn to its nearest one, and to all those whose nearest one it is.

        chamfer*(X, Y; dc) = (dX, dY)
        A_ij = [j = π_i]/n + [i = σ_j]/m
        dX_ik = 2 dc Σ_{j=0}^(m-1) A_ij (X_ik - Y_jk)
        dY_jk = 2 dc Σ_{i=0}^(n-1) A_ij (Y_jk - X_ik)

    Book: eq-chamfer-vjp.

    >>> c, pullback = chamfer_distance_vjp(np.array([[0.0], [4.0]]), np.array([[1.0]]))
    >>> [gradient.tolist() for gradient in pullback(1.0)]
    [[[-3.0], [3.0]], [[0.0]]]
    """
    D = ((X[..., :, None, :] - Y[..., None, :, :]) ** 2).sum(axis=-1)
    n, m = D.shape[-2:]
    of_X, of_Y = D.argmin(axis=-1)[..., None], D.argmin(axis=-2)[..., None, :]
    A = (np.arange(m) == of_X) / n + (np.arange(n)[:, None] == of_Y) / m
    A = A.astype(D.dtype)

    def pullback(dc):
        scale = 2 * np.asarray(dc, D.dtype)[..., None, None]
        dX = scale * (A.sum(axis=-1, keepdims=True) * X - A @ Y)
        dY = scale * (A.sum(axis=-2)[..., None] * Y - A.swapaxes(-1, -2) @ X)
        return dX, dY

    return chamfer_distance(X, Y), pullback


@twin
@requires_as(gumbel_softmax)
def gumbel_softmax_vjp(
    logits: Float[np.ndarray, "*rows m"],
    noise: Float[np.ndarray, "*rows m"],
    temperature: Positive,
) -> tuple[Float[np.ndarray, "*rows m"], Pullback]:
    r"""The Gumbel-softmax and its pullback to the logits: the noise was drawn, and gets no gradient.

        dz_k = 1/τ y_k (dy_k - Σ_j y_j dy_j)
        y = softmax((z + g)/τ)

    Book: eq-gumbel-softmax-vjp.

    >>> y, pullback = gumbel_softmax_vjp(np.zeros(2), np.zeros(2), 0.5)
    >>> pullback(np.array([1.0, 0.0]))
    (array([ 0.5, -0.5]),)
    """
    y, to_sum = softmax_vjp((logits + noise) / temperature)
    return y, lambda dy: (to_sum(dy)[0] / temperature,)
