"""Means over the entries of a token, for the gradients of normalisation."""

import numpy as np


def mean_of_products(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """For each token the mean of x y over its entries: a dot product is faster than `(x * y).mean`.

    >>> mean_of_products(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]]))
    array([[5.5]])
    """
    return np.vecdot(x, y)[..., None] / x.shape[-1]
