"""Powers of two that arrays are multiplied by, from one end of the range of floating point to the other, in both precisions."""

import numpy as np
import pytest

UNITS = pytest.mark.parametrize(
    ("dtype", "power"),
    [
        (dtype, sign * power)
        for dtype, most in ((np.float32, 122), (np.float64, 1018))
        for power in (0, most // 2, most * 2 // 3, most)
        for sign in (-1, 1)
    ],
)
