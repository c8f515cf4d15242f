"""The gradient of a batch by several threads: each takes a part of the windows, and the parts are averaged in order."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from transformer_math.contract.calls import inside
from transformer_math.errors import require
from transformer_math.trees import map_leaves

LossAndGradient = Callable[[Any, Any], tuple[float, Any]]


def mean_of_parts(
    loss_and_gradient: LossAndGradient, parameters: Any, parts: Sequence[Any]
) -> tuple[float, Any]:
    """The mean loss of equally large parts of a batch, and its gradient: a thread for each, which NumPy lets run at once.

    The sum is taken in the order of the parts, so the result does not depend on which of them is ready first, nor on
    how many cores there are. Raises ValueError where there is no part.

    >>> square = lambda theta, batch: (batch * theta["a"] ** 2, {"a": 2 * batch * theta["a"]})
    >>> mean_of_parts(square, {"a": 3.0}, [1.0, 2.0])
    (13.5, {'a': 9.0})
    """
    require(
        len(parts) > 0,
        "parts is empty; wanted at least one part of a batch. Fix: np.split(batch, number) with a number of 1 or more.",
    )
    with ThreadPoolExecutor(len(parts)) as pool:
        found = list(
            pool.map(lambda part: inside(loss_and_gradient, parameters, part), parts)
        )
    loss, gradients = found[0]
    for another, of_part in found[1:]:
        loss += another
        gradients = map_leaves(lambda a, b: a + b, gradients, of_part)
    return loss / len(parts), map_leaves(lambda g: g / len(parts), gradients)
