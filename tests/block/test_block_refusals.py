"""What the conditions of a block refuse, just outside of what they take."""

import numpy as np
import pytest

from transformer_math.attention import AttentionParameters
from transformer_math.block import neuron_loss, rotary_attention


@pytest.mark.parametrize("t", [1.0 + 1e-9, 1.5, 2.0])
def test_a_share_of_more_than_one(t):
    given = np.ones(2), np.ones(2), 0.0
    assert neuron_loss(*given, 1.0) < neuron_loss(*given, 0.9)
    with pytest.raises(ValueError, match="at most 1"):
        neuron_loss(*given, t)


def test_heads_in_which_dimensions_do_not_come_in_pairs():
    """Three columns for each head divide by the number of heads, and cannot turn in pairs."""
    W, b = np.ones((2, 6)), np.zeros(6)
    given = AttentionParameters(W, W, W, W.T, b, b, b, np.zeros(2))
    assert rotary_attention(np.ones((1, 2)), given, 3)[0].shape == (1, 2)
    with pytest.raises(ValueError, match="an even number for each"):
        rotary_attention(np.ones((1, 2)), given, 2)
