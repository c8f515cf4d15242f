"""The online softmax, tile by tile: a running maximum, a running sum, and weights that shrink when a larger score comes."""

from functools import cache

import numpy as np
import traitlets

from transformer_math.attention import online_softmax, scores, softmax
from transformer_math.corpus import SENTENCE
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Whole
from transformer_math.explorables.attention.scaled_dot_product import HEAD, shortened
from transformer_math.explorables.attention.vocabulary import content, visible_words
from transformer_math.palette import ROLES

TOKENS = visible_words(SENTENCE)
LAST = len(TOKENS) - 1
State = tuple[np.ndarray, np.ndarray, np.ndarray]


@cache
def learned_scores() -> list[list[float]]:
    """Each word of the sentence with each, by the head that compares their vectors; short enough for a page."""
    X = HEAD["gain"] * np.array([content(token) for token in TOKENS])
    return scores(X, X).round(3).tolist()


class BlockwiseExplorable(Explorable):
    """The online softmax of one word of the book's sentence over all its words.

    `row` is the query, `tile` the number of keys in a tile, `read` the number of tiles that have been read. The scores
    are those of word vectors learned from the novel. Values are the identity, so that the output holds the weights.

    >>> explorable = BlockwiseExplorable(row=7, tile=4, read=4)
    >>> m, l, o = explorable.running
    >>> np.allclose(o / l, explorable.weights)
    True
    """

    row = Whole(7, low=0, high=LAST)
    tile = Whole(4, low=1, high=LAST + 1)
    read = Whole(1, low=0, high=LAST + 1)
    tokens = traitlets.List(TOKENS, read_only=True).tag(sync=True)
    scores = traitlets.List(read_only=True).tag(sync=True)

    @traitlets.default("scores")
    def _all_scores(self) -> list[list[float]]:
        return learned_scores()

    @property
    def tiles(self) -> int:
        """How many tiles there are."""
        return -(-len(TOKENS) // self.tile)

    @property
    def running(self) -> State:
        """Maximum, sum and weighted sum of one-hot values after the tiles that have been read."""
        S, V = np.array(self.scores[self.row]), np.eye(len(TOKENS))
        m, l, o = np.array([-np.inf]), np.zeros(1), np.zeros((1, len(TOKENS)))
        for first in range(0, min(self.read * self.tile, len(TOKENS)), self.tile):
            tile = slice(first, first + self.tile)
            m, l, o = online_softmax(m, l, o, S[None, tile], V[tile])
        return m, l, o

    @property
    def weights(self) -> np.ndarray:
        """The weights of softmax over the whole row."""
        return softmax(np.array(self.scores[self.row]))

    def description(self) -> str:
        """The state in words."""
        m, l, _ = (x.ravel()[0] for x in self.running)
        read = min(self.read, self.tiles)
        query = shortened(TOKENS[self.row])
        if read == 0:
            return f"Online softmax of the query {query}: no tile of {self.tiles} has been read."
        return (
            f"Online softmax of the query {query}: after {read} of {self.tiles} tiles of {self.tile} keys "
            f"the running maximum is {m:.2f} and the running sum {l:.2f}."
        )

    def heights(self) -> tuple[str, str]:
        """The table's height does not depend on the state."""
        return "calc(943px + min(26px, max(0px, 0.2 * (560px - 100cqi))))", "568px"

    def still(self) -> str:
        """A bar for each key that has been read: its weight so far."""
        _, l, o = self.running
        share = (o / np.maximum(l, 1))[0]
        left, line = 130, 22
        parts = []
        for j, token in enumerate(TOKENS):
            y = 24 + j * line
            parts.append(_svg.text(left - 8, y + 4, shortened(token), "end"))
            if j < self.read * self.tile:
                bar = {"x": left, "y": y - 7, "height": 14, "fill": ROLES["query"]}
                parts.append(_svg.tag("rect", width=float(400 * share[j]), **bar))
                number = f"{share[j]:.2f}"
                x = left + 400 * share[j] + 8
                parts.append(_svg.text(x, y + 4, number, "start"))
            if j % self.tile == 0 and j:
                edge = {"x1": 10, "x2": 600, "y1": y - 11, "y2": y - 11}
                rule = {"stroke": "currentColor", "stroke_opacity": "0.3"}
                parts.append(_svg.tag("line", **edge, **rule))
        return _svg.picture(620, 24 + len(TOKENS) * line, *parts)
