"""Say something twice, and watch two layers of attention find it: the trained copier on the reader's own words."""

from functools import cache

import numpy as np
import traitlets
from jaxtyping import Float, Int

from transformer_math.attention import causal_mask
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Weights, Whole
from transformer_math.explorables.model.drawings import attention_map, percent
from transformer_math.explorables.model.silenced import HeadsOff, silenced
from transformer_math.output import probabilities
from transformer_math.trained.attention_only import (
    AttentionOnlyParameters,
    attention_only_logits,
    attention_only_weights,
)
from transformer_math.trained.committed import FOLDER
from transformer_math.trained.induction_heads import (
    LAYERS,
    N_HEADS,
    VOCAB_SIZE,
    induction_heads,
)
from transformer_math.trees import map_leaves

MOST_WORDS, WIDEST = 40, 25  # the still picture has room for so many columns at least
BLOCK = "call me some years ago never mind how long"
PLACES = {"self": ".layers[{}].attention"}
OTHERS = "a word that is not there yet"
STRIDE, FIRST = 7, 3  # word k of the text is token 7 k + 3, round the vocabulary


@cache
def parameters() -> AttentionOnlyParameters:
    """The trained parameters in double precision, in which JavaScript computes too."""
    return map_leaves(lambda x: x.astype(float), induction_heads())


class InductionHeadsExplorable(Explorable):
    """The two layers read words, each only a name for a token: head `head` of layer `layer` is in sight, word `row` looks.

    `off` names the heads whose finds are left out: "self.0.1" is layer 0, head 1.

    >>> InductionHeadsExplorable(text="to be or not to be").ids.tolist()
    [3, 10, 17, 24, 3, 10]
    """

    text = traitlets.Unicode(BLOCK).tag(sync=True)
    row = Whole(MOST_WORDS - 1, low=0, high=MOST_WORDS - 1)
    layer = Whole(1, low=0, high=LAYERS - 1)
    head = Whole(0, low=0, high=N_HEADS - 1)
    off = HeadsOff(["self"], LAYERS, N_HEADS)
    induction_heads = Weights((FOLDER / "induction_heads.bin").read_bytes)

    @property
    def words(self) -> list[str]:
        """What stands between spaces, as many as take part."""
        return [word for word in self.text.split(" ") if word][:MOST_WORDS]

    @property
    def names(self) -> dict[int, str]:
        """The word for which each token stands, in the order in which they come."""
        distinct = dict.fromkeys(self.words)
        return {(STRIDE * k + FIRST) % VOCAB_SIZE: w for k, w in enumerate(distinct)}

    @property
    def ids(self) -> Int[np.ndarray, " n"]:
        """The token of each word: equal words have one."""
        token = {word: t for t, word in self.names.items()}
        return np.array([token[word] for word in self.words], dtype=int)

    @property
    def attention(self) -> tuple[Float[np.ndarray, "heads n n"], ...]:
        """Where the heads of each layer look."""
        return attention_only_weights(self.ids, self._model, N_HEADS, self._mask)

    @property
    def expected(self) -> Float[np.ndarray, "n V"]:
        """What the model expects after each word."""
        return probabilities(
            attention_only_logits(self.ids, self._model, N_HEADS, self._mask)
        )

    @property
    def foretold(self) -> Float[np.ndarray, " n-1"]:
        """The probability that each word but the first had before it came."""
        return self.expected[np.arange(len(self.ids) - 1), self.ids[1:]]

    def shares(self, row: int) -> dict[str, float]:
        """How probable each word of the text is after word `row`, and all others together."""
        p = self.expected[row]
        said = {f"“{word}”": float(p[t]) for t, word in self.names.items()}
        return said | {OTHERS: max(0.0, 1 - sum(said.values()))}

    @property
    def _model(self) -> AttentionOnlyParameters:
        return silenced(parameters(), self.off, PLACES, N_HEADS)

    @property
    def _mask(self) -> np.ndarray:
        return causal_mask(len(self.ids))

    def description(self) -> str:
        """What comes next, and where the chosen word looks most."""
        words = self.words
        if not words:
            return "Two layers of attention that copy: no words yet."
        row = min(self.row, len(words) - 1)
        seen, shares = self.attention[self.layer][self.head][row], self.shares(row)
        best = max(shares, key=lambda word: shares[word])
        return (
            f"Two layers of attention read {len(words)} words. After “{words[row]}” they expect {best}, {percent(shares[best])}. "
            f"Layer {self.layer + 1}, head {self.head}: it looks most at “{words[seen.argmax()]}” (position {seen.argmax()})."
        )

    def heights(self) -> tuple[str, str]:
        """Text, words, heads, scores, what comes next, tasks."""
        return "1169px", "606px"

    def still(self) -> str:
        """The head in sight as a heatmap."""
        if not self.words:
            return _svg.picture(400, 40, _svg.text(200, 25, "No words yet."))
        n = max(WIDEST, len(self.words))
        weights = self.attention[self.layer][self.head]
        heat = attention_map(weights, self.words, self.words)
        return _svg.picture(150 + 20 * n, 130 + 20 * len(self.words), heat)
