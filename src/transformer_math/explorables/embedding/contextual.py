"""One word, many vectors: “bank” by its sentence, in the trained encoder, seen from where its two senses lie apart."""

from functools import cache

import numpy as np
import traitlets
from jaxtyping import Float

from transformer_math import palette
from transformer_math.embedding import plane_of_question
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Weights, Whole
from transformer_math.quantised import pack, unpack
from transformer_math.trained.banks import (
    MASK,
    PAD,
    SENSES,
    WORDS,
    Sentence,
    draw_sentence,
)
from transformer_math.trained.senses import (
    centroids,
    distances,
    layers_of,
    senses,
    senses_of,
    sentences_with,
    vectors_of,
)

LAYERS = {
    "static": "none: the table",
    "layer_1": "layer 1",
    "layer_2": "layer 2",
}
SENTENCES, READ = 48, 600  # on the map, held out; and those of which means are taken
OTHERS = [word for word in WORDS if word not in (PAD, MASK, "bank")]
SHOWN = 5
ENDS = (("shore", "beach"), ("treasury", "mint"))  # words with one of the two senses


@cache
def shown_sentences() -> list[Sentence]:
    """Sentences with “bank” that training never showed."""
    return sentences_with("bank", np.random.default_rng(4), SENTENCES, unseen=True)


@cache
def packed_vectors() -> bytes:
    """For each layer the vectors of “bank” in all sentences, the mean of each sense, and the mean vectors of all other words."""
    model, rng = senses(), np.random.default_rng(5)
    known, read = (
        sentences_with("bank", rng, READ),
        [draw_sentence(rng) for _ in range(READ)],
    )
    by_layer = zip(
        vectors_of("bank", shown_sentences(), model),
        vectors_of("bank", known, model),
        layers_of(read, model),
    )
    parts: dict[str, str | np.ndarray] = {"words": " ".join(OTHERS)}
    for name, (banks, of_known, Z) in zip(LAYERS, by_layer):
        places = {
            word: [
                (r, s.words.index(word)) for r, s in enumerate(read) if word in s.words
            ]
            for word in OTHERS
        }
        others = np.stack(
            [Z[*np.transpose(places[word])].mean(axis=0) for word in OTHERS]
        )
        if name == "static":  # without the position that the first layer is given
            banks, of_known = (
                np.repeat(model.E[[WORDS.index("bank")]], n, axis=0)
                for n in (SENTENCES, READ)
            )
            others = model.E[[WORDS.index(word) for word in OTHERS]]
        parts[f"{name}/banks"] = banks
        parts[f"{name}/means"] = centroids(of_known.astype(float), senses_of(known))
        parts[f"{name}/others"] = others
    return pack(parts)


class ContextualExplorable(Explorable):
    """The vector of “bank” in one of several sentences, as the trained encoder has it after a layer.

    >>> explorable = ContextualExplorable(layer="static")
    >>> explorable.sense() is None
    True
    """

    layer = Choice(LAYERS)
    sentence = Whole(0, low=0, high=SENTENCES - 1)
    sentences = traitlets.List(read_only=True).tag(sync=True)
    planted = traitlets.List(read_only=True).tag(sync=True)
    contextual_vectors = Weights(packed_vectors)

    @traitlets.default("sentences")
    def _sentences(self) -> list[str]:
        return [" ".join(sentence.words) for sentence in shown_sentences()]

    @traitlets.default("planted")
    def _planted(self) -> list[str]:
        return [sentence.sense for sentence in shown_sentences()]

    def part(self, name: str) -> Float[np.ndarray, "n d"]:
        """The vectors that travel to the page: of `banks`, of the `means` of both senses, of all `others`."""
        return np.asarray(unpack(packed_vectors())[f"{self.layer}/{name}"], float)

    @property
    def plane(self) -> Float[np.ndarray, "n 2"]:
        """Where “bank” stands in each sentence, and then every other word, from the words of rivers to those of money."""
        banks, others = self.part("banks"), self.part("others")
        ends = [
            others[[OTHERS.index(word) for word in words]].mean(axis=0)
            for words in ENDS
        ]
        corners = np.stack([*ends, banks.mean(axis=0)])
        return plane_of_question(np.vstack([corners, banks, others]), 0, 1, 2)[3:]

    def neighbours(self) -> list[str]:
        """The words whose mean vectors point most nearly where “bank” points in this sentence."""
        x, others = self.part("banks")[self.sentence], self.part("others")
        cosines = others @ x / np.linalg.norm(others, axis=1) / np.linalg.norm(x)
        return [OTHERS[i] for i in np.argsort(-cosines)[:SHOWN]]

    def distances(self) -> Float[np.ndarray, " 2"]:
        """How far this vector is from the mean of either sense, in sentences that training may have shown."""
        return distances(self.part("banks")[[self.sentence]], self.part("means"))[0]

    def sense(self) -> str | None:
        """The sense whose mean is nearer; none where both are equally near."""
        to_river, to_money = self.distances()
        if to_river == to_money:
            return None
        return SENSES[int(to_money < to_river)]

    def description(self) -> str:
        """The sentence, what “bank” is near to in it, and the sense that follows."""
        told = self.sense()
        judged = (
            "Both senses have the same mean: it cannot be told."
            if told is None
            else f"Nearer is the mean of {told}; planted was {self.planted[self.sentence]}."
        )
        return (
            f"“{self.sentences[self.sentence]}”: near “bank” are {', '.join(self.neighbours())} "
            f"({LAYERS[self.layer]}). {judged}"
        )

    def heights(self) -> tuple[str, str]:
        """The room that the live figure takes, in one column and in two."""
        return "892px", "489px"

    def still(self) -> str:
        """All sentences as dots, one colour for each sense, and the words at both ends."""
        Y = self.plane
        low, span = Y.min(axis=0), np.ptp(Y, axis=0)
        at = [(50 + 540 * x, 250 - 210 * y) for x, y in (Y - low) / span]
        hues = [palette.ROLES[("query", "key")[SENSES.index(s)]] for s in self.planted]
        parts = [
            _svg.tag("circle", cx=x, cy=y, r=4, fill=hue)
            for (x, y), hue in zip(at, hues)
        ]
        for words in ENDS:
            x, y = np.mean([at[SENTENCES + OTHERS.index(word)] for word in words], 0)
            parts.append(_svg.text(x, y + 4, ", ".join(words)))
        return _svg.picture(640, 270, *parts)
