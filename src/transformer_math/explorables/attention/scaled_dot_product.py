"""Type a sentence and see which word looks at which: scaled dot-product attention, step by step."""

from typing import Any

import numpy as np
import traitlets

from transformer_math.attention import apply_mask, causal_mask, scores, softmax
from transformer_math.corpus import SENTENCE
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import (
    Bounded,
    Choice,
    Weights,
    Whole,
    require,
    within,
)
from transformer_math.explorables.attention.vocabulary import (
    DIMENSIONS,
    content,
    packed_vectors,
    visible_words,
)
from transformer_math.position import shift_matrix, sinusoidal

MOST_TOKENS = 16
LARGEST = 1000.0  # of an entry of Q or K
# The head's weight matrices hold a gain: without it, unit vectors give nearly equal scores. Its positions are two
# waves, 6 and 19 positions long: no two of 16 neighbours look alike.
HEAD = {"gain": 4.0, "d_position": 4, "base": 9.0}


class Matrix(traitlets.List):
    """Rows of numbers: lists or an array; an empty list hands the matrix back to the head."""

    def __init__(self):
        super().__init__([])
        self.bounds = {"low": -LARGEST, "high": LARGEST}
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> list[list[float]]:
        """The rows, unless they are no matrix or a number is outside."""
        rows = np.asarray(value, dtype=float)
        given = rows.size == 0 or rows.ndim == 2
        require(
            given,
            f"a matrix of shape {rows.shape} came; wanted rows of numbers, (n, d_k). Fix: one row per token.",
        )
        within(self.name, rows, self.bounds)
        return super().validate(obj, rows.tolist() if rows.size else [])


class ScaledDotProductExplorable(Explorable):
    """Attention over the words of a sentence, by a head made of weights that can be read.

    Each token's vector x_i is [content of the word (8) | sinusoidal position (4)]; `head` chooses W_Q and W_K:
    "similar" reads the content, "previous" turns the query's position one place back by the shift matrix, "both" reads
    both. `Q` and `K`, if not empty, stand in place of X W_Q and X W_K until the sentence has another number of tokens.
    `row` and `column` are the query and the key in sight.

    >>> explorable = ScaledDotProductExplorable(sentence="the whale", head="previous", causal=True)
    >>> explorable.weights.round(2)
    array([[1.  , 0.  ],
           [0.98, 0.02]])
    """

    sentence = traitlets.Unicode(SENTENCE).tag(sync=True)
    head = Choice(
        {"similar": "similar words", "previous": "previous token", "both": "both"}
    )
    view = Choice({"heatmap": "heatmap", "arcs": "arcs"})
    scaled = traitlets.Bool(True).tag(sync=True)
    causal = traitlets.Bool(False).tag(sync=True)
    temperature = Bounded(1.0, low=0.1, high=4)
    row = Whole(2, low=0, high=MOST_TOKENS - 1)
    column = Whole(11, low=0, high=MOST_TOKENS - 1)
    Q = Matrix()
    K = Matrix()
    weighing = traitlets.Dict(HEAD, read_only=True).tag(sync=True)
    word_vectors = Weights(packed_vectors)

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
        return visible_words(self.sentence)[:MOST_TOKENS]

    @property
    def X(self) -> np.ndarray:
        """The tokens' vectors (n, 12): content and position side by side."""
        require(
            self.tokens != [],
            f"the sentence {self.sentence!r} holds no token. Fix: set one with a word in it.",
        )
        words = np.array([content(token) for token in self.tokens])
        places = sinusoidal(len(words), HEAD["d_position"], HEAD["base"])
        return np.hstack([words, places])

    @property
    def W_Q(self) -> np.ndarray:
        """The head's query weights (12, d_k)."""
        return self._read(shift_matrix(-1.0, HEAD["d_position"], HEAD["base"]).T)

    @property
    def W_K(self) -> np.ndarray:
        """The head's key weights (12, d_k)."""
        return self._read(np.eye(HEAD["d_position"]))

    def _read(self, position: np.ndarray) -> np.ndarray:
        """The content as it is above, the position through a matrix below; without the columns that the head ignores."""
        words = np.vstack([np.eye(DIMENSIONS), np.zeros((len(position), DIMENSIONS))])
        places = np.vstack([np.zeros((DIMENSIONS, len(position))), position])
        both = np.hstack([words, places])
        return (
            HEAD["gain"]
            * {"similar": words, "previous": places, "both": both}[self.head]
        )

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
            f"{shortened(token)} to {self._largest(line)}"
            for token, line in zip(self.tokens, self.weights)
        ]
        return f"Attention weights of {len(self.tokens)} tokens; each query attends most to: {', '.join(best)}."

    def _largest(self, line: np.ndarray) -> str:
        """The keys with the largest weight of a row; where more than two are equal, how many."""
        best = np.flatnonzero(np.isclose(line, line.max(), rtol=0, atol=1e-12))
        if len(best) > 2:
            return f"{len(best)} keys alike"
        return " and ".join(f"{shortened(self.tokens[j])} ({j})" for j in best)

    def heights(self) -> tuple[str, str]:
        """Where it is wide, map and table end together, however many tokens there are."""
        n = max(len(self.tokens), 1)
        table, heatmap = 96 + min(20 * n, 260), 112 + min(18 * n, 256)
        lines = "clamp(0px, 2 * (716px - 100cqi), 20px) + clamp(0px, 4 * (730px - 100cqi), 8px)"
        wide = f"calc({282 + max(table, heatmap)}px + {lines})"
        return (
            f"calc({min(28 * n, 364) + 897}px + min({min(36 * n, 468)}px, 100cqi - 72px))",
            wide,
        )

    def still(self) -> str:
        """The heatmap: a row for each query, a column for each key."""
        n, left, top, cell = len(self.tokens), 170, 100, 32
        if n == 0:
            return _svg.picture(400, 40, _svg.text(200, 25, "No tokens yet."))
        middles = [(i + 0.5) * cell for i in range(n)]
        named = list(zip(middles, map(shortened, self.tokens)))
        rows = [_svg.text(left - 8, top + y + 4, token, "end") for y, token in named]
        columns = [_column(left + x + 4, top - 8, token) for x, token in named]
        cells = _svg.ink(self.weights, x=left, y=top, width=n * cell, height=n * cell)
        size = left + n * cell + 94, top + n * cell + 10
        return _svg.picture(*size, *rows, *columns, cells)


def shortened(token: str, longest: int = 14) -> str:
    """A token that fits beside a heatmap.

    >>> shortened("a" * 100)
    'aaaaaaaaaaaaa…'
    """
    return token if len(token) <= longest else f"{token[: longest - 1]}…"


def _column(x: float, y: float | int, token: str) -> str:
    return _svg.text(x, y, token, "start", transform=f"rotate(-60 {x:.1f} {y})")
