"""One prompt, four ways to go on: greedy, beam search, top-k, nucleus; the tree of what they wrote is drawn."""

from collections.abc import Callable

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Bounded, Weights, Whole, require
from transformer_math.explorables.model import language
from transformer_math.output import (
    beam,
    greedy,
    log_softmax,
    nucleus,
    probabilities,
    top_k,
)
from transformer_math.tokenization import decode_text
from transformer_math.trained.language_model import tokenizer

MOST_PROMPT, MOST_ADDED = 48, 16
METHODS = {
    "greedy": ("Greedy", "query"),
    "beam": ("Beam search", "key"),
    "topk": ("Top-k", "position"),
    "nucleus": ("Nucleus", "content"),
}


class DecodingExplorable(Explorable):
    """The trained language model goes on from `prompt` by `length` tokens, in four ways.

    The beam keeps `width` sequences. Top-k draws from the `top_k` likeliest tokens, nucleus from those that have `mass`
    together, both after `temperature`, and both with the same `uniforms`, one for each token.
    """

    prompt = traitlets.Unicode("The whale").tag(sync=True)
    length = Whole(8, low=2, high=MOST_ADDED)
    width = Whole(3, low=1, high=6)
    temperature = Bounded(1.0, low=0.1, high=2)
    top_k = Whole(10, low=1, high=100)
    mass = Bounded(0.9, low=0.05, high=1)
    uniforms = traitlets.List(
        traitlets.Float(),
        np.random.default_rng(0).random(MOST_ADDED).round(4).tolist(),
    ).tag(sync=True)
    language_model = Weights(language.checkpoint)

    @traitlets.validate("uniforms")
    def _uniforms_are_enough(self, proposal: dict) -> list[float]:
        given = proposal["value"]
        require(
            len(given) >= MOST_ADDED and all(0 <= u < 1 for u in given),
            f"uniforms are {len(given)} numbers; wanted at least {MOST_ADDED}, each in 0..1. Fix: rng.random({MOST_ADDED}).",
        )
        return given

    @property
    def ids(self) -> list[int]:
        """The ids of the prompt, as many as are read."""
        return language.encode(self.prompt)[:MOST_PROMPT]

    @property
    def paths(self) -> dict[str, list[int]]:
        """The ids that each method adds, by the package."""
        require(
            self.ids != [],
            f"the prompt {self.prompt!r} holds no token. Fix: set one with a word in it.",
        )
        start, n = np.array(self.ids), len(self.ids)
        found = {
            "greedy": greedy(language.next_logits, start, self.length),
            "beam": beam(language.next_logits, start, self.length, self.width)[0].ids,
            "topk": self._drawn(lambda p: top_k(p, self.top_k)),
            "nucleus": self._drawn(lambda p: nucleus(p, self.mass)),
        }
        return {method: [int(v) for v in ids[n:]] for method, ids in found.items()}

    def _drawn(self, narrow: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Draw with the given uniform numbers: each falls on a token when probabilities are laid side by side."""
        ids = np.array(self.ids)
        for u in self.uniforms[: self.length]:
            p = narrow(probabilities(language.next_logits(ids), self.temperature))
            ids = np.append(ids, np.searchsorted(p.cumsum() / p.sum(), u, side="right"))
        return ids

    def log_probability(self, added: list[int]) -> float:
        """The natural logarithm of the probability that the model gives to these tokens after the prompt."""
        ids, n = [*self.ids, *added], len(self.ids)
        of_next = log_softmax(language.read(ids).logits[n - 1 : -1])
        return float(of_next[np.arange(len(added)), added].sum())

    def heights(self) -> tuple[str, str]:
        """The prompt, four texts below their controls, a tree that scrolls, tasks."""
        return "1359px", "calc(634px + clamp(0px, 4 * (668px - 100cqi), 16px))"

    def said(self) -> list[tuple[str, str, float]]:
        """Each method's name, its text and the log-probability of it."""
        bpe = tokenizer()
        return [
            (METHODS[method][0], decode_text(added, bpe), self.log_probability(added))
            for method, added in self.paths.items()
        ]

    def description(self) -> str:
        """What each method wrote, and how probable the model finds it."""
        if not self.ids:
            return "Four ways to decode: the prompt holds no token yet."
        texts = "; ".join(
            f"{name}: “{text}”, log p {score:.2f}" for name, text, score in self.said()
        )
        return f"After “{self.prompt}” the model writes {self.length} tokens. {texts}."

    def still(self) -> str:
        """The four texts, each with its log-probability."""
        if not self.ids:
            return _svg.picture(400, 40, _svg.text(200, 25, "No tokens yet."))
        lines = []
        for i, ((name, text, score), (_, role)) in enumerate(
            zip(self.said(), METHODS.values())
        ):
            y = 30 + 56 * i
            bar = {"x": 8, "y": y - 16, "width": 4, "height": 44}
            lines += [
                _svg.tag("rect", fill=palette.ROLES[role], **bar),
                _svg.text(
                    22, y, f"{name}, log p = {score:.2f}", "start", font_weight="bold"
                ),
                _svg.text(22, y + 22, f"…{' '.join(text.split())}", "start"),
            ]
        return _svg.picture(560, 240, *lines)
