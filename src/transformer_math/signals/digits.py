"""Handwritten digits, as arrays of pixels: scikit-learn's file, read without scikit-learn."""

from functools import cache
from gzip import decompress
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int

from transformer_math.npm import verify

SIDE = 8
INK = 16  # the darkest a pixel can be
_NAME = "datasets/data/digits.csv.gz"
_CONTENT = "09f66e6debdee2cd2b5ae59e0d6abbb73fc2b0e0185d2e1957e9ebb51e23aa22"


@cache
def digits() -> tuple[Float[np.ndarray, "1797 8 8 1"], Int[np.ndarray, " 1797"]]:
    """Pictures of digits that people wrote by hand, ink from 0 to 1, and which digit each is.

    From the test part of "Optical Recognition of Handwritten Digits" (E. Alpaydin and C. Kaynak, 1998, UCI Machine Learning
    Repository, CC BY 4.0, doi:10.24432/C50P49), thirteen writers; each pixel counts the ink in 4 by 4 points of a larger
    bitmap. The file comes with scikit-learn (BSD-3-Clause). Raises ModuleNotFoundError where that is
    missing, ValueError where its file is not the pinned one.
    """
    found = find_spec("sklearn")
    if found is None or found.origin is None:
        raise ModuleNotFoundError(
            "the digits come with scikit-learn, which is not installed. Fix: pip install scikit-learn"
        )
    data = (Path(found.origin).parent / _NAME).read_bytes()
    verify(f"scikit-learn's {_NAME}", data, _CONTENT)
    lines = decompress(data).decode().split()
    table = np.array([line.split(",") for line in lines], dtype=float)
    pictures = table[:, :-1].reshape(-1, SIDE, SIDE, 1) / INK
    labels = table[:, -1].astype(int)
    for array in (pictures, labels):
        array.flags.writeable = False
    return pictures, labels
