"""Point clouds: a few points far apart from each other, the nearest neighbours of each, and one vector for such a group."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from jaxtyping import Float, Int

from transformer_math.attention.projections import project
from transformer_math.attention.softmax import softmax
from transformer_math.block.feed_forward import relu
from transformer_math.contract import Holds, Positive, Size, Whole, contract, requires
from transformer_math.output.probabilities import _stays_finite
from transformer_math.scaling import scale_invariant

Points = Float[np.ndarray, "n d"]
_INSIDE = Holds(
    lambda u: u.min() > 0 and u.max() < 1,
    "numbers between 0 and 1, both excluded",
    "draw them with rng.uniform, and again where one is 0",
)


@contract
@requires(
    lambda X, number: number <= len(X),
    "number is {number}, but there are only {X.shape[0]} points. Fix: at most as many as there are.",
)
@requires(
    lambda X, start: 0 <= start < len(X),
    "start is {start}; wanted the number of a point, 0..{X.shape[0]} without the last. Fix: start = 0, for example.",
)
@scale_invariant
def farthest_points(
    X: Points, number: Size, start: Whole = 0
) -> Int[np.ndarray, " number"]:
    r"""Choose points that lie far apart: each time the one that is farthest from all that were chosen before.

        Δ_ij = Σ_k (X_ik - X_jk)² - δ_ij
        s_0 = a
        m_{0, i} = Δ_{i, s_0}
        s_t = argmax_i m_{t-1, i}
        m_{t, i} = min(m_{t-1, i}, Δ_{i, s_t})
        i = 0, …, n - 1
        t = 1, …, g - 1

    Book: eq-farthest-points. Source: Eldar et al. (1997), doi:10.1109/83.623193; Qi et al. (2017), arXiv:1706.02413.

    >>> farthest_points(np.array([[0.0], [1.0], [2.0], [10.0]]), number=3)
    array([0, 3, 2])
    """
    chosen, distances, new = [], np.full(len(X), np.inf), start
    for _ in range(number):
        chosen.append(new)
        from_new = ((X - X[new]) ** 2).sum(axis=1)
        from_new[new] = -1  # after all others: no point is chosen twice
        distances = np.minimum(distances, from_new)
        new = int(distances.argmax())
    return np.array(chosen)


@contract
@requires(
    lambda X, k: k <= len(X),
    "k is {k}, but there are only {X.shape[0]} points. Fix: at most as many as there are.",
)
@scale_invariant
def nearest_neighbours(
    C: Float[np.ndarray, "g d"], X: Points, k: Size
) -> Int[np.ndarray, "g k"]:
    r"""The points that are nearest to each centre, the nearest first; of two at the same distance, the one with the smaller number.

        D_qi = Σ_c (C_qc - X_ic)²
        r_qi = Σ_{j=0}^(n-1) ([D_qj < D_qi] + [D_qj = D_qi] [j < i])
        N_qt = Σ_{i=0}^(n-1) i [r_qi = t]
        t = 0, …, k - 1

    Book: eq-nearest-neighbours.

    >>> nearest_neighbours(np.array([[2.0]]), np.array([[0.0], [1.0], [3.0], [2.0]]), k=3)
    array([[3, 1, 2]])
    """
    D = ((C[:, None] - X) ** 2).sum(axis=-1)
    return D.argsort(axis=1, kind="stable")[:, :k]


@contract
@requires(
    lambda X, neighbours: neighbours.min() >= 0 and neighbours.max() < len(X),
    lambda X, neighbours: (
        f"neighbours holds {neighbours.min()}..{neighbours.max()}; wanted numbers of points, 0 or more and less than {len(X)}. "
        "Fix: nearest_neighbours(C, X, k) of the same X."
    ),
)
def local_groups(
    X: Points, C: Float[np.ndarray, "g d"], neighbours: Int[np.ndarray, "g k"]
) -> Float[np.ndarray, "g k d"]:
    r"""Points as seen from the centre of their group: where the group stands is taken away, what it looks like stays.

        G_qtc = X_{N_qt, c} - C_qc

    Book: eq-local-groups. Source: Yu et al. (2022), section 3.1, arXiv:2111.14819.

    >>> X = np.array([[0.0, 0.0], [10.0, 5.0], [11.0, 5.0]])
    >>> local_groups(X, X[1:2], np.array([[1, 2]]))
    array([[[0., 0.],
            [1., 0.]]])
    """
    return X[neighbours] - C[:, None]


@contract
@dataclass(frozen=True)
class PointNetParameters:
    """Two matrices and their biases, the same for every point: W_1 (d, d_ff), b_1 (d_ff), W_2 (d_ff, d_model), b_2 (d_model)."""

    W_1: Float[np.ndarray, "d d_ff"]
    b_1: Float[np.ndarray, " d_ff"]
    W_2: Float[np.ndarray, "d_ff d_model"]
    b_2: Float[np.ndarray, " d_model"]


@contract
def point_net(
    X: Float[np.ndarray, "... n d"], parameters: PointNetParameters
) -> Float[np.ndarray, "... d_model"]:
    r"""One vector for a set of points: the same two layers for each, and the largest of every entry. Their order does not matter.

        PointNet(X)_j = max_i H_ij
        H = max(0, X W_1 + b_1) W_2 + b_2

    Book: eq-point-net. Source: Qi et al. (2017), section 4.2, arXiv:1612.00593.

    >>> same = PointNetParameters(np.eye(2), np.zeros(2), np.eye(2), np.zeros(2))
    >>> point_net(np.array([[1.0, 5.0], [3.0, 2.0]]), same)
    array([3., 5.])
    """
    hidden = relu(project(X, parameters.W_1, parameters.b_1))
    return project(hidden, parameters.W_2, parameters.b_2).max(axis=-2)


@contract
def chamfer_distance(
    X: Float[np.ndarray, "... n d"], Y: Float[np.ndarray, "... m d"]
) -> Float[np.ndarray, "..."] | np.floating:
    r"""How far two clouds are apart: from each point to the nearest one of the other cloud, there and back, squared and averaged.

        D_ij = Σ_k (X_ik - Y_jk)²
        π_i = argmin_j D_ij
        σ_j = argmin_i D_ij
        chamfer(X, Y) = 1/n Σ_i D_{i, π_i} + 1/m Σ_j D_{σ_j, j}

    Book: eq-chamfer. Source: Fan, Su and Guibas (2017), section 3.2, arXiv:1612.00603.

    >>> float(chamfer_distance(np.array([[0.0], [4.0]]), np.array([[1.0]])))
    6.0
    """
    D = ((X[..., :, None, :] - Y[..., None, :, :]) ** 2).sum(axis=-1)
    there, back = D.min(axis=-1), D.min(axis=-2)
    return there.mean(axis=-1) + back.mean(axis=-1)


@contract
def gumbel_noise(
    u: Annotated[Float[np.ndarray, "*shape"], _INSIDE],
) -> Float[np.ndarray, "*shape"]:
    r"""Turn numbers between 0 and 1, all equally likely, into noise that makes a draw of a maximum.

        g = -ln(-ln u)

    Book: eq-gumbel-noise. Source: Jang, Gu and Poole (2017), section 2.1, arXiv:1611.01144.

    >>> gumbel_noise(np.array([np.exp(-1.0)]))
    array([-0.])
    """
    return np.asarray(-np.log(-np.log(u)))


@contract
@requires(
    lambda logits, noise, temperature: _stays_finite(logits + noise, temperature),
    "the temperature is {temperature}: logits divided by it overflow. Fix: for the limit τ -> 0 take the argmax.",
)
def gumbel_softmax(
    logits: Float[np.ndarray, "*rows m"],
    noise: Float[np.ndarray, "*rows m"],
    temperature: Positive,
) -> Float[np.ndarray, "*rows m"]:
    r"""A draw that has a gradient: shares that come close to a single code, drawn by its probability, as the temperature falls.

        y = softmax((z + g)/τ)

    Book: eq-gumbel-softmax. Source: Jang, Gu and Poole (2017), arXiv:1611.01144; Maddison, Mnih and Teh (2017),
    arXiv:1611.00712.

    >>> gumbel_softmax(np.zeros(2), np.array([1.0, 0.0]), temperature=0.1).round(3)
    array([1., 0.])
    """
    return softmax((logits + noise) / temperature)
