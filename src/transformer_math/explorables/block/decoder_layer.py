"""One layer of the date translator's decoder: what each of its three sublayers reads, adds, and would make the model say."""

from functools import cache
from typing import NamedTuple

import numpy as np
import traitlets
from jaxtyping import Float

from transformer_math.attention import causal_mask, multi_head_attention
from transformer_math.block import (
    DecoderLayerParameters,
    NormParameters,
    add_norm,
    feed_forward,
    relu,
)
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Weights, Whole
from transformer_math.explorables.model.drawings import likeliest, percent
from transformer_math.explorables.model.translator import (
    LONGEST,
    SIGNS,
    characters_of,
    checkpoint,
    parameters,
    translation_of,
)
from transformer_math.model import embed_at_positions, encoder
from transformer_math.output import logits, probabilities
from transformer_math.shapes import Memory, Tokens
from transformer_math.trained.date_translator import BEGIN, N_HEADS, SOURCE, TARGET

SUBLAYERS = ("masked self-attention", "cross-attention", "feed-forward network")
UNITS = 32  # hidden units in a line of their picture
CELL = 18


class Inside(NamedTuple):
    """Both attentions' weights, the hidden units, and what comes to each sublayer, what it adds, what stands after it."""

    own: Float[np.ndarray, "n_heads n n"]
    cross: Float[np.ndarray, "n_heads n m"]
    hidden: Float[np.ndarray, "n d_ff"]
    before: list[Tokens]
    added: list[Tokens]
    after: list[Tokens]


class Switches(NamedTuple):
    """What takes part, in every layer."""

    mask: bool = True
    self_attention: bool = True
    cross_attention: bool = True


def inside(
    Z: Tokens, memory: Memory, p: DecoderLayerParameters, on: Switches
) -> Inside:
    """One layer, a sublayer after the other; one that is off adds nothing."""
    before: list[Tokens] = []
    added: list[Tokens] = []

    def behind(Z: Tokens, update: Tokens, norm: NormParameters) -> Tokens:
        before.append(Z)
        added.append(update)
        return add_norm(Z, update, norm)

    mask = causal_mask(len(Z)) if on.mask else None
    read, own = multi_head_attention(Z, Z, p.self_attention, N_HEADS, mask)
    first = behind(Z, read * on.self_attention, p.norm_1)
    found, cross = multi_head_attention(first, memory, p.cross_attention, N_HEADS)
    second = behind(first, found * on.cross_attention, p.norm_2)
    hidden = relu(second @ p.feed_forward.W_1 + p.feed_forward.b_1)
    third = behind(second, feed_forward(second, p.feed_forward), p.norm_3)
    return Inside(own, cross, hidden, before, added, [first, second, third])


@cache
def trace(
    source: tuple[int, ...], read: tuple[int, ...], on: Switches
) -> tuple[Inside, ...]:
    """Every decoder layer from inside, with the ids `read` in the decoder at once, as in training."""
    model = parameters()
    Y = embed_at_positions(np.array(source), model.E_source)
    memory = encoder(Y, model.encoder, N_HEADS)
    Z = embed_at_positions(np.array(read), model.E_target)
    layers = []
    for p in model.decoder:
        layers.append(inside(Z, memory, p, on))
        Z = layers[-1].after[-1]
    return tuple(layers)


class DecoderLayerExplorable(Explorable):
    """The date translator's decoder on `date`, with the translation that the whole model writes in it at once, as in training.

    Layer `layer` is in sight, at position `row` of the output. The mask, the self-attention and the cross-attention can be
    taken away, in both layers.

    >>> DecoderLayerExplorable(date="12 March 1851").answer
    '1851-03-12⊣'
    """

    date = traitlets.Unicode("March 12th, 1851").tag(sync=True)
    layer = Choice({"1": "1", "2": "2"})
    row = Whole(6, low=0, high=LONGEST - 1)
    mask = traitlets.Bool(True).tag(sync=True)
    self_attention = traitlets.Bool(True).tag(sync=True)
    cross_attention = traitlets.Bool(True).tag(sync=True)
    date_translator = Weights(checkpoint)

    @traitlets.default("layer")
    def _last_layer(self) -> str:
        return "2"

    @property
    def source(self) -> list[str]:
        """The characters that the model reads."""
        return characters_of(self.date)

    @property
    def written(self) -> list[int]:
        """What the whole model writes, the end token included."""
        return translation_of(tuple(SOURCE.index(c) for c in self.source)).ids

    @property
    def read(self) -> list[int]:
        """What stands in the decoder: the begin token, and what was written but for the last."""
        return [TARGET.index(BEGIN), *self.written[:-1]]

    @property
    def layers(self) -> tuple[Inside, ...]:
        """Every decoder layer, with what is switched off."""
        on = Switches(self.mask, self.self_attention, self.cross_attention)
        source = tuple(SOURCE.index(c) for c in self.source)
        return trace(source, tuple(self.read), on)

    @property
    def now(self) -> Inside:
        """The layer in sight."""
        return self.layers[int(self.layer) - 1]

    @property
    def at(self) -> int:
        """The position in sight; the last, where the output is shorter."""
        return min(self.row, len(self.read) - 1)

    @property
    def answer(self) -> str:
        """What the model says at each position."""
        scored = logits(self.layers[-1].after[-1], parameters().W_out)
        return "".join(sign(v) for v in scored.argmax(axis=-1))

    @property
    def moves(self) -> list[float]:
        """The length of what each sublayer adds to the vector, against the vector's own."""
        pairs = zip(self.now.added, self.now.before)
        length = np.linalg.norm
        return [
            float(length(added[self.at]) / length(Z[self.at])) for added, Z in pairs
        ]

    @property
    def lenses(self) -> list[np.ndarray]:
        """The distribution of the next symbol, if the vector after each sublayer were the decoder's last."""
        W = parameters().W_out
        return [probabilities(logits(Z[self.at], W)) for Z in self.now.after]

    @property
    def ahead(self) -> float:
        """The share of the self-attention's weight that lies on what comes later, a mean over the heads."""
        return float(self.now.own[:, self.at, self.at + 1 :].sum(axis=-1).mean())

    def heights(self) -> tuple[str, str]:
        """A line of text, the output, switches, the sentence, three sublayers, tasks."""
        return (
            "calc(clamp(815px, 900px - 15cqi, 843px) + clamp(100px, 262px - 25cqi, 176px)"
            " + clamp(0px, 642px - 200cqi, 18px) + clamp(0px, 1176px - 400cqi, 54px))",
            "calc(446px + clamp(76px, 1000px - 130cqi, 92px))",
        )

    def description(self) -> str:
        """The answer, and what the model would say after each sublayer."""
        if not self.source:
            return "A decoder layer of the date translator: no date yet."
        said = "; ".join(
            f"after the {name}, which adds {move:.2f} of the vector’s length, “{sign(int(p.argmax()))}”, {percent(p.max())}"
            for name, move, p in zip(SUBLAYERS, self.moves, self.lenses)
        )
        written = "".join(sign(v) for v in self.read[1 : self.at + 1])
        where = f"After “{written}”" if written else "At the beginning"
        return (
            f"Layer {self.layer} of the date translator’s decoder, which makes “{self.answer}” of “{self.date}”. "
            f"{where} it would say: {said}."
        )

    def still(self) -> str:
        """The three sublayers: the weights of each head with what they are on, the hidden units, what is said after each."""
        if not self.source:
            return _svg.picture(400, 40, _svg.text(200, 25, "No date yet."))
        keys = [[sign(v) for v in self.read], [SIGNS.get(c, c) for c in self.source]]
        hidden = self.now.hidden[self.at].reshape(-1, UNITS)
        pictures = [
            self.now.own[:, self.at],
            self.now.cross[:, self.at],
            hidden / hidden.max(),
        ]
        parts = [
            self._panel(k, picture, names)
            for k, (picture, names) in enumerate(zip(pictures, [*keys, []]))
        ]
        return _svg.picture(720, 330, *parts)

    def _panel(self, k: int, picture: np.ndarray, names: list[str]) -> str:
        y = 110 * k
        rows, columns = picture.shape
        cell = min(CELL, 400 / columns)
        heat = _svg.ink(picture, x=0, y=y + 42, width=cell * columns, height=12 * rows)
        best = likeliest(self.lenses[k], 2)
        said = "   ".join(f"{sign(v)}  {percent(self.lenses[k][v])}" for v in best)
        return "".join(
            [
                _svg.text(0, y + 14, f"{k + 1}  {SUBLAYERS[k]}", "start"),
                *(
                    _svg.text(cell * (j + 0.5), y + 36, name)
                    for j, name in enumerate(names)
                ),
                heat,
                _svg.text(480, y + 66, f"adds {self.moves[k]:.2f}"),
                _svg.text(560, y + 66, said, "start"),
            ]
        )


def sign(token: int) -> str:
    """A symbol of the target as it is shown.

    >>> sign(TARGET.index("[begin]")), sign(TARGET.index("3"))
    ('⊢', '3')
    """
    return SIGNS.get(TARGET[token], TARGET[token])
