"""A small encoder that learns words from their sentences, by guessing masked ones; and how far it keeps two senses apart.

`python -m transformer_math.trained.senses` trains it from nothing; `senses()` reads what came out.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float, Int

from transformer_math.attention.masks import padding_mask
from transformer_math.block.encoder_layer import encoder_layer
from transformer_math.contract import contract, requires
from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.gradient.model import transformer_logits_vjp
from transformer_math.model.transformer import (
    TransformerParameters,
    embed_at_positions,
    initialise,
    transformer_logits,
)
from transformer_math.trained.banks import (
    MASK,
    PAD,
    SENSES,
    WORDS,
    Sentence,
    draw_sentence,
)
from transformer_math.trained.committed import (
    float32,
    read_committed,
    write_committed,
)
from transformer_math.trained.provenance import provenance
from transformer_math.training.command import train_from_command_line
from transformer_math.training.loop import Run, Settings
from transformer_math.training.objective import cross_entropy
from transformer_math.training.schedule import cosine_schedule

N_HEADS, D_MODEL, D_FF, LAYERS = 4, 32, 64, 2
SHARE = 0.15  # of the words are to be guessed
LONGEST = 14  # words of a sentence

Vectors = Float[np.ndarray, "n d"]
Labels = Int[np.ndarray, " n"]


@dataclass(frozen=True)
class Batch:
    """Sentences as ids, some of their words replaced; the words that stood there; and which are to be guessed."""

    given: Int[np.ndarray, "batch n"]
    wanted: Int[np.ndarray, "batch n"]
    chosen: Bool[np.ndarray, "batch n"]


@dataclass(frozen=True)
class SensesTask:
    """What the loop has to know: new sentences without end, cross-entropy of the chosen words."""

    steps: int = 3000
    every: int = 50
    batch_size: int = 64

    def initial(self, rng: np.random.Generator) -> TransformerParameters:
        """Random parameters, in single precision."""
        return float32(initialise(rng, len(WORDS), D_MODEL, N_HEADS, D_FF, LAYERS))

    def batch(self, rng: np.random.Generator, step: int) -> Batch:
        """New sentences, of those that are not held out."""
        return masked(rng, encode([draw_sentence(rng) for _ in range(self.batch_size)]))

    def loss_and_gradient(
        self, parameters: TransformerParameters, batch: Batch
    ) -> tuple[float, TransformerParameters]:
        """Cross-entropy of the chosen words, given the sentence without them."""
        scored, to_parameters = transformer_logits_vjp(
            batch.given, parameters, N_HEADS, seen(batch.given)
        )
        weights = batch.chosen.astype(np.float32)
        loss, to_logits = cross_entropy_vjp(scored, batch.wanted, weights)
        return loss, *to_parameters(*to_logits(1.0))

    def learning_rate(self, step: int) -> float:
        """Up to 0.003 in 100 steps, then down to nothing."""
        return cosine_schedule(step, peak=3e-3, warm_up=100, steps=self.steps)

    def evaluate(self, parameters: TransformerParameters) -> dict[str, float]:
        """The loss on held-out sentences; and how well the vectors of “bank” tell its senses apart, layer by layer."""
        rng = np.random.default_rng(0)
        held = masked(rng, encode([draw_sentence(rng, True) for _ in range(200)]))
        scored = transformer_logits(held.given, parameters, N_HEADS, seen(held.given))
        loss = cross_entropy(scored, held.wanted, held.chosen.astype(np.float32))
        return {"held_out": loss, **told_apart(parameters, rng, 200)}


def encode(sentences: Sequence[Sentence]) -> Int[np.ndarray, "batch n"]:
    """Sentences as ids, padded to the longest there is. Raises ValueError for a word that the model does not know."""
    known = {word: i for i, word in enumerate(WORDS)}
    if strange := {w for s in sentences for w in s.words} - set(known):
        raise ValueError(
            f"{min(strange)!r} is no word of the planted corpus. Fix: its words alone, banks.WORDS."
        )
    ids = np.full((len(sentences), LONGEST), known[PAD])
    for row, sentence in zip(ids, sentences):
        row[: len(sentence.words)] = [known[word] for word in sentence.words]
    return ids


def masked(rng: np.random.Generator, ids: Int[np.ndarray, "batch n"]) -> Batch:
    """Choose words to be guessed: of ten, eight become a mask, one another word, and one stays as it is.

    Because some stay and some are wrong, the model must be ready to guess at every place, not at masks alone.
    """
    chosen = (rng.random(ids.shape) < SHARE) & (ids != WORDS.index(PAD))
    fate = rng.random(ids.shape)
    others = rng.integers(2, len(WORDS), ids.shape)  # after padding and mask
    given = np.where(chosen & (fate < 0.8), WORDS.index(MASK), ids)
    given = np.where(chosen & (fate >= 0.9), others, given)
    return Batch(given, ids, chosen)


def seen(ids: Int[np.ndarray, "batch n"]) -> Bool[np.ndarray, "batch 1 1 n"]:
    """The mask that hides the padding."""
    return padding_mask((ids != WORDS.index(PAD)).sum(axis=1), ids.shape[1])


def layers_of(
    sentences: Sequence[Sentence], parameters: TransformerParameters
) -> list[Float[np.ndarray, "batch n d"]]:
    """The vectors of all words before the first layer, after it, and so on to the last."""
    ids = encode(sentences)
    Z = [embed_at_positions(ids, parameters.E)]
    for layer in parameters.layers:
        Z.append(encoder_layer(Z[-1], layer, N_HEADS, seen(ids)))
    return Z


def vectors_of(
    word: str, sentences: Sequence[Sentence], parameters: TransformerParameters
) -> list[Vectors]:
    """The word's vector in each of the sentences, where it first stands in it, layer by layer."""
    places = [sentence.words.index(word) for sentence in sentences]
    rows = np.arange(len(sentences))
    return [Z[rows, places] for Z in layers_of(sentences, parameters)]


def sentences_with(
    word: str, rng: np.random.Generator, number: int, unseen: bool = False
) -> list[Sentence]:
    """So many sentences with a word in them."""
    found: list[Sentence] = []
    while len(found) < number:
        sentence = draw_sentence(rng, unseen)
        if word in sentence.words:
            found.append(sentence)
    return found


def senses_of(sentences: Sequence[Sentence]) -> Labels:
    """The sense of each sentence as a number."""
    return np.array([SENSES.index(sentence.sense) for sentence in sentences])


def told_apart(
    parameters: TransformerParameters, rng: np.random.Generator, number: int
) -> dict[str, float]:
    """How often the nearest mean vector of “bank” has the right sense, layer by layer.

    The means are those of sentences like the ones of training; the vectors judged by them come from held-out ones.
    """
    known = sentences_with("bank", rng, number)
    new = sentences_with("bank", rng, number, unseen=True)
    pairs = zip(
        vectors_of("bank", known, parameters), vectors_of("bank", new, parameters)
    )
    wanted = senses_of(new)
    return {
        f"layer_{number}": float(
            (nearest_centroid(X, centroids(K, senses_of(known))) == wanted).mean()
        )
        for number, (K, X) in enumerate(pairs)
    }


@contract
@requires(
    lambda labels: set(np.unique(labels)) == set(range(labels.max() + 1)),
    "the labels are {labels}; wanted 0, 1, … with none left out. Fix: number the classes that are there.",
)
def centroids(X: Vectors, labels: Labels) -> Float[np.ndarray, "k d"]:
    r"""The mean vector of each class.

        c_k = (Σ_i [y_i = k] x_i)/(Σ_i [y_i = k])

    Book: eq-centroids.

    >>> centroids(np.array([[0.0], [2.0], [5.0]]), np.array([0, 0, 1]))
    array([[1.],
           [5.]])
    """
    return np.stack([X[labels == k].mean(axis=0) for k in range(labels.max() + 1)])


@contract
def distances(X: Vectors, C: Float[np.ndarray, "k d"]) -> Float[np.ndarray, "n k"]:
    r"""How far each vector is from each of some others.

        distances(X, C)_ij = √(Σ_k (X_ik - C_jk)²)

    Book: eq-distances.

    >>> distances(np.array([[0.0, 0.0], [3.0, 0.0]]), C=np.array([[0.0, 4.0]]))
    array([[4.],
           [5.]])
    """
    return np.sqrt(((X[:, None] - C) ** 2).sum(axis=-1))


@contract
def nearest_centroid(X: Vectors, C: Float[np.ndarray, "k d"]) -> Labels:
    """The class whose mean is nearest to each vector; of several as near, the first.

    >>> nearest_centroid(np.array([[0.0], [2.9], [4.0]]), C=np.array([[1.0], [5.0]]))
    array([0, 0, 1])
    """
    return distances(X, C).argmin(axis=1)


@contract
@requires(
    lambda labels: (
        labels.min() >= 0
        and len(np.bincount(labels)) == 2
        and np.bincount(labels).min() >= 2
    ),
    "the labels are {labels}; wanted two classes, 0 and 1, with two vectors each or more. Fix: labels of 0 and 1.",
)
def silhouette(X: Vectors, labels: Labels) -> float:
    r"""Compare, for vectors of two classes, how far each is from its own class and how far from the other.

        D = distances(X, X)
        a_i = (Σ_j [y_j = y_i] D_ij)/(Σ_j [y_j = y_i] - 1)
        b_i = (Σ_j (1 - [y_j = y_i]) D_ij)/(Σ_j (1 - [y_j = y_i]))
        i = 0, …, n - 1
        silhouette(X, y) = 1/n Σ_i (b_i - a_i)/max(a_i, b_i)

    a_i is its mean distance to the others of its class, b_i to those of the other class. The mean of all s_i is near 1
    for dense classes far apart and near 0 for classes that lie in each other; it is 0 where all vectors are equal.
    Book: eq-silhouette. Source: Rousseeuw (1987), doi:10.1016/0377-0427(87)90125-7.

    >>> round(silhouette(np.array([[0.0], [1.0], [4.0], [5.0]]), np.array([0, 0, 1, 1])), 3)
    0.746
    """
    D = distances(X, X)
    same = labels[:, None] == labels
    a = (D * same).sum(axis=1) / (same.sum(axis=1) - 1)
    b = (D * ~same).sum(axis=1) / (~same).sum(axis=1)
    larger = np.maximum(a, b)
    return float(((b - a) / np.where(larger > 0, larger, 1)).mean())


def senses() -> TransformerParameters:
    """The trained parameters, as the committed checkpoint has them."""
    like = SensesTask().initial(np.random.default_rng(0))
    return read_committed("senses", like)[0]


def finish(run: Run, folder: Path) -> None:
    """Write the checkpoint that stands in git, with what a page needs to use it."""
    config = {
        "n_heads": N_HEADS,
        "d_model": D_MODEL,
        "d_ff": D_FF,
        "n_layers": LAYERS,
        "steps": run.step,
        "batch_size": SensesTask.batch_size,
        "seed": SETTINGS.seed,
    }
    texts = {"config": config, "vocabulary": WORDS, "made": provenance("senses")}
    written = {name: json.dumps(text) for name, text in texts.items()}
    write_committed("senses", run.parameters, written, run.history)


SETTINGS = Settings(seed=1982)

if __name__ == "__main__":
    train_from_command_line("senses", SensesTask(), SETTINGS, finish)
