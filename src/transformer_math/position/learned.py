"""Learned positions: a table with a vector for each place, trained like the embeddings, and no place after its end."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import contract, requires

_fits = requires(
    lambda X, P: X.shape[-2] <= len(P),
    "X has shape {X.shape}, and the table P {P.shape}: there is no row for every token. "
    "Fix: at most as many tokens as P has rows, or a table that was trained on longer texts.",
)


@contract
@_fits
def add_learned_position(
    X: Float[np.ndarray, "... n d_model"], P: Float[np.ndarray, "L d_model"]
) -> Float[np.ndarray, "... n d_model"]:
    r"""Add to each token the row of its place, out of a table with L rows.

        (Z^(0))_i = X_i + P_i
        i = 0, …, n - 1, n ≤ L
        P ∈ R^(L × d_model)

    Raises ValueError for more tokens than rows: nothing wraps around. Book: eq-learned-position.
    Source: Gehring et al. (2017), section 3.1, arXiv:1705.03122; Devlin et al. (2019), arXiv:1810.04805.

    >>> add_learned_position(np.array([[0.5, 0.5]]), P=np.array([[0.0, 1.0], [2.0, 3.0]]))
    array([[0.5, 1.5]])
    """
    return X + P[: X.shape[-2]]
