"""Three sentences of the reader's own that share a word, and how far its vectors part in them, layer by layer."""

import re
from functools import cache

import numpy as np
import traitlets
from jaxtyping import Float

from transformer_math import palette
from transformer_math.block import encoder_layer
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Weights, Whole
from transformer_math.explorables.model import language
from transformer_math.model import (
    TransformerParameters,
    embed_at_positions,
    residual_stream,
)
from transformer_math.trained import language_model, senses
from transformer_math.trained.banks import MASK, WORDS
from transformer_math.trained.committed import FOLDER
from transformer_math.trees import map_leaves

MOST_WORDS, MOST_TOKENS, MOST_LAYERS = senses.LONGEST, 64, 4
READERS = {"encoder": "encoder of this page", "language": "language model"}
PAIRS = ((0, 1), (0, 2), (1, 2))
ROLES = ("query", "key", "value")  # of the three sentences
WORD = re.compile(r"[^\W_]+")

LayerVectors = tuple[Float[np.ndarray, " d"], ...]


@cache
def encoder_parameters() -> TransformerParameters:
    """The trained encoder in double precision, in which JavaScript computes too."""
    return map_leaves(lambda x: x.astype(float), senses.senses())


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, as many as are read."""
    return [word.lower() for word in WORD.findall(text)][:MOST_WORDS]


def shared_words(texts: list[str]) -> list[str]:
    """The words that stand in every text that has words, in the order of the first."""
    found = [words for words in map(words_of, texts) if words]
    if len(found) < 2:
        return []
    return [w for w in dict.fromkeys(found[0]) if all(w in words for words in found)]


def upto(text: str, word: str) -> str:
    """A text as far as the end of the last place where a word stands."""
    read = list(WORD.finditer(text))[:MOST_WORDS]
    return text[: [m for m in read if m[0].lower() == word][-1].end()]


def by_encoder(text: str, word: str) -> LayerVectors:
    """The word's vectors before the first layer, after it, and so on; a word that the encoder never saw is a mask."""
    words, model = words_of(text), encoder_parameters()
    ids = np.array([WORDS.index(w if w in WORDS else MASK) for w in words])
    Z = [embed_at_positions(ids, model.E)]
    for layer in model.layers:
        Z.append(encoder_layer(Z[-1], layer, senses.N_HEADS))
    place = len(words) - 1 - words[::-1].index(word)
    return tuple(z[place] for z in Z)


def by_language_model(text: str, word: str) -> LayerVectors:
    """The vectors of the word's last token; the model sees nothing after it."""
    ids = np.array(language.encode(upto(text, word))[-MOST_TOKENS:])
    stream = residual_stream(ids, language.parameters(), language_model.N_HEADS)
    return tuple(z[-1] for z in stream)


def cosine(x: Float[np.ndarray, " d"], y: Float[np.ndarray, " d"]) -> float:
    """The cosine of the angle between two vectors."""
    return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


class SensesExplorable(Explorable):
    """Three sentences, one of two models that reads them, and the word that they share: `word`, or one found by itself.

    >>> explorable = SensesExplorable(first="a light boat", second="the light of the sun", third="")
    >>> explorable.chosen
    'light'
    """

    first = traitlets.Unicode("the captain took the boat to the bank by the river").tag(
        sync=True
    )
    second = traitlets.Unicode("the widow sent the loan to the bank by the vault").tag(
        sync=True
    )
    third = traitlets.Unicode("the mate carried the raft to the bank by the ford").tag(
        sync=True
    )
    word = traitlets.Unicode("").tag(sync=True)
    reader = Choice(READERS)
    layer = Whole(1, low=0, high=MOST_LAYERS)
    senses = Weights((FOLDER / "senses.bin").read_bytes)
    language_model = Weights(language.checkpoint)

    @property
    def texts(self) -> list[str]:
        """The three sentences."""
        return [self.first, self.second, self.third]

    @property
    def chosen(self) -> str | None:
        """The word that is asked for if all sentences share it; or the last of the longest that they share."""
        shared = shared_words(self.texts)
        if self.word in shared:
            return self.word
        return max(reversed(shared), key=len) if shared else None

    @property
    def vectors(self) -> list[LayerVectors | None]:
        """Of each sentence the word's vectors, layer by layer; none where a sentence has no words."""
        word = self.chosen
        read = by_encoder if self.reader == "encoder" else by_language_model
        return [
            read(text, word) if word and words_of(text) else None for text in self.texts
        ]

    @property
    def cosines(self) -> dict[tuple[int, int], list[float]]:
        """For each pair of sentences with words the cosine at each layer."""
        found = self.vectors
        return {
            (i, j): [cosine(x, y) for x, y in zip(found[i], found[j])]
            for i, j in PAIRS
            if found[i] is not None and found[j] is not None
        }

    def description(self) -> str:
        """The word, and how near its vectors are at the end."""
        if self.chosen is None:
            return "These sentences share no word."
        ends = ", ".join(
            f"{c[-1]:.2f} for sentences {i + 1} and {j + 1}"
            for (i, j), c in self.cosines.items()
        )
        return f"The vectors of “{self.chosen}” after the last layer of the {READERS[self.reader]}: cosine {ends}."

    def offer(self) -> str:
        """No button: the model is fetched when somebody writes a sentence."""
        return ""

    def heights(self) -> tuple[str, str]:
        """Model, three sentences, word; angles, cosines, tasks."""
        return "1094px", "clamp(532px, 834px - 35cqi, 595px)"

    def still(self) -> str:
        """For each layer the vectors of the sentences as arrows, at their angles to the first with words."""
        if not self.cosines:
            return _svg.picture(
                400, 120, _svg.text(200, 60, "These sentences share no word.")
            )
        found = self.cosines
        count = len(next(iter(found.values())))
        step = 640 / count
        return _svg.picture(
            640, 170, *(_fan(found, l, step * l + 20, step - 40) for l in range(count))
        )


def _fan(
    cosines: dict[tuple[int, int], list[float]], layer: int, left: float, length: float
) -> str:
    length = min(length, 105)
    parts = [_svg.text(length / 2, 80, f"layer {layer}" if layer else "no layer")]
    level = min(cosines)[0]  # the first sentence with words
    for j, side in ((0, 0), (1, -1), (2, 1)):
        if j != level and (level, j) not in cosines:
            continue
        c = 1 if j == level else np.clip(cosines[level, j][layer], -1, 1)
        angle = side * np.arccos(c)
        x, y = float(length * np.cos(angle)), float(length * np.sin(angle))
        line = {"x2": x, "y2": y, "stroke": palette.ROLES[ROLES[j]], "stroke_width": 3}
        parts += [
            _svg.tag("line", **line),
            _svg.text(1.1 * x, 1.1 * y + 4, j + 1),
        ]
    return _svg.tag("g", *parts, transform=f"translate({left:.0f} 80)")
