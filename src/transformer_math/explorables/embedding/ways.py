"""An embedding map: three words, the plane through them, and what five ways to word vectors answer."""

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.embedding import analogy_cosines, exclude_asked, plane_of_question
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Weights, Whole
from transformer_math.trained.committed import FOLDER
from transformer_math.trained.word_ways import ON_MAP, WAYS, word_maps

TEXTS = {"planted": "planted", "book": "the book’s"}
ASKED = {"planted": ("man", "king", "woman"), "book": ("he", "his", "she")}
SHOWN = 5


def packed_maps() -> bytes:
    """The committed bytes."""
    return (FOLDER / "word_ways.bin").read_bytes()


def words_of(text: str) -> list[str]:
    """The words on the map of a text."""
    return str(word_maps()[f"{text}/words"]).split()


def places_of(text: str) -> list[int]:
    """Where the words of the first question stand on the map of a text."""
    return [words_of(text).index(word) for word in ASKED[text]]


class WaysExplorable(Explorable):
    """Word `a` is to `b` as `c` is to what? The words of one text, by their numbers on its map; `near` has its neighbours told.

    `own` says whether the question's own words may be the answer.

    >>> explorable = WaysExplorable(way="skip-gram")
    >>> explorable.answers()[0]
    'queen'
    """

    text = Choice(TEXTS)
    way = Choice({way: way for way in WAYS})
    a = Whole(places_of("planted")[0], low=0, high=ON_MAP - 1)
    b = Whole(places_of("planted")[1], low=0, high=ON_MAP - 1)
    c = Whole(places_of("planted")[2], low=0, high=ON_MAP - 1)
    near = Whole(places_of("planted")[1], low=0, high=ON_MAP - 1)
    own = traitlets.Bool(False).tag(sync=True)
    asked = traitlets.Dict(
        {text: places_of(text) for text in TEXTS}, read_only=True
    ).tag(sync=True)
    word_ways = Weights(packed_maps)

    @property
    def words(self) -> list[str]:
        """The words on the map."""
        return words_of(self.text)

    @property
    def vectors(self) -> np.ndarray:
        """Their vectors, of length 1."""
        return np.asarray(word_maps()[f"{self.text}/{self.way}"], float)

    @property
    def question(self) -> np.ndarray:
        """The numbers of a, b and c."""
        return np.array([[self.a, self.b, self.c]])

    @property
    def cosines(self) -> np.ndarray:
        """How near each word is to b − a + c."""
        found = analogy_cosines(self.vectors, self.question)
        return (found if self.own else exclude_asked(found, self.question))[0]

    def answers(self) -> list[str]:
        """The words that are nearest to b − a + c, the nearest first."""
        return [self.words[i] for i in np.argsort(-self.cosines)[:SHOWN]]

    def neighbours(self) -> list[str]:
        """The words that are nearest to the one that is looked at."""
        cosines = self.vectors @ self.vectors[self.near]
        return [self.words[i] for i in np.argsort(-cosines) if i != self.near][:SHOWN]

    @property
    def corners(self) -> list[int]:
        """The words that the plane goes through: a, b and c, and for those that are the same the nearest answers."""
        asked = [self.a, self.b, self.c]
        answers = [self.words.index(word) for word in self.answers()]
        return list(dict.fromkeys(asked + answers))[: len(asked)]

    @property
    def plane(self) -> np.ndarray:
        """Where each word stands in that plane."""
        return plane_of_question(self.vectors, *self.corners)

    def description(self) -> str:
        """The question, its answers, and the neighbours of a word."""
        a, b, c = (self.words[i] for i in (self.a, self.b, self.c))
        return (
            f"{a} is to {b} as {c} is to: {', '.join(self.answers())} ({self.way}, {TEXTS[self.text]} text). "
            f"Near “{self.words[self.near]}” are {', '.join(self.neighbours())}."
        )

    def heights(self) -> tuple[str, str]:
        """The room that the live figure takes, in one column and in two."""
        return "1177px", "638px"

    def still(self) -> str:
        """The plane of the question, with its parallelogram."""
        Y = self.plane
        corner = Y[self.b] - Y[self.a] + Y[self.c]
        every = np.vstack([Y, corner])
        low, span = every.min(axis=0), np.ptp(every, axis=0).max()
        at = [(60 + 500 * x, 330 - 300 * y) for x, y in (every - low) / span]
        parts = [
            _svg.tag("circle", cx=x, cy=y, r=2, fill=palette.GREY) for x, y in at[:-1]
        ]
        way_round = [at[i] for i in (self.a, self.b, -1, self.c, self.a)]
        parts.append(_svg.curve(way_round, palette.ROLES["position"]))
        for i in (self.a, self.b, self.c, self.words.index(self.answers()[0])):
            parts.append(_svg.text(at[i][0], at[i][1] - 8, self.words[i]))
        return _svg.picture(640, 350, *parts)
