"""Paint a mask cell by cell, and see what it does to the scores and the weights of the running sentence."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import traitlets

from transformer_math.attention.masks import (
    apply_mask,
    causal_mask,
    padding_mask,
    prefix_mask,
    sliding_window_mask,
)
from transformer_math.attention.softmax import softmax
from transformer_math.corpus import SENTENCE
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Whole, require
from transformer_math.explorables.attention.scaled_dot_product import (
    ScaledDotProductExplorable,
    _column,
)
from transformer_math.explorables.attention.vocabulary import content, visible_words

TOKENS = visible_words(SENTENCE)
N = len(TOKENS)
PRESETS: dict[str, tuple[str, Callable[[int], np.ndarray]]] = {
    "window": ("sliding window", lambda size: sliding_window_mask(N, size)),
    "causal": ("causal", lambda size: causal_mask(N)),
    "prefix": ("prefix", lambda size: prefix_mask(N, size)),
    "padding": (
        "padding",
        lambda size: np.tile(padding_mask(np.array([size]), N)[0, 0], (N, 1)),
    ),
    "blocks": ("blocks", lambda size: _blocks(size)),
    "everything": ("everything allowed", lambda size: np.ones((N, N), bool)),
    "nothing": ("nothing allowed", lambda size: np.zeros((N, N), bool)),
}
PAINTED = {"painted": "painted by hand"}


def _blocks(size: int) -> np.ndarray:
    block = np.arange(N) // size
    return block[:, None] == block


@cache
def given_numbers() -> dict[str, list[list[float]]]:
    """The scores of the sentence by a head that compares words, and the words' vectors as values, in few digits."""
    head = ScaledDotProductExplorable()
    S = head.Q_in_use @ head.K_in_use.T / np.sqrt(head.Q_in_use.shape[1])
    V = np.array([content(token) for token in TOKENS])
    return {"S": S.round(3).tolist(), "V": V.round(3).tolist()}


class Mask(traitlets.List):
    """Rows of 0 and 1, one for each query; boolean arrays are taken too."""

    def __init__(self) -> None:
        super().__init__(sliding_window_mask(N, 3).astype(int).tolist())
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> list[list[int]]:
        """The rows, unless they are no mask of the sentence's size."""
        rows = np.asarray(value)
        require(
            rows.shape == (N, N) and np.isin(rows, (0, 1)).all(),
            f"a mask of shape {rows.shape} came; wanted {N} rows of {N} zeros and ones. Fix: True where attention is allowed.",
        )
        return super().validate(obj, rows.astype(int).tolist())


class MasksExplorable(Explorable):
    """A mask to paint over the tokens of the book's sentence.

    `mask` holds a row for each query, 1 where it may see a key. `preset` and `size` set it; painting sets `preset` to
    "painted". Scores and values are those of a head that compares the words' vectors; `row` and `column` are the query
    and the key in sight, `view` says what stands beside the mask.

    >>> explorable = MasksExplorable()
    >>> explorable.weights[0].max(), explorable.seen.tolist()[:3]
    (np.float64(1.0), [1, 2, 3])
    """

    preset = Choice({name: label for name, (label, _) in PRESETS.items()} | PAINTED)
    size = Whole(3, low=1, high=N)
    mask = Mask()
    view = Choice({"weights": "weights", "scores": "scores"})
    row = Whole(3, low=0, high=N - 1)
    column = Whole(0, low=0, high=N - 1)
    tokens = traitlets.List(TOKENS, read_only=True).tag(sync=True)
    given = traitlets.Dict(read_only=True).tag(sync=True)

    @traitlets.default("given")
    def _given(self) -> dict[str, list[list[float]]]:
        return given_numbers()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if "mask" in kwargs and "preset" not in kwargs:
            self.preset = "painted"

    @traitlets.observe("preset", "size")
    def _draw(self, _change: dict) -> None:
        if self.preset in PRESETS:
            self.mask = PRESETS[self.preset][1](self.size)

    @traitlets.observe("mask")
    def _notice(self, _change: dict) -> None:
        if self.preset in PRESETS:
            drawn = PRESETS[self.preset][1](self.size)
            if not np.array_equal(np.array(self.mask, bool), drawn):
                self.preset = "painted"

    @property
    def scores(self) -> np.ndarray:
        """The scores (n, n) under the mask: −∞ where it forbids."""
        return apply_mask(np.array(self.given["S"]), np.array(self.mask, bool))

    @property
    def weights(self) -> np.ndarray:
        """The weights (n, n); the row of a query that sees nothing is zero."""
        return softmax(self.scores)

    @property
    def output(self) -> np.ndarray:
        """For each query the average of the values (n, 8), weighed by its row."""
        return self.weights @ np.array(self.given["V"])

    @property
    def seen(self) -> np.ndarray:
        """How many keys each query may see."""
        return np.sum(self.mask, axis=1)

    def description(self) -> str:
        """The mask in words."""
        blind = [TOKENS[i] for i in np.flatnonzero(self.seen == 0)]
        nothing = f" {len(blind)} of them may see nothing." if blind else ""
        return (
            f"A mask over {N} tokens, {self.traits()['preset'].bounds['labels'][self.preset]}: "
            f"{int(self.seen.sum())} of {N * N} pairs are allowed.{nothing}"
        )

    def heights(self) -> tuple[str, str]:
        """Two maps with square cells, below each other or side by side."""
        return (
            f"calc(756px + 2 * min({36 * N}px, 100cqi - 72px))",
            f"calc(371px + min({36 * N}px, 50cqi - 104px, 344px))",
        )

    def still(self) -> str:
        """The mask, and the weights beside it."""
        cell, left, top = 20, 110, 100
        middles = [(i + 0.5) * cell for i in range(N)]
        named = list(zip(middles, TOKENS))
        rows = [_svg.text(left - 8, top + y + 4, token, "end") for y, token in named]
        parts, side = [], N * cell
        for x, values in (
            (left, 0.6 * np.array(self.mask)),
            (left + side + 40, self.weights),
        ):
            parts += [_column(x + y + 4, top - 8, token) for y, token in named]
            parts.append(_svg.ink(values, x=x, y=top, width=side, height=side))
            frame = {"x": x, "y": top, "width": side, "height": side}
            parts.append(
                _svg.tag(
                    "rect", **frame, fill="none", stroke="currentColor", opacity=0.3
                )
            )
        size = left + 2 * side + 100, top + side + 10
        return _svg.picture(*size, *rows, *parts)
