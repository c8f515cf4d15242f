"""The sentences with which bad input is refused: what came, what was wanted, how to fix it."""

import numpy as np


def require(condition: bool, message: str) -> None:
    """Raise `ValueError(message)` unless the condition holds."""
    if not condition:
        raise ValueError(message)


def require_axis(name: str, array: np.ndarray, axis: int, size: int, fix: str) -> None:
    """Refuse an array whose given axis has another size than the one wanted."""
    if array.ndim < -axis or array.shape[axis] != size:
        raise ValueError(
            f"{name} has shape {array.shape}; wanted size {size} on axis {axis}. Fix: {fix}."
        )


def require_integers(name: str, array: np.ndarray) -> None:
    """Refuse anything but integers where indices are wanted."""
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(
            f"{name} has dtype {array.dtype}; wanted integers. Fix: {name}.astype(int)."
        )


def require_finite(name: str, array: np.ndarray) -> None:
    """Refuse NaN and infinities, and say where the first one stands."""
    finite = np.isfinite(array)
    if not finite.all():
        where = tuple(int(i) for i in np.argwhere(~finite)[0])
        raise ValueError(
            f"{name} holds {array[where]} at index {where}; wanted finite numbers. Fix: find the step that made it."
        )
