"""Type a sentence and see which word looks at which: scaled dot-product attention, step by step."""

from typing import Any

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.attention import apply_mask, causal_mask, scores, softmax
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable, module, require
from transformer_math.explorables.word_vectors import word_vector, word_vectors
from transformer_math.position import shift_matrix, sinusoidal
from transformer_math.tokenization.units import words

HEADS = ("similar", "previous", "both")
MOST_TOKENS = 16
GAIN = 4.0  # the weight matrices hold it: without it, unit vectors give nearly equal scores
D_POSITION, POSITION_BASE = (
    4,
    9.0,
)  # two waves, 6 and 19 positions long: no two of 16 neighbours look alike
SENTENCE = "A function returns a value and the method raises an exception."


class _Matrix(traitlets.List):
    """Rows of numbers: lists or an array; an empty list hands the matrix back to the head."""

    def validate(self, obj: Any, value: Any) -> list[list[float]]:
        rows = np.asarray(value, dtype=float)
        given = rows.size == 0 or rows.ndim == 2
        require(
            given,
            f"a matrix of shape {rows.shape} came; wanted rows of numbers, (n, d_k). Fix: one row per token.",
        )
        require(
            bool(np.isfinite(rows).all()),
            "the matrix holds NaN or an infinity; wanted finite numbers.",
        )
        return super().validate(obj, rows.tolist() if rows.size else [])


class ScaledDotProductExplorable(Explorable):
    """Attention over the words of a sentence, by a head made of weights that can be read.

    Each token's vector x_i is [content of the word (8) | sinusoidal position (4)]; `head` chooses W_Q and W_K:
    "similar" reads the content, "previous" turns the query's position one place back by the shift matrix, "both" reads
    both. `Q` and `K`, if not empty, stand in place of X W_Q and X W_K until the sentence has another number of tokens.

    >>> explorable = ScaledDotProductExplorable(sentence="the method", head="previous", causal=True)
    >>> explorable.weights.round(2)
    array([[1.  , 0.  ],
           [0.98, 0.02]])
    """

    idea = "scaled_dot_product"
    _esm = module(idea)

    sentence = traitlets.Unicode(SENTENCE).tag(sync=True)
    head = traitlets.Unicode("similar").tag(sync=True)
    scaled = traitlets.Bool(True).tag(sync=True)
    causal = traitlets.Bool(False).tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)
    row = traitlets.Int(2).tag(sync=True)
    Q = _Matrix([]).tag(sync=True)
    K = _Matrix([]).tag(sync=True)
    vectors = traitlets.Dict(read_only=True).tag(sync=True)

    @traitlets.default("vectors")
    def _default_vectors(self) -> dict[str, list[int]]:
        return word_vectors()

    @traitlets.validate("head")
    def _known_head(self, proposal: dict) -> str:
        require(
            proposal["value"] in HEADS,
            f"head is {proposal['value']!r}; wanted one of {', '.join(HEADS)}.",
        )
        return proposal["value"]

    @traitlets.validate("temperature")
    def _positive(self, proposal: dict) -> float:
        require(
            proposal["value"] > 0,
            f"temperature is {proposal['value']}; wanted more than 0, such as 1.",
        )
        return proposal["value"]

    @traitlets.validate("row")
    def _not_negative(self, proposal: dict) -> int:
        require(
            proposal["value"] >= 0,
            f"row is {proposal['value']}; wanted 0 for the first query, 1 for the second, …",
        )
        return proposal["value"]

    @traitlets.validate("Q", "K")
    def _fits(self, proposal: dict) -> list[list[float]]:
        name, matrix = proposal["trait"].name, proposal["value"]
        if matrix == []:
            return matrix
        n, d_k = np.shape(matrix)
        require(
            n == len(self.tokens),
            f"{name} has {n} rows for {len(self.tokens)} tokens. Fix: set the sentence first.",
        )
        other = (self.K_in_use if name == "Q" else self.Q_in_use).shape[1]
        require(
            d_k == other,
            f"{name} has {d_k} columns, the other matrix {other}; wanted the same d_k. "
            "Fix: set both at once, under `with explorable.hold_trait_notifications():`.",
        )
        return matrix

    @traitlets.observe("sentence", "head")
    def _drop_what_no_longer_fits(self, _change: dict) -> None:
        for name in ("Q", "K"):
            if len(getattr(self, name)) not in (0, len(self.tokens)):
                self.set_trait(name, [])
        if self.tokens and self.Q_in_use.shape != self.K_in_use.shape:
            self.set_trait("Q", [])
            self.set_trait("K", [])

    @property
    def tokens(self) -> list[str]:
        """The words and marks that take part: at most the first 16 of the sentence."""
        return words(self.sentence)[:MOST_TOKENS] if self.sentence.strip() else []

    @property
    def X(self) -> np.ndarray:
        """The tokens' vectors (n, 12): content and position side by side."""
        require(
            self.tokens != [],
            f"the sentence {self.sentence!r} holds no token. Fix: set one with a word in it.",
        )
        content = np.array([word_vector(token, self.vectors) for token in self.tokens])
        return np.hstack([content, sinusoidal(len(content), D_POSITION, POSITION_BASE)])

    @property
    def W_Q(self) -> np.ndarray:
        """The head's query weights (12, d_k)."""
        return GAIN * self._read(shift_matrix(-1.0, D_POSITION, POSITION_BASE).T)

    @property
    def W_K(self) -> np.ndarray:
        """The head's key weights (12, d_k)."""
        return GAIN * self._read(np.eye(D_POSITION))

    def _read(self, position: np.ndarray) -> np.ndarray:
        """A block-diagonal matrix: the content as it is, the position through a matrix; without what the head ignores."""
        d_content = len(next(iter(self.vectors.values())))
        whole = np.block(
            [
                [np.eye(d_content), np.zeros((d_content, D_POSITION))],
                [np.zeros((D_POSITION, d_content)), position],
            ]
        )
        return {
            "similar": whole[:, :d_content],
            "previous": whole[:, d_content:],
            "both": whole,
        }[self.head]

    @property
    def Q_in_use(self) -> np.ndarray:
        """The Q in use (n, d_k): the one that was set, else X W_Q."""
        return np.array(self.Q) if self.Q else self.X @ self.W_Q

    @property
    def K_in_use(self) -> np.ndarray:
        """The K in use (n, d_k): the one that was set, else X W_K."""
        return np.array(self.K) if self.K else self.X @ self.W_K

    @property
    def weights(self) -> np.ndarray:
        """The attention weights (n, n) of the current state, computed by the package."""
        Q, K = self.Q_in_use, self.K_in_use
        S = (scores(Q, K) if self.scaled else Q @ K.T) / self.temperature
        return softmax(apply_mask(S, causal_mask(len(Q))) if self.causal else S)

    def description(self) -> str:
        """The heatmap in words: for each query the key with the largest weight."""
        if not self.tokens:
            return "Attention weights: the sentence holds no token yet."
        best = [
            f"{token} to {self.tokens[j]}"
            for token, j in zip(self.tokens, self.weights.argmax(axis=1))
        ]
        return f"Attention weights of {len(self.tokens)} tokens; each query attends most to: {', '.join(best)}."

    def still(self) -> str:
        """The heatmap: a row for each query, a column for each key."""
        n, left, top, cell = len(self.tokens), 120, 100, 32
        if n == 0:
            return _svg.picture(400, 40, _svg.text(200, 25, "No tokens yet."))
        middles = [(i + 0.5) * cell for i in range(n)]
        rows = [
            _svg.text(left - 8, top + y + 4, token, "end")
            for y, token in zip(middles, self.tokens)
        ]
        columns = [
            _column(left + x + 4, top - 8, token)
            for x, token in zip(middles, self.tokens)
        ]
        pixels = _svg.shades(self.weights, palette.SEQUENTIAL)
        cells = _svg.image(pixels, x=left, y=top, width=n * cell, height=n * cell)
        return _svg.picture(
            left + n * cell + 40, top + n * cell + 10, *rows, *columns, cells
        )


def _column(x: float, y: float | int, token: str) -> str:
    return _svg.text(x, y, token, "start", transform=f"rotate(-60 {x:.1f} {y})")
