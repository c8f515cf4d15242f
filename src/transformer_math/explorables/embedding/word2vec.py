"""Negative sampling: how the power and the number of invented words move the noise, and with it the best score of a pair."""

import re
from functools import cache

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.corpus import moby_dick
from transformer_math.embedding import (
    count_neighbours,
    frequent_words,
    noise_distribution,
)
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Bounded, Choice, Whole
from transformer_math.tokenization.units import words

SHOWN = ("the", "whale", "old", "man", "sea", "sperm", "harpooneer", "opinion")
PAIRS = {
    "sperm whale": "sperm, whale",
    "old man": "old, man",
    "the sea": "the, sea",
}
AT_LEAST, WINDOW = 10, 2
LOWEST, HIGHEST = -5.0, 0.0  # powers of ten, of the axis of shares


@cache
def counted() -> dict:
    """The counts of the words in sight, of all others by how many words have them, and of the pairs."""
    tokens = words(moby_dick().lower())
    plain = [t for t in tokens if re.fullmatch(r"[a-z]+|[.,:;!?()]", t)]
    known = frequent_words(plain, AT_LEAST)
    place = {word: i for i, word in enumerate(known)}
    ids = np.array([place.get(token, -1) for token in tokens])
    counts = np.bincount(ids[ids >= 0])
    at = [place[word] for word in SHOWN]
    others, many = np.unique(np.delete(counts, at), return_counts=True)
    C = count_neighbours(ids, len(known), len(known), WINDOW)
    pairs = {}
    for name in PAIRS:
        u, v = (place[word] for word in name.split())
        pairs[name] = [int(C[u, v]), int(C[u].sum())]
    return {
        "words": list(SHOWN),
        "counts": counts[at].tolist(),
        "total": int(counts.sum()),
        "rest": np.stack([others, many], axis=1).tolist(),
        "pairs": pairs,
    }


class Word2VecExplorable(Explorable):
    """Noise for the words of Moby-Dick with the power `power`, `k` invented words for each real one, and the score of a pair.

    >>> explorable = Word2VecExplorable(power=1.0)
    >>> bool(np.isclose(explorable.noise[0], explorable.share("the")))
    True
    """

    power = Bounded(0.75, low=0, high=1)
    k = Whole(5, low=1, high=20)
    score = Bounded(0.0, low=-6, high=6)
    pair = Choice(PAIRS)
    corpus = traitlets.Dict(read_only=True).tag(sync=True)

    @traitlets.default("corpus")
    def _corpus(self) -> dict:
        return counted()

    def share(self, word: str) -> float:
        """The share of a word in the text."""
        at = self.corpus["words"].index(word)
        return self.corpus["counts"][at] / self.corpus["total"]

    @property
    def noise(self) -> np.ndarray:
        """The probabilities with which the words in sight are drawn as noise."""
        others, many = np.array(self.corpus["rest"]).T
        every = [*self.corpus["counts"], *np.repeat(others, many)]
        q = noise_distribution(np.array(every, dtype=float), self.power)
        return q[: len(self.corpus["words"])]

    @property
    def occurrences(self) -> tuple[float, float]:
        """How often the pair comes as a real one, and as an invented one on average."""
        real, of_centre = self.corpus["pairs"][self.pair]
        neighbour = self.corpus["words"].index(self.pair.split()[1])
        return real, float(self.k * of_centre * self.noise[neighbour])

    @property
    def best_score(self) -> float:
        """The score at which the loss of the pair is smallest."""
        real, invented = self.occurrences
        return float(np.log(real / invented))

    def loss(self, score: float) -> float:
        """The mean loss of the pair's questions: one for each time that it comes, real or invented."""
        real, invented = self.occurrences
        total = real * np.logaddexp(0, -score) + invented * np.logaddexp(0, score)
        return float(total / (real + invented))

    def description(self) -> str:
        """The noise, and the best score of the pair."""
        real, invented = self.occurrences
        return (
            f"With the power {self.power:.2f}, “the” is {self.noise[0]:.2%} of the noise and {self.share('the'):.2%} of the text. "
            f"The pair {PAIRS[self.pair]} comes {real} times as a real one and {invented:.0f} times as an invented one: "
            f"its loss is smallest at the score {self.best_score:.2f}."
        )

    def heights(self) -> tuple[str, str]:
        """The drawings have a fixed height; the controls stand in one column or in two."""
        return "1137px", "551px"

    def still(self) -> str:
        """For each word its share of the text and of the noise, on a logarithmic axis."""
        rows = []
        for i, (word, q) in enumerate(zip(self.corpus["words"], self.noise)):
            y = 40 + 28 * i
            at = [150 + 460 * _along(p) for p in (self.share(word), q)]
            rows.append(_svg.text(140, y + 5, word, "end"))
            rows.append(
                _svg.tag(
                    "line",
                    x1=at[0],
                    x2=at[1],
                    y1=y,
                    y2=y,
                    stroke=palette.INK,
                    opacity=0.3,
                )
            )
            rows.append(_svg.tag("circle", cx=at[0], cy=y, r=5, fill=palette.GREY))
            rows.append(
                _svg.tag("circle", cx=at[1], cy=y, r=6, fill=palette.ROLES["query"])
            )
        return _svg.picture(640, 270, *rows)


def _along(share: float) -> float:
    return (np.log10(share) - LOWEST) / (HIGHEST - LOWEST)
