"""A corpus in which analogies were planted: each word has a kind and a subject, and company for either.

“king” is male and about a court, “queen” is female and about a court. In a sentence a word's company is drawn for its kind
(“he”, “his” or “she”, “her”) and, apart from that, for its subject (“crown”, “throne”). So the logarithm of how often a
word stands beside a companion is a sum of two parts, and king − queen = prince − princess holds for these logarithms.
What vectors recover of that is known to be there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from transformer_math.contract import Fraction, Size, contract

Analogy = tuple[str, str, str, str]


@dataclass(frozen=True)
class Family:
    """Pairs of words that differ in one way; the company of the two kinds, and of each pair; sentences with room for it."""

    kinds: tuple[str, str]
    subjects: dict[tuple[str, str], str]
    templates: tuple[str, ...]


PLANTED = {
    "royalty and gender": Family(
        ("he his him beard", "she her hers gown"),
        {
            ("king", "queen"): "crown throne palace",
            ("prince", "princess"): "pony tutor tower",
            ("duke", "duchess"): "estate hounds carriage",
            ("man", "woman"): "office newspaper neighbour",
            ("boy", "girl"): "school marbles kite",
            ("uncle", "aunt"): "nephew birthday presents",
            ("actor", "actress"): "stage script curtain",
            ("waiter", "waitress"): "tray menu tips",
            ("monk", "nun"): "prayer cloister candle",
            ("hero", "heroine"): "quest dragon sword",
        },
        (
            "by {kind} {subject} the {word} saw {kind} {subject}",
            "the {word} and {kind} {subject} had {kind} {subject}",
            "with {subject} and {subject} went {kind} the {word} {kind}",
        ),
    ),
    "city and country": Family(
        ("mayor streets suburbs tram", "border army president provinces"),
        {
            ("paris", "france"): "french seine croissants",
            ("rome", "italy"): "italian tiber pasta",
            ("berlin", "germany"): "german spree sausages",
            ("madrid", "spain"): "spanish tapas flamenco",
            ("athens", "greece"): "greek olives temples",
            ("cairo", "egypt"): "egyptian nile pyramids",
            ("tokyo", "japan"): "japanese sushi kimono",
            ("oslo", "norway"): "norwegian fjords salmon",
            ("lisbon", "portugal"): "portuguese fado sardines",
            ("vienna", "austria"): "austrian danube waltz",
        },
        (
            "the {kind} of {word} has {subject} and {subject} {kind}",
            "{subject} {kind} in {word} are {subject} and {kind}",
            "for {kind} and {subject} {word} has {subject} {kind}",
        ),
    ),
    "verb and tense": Family(
        ("now today always usually", "yesterday once ago earlier"),
        {
            ("walk", "walked"): "path boots hill",
            ("talk", "talked"): "gossip voice phone",
            ("cook", "cooked"): "soup stove onions",
            ("paint", "painted"): "brush canvas colours",
            ("climb", "climbed"): "ladder cliff rope",
            ("plant", "planted"): "seeds garden spade",
            ("play", "played"): "piano drums violin",
            ("wash", "washed"): "soap towels dishes",
            ("sail", "sailed"): "boat harbour wind",
            ("count", "counted"): "coins numbers sheep",
        },
        (
            "{kind} they {word} {subject} and {subject} {kind}",
            "{subject} and {subject} {kind} we {word} {kind}",
            "the {subject} {kind} they {word} the {subject} {kind}",
        ),
    ),
}


@contract
def planted_sentences(
    rng: np.random.Generator, n_sentences: Size, noise: Fraction = 0.2
) -> list[list[str]]:
    """Draw sentences, each about one word of one family, with company of its kind and of its subject.

    With probability `noise` a companion is drawn from all the company of the family instead, so that a word may meet any of it.

    >>> [" ".join(words) for words in planted_sentences(np.random.default_rng(2), 2)]
    ['boat and phone once we talk yesterday', 'the duke and his estate had beard hounds']
    """
    families = tuple(PLANTED.values())
    drawn = rng.integers(len(families), size=n_sentences).tolist()
    return [_sentence(rng, families[number], noise) for number in drawn]


@contract
def planted_analogies() -> dict[str, list[Analogy]]:
    """All questions that the structure answers, by family: a is to b as c is to d, for each two pairs, in both directions.

    >>> planted_analogies()["city and country"][0]
    ('paris', 'france', 'rome', 'italy')
    """
    return {name: _analogies(family) for name, family in PLANTED.items()}


def _analogies(family: Family) -> list[Analogy]:
    forwards = [(*one, *other) for one, other in permutations(family.subjects, 2)]
    return forwards + [(b, a, d, c) for a, b, c, d in forwards]


def _sentence(rng: np.random.Generator, family: Family, noise: float) -> list[str]:
    pair, subject = _one_of(rng, tuple(family.subjects.items()))
    kind = int(rng.integers(2))
    own = {"kind": family.kinds[kind].split(), "subject": subject.split()}
    every = {
        "kind": " ".join(family.kinds).split(),
        "subject": " ".join(family.subjects.values()).split(),
    }
    template = _one_of(rng, family.templates).replace("{word}", pair[kind])
    return [
        _one_of(rng, (every if rng.random() < noise else own)[word.strip("{}")])
        if word[0] == "{"
        else word
        for word in template.split()
    ]


def _one_of(rng: np.random.Generator, choices: Sequence):
    return choices[int(rng.integers(len(choices)))]
