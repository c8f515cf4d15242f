"""Word vectors side by side: the plane in which an analogy lies, and how far two ways agree on what is near what."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Whole, contract, requires
from transformer_math.scaling import homogeneous


@contract
@requires(
    lambda W, a, b, c: min(a, b, c) >= 0 and max(a, b, c) < len(W),
    "the words are {a}, {b} and {c}, of {W.shape[0]} vectors. Fix: numbers from 0, one for each row of W.",
)
@requires(
    lambda W, a, b, c: np.linalg.matrix_rank(W[[b, c]] - W[a]) == 2,
    "the vectors of {a}, {b} and {c} lie on a line, and no plane is theirs. Fix: three words that differ in two ways.",
)
@homogeneous
def plane_of_question(
    W: Float[np.ndarray, "V d"], a: Whole, b: Whole, c: Whole
) -> Float[np.ndarray, "V 2"]:
    r"""Where all words stand in the plane through three of them: along from a to b, and at right angles towards c.

        Y_{k,0} = ⟨ W_k - W_a, u_0 ⟩, Y_{k,1} = ⟨ W_k - W_a, u_1 ⟩
        u_0 = (W_b - W_a)/(‖ W_b - W_a ‖), u_1 = v/(‖ v ‖)
        v = W_c - W_a - ⟨ W_c - W_a, u_0 ⟩ u_0

    The point b - a + c lies in this plane; what is drawn of a, b and c is true to scale. Book: eq-plane-of-question.

    >>> W = np.array([[0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [0.0, 3.0, 1.0], [5.0, 5.0, 5.0]])
    >>> plane_of_question(W, 0, 1, 2)
    array([[0., 0.],
           [2., 0.],
           [0., 3.],
           [5., 5.]])
    """
    along = (W[b] - W[a]) / np.linalg.norm(W[b] - W[a])
    v = W[c] - W[a] - (W[c] - W[a]) @ along * along
    return (W - W[a]) @ np.stack([along, v / np.linalg.norm(v)], axis=1)


@contract
@requires(
    lambda x, y: np.ptp(x) > 0 and np.ptp(y) > 0,
    "all numbers of x or of y are equal; wanted numbers that can be put in order. Fix: two that differ, at least.",
)
def rank_correlation(x: Float[np.ndarray, " n"], y: Float[np.ndarray, " n"]) -> float:
    r"""How far two lists put the same things in the same order: the correlation of their ranks, -1 to 1.

        r_k = Σ_l [x_l < x_k] + 1/2 Σ_l [x_l = x_k] - n/2
        r'_k = Σ_l [y_l < y_k] + 1/2 Σ_l [y_l = y_k] - n/2
        ρ = (Σ_k r_k r'_k)/√(Σ_k r_k² Σ_k r_k'²)

    Equal numbers share the mean of their ranks, which are counted from the middle. Raises ValueError where all numbers of
    a list are equal. Book: eq-rank-correlation. Source: Spearman (1904).

    >>> rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([0.1, 10.0, 1000.0]))
    1.0
    """

    def centred(z):
        _, at, times = np.unique(z, return_inverse=True, return_counts=True)
        return (np.cumsum(times) - times / 2)[at] - len(z) / 2

    r, s = centred(x), centred(y)
    return float(r @ s / np.sqrt((r @ r) * (s @ s)))
