"""All segmentations of a word as a lattice: the best way, posteriors at a temperature, draws, and EM on a corpus of a few words."""

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Bounded, Whole, require
from transformer_math.tokenization import (
    TOY_WORDS,
    Unigram,
    edge_posteriors,
    em_step,
    frequent_substrings,
    lattice,
    log_likelihood,
    n_best,
    viterbi,
)
from transformer_math.tokenization.regularisation import last_edge_probabilities

MOST_WORDS, LONGEST_WORD, LONGEST_PIECE = 12, 12, 6
CORPUS = " ".join(word for word, count in TOY_WORDS.items() for _ in range(count))


class UnigramExplorable(Explorable):
    """A word, and all ways to cut it into pieces that were learnt from a small corpus.

    The pieces are the characters of `corpus` and its substrings that occur twice; `steps` of EM make their probabilities.
    `temperature` heats the posterior from which `drawn` is drawn, with one of the `uniforms` for each piece.

    >>> UnigramExplorable(word="lowest").best
    ['low', 'est']
    """

    corpus = traitlets.Unicode(CORPUS).tag(sync=True)
    word = traitlets.Unicode("lowest").tag(sync=True)
    steps = Whole(0, low=0, high=20)
    temperature = Bounded(1.0, low=0.2, high=10)
    uniforms = traitlets.List(
        traitlets.Float(),
        np.random.default_rng(0).random(LONGEST_WORD).round(4).tolist(),
    ).tag(sync=True)

    @traitlets.validate("uniforms")
    def _uniforms_are_enough(self, proposal: dict) -> list[float]:
        given = proposal["value"]
        require(
            len(given) >= LONGEST_WORD and all(0 <= u < 1 for u in given),
            f"uniforms are {len(given)} numbers; wanted at least {LONGEST_WORD}, each in 0..1. Fix: rng.random({LONGEST_WORD}).",
        )
        return given

    @property
    def word_counts(self) -> Counter[str]:
        """The distinct words of the corpus that are read, with their counts."""
        found: Counter[str] = Counter()
        for whole in filter(None, self.corpus.split(" ")):
            word = whole[:LONGEST_WORD]
            if word in found or len(found) < MOST_WORDS:
                found[word] += 1
        return found

    @property
    def in_use(self) -> str:
        """The word, as far as it is read."""
        return self.word.replace(" ", "")[:LONGEST_WORD]

    @property
    def start(self) -> Unigram:
        """The pieces before any step, each as probable as it has characters in the corpus."""
        found = frequent_substrings(self.word_counts, LONGEST_PIECE)
        weights = found.counts * np.array([len(text) for text in found.texts])
        return Unigram(found.texts, np.log(weights) - np.log(weights.sum()))

    @property
    def unigram(self) -> Unigram:
        """The pieces after the steps of EM."""
        model, counts = self.start, self.word_counts
        for _ in range(self.steps):
            model = em_step(counts, model)
        return model

    @property
    def likelihood(self) -> float:
        """The log-likelihood of the corpus after the steps."""
        return log_likelihood(self.word_counts, self.unigram)

    @property
    def best(self) -> list[str]:
        """The most probable segmentation."""
        return viterbi(self.in_use, self.unigram)

    @property
    def posteriors(self) -> np.ndarray:
        """The posterior of every edge at the temperature."""
        return edge_posteriors(lattice(self.in_use, self.unigram) / self.temperature)

    @property
    def drawn(self) -> list[str]:
        """The segmentation that the uniform numbers draw, from the last piece to the first."""
        word = self.in_use
        shares = last_edge_probabilities(lattice(word, self.unigram), self.temperature)
        cuts = [len(word)]
        while cuts[0] > 0:
            below = np.cumsum(shares[: cuts[0], cuts[0]])[:-1]
            u = self.uniforms[len(cuts) - 1]
            cuts.insert(0, int(np.searchsorted(below, u, side="right")))
        return [word[a:b] for a, b in pairwise(cuts)]

    @property
    def ready(self) -> bool:
        """Whether there is a word, and a corpus to learn from."""
        return self.in_use != "" and len(self.word_counts) > 0

    def description(self) -> str:
        """The lattice in words."""
        if not self.ready:
            return "A lattice of segmentations: there is no word yet, or no corpus."
        best = n_best(self.in_use, self.unigram, 1)[0][1]
        return (
            f"“{self.in_use}” after {self.steps} steps of EM: the best way is {' '.join(self.best)}, ln p {_signed(best)}; "
            f"drawn at temperature {self.temperature:.2f}: {' '.join(self.drawn)}. "
            f"Log-likelihood of the corpus: {_signed(self.likelihood)}."
        )

    def heights(self) -> tuple[str, str]:
        """Texts, sliders, the sentence, the lattice; two tables and the tasks, below each other or side by side."""
        return "1384px", "634px"

    def still(self) -> str:
        """The lattice: arcs above the line are pieces, as thick as their posterior; below it, the way that was drawn."""
        if not self.ready:
            return _svg.picture(400, 40, _svg.text(200, 25, "No word yet."))
        word, gamma = self.in_use, self.posteriors
        gap = 600 / len(word)
        best = {*pairwise(np.cumsum([0, *map(len, self.best)]).tolist())}
        parts = [
            _arc(20 + gap * i, 20 + gap * j, gamma[i, j], (i, j) in best)
            for i in range(len(word))
            for j in range(i + 1, len(word) + 1)
            if gamma[i, j] > 0.001
        ]
        letters = [
            _svg.text(20 + gap * (i + 0.5), 206, letter, font_size=20)
            for i, letter in enumerate(word)
        ]
        return _svg.picture(640, 230, *parts, *letters)


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _arc(x: float, to: float, share: float, best: bool) -> str:
    height = 30 + 0.28 * (to - x)
    line = f"M{x:.1f},180 C{x + 8:.1f},{180 - height:.1f} {to - 8:.1f},{180 - height:.1f} {to:.1f},180"
    look: dict[str, Any] = {
        "fill": "none",
        "stroke": palette.ROLES["query" if best else "muted"],
        "stroke_width": float(1 + 6 * share),
    }
    return _svg.tag("path", d=line, **look)
