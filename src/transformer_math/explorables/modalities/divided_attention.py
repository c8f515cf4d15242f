"""Six frames of a film in patches: pick a patch, and see which patches it looks at, and which can have reached it."""

import base64
from io import BytesIO

import numpy as np
import traitlets
from PIL import Image

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Weights, Whole
from transformer_math.modalities import space_mask, time_mask, two_steps
from transformer_math.quantised import pack
from transformer_math.signals.film import HEIGHT, WIDTH, film

FIRST, FRAMES, POOL = 17, 6, 2  # the gallop, coarser
ROWS, COLUMNS = 3, 5  # of patches in a frame
PLACES = ROWS * COLUMNS
SCHEMES = {
    "divided": "divided",
    "joint": "joint",
    "space": "space only",
    "time": "time only",
}
PatchMasks = tuple[np.ndarray, np.ndarray]


def small_frames() -> np.ndarray:
    """The frames that are shown, each pixel the mean of two by two."""
    frames = film()[FIRST : FIRST + FRAMES, ..., 0]
    shape = FRAMES, HEIGHT // POOL, POOL, WIDTH // POOL, POOL
    return frames.reshape(shape).mean(axis=(2, 4))


def packed_film() -> bytes:
    """The frames below each other, a row of pixels in each row, from -1 to 1."""
    return pack({"frames": 2 * small_frames().reshape(-1, WIDTH // POOL) - 1})


class DividedAttentionExplorable(Explorable):
    """Who sees whom by a `scheme`, after one or two `steps`, with a class token or without, from the patch of `frame` and `place`.

    >>> DividedAttentionExplorable(scheme="space", steps="1", class_token=False).reached.sum().item()
    15
    """

    scheme = Choice(SCHEMES)
    steps = Choice({"1": "one", "2": "two"})
    class_token = traitlets.Bool(False).tag(sync=True)
    frame = Whole(3, low=0, high=FRAMES - 1)
    place = Whole(13, low=0, high=PLACES - 1)
    film = Weights(packed_film)

    @property
    def masks(self) -> PatchMasks:
        """The masks of the first step and of the second, over the tokens that there are."""
        space, time = space_mask(FRAMES, PLACES), time_mask(FRAMES, PLACES)
        by_scheme = {
            "divided": (time, space),
            "joint": (space | True, space | True),
            "space": (space, space),
            "time": (time, time),
        }
        start = 0 if self.class_token else 1
        first, then = (mask[start:, start:] for mask in by_scheme[self.scheme])
        return first, then

    @property
    def token(self) -> int:
        """The number of the picked patch among the tokens that there are."""
        return int(self.class_token) + self.frame * PLACES + self.place

    @property
    def reached(self) -> np.ndarray:
        """For each token: whether something of it can have come to the picked patch."""
        first, then = self.masks
        through = first if self.steps == "1" else two_steps(first, then)
        return through[self.token]

    @property
    def pairs(self) -> int:
        """How many pairs the steps compare, of all tokens together."""
        return sum(int(mask.sum()) for mask in self.masks[: int(self.steps)])

    def description(self) -> str:
        """Which patch looks, how far it sees, and what that costs."""
        row, column = divmod(self.place, COLUMNS)
        patches = int(self.reached[int(self.class_token) :].sum())
        steps = "one step" if self.steps == "1" else "two steps"
        attention = SCHEMES[self.scheme].capitalize()
        return (
            f"{attention} attention, {steps}: something from {patches} of the {FRAMES * PLACES} patches "
            f"can have reached the patch in frame {self.frame}, row {row}, column {column}. "
            f"All tokens together compare {self.pairs} pairs."
        )

    def heights(self) -> tuple[str, str]:
        """The room that the live figure takes, in one column and in two."""
        return "calc(611px + 0.9 * min(420px, 100cqi))", "563px"

    def still(self) -> str:
        """The frames under the grid of their patches, those that are out of reach dimmed."""
        scale, gap = 2.5, 8
        wide, high = WIDTH // POOL, HEIGHT // POOL
        side = wide // COLUMNS
        offset, parts = int(self.class_token), []
        for t, pixels in enumerate(small_frames()):
            x, y = (t % 3) * (wide + gap / scale), (t // 3) * (high + gap / scale)
            jpeg = BytesIO()
            image = Image.fromarray(np.rint(255 * pixels).astype(np.uint8))
            image.save(jpeg, "JPEG", quality=60)
            data = base64.b64encode(jpeg.getvalue()).decode()
            parts.append(
                _svg.tag(
                    "image", href=f"data:image/jpeg;base64,{data}", x=x, y=y, width=wide, height=high,
                )
            )  # fmt: skip
            for i in range(PLACES):
                row, column = divmod(i, COLUMNS)
                picked = (t, i) == (self.frame, self.place)
                out = not self.reached[offset + t * PLACES + i]
                parts.append(
                    _svg.tag(
                        "rect", x=x + column * side, y=y + row * side, width=side, height=side,
                        fill="#808080" if out else "none", fill_opacity=0.75,
                        stroke=palette.ROLES["query"] if picked else "#fff", stroke_width=1.6 if picked else 0.4,
                    )
                )  # fmt: skip
        inside = _svg.tag("g", *parts, transform=f"translate(12 4) scale({scale})")
        return _svg.picture(640, 260, inside)
