"""A record of parameters is looked at where a call comes in; the functions below compare what was found, and say the same."""

from dataclasses import dataclass

import numpy as np
import pytest
from jaxtyping import Float

from transformer_math.contract import contract
from transformer_math.contract.arrays import Array
from transformer_math.contract.rules import Record


@contract
@dataclass(frozen=True)
class Layer:
    """Two matrices that meet."""

    W: Float[np.ndarray, "d h"]
    U: Float[np.ndarray, "h d"]


@contract
def widened(x: Float[np.ndarray, "n d"], layer: Layer) -> Float[np.ndarray, "n h"]:
    """The first product."""
    return x @ layer.W


@contract
def twice(x: Float[np.ndarray, "n d"], layer: Layer, cut: int) -> np.ndarray:
    """A call from outside, and two below it."""
    widened(x, layer)
    return widened(x[:, cut:], layer)


def layer(d=3, h=5):
    return Layer(np.ones((d, h)), np.ones((h, d)))


X = np.ones((2, 3))


def test_below_the_first_call_no_field_is_looked_at_again(monkeypatch):
    looked, take = [], Array.take
    monkeypatch.setattr(
        Array,
        "take",
        lambda self, name, *a: looked.append(name) or take(self, name, *a),
    )
    twice(X, layer(), 0)
    assert looked.count("layer.W") == looked.count("layer.U") == 1


def test_what_does_not_fit_below_is_said_as_it_is_outside():
    said = []
    for call in (lambda p: widened(X[:, 1:], p), lambda p: twice(X, p, 1)):
        with pytest.raises(ValueError, match="d = 2, as in x of shape") as refusal:
            call(layer())
        said.append(str(refusal.value))
    assert said[0] == said[1]


def test_a_field_that_changed_between_two_calls_is_seen():
    changed = layer()
    twice(X, changed, 0)
    object.__setattr__(changed, "U", np.ones((4, 3)))
    with pytest.raises(ValueError, match=r"h = 5, as in layer\.W"):
        twice(X, changed, 0)


def test_nothing_is_kept_of_a_record_that_is_gone():
    before = set(Record.found)
    one = layer()
    twice(X, one, 0)
    assert set(Record.found) - before
    del one
    assert not set(Record.found) - before
