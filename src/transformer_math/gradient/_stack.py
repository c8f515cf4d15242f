"""A stack of layers, pulled back: what encoder, decoder and the model of attention alone have in common."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

LayerTwin = Callable[[np.ndarray], tuple[np.ndarray, Callable]]


def through_layers(
    Z: np.ndarray, layer_twins: Iterable[LayerTwin]
) -> tuple[np.ndarray, Callable[[np.ndarray], tuple[np.ndarray, list[list[Any]]]]]:
    """Send the tokens through the layers; every layer's pullback is kept, and called in reverse.

    The pullback of all gives the gradient of what entered the first layer, and a list of what each layer's own pullback
    gives beside that of its tokens, the first layer's first.

    >>> ten_times = lambda Z: (10 * Z, lambda dZ: (10 * dZ, "of this layer"))
    >>> Z, pullback = through_layers(np.ones(1), [ten_times, ten_times])
    >>> pullback(np.ones(1))
    (array([100.]), [['of this layer'], ['of this layer']])
    """
    pullbacks = []
    for layer_twin in layer_twins:
        Z, pullback = layer_twin(Z)
        pullbacks.append(pullback)

    def pullback_of_all(dZ):
        gradients = []
        for pullback in reversed(pullbacks):
            dZ, *own = pullback(dZ)
            gradients.append(own)
        return dZ, gradients[::-1]

    return Z, pullback_of_all
