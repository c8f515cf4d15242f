"""A false sentence is not printed; what was measured several times is said with its spread."""

import statistics

import numpy as np
import pytest

from transformer_math.plots import say, spread


@pytest.mark.parametrize("holds", [True, np.True_, np.float64(1) < 2])
def test_a_true_sentence_is_printed(holds):
    assert (
        say("One is -1 more than two.", holds=holds).text == "One is −1 more than two."
    )


@pytest.mark.parametrize("holds", [False, np.False_, np.nan > 1])
def test_a_false_sentence_is_quoted_and_not_printed(holds):
    with pytest.raises(ValueError, match=r"“Two is less than one.” is false here"):
        say("Two is less than one.", holds=holds)


@pytest.mark.parametrize("holds", [1, None, np.array([True, True]), "yes"])
def test_a_condition_is_one_truth(holds):
    with pytest.raises(ValueError, match=r"holds is .* wanted True or False. Fix"):
        say("All are less.", holds=holds)


def test_few_values_are_said_with_their_range():
    assert (
        spread([3, 1, 2], "seeds", ".1f") == "2.0 on average over 3 seeds (1.0 to 3.0)"
    )


def test_many_values_are_said_with_their_standard_error():
    values = np.random.default_rng(3).normal(size=1200).tolist()
    error = statistics.stdev(values) / 1200**0.5
    said = spread(values, "tokens", ".6f")
    assert said.startswith(f"{statistics.fmean(values):.6f} ± {error:.6f} on average")
    assert said.endswith("over 1\u202f200 tokens (standard error)")


@pytest.mark.parametrize("values", [[], [0.5], [0.5, np.nan], [1.0, np.inf]])
def test_what_was_measured_once_has_no_spread(values):
    with pytest.raises(ValueError, match=r"wanted two finite numbers or more. Fix"):
        spread(values, "seeds")
