"""What the tests of all ideas ask of `the_group/the_idea`; `tests/abouts.py` explains the names."""

import numpy as np

from transformer_math.the_group import the_idea

ACCEPTED = {the_idea: {"x": {"longer"}}}

NO_TWIN = {the_idea: "TODO: why it needs no gradient; or its twin in `gradient`"}

RIGHT = [  # TODO: right answers in other words
    (the_idea, lambda x: np.copy(x)),
    (the_idea, lambda x: x.tolist()),
]

WRONG = [  # TODO: mistakes that readers make, and words of the verdict that fits
    (the_idea, lambda x: -x, "it gave"),
    (the_idea, lambda x: x + 1, "it gave"),
    (the_idea, lambda x: x**2, "it gave"),
    (the_idea, lambda x: np.abs(x), "it gave"),
    (the_idea, lambda x: np.round(x), "it gave"),
]
