"""A condition on all entries is asked of all: one entry that breaks it, among many that do not, is refused."""

from importlib import import_module
from pkgutil import walk_packages
from string import Formatter

import numpy as np
import pytest

import transformer_math
from transformer_math.attention import entropy, softmax_jacobian
from transformer_math.embedding import rank_correlation
from transformer_math.modalities import istft, local_groups
from transformer_math.position import mean_attention_distance
from transformer_math.trained.date_translator import share_on
from transformer_math.trained.induction_heads import (
    prefix_matching_score,
    previous_token_score,
)
from transformer_math.training import dropout_mask

ORDERED, ALIKE = np.arange(4.0), np.ones(4)
POINTS = np.arange(6.0).reshape(3, 2)
WAVES = np.ones((3, 5))  # of windows of 8 samples


@pytest.mark.parametrize("u", [[-0.1, 0.5], [0.5, 1.0]])
def test_one_random_number_that_is_none(u):
    with pytest.raises(ValueError, match="u runs from"):
        dropout_mask(np.array(u), 0.5)


@pytest.mark.parametrize("neighbours", [[[0, 3]], [[-1, 2]]])
def test_one_neighbour_that_is_no_point(neighbours):
    with pytest.raises(ValueError, match="numbers of points"):
        local_groups(POINTS, POINTS[:1], np.array(neighbours))


@pytest.mark.parametrize("pair", [(ORDERED, ALIKE), (ALIKE, ORDERED)])
def test_one_list_that_has_no_order(pair):
    with pytest.raises(ValueError, match="all numbers of x or of y are equal"):
        rank_correlation(*pair)


@pytest.mark.parametrize("hop", [9, 12])
def test_a_hop_that_is_longer_than_the_window(hop):
    with pytest.raises(ValueError, match="longer than the window"):
        istft(WAVES, WAVES, hop)


OF_WEIGHTS = {
    "jacobian": softmax_jacobian,
    "entropy": entropy,
    "distance": lambda A: mean_attention_distance(A[None]),
    "marked": lambda A: share_on(A, A > 0),
    "token before": previous_token_score,
    "prefix": lambda A: prefix_matching_score(A, np.array([5, 5])),
}


@pytest.mark.parametrize("name", OF_WEIGHTS)
@pytest.mark.parametrize("row", [[1.0, 1.0], [-0.5, 1.5], [0.5, 0.50015], [0.1, 0.0]])
def test_one_row_that_is_no_attention(name, row):
    with pytest.raises(ValueError, match=r"rows that add up to 1, .* Fix: softmax"):
        OF_WEIGHTS[name](np.array([[1.0, 0.0], row]))


@pytest.mark.parametrize("name", OF_WEIGHTS)
@pytest.mark.parametrize("row", [[0.5, 0.50005], [0.0, 0.0]])
def test_a_row_of_single_precision_and_one_that_sees_nothing(name, row):
    assert np.isfinite(OF_WEIGHTS[name](np.array([[1.0, 0.0], row]))).all()


def conditions():
    """Every condition of the package, by function."""
    for info in walk_packages(transformer_math.__path__, "transformer_math."):
        if "__main__" not in info.name:
            for name, value in vars(import_module(info.name)).items():
                for _, _, message in getattr(value, "conditions", ()):
                    yield f"{info.name}.{name}", message


def test_what_a_condition_says_can_be_said():
    """In a text that is filled in a call is no call: it would end in an AttributeError."""
    said = [(name, text) for name, text in conditions() if isinstance(text, str)]
    fields = [(name, field) for name, text in said for _, field, _, _ in Formatter().parse(text)]  # fmt: skip
    assert len(said) > 100
    assert not [(name, field) for name, field in fields if field and "(" in field]
