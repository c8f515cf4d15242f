"""Twelve encoder layers with random weights: what depth makes of a sentence, and what each part of a layer does about it."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import traitlets
from jaxtyping import Float

from transformer_math import palette
from transformer_math.attention import AttentionParameters, multi_head_attention
from transformer_math.block import (
    EncoderLayerParameters,
    FeedForwardParameters,
    NormParameters,
    feed_forward,
    layer_norm,
)
from transformer_math.corpus import SENTENCE
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Bounded, Choice, Whole
from transformer_math.explorables._uniforms import uniforms
from transformer_math.position import sinusoidal
from transformer_math.shapes import Tokens
from transformer_math.tokenization import words

TOKENS = words(SENTENCE.lower())
N_LAYERS, D_MODEL, N_HEADS, D_FF = 12, 32, 4, 128
ROUNDING = 1e-12  # tokens that differ by less are the same
SIDE = 230  # pixels of the still picture's heatmap


class Stack(NamedTuple):
    """The vectors of the sentence, and the layers that they go through."""

    Z: Tokens
    layers: tuple[EncoderLayerParameters, ...]


@cache
def drawn(seed: int) -> Stack:
    """Random vectors of variance 1 for the words, positions added; and the weights of all layers, uniform as Glorot has them."""
    numbers = uniforms(seed)

    def draw(
        rows: int, columns: int, bound: float
    ) -> Float[np.ndarray, "rows columns"]:
        taken = [next(numbers) for _ in range(rows * columns)]
        return bound * (2 * np.reshape(taken, (rows, columns)) - 1)

    def matrix(rows: int, columns: int) -> Float[np.ndarray, "rows columns"]:
        return draw(rows, columns, np.sqrt(6 / (rows + columns)))

    def layer() -> EncoderLayerParameters:
        square, zero = [matrix(D_MODEL, D_MODEL) for _ in range(4)], np.zeros(D_MODEL)
        W_1, W_2 = matrix(D_MODEL, D_FF), matrix(D_FF, D_MODEL)
        network = FeedForwardParameters(W_1, np.zeros(D_FF), W_2, zero)
        norm = NormParameters(np.ones(D_MODEL), zero)
        return EncoderLayerParameters(AttentionParameters(*square, *[zero] * 4), network, norm, norm)  # fmt: skip

    kinds = list(dict.fromkeys(TOKENS))
    E = draw(len(kinds), D_MODEL, np.sqrt(3))
    Z = E[[kinds.index(token) for token in TOKENS]] + sinusoidal(len(TOKENS), D_MODEL)
    return Stack(Z, tuple(layer() for _ in range(N_LAYERS)))


class Parts(NamedTuple):
    """What a layer has: where its norms stand, both sublayers, both residuals; and by how much its queries are longer."""

    norm: str = "post"
    attention: bool = True
    feed_forward: bool = True
    residual_attention: bool = True
    residual_network: bool = True
    queries: float = 1.0


def encoder_layer_of(Z: Tokens, p: EncoderLayerParameters, parts: Parts) -> Tokens:
    """One encoder layer with the parts that it has; with all of them `encoder_layer`, or `encoder_layer_pre_norm`."""
    longer = replace(p.attention, W_Q=parts.queries * p.attention.W_Q)
    if parts.attention:
        Z = sublayer(
            Z,
            lambda Z: multi_head_attention(Z, Z, longer, N_HEADS)[0],
            p.norm_1,
            parts.residual_attention,
            parts.norm,
        )
    if parts.feed_forward:
        Z = sublayer(
            Z,
            lambda Z: feed_forward(Z, p.feed_forward),
            p.norm_2,
            parts.residual_network,
            parts.norm,
        )
    return Z


def sublayer(
    Z: Tokens,
    update: Callable[[Tokens], Tokens],
    norm: NormParameters,
    residual: bool,
    where: str,
) -> Tokens:
    """A sublayer with or without its residual, and with its norm after the sum, before the sublayer, or nowhere."""
    added = update(layer_norm(Z, norm) if where == "pre" else Z)
    total = Z + added if residual else added
    return layer_norm(total, norm) if where == "post" else total


@cache
def climb(seed: int, parts: Parts) -> tuple[Tokens, ...]:
    """The vectors at the input and after each layer."""
    Z, layers = drawn(seed)
    return tuple(accumulate(layers, lambda Z, p: encoder_layer_of(Z, p, parts), initial=Z))  # fmt: skip


def spread(Z: Tokens) -> float:
    """The share of Z that is not common to all tokens."""
    return float(np.linalg.norm(Z - Z.mean(axis=0)) / np.linalg.norm(Z))


def cosines(Z: Tokens, others: Tokens) -> Float[np.ndarray, "n m"]:
    """The cosine of each row of Z with each of the others."""
    unit = [X / np.linalg.norm(X, axis=1, keepdims=True) for X in (Z, others)]
    return unit[0] @ unit[1].T


class EncoderLayerExplorable(Explorable):
    """The book's sentence in twelve encoder layers with random weights, after layer `layer`; `weights` numbers the draw.

    The norms stand after the sum, before the sublayer, or nowhere (`norm`); each sublayer and each residual can be taken
    away, in all layers. `queries` makes the queries longer, so that attention averages less. `row` and `column` are two
    tokens in sight.

    >>> EncoderLayerExplorable(residual_attention=False).spreads[6] < 1e-9
    True
    """

    layer = Whole(6, low=0, high=N_LAYERS)
    norm = Choice({"post": "post-norm", "pre": "pre-norm", "none": "none"})
    attention = traitlets.Bool(True).tag(sync=True)
    feed_forward = traitlets.Bool(True).tag(sync=True)
    residual_attention = traitlets.Bool(True).tag(sync=True)
    residual_network = traitlets.Bool(True).tag(sync=True)
    queries = Bounded(1.0, low=1, high=10)
    weights = Whole(1, low=1, high=20)
    tokens = traitlets.List(TOKENS, read_only=True).tag(sync=True)
    row = Whole(TOKENS.index("opinion"), low=0, high=len(TOKENS) - 1)
    column = Whole(len(TOKENS) - 2, low=0, high=len(TOKENS) - 1)

    @property
    def parts(self) -> Parts:
        """What each layer has."""
        return Parts(*(getattr(self, name) for name in Parts._fields))

    @property
    def states(self) -> tuple[Tokens, ...]:
        """The vectors at the input and after each layer."""
        return climb(self.weights, self.parts)

    @property
    def spreads(self) -> list[float]:
        """How much the tokens differ, at the input and after each layer."""
        return [spread(Z) for Z in self.states]

    @property
    def kept(self) -> list[float]:
        """How similar a token is to its own input, on average: at the input and after each layer."""
        return [float(cosines(Z, self.states[0]).diagonal().mean()) for Z in self.states]  # fmt: skip

    @property
    def alike(self) -> Float[np.ndarray, "n n"]:
        """The cosine of every pair of tokens after the layer in sight."""
        return cosines(self.states[self.layer], self.states[self.layer])

    def heights(self) -> tuple[str, str]:
        """Switches, square cells, two curves, tasks; in two columns the curves stand beside the cells."""
        cells = f"min({36 * len(TOKENS)}px, 100cqi - 72px)"
        return f"calc(1007px + {cells})", "602px"

    def description(self) -> str:
        """What differs, what is similar, what is left."""
        others = ~np.eye(len(TOKENS), dtype=bool)
        where = f"after layer {self.layer}" if self.layer else "at the input"
        now, first = small(self.spreads[self.layer]), small(self.spreads[0])
        before = f", {first} at the input" if self.layer else ""
        return (
            f"The book’s sentence in {N_LAYERS} encoder layers with random weights; {self._described()}. "
            f"The share of Z that differs from token to token is {now} {where}{before}. "
            f"Two different tokens have a cosine of {self.alike[others].mean():.2f} on average, "
            f"and a token has a cosine of {self.kept[self.layer]:.2f} with its own input."
        )

    def _described(self) -> str:
        """What is there, in words."""
        missing = [LABELS[name] for name in LABELS if not getattr(self, name)]
        left_out = f", without {' and '.join(missing)}" if missing else ""
        return f"norms: {self.traits()['norm'].bounds['labels'][self.norm]}{left_out}"

    def still(self) -> str:
        """The cosines as a heatmap; beside it both curves over the layers."""
        heat = _svg.ink(self.alike, x=150, y=20, width=SIDE, height=SIDE)
        cell = SIDE / len(TOKENS)
        names = [_svg.text(144, 20 + cell * (i + 0.75), t, "end") for i, t in enumerate(TOKENS)]  # fmt: skip
        logs = [np.log10(max(value, ROUNDING)) / -np.log10(ROUNDING) + 1 for value in self.spreads]  # fmt: skip
        curves = [
            self._curve(20, "how much tokens differ", logs),
            self._curve(140, "similarity to own input", [(v + 0.5) / 1.5 for v in self.kept]),
        ]  # fmt: skip
        return _svg.picture(720, 260, heat, *names, *curves)

    def _curve(self, top: int, title: str, heights: list[float]) -> str:
        points = [(430 + 22 * k, top + 100 - 80 * h) for k, h in enumerate(heights)]
        line = _svg.curve(points, palette.ROLES["query"])
        return _svg.text(430, top + 8, title, "start") + line


LABELS = {
    "attention": "attention",
    "feed_forward": "feed-forward",
    "residual_attention": "residual at attention",
    "residual_network": "residual at the network",
}


def small(x: float) -> str:
    """A share in words: with three digits after the point, as a power of ten where it is tiny.

    >>> small(0.4321), small(2.4e-5), small(1e-17)
    ('0.432', '2.4 · 10⁻⁵', '0 but for rounding')
    """
    if x < ROUNDING:
        return "0 but for rounding"
    if x >= 0.001:
        return f"{x:.3f}"
    digits, power = f"{x:.1e}".split("e-")
    return f"{digits} · 10⁻{str(int(power)).translate(RAISED)}"


RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
