"""The language model beside the best that counting makes of the same texts: all is chosen on validation, nothing on the test.

`make train MODEL=language_rivals` counts, chooses, measures, and writes the records that the page shows.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from transformer_math.trained.committed import read_records, write_records
from transformer_math.trained.counting import (
    Mixture,
    choose_mixture,
    mixture_losses,
)
from transformer_math.trained.kneser_ney import fit_ngrams, ngram_probabilities
from transformer_math.trained.language_model import (
    VOCAB_SIZE,
    language_model,
    next_token_losses,
)
from transformer_math.trained.language_texts import Texts, texts
from transformer_math.training.objective import bits_per_byte
from transformer_math.trees import map_leaves

ORDERS = (2, 3, 4, 5)


def bits(losses: np.ndarray, ids: np.ndarray, n_bytes: int) -> float:
    """Bits for each byte of a text from the losses of its tokens, but for the first."""
    return bits_per_byte(float(losses.mean()), len(ids), n_bytes)


def measured(name: str, text: Texts, losses_of, **told: Any) -> dict[str, Any]:
    """One model on both held-out parts; `losses_of(ids)` gives the losses of all tokens but the first."""
    return {
        "model": name,
        "validation": bits(
            losses_of(text.validation), text.validation, text.validation_bytes
        ),
        "test": bits(losses_of(text.test), text.test, text.test_bytes),
        **told,
    }


def of_one_text(text: Texts) -> dict[str, Any]:
    """Kneser-Ney of the novel alone, of the order that does best on validation."""

    def losses(ids, order):
        counted = fit_ngrams(text.training["novel"], VOCAB_SIZE, order)
        return -np.log(ngram_probabilities(counted, ids))[1:]

    order = min(ORDERS, key=lambda n: losses(text.validation, n).mean())
    return measured(
        "Kneser–Ney of the novel", text, lambda ids: losses(ids, order), order=order
    )


def of_all_texts(text: Texts, mixture: Mixture) -> dict[str, Any]:
    """Kneser-Ney of every text, counted apart, and a cache, mixed by weight."""
    told = {"orders": mixture.orders, "cache": mixture.cache}
    weights = [round(float(w), 4) for w in mixture.weights]
    return measured(
        "Kneser–Ney of all texts, and a cache",
        text,
        lambda ids: mixture_losses(mixture, text.training, ids, VOCAB_SIZE)[1:],
        **told,
        weights=weights,
    )


def of_the_model(text: Texts) -> dict[str, Any]:
    """The committed language model, in double precision."""
    model = map_leaves(lambda x: x.astype(float), language_model())
    return measured("the Transformer", text, lambda ids: next_token_losses(ids, model))


def records() -> Iterator[dict[str, Any]]:
    """All three, one after the other."""
    text = texts(VOCAB_SIZE)
    yield of_one_text(text)
    mixture = choose_mixture(text.training, text.validation, VOCAB_SIZE)
    yield of_all_texts(text, mixture)
    yield of_the_model(text)


def language_rivals() -> list[dict[str, Any]]:
    """A record for each model, as they stand in git."""
    return read_records("language_rivals.json")


if __name__ == "__main__":
    write_records("language_rivals.json", records())
