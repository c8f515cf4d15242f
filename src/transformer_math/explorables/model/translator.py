"""The trained date translator from inside: type a date, see what it becomes, and where each character looked."""

from functools import cache
from typing import NamedTuple

import numpy as np
import traitlets

from transformer_math.attention import causal_mask
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import (
    Bounded,
    Choice,
    Weights,
    Whole,
    require,
)
from transformer_math.explorables.model.drawings import (
    attention_map,
    bars,
    likeliest,
)
from transformer_math.explorables.model.silenced import HeadsOff, silenced
from transformer_math.model import (
    EncoderDecoderParameters,
    decoder_attention,
    embed_at_positions,
    encoder,
    encoder_attention,
    encoder_decoder_logits,
)
from transformer_math.output import nucleus, probabilities, top_k
from transformer_math.trained.committed import FOLDER
from transformer_math.trained.date_translator import (
    BEGIN,
    END,
    LAYERS,
    N_HEADS,
    SOURCE,
    TARGET,
    date_translator,
)
from transformer_math.trees import map_leaves

LONGEST = 12  # characters that it may write, with the end token
MOST = 32  # characters that it reads, with the end token
SIGNS = {" ": "␣", "[begin]": "⊢", "[end]": "⊣", "[pad]": "∅"}
PLACES = {
    "cross": ".decoder[{}].cross_attention",
    "self": ".decoder[{}].self_attention",
    "encoder": ".encoder[{}].attention",
}
KINDS = tuple(PLACES)


class Translation(NamedTuple):
    """What was written and with which logits, and where every head looked, by kind and layer."""

    ids: list[int]
    logits: np.ndarray
    attention: dict[str, tuple[np.ndarray, ...]]


def checkpoint() -> bytes:
    """The committed bytes."""
    return (FOLDER / "date_translator.bin").read_bytes()


@cache
def parameters() -> EncoderDecoderParameters:
    """The parameters that the bytes hold, in double precision, in which JavaScript computes too."""
    return map_leaves(lambda x: x.astype(float), date_translator())


def characters_of(date: str) -> list[str]:
    """The characters of a date that the model reads: those that it knows, as many as take part, and the end token.

    >>> characters_of("1 May 東")
    ['1', ' ', 'M', 'a', 'y', '[end]']
    """
    known = "".join(c for c in date if c in SOURCE).strip(" ")
    return [*known[: MOST - 1], END] if known else []


@cache
def translation_of(
    source: tuple[int, ...], given: tuple[int, ...] = (), off: tuple[str, ...] = ()
) -> Translation:
    """What the model makes of a source; the ids `given` stand at the beginning, the heads `off` are left out."""
    model = silenced(parameters(), off, PLACES, N_HEADS)
    read = np.array(source)
    ids = [TARGET.index(BEGIN)]
    while len(ids) <= LONGEST and TARGET.index(END) not in ids:
        step = len(ids) - 1
        scored = encoder_decoder_logits(read, np.array(ids), model, N_HEADS)
        ids.append(given[step] if step < len(given) else int(scored[-1].argmax()))
    Y = embed_at_positions(read, model.E_source)
    Z = embed_at_positions(np.array(ids[:-1]), model.E_target)
    memory = encoder(Y, model.encoder, N_HEADS)
    own, cross = decoder_attention(
        Z, memory, model.decoder, N_HEADS, causal_mask(len(ids) - 1)
    )
    seen = encoder_attention(Y, model.encoder, N_HEADS)
    return Translation(ids[1:], scored, dict(zip(KINDS, (cross, own, seen))))


class TranslatorExplorable(Explorable):
    """The date translator reads `date` and writes it as ISO 8601 does.

    `kind` says whose attention is in sight: the output's at the source, the output's at itself, the source's at itself;
    `row` is the character of the output that looks (for the last kind, `place` of the source). The ids `written` stand at
    the beginning of the output, and the model goes on from there. `off` names heads: "cross.1.0" is layer 1, head 0.

    >>> TranslatorExplorable(date="12 March 1851").iso
    '1851-03-12'
    """

    date = traitlets.Unicode("March 12th, 1851").tag(sync=True)
    written = traitlets.List(traitlets.Int()).tag(sync=True)
    row = Whole(0, low=0, high=LONGEST - 1)
    place = Whole(0, low=0, high=MOST - 1)
    kind = Choice(dict(zip(KINDS, ("output to source", "in output", "in source"))))
    layer = Whole(1, low=0, high=LAYERS - 1)
    head = Whole(1, low=0, high=N_HEADS - 1)
    off = HeadsOff(KINDS, LAYERS, N_HEADS)
    view = Choice({"heatmap": "heatmap", "shades": "shaded text", "arcs": "arcs"})
    temperature = Bounded(1.0, low=0.1, high=2)
    top_k = Whole(len(TARGET), low=1, high=len(TARGET))
    nucleus = Bounded(1.0, low=0.05, high=1)
    date_translator = Weights(checkpoint)

    @traitlets.validate("written")
    def _written_are_tokens(self, proposal: dict) -> list[int]:
        outside = [v for v in proposal["value"] if not 0 <= v < len(TARGET)]
        require(
            outside == [],
            f"written holds {outside[:1]}; wanted ids in 0..{len(TARGET) - 1}. Fix: TARGET.index(character).",
        )
        return proposal["value"]

    @property
    def source(self) -> list[str]:
        """The characters that the model reads: those that it knows, as many as take part, and the end token."""
        return characters_of(self.date)

    @property
    def translation(self) -> Translation:
        """What the model makes of the date, by the package."""
        require(
            self.source != [],
            f"the date {self.date!r} holds no character that the model knows. Fix: set one such as '12 March 1851'.",
        )
        ids = tuple(SOURCE.index(character) for character in self.source)
        return translation_of(ids, tuple(self.written), tuple(self.off))

    @property
    def output(self) -> list[str]:
        """The characters that were written, the end token included."""
        return [TARGET[v] for v in self.translation.ids]

    @property
    def iso(self) -> str:
        """What was written, without the end token."""
        return "".join(character for character in self.output if character != END)

    @property
    def queries(self) -> list[str]:
        """What looks: in the output's own attention each step is named by what it read, else by what it wrote."""
        rows = {
            "cross": self.output,
            "self": [BEGIN, *self.output[:-1]],
            "encoder": self.source,
        }
        return [SIGNS.get(name, name) for name in rows[self.kind]]

    @property
    def sources(self) -> list[str]:
        """What is looked at."""
        if self.kind == "self":
            return self.queries
        return [SIGNS.get(name, name) for name in self.source]

    @property
    def weights(self) -> np.ndarray:
        """The attention in sight: a row for each query, a column for each key."""
        return self.translation.attention[self.kind][self.layer][self.head]

    @property
    def chosen(self) -> int:
        """The row in sight."""
        asked = self.place if self.kind == "encoder" else self.row
        return min(asked, len(self.queries) - 1)

    @property
    def distribution(self) -> np.ndarray:
        """The distribution from which the chosen character of the output is drawn."""
        row = min(self.row, len(self.output) - 1)
        p = probabilities(self.translation.logits[row], self.temperature)
        few = top_k(p, self.top_k) if self.top_k < len(TARGET) else p
        return nucleus(few, self.nucleus)

    def heights(self) -> tuple[str, str]:
        """In one column, the map is as wide as there is room, its cells square; so are the pictures of the heads."""
        n, m = (len(self.queries), len(self.sources)) if self.source else (1, 1)
        room = f"{n} * max(11px, min(36px, (100cqi - 72px) / {m})) + 2 * min(84px, (100cqi - 82px) / 4)"
        return f"calc(1280px + {room})", "639px"

    def description(self) -> str:
        """The translation, and where the chosen character looks most."""
        if not self.source:
            return "The date translator: no date yet."
        best = int(self.weights[self.chosen].argmax())
        return (
            f"The date translator writes “{self.date}” as {self.iso}. Layer {self.layer + 1}, head {self.head}: "
            f"{self.queries[self.chosen]} looks most at {self.sources[best]}, weight {self.weights[self.chosen, best]:.2f}."
        )

    def still(self) -> str:
        """The attention in sight, and the likeliest characters at the chosen place."""
        if not self.source:
            return _svg.picture(400, 40, _svg.text(200, 25, "No date yet."))
        heat = attention_map(self.weights, self.queries, self.sources)
        best = likeliest(self.distribution, 5)
        x, names = (
            130 + 20 * len(self.sources),
            [SIGNS.get(TARGET[v], TARGET[v]) for v in best],
        )
        lines = bars(self.distribution[best], names, x, 120)
        height = max(110 + 20 * len(self.queries), 240)
        return _svg.picture(x + 290, height, heat, lines)
