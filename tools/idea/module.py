"""TODO: the idea in one line."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import contract

Tokens = Float[np.ndarray, "*rows d_model"]


@contract
def the_idea(x: Tokens) -> Tokens:
    """TODO: what it does, in one line.

        TODO: the equation, as in the chapter

    Book: eq-the-idea. Source: TODO: authors (year), section, arXiv number.

    >>> the_idea(np.array([1.0, 2.0]))
    array([1., 2.])
    """
    return x  # TODO: the equation
