"""Checks of the idea."""

import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size, tokens
from transformer_math.the_group.the_idea import the_idea


@check(the_idea, equation="eq-the-idea", oracle="TODO: the oracle's name")
def the_idea_equals_torch(the_idea, rng):
    x = tokens(rng, size(rng))
    return difference(the_idea(x), torch.from_numpy(x))  # TODO: somebody else's code


@the_idea_equals_torch.rejects(
    "TODO: what is wrong with this plausible mistake, and what to do instead."
)
def doubled(x):
    return 2 * x
