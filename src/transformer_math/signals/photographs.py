"""Photographs, as arrays of pixels."""

from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
from jaxtyping import Float

from transformer_math.npm import verify

PORTRAIT_SIDE = 96
_NAME = "grace_hopper.jpg"
_CONTENT = "a8ca6d734765703b09728ab47fe59f473d93ae3967fc24c7c0288c3c7adb7130"
_LEFT, _TOP, _SIDE = 16, 0, 480  # a square of the photograph: head and shoulders


@cache
def portrait() -> Float[np.ndarray, "96 96 3"]:
    """Grace Hopper, photographed by the United States Navy in 1984: red, green and blue, from 0 to 1.

    A square of the photograph, each pixel the mean of 5 by 5 of the original, rounded as a file of pixels would be.
    Raises ValueError where Matplotlib's file is not the pinned one.
    """
    from matplotlib import cbook
    from PIL import Image

    data = Path(str(cbook.get_sample_data(_NAME, asfileobj=False))).read_bytes()
    verify(f"Matplotlib's {_NAME}", data, _CONTENT)
    photograph = np.asarray(Image.open(BytesIO(data)).convert("RGB"), dtype=float)
    square = photograph[_TOP : _TOP + _SIDE, _LEFT : _LEFT + _SIDE]
    blocks = square.reshape(PORTRAIT_SIDE, 5, PORTRAIT_SIDE, 5, 3)
    pixels = np.rint(blocks.mean(axis=(1, 3))) / 255
    pixels.flags.writeable = False
    return pixels
