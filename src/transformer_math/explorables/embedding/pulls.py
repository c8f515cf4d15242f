"""Negative sampling word by word: a real pair pulls, invented words push, and a plane of vectors takes shape."""

from functools import cache

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.embedding import (
    frequent_words,
    noise_distribution,
    number_sentences,
    planted_sentences,
    window_pairs,
)
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Bounded, Whole
from transformer_math.gradient.word2vec import negative_sampling_loss_vjp

CENTRES = ("king", "queen", "paris", "france")
NEIGHBOURS = ("crown", "throne", "seine", "french", "he", "she", "mayor", "army")
STEPS, MOST = 300, 5  # pairs, and invented words that are drawn for each
LENGTH = 0.3  # of the vectors to begin with


@cache
def lesson() -> dict:
    """For each step a pair from the planted text and five invented words; and vectors to begin with, in few digits."""
    rng = np.random.default_rng(1)
    sentences = planted_sentences(rng, 4000)
    known = frequent_words([word for s in sentences for word in s], 1)
    ids = number_sentences(sentences, known, gap=4)
    pairs = [(known[c], known[n]) for c, n in window_pairs(ids, 4)]
    real = [(c, n) for c, n in pairs if c in CENTRES and n in NEIGHBOURS]
    numbered = np.array([(CENTRES.index(c), NEIGHBOURS.index(n)) for c, n in real])
    noise = noise_distribution(np.bincount(numbered[:, 1], minlength=len(NEIGHBOURS)))
    chosen = numbered[rng.permutation(len(numbered))[:STEPS]]
    invented = rng.choice(len(NEIGHBOURS), size=(STEPS, MOST), p=noise)
    E, U = (
        (LENGTH * rng.normal(size=(len(words), 2))).round(2)
        for words in (CENTRES, NEIGHBOURS)
    )
    return {
        "steps": np.column_stack([chosen, invented]).tolist(),
        "E": E.tolist(),
        "U": U.tolist(),
    }


class PullsExplorable(Explorable):
    """The vectors after `step` pairs, each with `k` invented words, at the learning rate `rate`.

    >>> explorable = PullsExplorable(step=0)
    >>> explorable.vectors()[0].shape
    (4, 2)
    """

    step = Whole(21, low=0, high=STEPS)
    rate = Bounded(0.25, low=0.05, high=1)
    k = Whole(2, low=1, high=MOST)
    lesson = traitlets.Dict(read_only=True).tag(sync=True)
    centres = traitlets.List(list(CENTRES), read_only=True).tag(sync=True)
    neighbours = traitlets.List(list(NEIGHBOURS), read_only=True).tag(sync=True)

    @traitlets.default("lesson")
    def _lesson(self) -> dict:
        return lesson()

    def vectors(self, step: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The words' vectors as centres (4, 2) and as neighbours (8, 2)."""
        E, U = (np.array(self.lesson[name]) for name in ("E", "U"))
        for centre, target, *invented in self.lesson["steps"][
            : self.step if step is None else step
        ]:
            given = E[[centre]], np.array([target]), np.array([invented[: self.k]])
            dh, dU = negative_sampling_loss_vjp(*given, U)[1](1.0)
            E[centre] -= self.rate * dh[0]
            U = U - self.rate * dU
        return E, U

    def last_pair(self) -> tuple[str, str, float] | None:
        """The pair of the last step, and the probability with which it passed for real before; none at the beginning."""
        if self.step == 0:
            return None
        centre, target, *_ = self.lesson["steps"][self.step - 1]
        E, U = self.vectors(self.step - 1)
        p = 1 / (1 + np.exp(-E[centre] @ U[target]))
        return CENTRES[centre], NEIGHBOURS[target], float(p)

    def description(self) -> str:
        """What the last step did."""
        pair = self.last_pair()
        if pair is None:
            return "No pair was seen yet: all vectors stand where they were drawn."
        return (
            f"Pair {self.step}: “{pair[0]}” stood beside “{pair[1]}”, which it took for real with {pair[2]:.2f}. "
            f"{self.k} invented words push, the learning rate is {self.rate:.2f}."
        )

    def heights(self) -> tuple[str, str]:
        """A square drawing of at most 400 pixels, the controls beside it or below."""
        return (
            "calc(668px + min(400px, 100cqi))",
            "calc(166px + min(400px, 50cqi - 16px))",
        )

    def still(self) -> str:
        """All vectors as dots in the plane."""
        E, U = self.vectors()
        largest = np.abs(np.vstack([E, U])).max()
        parts = []
        for words, points, role in ((CENTRES, E, "query"), (NEIGHBOURS, U, "key")):
            for word, (x, y) in zip(words, points / largest):
                at = 320 + 140 * float(x), 160 - 140 * float(y)
                parts.append(
                    _svg.tag(
                        "circle", cx=at[0], cy=at[1], r=5, fill=palette.ROLES[role]
                    )
                )
                parts.append(_svg.text(at[0], at[1] - 8, word))
        return _svg.picture(640, 320, *parts)
