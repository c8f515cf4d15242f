"""Nudge one number of a small attention, and see which gradients move."""

from functools import cache

import numpy as np
import traitlets

from transformer_math.attention.masks import causal_mask
from transformer_math.attention.scaled_dot_product import attention
from transformer_math.corpus import SENTENCE
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Bounded, Choice, Whole
from transformer_math.explorables.attention.vocabulary import content, visible_words
from transformer_math.gradient.attention import attention_vjp
from transformer_math.gradient.softmax import softmax_vjp

TOKENS = visible_words(SENTENCE)[:5]
N, D = len(TOKENS), 3
STEP = 1e-4  # of the finite difference


@cache
def small_attention() -> dict[str, list[list[float]]]:
    """Q, K and V are three numbers each of the words' vectors, made larger; dO asks each output for the next word's V."""
    X = np.array([content(token) for token in visible_words(SENTENCE)[: N + 1]])
    Q, K, V = (
        (2 * part / np.linalg.norm(part, axis=1, keepdims=True)).round(2)
        for part in (X[:, :D], X[:, D - 1 : 2 * D - 1], X[:, -D:])
    )
    O, _ = attention(Q[:-1], K[:-1], V[:-1])
    numbers = {"Q": Q[:-1], "K": K[:-1], "V": V[:-1], "dO": (O - V[1:]).round(2)}
    return {name: matrix.tolist() for name, matrix in numbers.items()}


class GradientFlowExplorable(Explorable):
    """One attention over five tokens, its loss Σ dO ⊙ O, and the gradients of all that it is made of.

    `which`, `row` and `column` choose an entry of Q, K, V or dO; `nudge` is added to it. `causal` forbids each token
    those after it.

    >>> flow = GradientFlowExplorable(which="V", row=1, column=0, nudge=0.5)
    >>> sorted(name for name, moved in flow.moved().items() if moved.any())
    ['dA', 'dK', 'dQ', 'dS']
    """

    which = Choice({"Q": "Q", "K": "K", "V": "V", "dO": "dO"})
    row = Whole(2, low=0, high=N - 1)
    column = Whole(0, low=0, high=D - 1)
    nudge = Bounded(1.0, low=-2, high=2)
    causal = traitlets.Bool(False).tag(sync=True)
    tokens = traitlets.List(TOKENS, read_only=True).tag(sync=True)
    given = traitlets.Dict(read_only=True).tag(sync=True)
    step = traitlets.Float(STEP, read_only=True).tag(sync=True)

    @traitlets.default("given")
    def _given(self) -> dict[str, list[list[float]]]:
        return small_attention()

    def inputs(self, nudge: float | None = None) -> dict[str, np.ndarray]:
        """Q, K, V and dO with the nudge, or with another one."""
        found = {name: np.array(matrix) for name, matrix in self.given.items()}
        found[self.which][self.row, self.column] += (
            self.nudge if nudge is None else nudge
        )
        return found

    def gradients(self, nudge: float | None = None) -> dict[str, np.ndarray]:
        """dA, dS, dQ, dK and dV, by the package."""
        Q, K, V, dO = self.inputs(nudge).values()
        mask = self._mask()
        _, pullback = attention_vjp(Q, K, V, mask)
        dQ, dK, dV = pullback(dO)
        dA = dO @ V.T
        _, back = softmax_vjp(np.where(mask, Q @ K.T / np.sqrt(D), -np.inf))
        return {"dA": dA, "dS": back(dA)[0], "dQ": dQ, "dK": dK, "dV": dV}

    def loss(self, nudge: float | None = None) -> float:
        """Σ dO ⊙ O: its gradient with respect to the output is dO."""
        Q, K, V, dO = self.inputs(nudge).values()
        return float((attention(Q, K, V, self._mask())[0] * dO).sum())

    def slope(self) -> float:
        """The finite difference of the loss along the chosen entry, where the nudge has brought it."""
        right, left = (self.loss(self.nudge + by) for by in (STEP, -STEP))
        return (right - left) / (2 * STEP)

    def formula(self) -> float:
        """The same slope by the formulas: the entry of its gradient; along dO it is the output."""
        if self.which == "dO":
            Q, K, V, _ = self.inputs().values()
            return float(attention(Q, K, V, self._mask())[0][self.row, self.column])
        return float(self.gradients()[f"d{self.which}"][self.row, self.column])

    def moved(self) -> dict[str, np.ndarray]:
        """Where each gradient is no longer what it is without the nudge."""
        before, now = self.gradients(0.0), self.gradients()
        return {name: np.abs(now[name] - before[name]) > 1e-9 for name in now}

    def _mask(self) -> np.ndarray:
        return causal_mask(N) if self.causal else np.ones((N, N), bool)

    def description(self) -> str:
        """Which gradients move, in words."""
        counts = ", ".join(
            f"{int(moved.sum())} of {moved.size} entries of {name}"
            for name, moved in self.moved().items()
        )
        return (
            f"A small attention over {N} tokens. {self.which}, row {self.row}, column {self.column}, is nudged by "
            f"{self.nudge:+.2f}. It moves {counts}."
        )

    def heights(self) -> tuple[str, str]:
        """Small maps of fixed size: three groups below each other, or the inputs beside what comes back."""
        return "977px", "609px"

    def still(self) -> str:
        """The gradients as they are with the nudge."""
        cell, parts, x = 24, [], 20
        for name, values in self.gradients().items():
            n, m = values.shape
            size = {"width": m * cell, "height": n * cell}
            scale = np.abs(values).max() or 1
            parts.append(_svg.text(x + m * cell / 2, 22, name, font_style="italic"))
            parts.append(_svg.ink(values / scale, x=x, y=32, **size))
            x += m * cell + 22
        return _svg.picture(x, 32 + N * cell + 10, *parts)
