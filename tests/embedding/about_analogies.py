"""What the tests of all ideas ask of `embedding/analogies`."""

import numpy as np
from example_values import normal

from transformer_math.embedding import (
    analogy_accuracy,
    analogy_accuracy_unrestricted,
    analogy_cosines,
    exclude_asked,
    number_analogies,
)

questions = np.array([[0, 1, 2], [3, 4, 0]])
analogies = np.array([[0, 1, 2, 3], [3, 4, 0, 1]])

EXAMPLES = {
    analogy_cosines: {"W": normal(5, 3), "questions": questions},
    exclude_asked: {"cosines": normal(2, 5), "questions": questions},
    analogy_accuracy: {"W": normal(5, 3), "analogies": analogies},
    analogy_accuracy_unrestricted: {"W": normal(5, 3), "analogies": analogies},
    number_analogies: {
        "analogies": [("he", "his", "she", "her")],
        "words": ["her", "his", "she", "he"],
    },
}

ACCEPTED = {
    analogy_cosines: {"W": {"longer"}},
    exclude_asked: {"cosines": {"longer"}, "questions": {"longer"}},
    analogy_accuracy: {"W": {"longer"}},
    analogy_accuracy_unrestricted: {"W": {"longer"}},
}

NO_TWIN = {
    analogy_cosines: "asked of vectors that have learned, not trained on",
    exclude_asked: "asked of vectors that have learned, not trained on",
    analogy_accuracy: "a share of right answers has no slope",
    analogy_accuracy_unrestricted: "a share of right answers has no slope",
}

EQUIVALENT = {
    "_of_length_one": {
        "axis=-1 → axis=1": "The vectors are rows of a matrix: its last axis is 1.",
    },
}
