import numpy as np

from transformer_math.the_group import the_idea

rng = np.random.default_rng(7)


def test_tokens_pass_one_by_one():
    x = rng.normal(size=(3, 4))  # TODO: a property that is no equation's check
    assert np.allclose(the_idea(x)[1], the_idea(x[1]))
