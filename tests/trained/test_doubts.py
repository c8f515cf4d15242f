"""Doubts: certainty is the product of what the decoder gives, and what training knows is not doubted."""

import numpy as np
import pytest

from transformer_math.model import encoder_decoder
from transformer_math.trained.date_translator import (
    BEGIN,
    END,
    N_HEADS,
    TARGET,
    date_translator,
    encode,
    translate,
)
from transformer_math.trained.dates import draw_pair
from transformer_math.trained.doubts import KINDS, SURE, certainty, doubt


def stepwise(text, parameters):
    """The probability of the answer, character by character, each time with the whole model."""
    source, _ = encode([text])
    written, product = [TARGET.index(BEGIN)], 1.0
    for _ in range(11):
        p = encoder_decoder(source, np.array([written]), parameters, N_HEADS)[0, -1]
        best = int(p.argmax())
        product *= float(p[best])
        written.append(best)
        if TARGET[best] == END:
            break
    return product


@pytest.mark.parametrize("text", ["12 March 1851", "the sea", "4 July 33", "12 of May"])
def test_certainty_is_the_product_over_characters(text):
    parameters = date_translator()
    alone = certainty([text], parameters)
    assert alone == pytest.approx(stepwise(text, parameters), rel=1e-4)
    beside = certainty([text, "Wednesday, March 12, 1851"], parameters)
    assert beside[0] == pytest.approx(alone[0], rel=1e-4)  # padding hides nothing


def test_dates_as_in_training_are_not_doubted():
    rng = np.random.default_rng(12)
    written, wanted = zip(*(draw_pair(rng, unseen=True) for _ in range(200)))
    parameters = date_translator()
    sure = certainty(written, parameters)
    assert sure.min() > SURE
    assert translate(written, parameters) == list(wanted)
    assert not any(map(doubt, wanted, sure))


@pytest.mark.parametrize(
    ("iso", "sure", "why"),
    [
        ("1851-03-12", 0.9999, ""),
        ("1851-03-12", 0.99, "not sure"),
        ("1851-13-12", 1.0, "no such day"),
        ("1851-03", 1.0, "no such day"),
        ("18510312", 1.0, "no such day"),
        ("", 1.0, "no such day"),
        ("1599-12-31", 1.0, "1600 to 2199"),
        ("1600-01-01", 1.0, ""),
        ("2199-12-31", 1.0, ""),
        ("2200-01-01", 1.0, "1600 to 2199"),
    ],
)
def test_reasons(iso, sure, why):
    found = doubt(iso, sure)
    assert why in found and bool(found) == bool(why)


@pytest.mark.parametrize("kind", KINDS)
def test_texts_of_each_kind_can_be_read(kind):
    rng = np.random.default_rng(1)
    drawn = [KINDS[kind](rng) for _ in range(30)]
    encode([text for text, _ in drawn])
    assert len({text for text, _ in drawn}) > 10
    assert all(len(iso) in (0, 10) for _, iso in drawn)


def test_spaces_at_the_ends_are_not_read():
    parameters = date_translator()
    with_spaces, without = ["  12 March 1851 "], ["12 March 1851"]
    assert translate(with_spaces, parameters) == translate(without, parameters)
    assert certainty(with_spaces, parameters) == certainty(without, parameters)
