"""Five ways to word vectors, on a text with planted analogies and on the book's own: what each finds, and with how many dimensions.

`make train MODEL=word_ways` trains each way with each number of dimensions from three seeds.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from time import process_time
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from transformer_math.corpus import addresses, moby_dick
from transformer_math.embedding.analogies import (
    analogy_accuracy,
    analogy_accuracy_unrestricted,
    number_analogies,
)
from transformer_math.embedding.fasttext import ngram_rows, sum_of_ngrams
from transformer_math.embedding.glove import cooccurrences
from transformer_math.embedding.negative_sampling import noise_distribution
from transformer_math.embedding.planted import (
    Analogy,
    planted_analogies,
    planted_sentences,
)
from transformer_math.embedding.word2vec import window_contexts, window_pairs
from transformer_math.embedding.word_vectors import (
    count_neighbours,
    frequent_words,
    number_sentences,
    ppmi,
    word_vectors,
)
from transformer_math.quantised import pack, unpack
from transformer_math.tokenization.units import words
from transformer_math.trained.committed import FOLDER, read_records, write_records
from transformer_math.trained.provenance import provenance
from transformer_math.training.fasttext import train_fasttext
from transformer_math.training.glove import train_glove
from transformer_math.training.word2vec import train_word2vec

NAME = "word_ways"
WINDOW, SEEDS, DIMENSIONS = 5, (1, 2, 3), (2, 4, 8, 16, 32, 64, 128)
SENTENCES, AT_LEAST = 1000, 150
MAPPED, ON_MAP = (
    32,
    160,
)  # dimensions of the vectors that are kept, and words of the book's text
FAMILIES = {
    "pronouns": "he his she her they their we our i my you your",
    "one and many": "country countries nation nations law laws treaty treaties state states "
    "right rights ship ships interest interests year years power powers month months",
    "present and past": "make made give gave take took come came see saw find found go went",
}


@dataclass(frozen=True)
class Text:
    """A text as ids with gaps (-1), its words, the number of steps that learning takes, and its analogies by family."""

    ids: Int[np.ndarray, " n"]
    words: list[str]
    steps: int
    analogies: dict[str, list[Analogy]]

    @property
    def questions(self) -> dict[str, Int[np.ndarray, "m 4"]]:
        """The analogies as rows of ids."""
        return {
            name: number_analogies(asked, self.words)
            for name, asked in self.analogies.items()
        }


@cache
def planted_text(seed: int) -> Text:
    """Sentences into which analogies were planted; another seed draws others."""
    sentences = planted_sentences(np.random.default_rng(seed), SENTENCES)
    known = frequent_words([word for s in sentences for word in s], at_least=1)
    ids = number_sentences(sentences, known, gap=WINDOW)
    return Text(ids, known, 1500, planted_analogies())


@cache
def book_text() -> Text:
    """*Moby-Dick* and the addresses, in small letters: the words that occur a hundred and fifty times."""
    tokens = words("\n\n".join([moby_dick(), *addresses().values()]).lower())
    known = [word for word in frequent_words(tokens, AT_LEAST) if word.isalpha()]
    numbers = {word: i for i, word in enumerate(known)}
    ids = np.array([numbers.get(word, -1) for word in tokens])
    return Text(
        ids, known, 12_000, {name: _analogies(f) for name, f in FAMILIES.items()}
    )


def _analogies(family: str) -> list[Analogy]:
    listed = family.split()
    pairs = zip(listed[::2], listed[1::2])
    return [(*one, *other) for one, other in permutations(pairs, 2)]


TEXTS: dict[str, Callable[[int], Text]] = {
    "planted": planted_text,
    "book": lambda seed: book_text(),
}


def by_counts(text: Text, d: int, rng: np.random.Generator) -> Float[np.ndarray, "V d"]:
    """Positive pointwise mutual information, and its main directions."""
    V = len(text.words)
    return word_vectors(ppmi(count_neighbours(text.ids, V, V, WINDOW)), d)


def by_skip_gram(
    text: Text, d: int, rng: np.random.Generator
) -> Float[np.ndarray, "V d"]:
    """The word says its neighbours, by negative sampling."""
    centres, neighbours = window_pairs(text.ids, WINDOW).T
    noise, size = noise_distribution(np.bincount(text.ids[text.ids >= 0])), 512
    return train_word2vec(
        centres[:, None], neighbours, noise, rng, d, 5, text.steps, size, 0.02
    ).E


def by_cbow(text: Text, d: int, rng: np.random.Generator) -> Float[np.ndarray, "V d"]:
    """The neighbours say the word, by negative sampling."""
    contexts = window_contexts(text.ids, WINDOW)
    places = (text.ids >= 0) & (contexts >= 0).any(axis=1)
    noise, size = noise_distribution(np.bincount(text.ids[text.ids >= 0])), 512
    return train_word2vec(
        contexts[places], text.ids[places], noise, rng, d, 5, text.steps, size, 0.02
    ).E


def by_glove(text: Text, d: int, rng: np.random.Generator) -> Float[np.ndarray, "V d"]:
    """Vectors whose products tell the logarithms of counts."""
    X = cooccurrences(text.ids, len(text.words), WINDOW).astype(np.float32)
    return train_glove(X, d, 50, rng, learning_rate=0.1, rows_at_once=50)[0].vectors


def by_fasttext(
    text: Text, d: int, rng: np.random.Generator
) -> Float[np.ndarray, "V d"]:
    """Sums of vectors of runs of characters, by the expected loss of negative sampling."""
    X = cooccurrences(text.ids, len(text.words), WINDOW).astype(np.float32)
    buckets = 10 * len(text.words)
    rows, owners = ngram_rows(text.words, buckets)
    n_rows = buckets + len(text.words)
    Z, _, _ = train_fasttext(X, rows, owners, n_rows, d, 100, rng, learning_rate=0.05)
    return sum_of_ngrams(rows, owners, Z)


WAYS: dict[str, Callable[[Text, int, np.random.Generator], np.ndarray]] = {
    "counts": by_counts,
    "skip-gram": by_skip_gram,
    "CBOW": by_cbow,
    "GloVe": by_glove,
    "FastText": by_fasttext,
}


def one_run(text: str, way: str, d: int, seed: int) -> dict[str, Any]:
    """One training, and the shares of analogies that it finds, with and without their own words in the search."""
    given, began = TEXTS[text](seed), process_time()
    W = WAYS[way](given, d, np.random.default_rng(seed))
    record = {"text": text, "way": way, "d": d, "seed": seed}
    record["seconds"] = process_time() - began
    asked = given.questions
    record["right"] = {name: analogy_accuracy(W, qs) for name, qs in asked.items()}
    every = np.concatenate(list(asked.values()))
    record["all"] = analogy_accuracy(W, every)
    record["unrestricted"] = analogy_accuracy_unrestricted(W, every)
    return record


def records() -> Iterator[dict[str, Any]]:
    """Every text, every way, every number of dimensions, every seed; counts have no seed of their own on the book's text."""
    for text, seed, way, d in product(TEXTS, SEEDS, WAYS, DIMENSIONS):
        if (text, way) != ("book", "counts") or seed == SEEDS[0]:
            yield one_run(text, way, d, seed)


def on_map(text: Text) -> list[int]:
    """The ids of the words that a map shows: those of the analogies, and the most frequent others."""
    asked = {word for qs in text.analogies.values() for four in qs for word in four}
    others = [word for word in text.words if word not in asked and len(word) > 3]
    shown = asked | set(others[: max(0, ON_MAP - len(asked))])
    return [i for i, word in enumerate(text.words) if word in shown]


def write_maps() -> None:
    """The vectors of the words on each map, of each way with the first seed, as few bytes; and what made them."""
    parts: dict[str, str | np.ndarray] = {"made": json.dumps(provenance(NAME))}
    for name, text_of in TEXTS.items():
        text = text_of(SEEDS[0])
        shown = on_map(text)
        parts[f"{name}/words"] = " ".join(text.words[i] for i in shown)
        for way, vectors in WAYS.items():
            W = vectors(text, MAPPED, np.random.default_rng(SEEDS[0]))[shown]
            parts[f"{name}/{way}"] = W / np.linalg.norm(W, axis=1, keepdims=True)
            print(f"map of the text “{name}”: {way}", flush=True)
    (FOLDER / f"{NAME}.bin").write_bytes(pack(parts))


@cache
def word_maps() -> dict[str, str | np.ndarray]:
    """The words on each map, `planted/words`, their vectors by each way, `planted/GloVe`, of length 1; `made` says by what."""
    return unpack((FOLDER / "word_ways.bin").read_bytes())


@cache
def word_runs() -> list[dict[str, Any]]:
    """A record for each training, as they stand in git."""
    return read_records("word_ways.json")


if __name__ == "__main__":
    write_maps()
    write_records("word_ways.json", records())
