"""A photograph in patches: choose their size, pick one and see its vector, and shuffle them."""

import base64
from io import BytesIO

import numpy as np
import traitlets
from PIL import Image

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Weights, Whole
from transformer_math.modalities import patchify
from transformer_math.quantised import pack
from transformer_math.signals.photographs import PORTRAIT_SIDE, portrait

SIZES = 16, 8, 12, 24, 32, 48  # the first is the one to begin with


def packed_portrait() -> bytes:
    """The photograph, a row of pixels in each row, from -1 to 1."""
    return pack({"portrait": 2 * portrait().reshape(PORTRAIT_SIDE, -1) - 1})


class PatchesExplorable(Explorable):
    """The patches of `patch_size` pixels, `shuffled` or not, and the one over the pixel in row `y`, column `x` of the picture.

    >>> PatchesExplorable(patch_size="16").tokens.shape
    (36, 768)
    """

    patch_size = Choice({str(p): str(p) for p in SIZES})
    x = Whole(52, low=0, high=PORTRAIT_SIDE - 1)
    y = Whole(36, low=0, high=PORTRAIT_SIDE - 1)
    shuffled = traitlets.Bool(False).tag(sync=True)
    photograph = Weights(packed_portrait)

    @property
    def tokens(self) -> np.ndarray:
        """All tokens, in the order in which they are shown."""
        T = patchify(portrait(), int(self.patch_size))
        return T[(7 * np.arange(len(T)) + 3) % len(T)] if self.shuffled else T

    @property
    def chosen(self) -> int:
        """The place of the patch that is picked."""
        p = int(self.patch_size)
        return self.y // p * (PORTRAIT_SIDE // p) + self.x // p

    def description(self) -> str:
        """How many tokens, how long, and which one is picked."""
        n, d_patch = self.tokens.shape
        order = "shuffled" if self.shuffled else "in order"
        begins = ", ".join(f"{v:.2f}" for v in self.tokens[self.chosen, :3])
        return (
            f"{n} patches of {self.patch_size} by {self.patch_size} pixels, {order}; each is a vector of {d_patch} numbers. "
            f"Attention compares {n**2} pairs. Token {self.chosen} begins with {begins}."
        )

    def heights(self) -> tuple[str, str]:
        """The room that the live figure takes, in one column and in two."""
        return (
            "calc(799px + min(300px, 100cqi))",
            "calc(249px + min(384px, 50cqi - 16px))",
        )

    def still(self) -> str:
        """The photograph under the grid of its patches, and the one that is picked."""
        p, side = int(self.patch_size), PORTRAIT_SIDE
        jpeg = BytesIO()
        whole = Image.fromarray(np.rint(255 * portrait()).astype(np.uint8))
        whole.resize((64, 64)).save(jpeg, "JPEG", quality=60)
        data = base64.b64encode(jpeg.getvalue()).decode()
        photograph = _svg.tag(
            "image", href=f"data:image/jpeg;base64,{data}", width=side, height=side
        )
        lines = "".join(f"M{k} 0V{side}M0 {k}H{side}" for k in range(p, side, p))
        grid = _svg.tag("path", d=lines, stroke="#fff", stroke_width=0.6)
        row, column = divmod(self.chosen, side // p)
        ring = _svg.tag(
            "rect", x=column * p, y=row * p, width=p, height=p, fill="none",
            stroke=palette.ROLES["key"], stroke_width=1.5,
        )  # fmt: skip
        inside = _svg.tag(
            "g", photograph, grid, ring, transform="translate(176 0) scale(3)"
        )
        return _svg.picture(640, 288, inside)
