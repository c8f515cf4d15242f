"""What the tests of all ideas ask of `model/operations`."""

import numpy as np
from example_values import Z

from transformer_math.model import count_operations

EXAMPLES = {
    count_operations: {"function": np.exp, "x": Z},
}

ACCEPTED = {
    count_operations: {
        "x": {
            "NaN",
            "complex",
            "empty",
            "half precision",
            "infinity",
            "longer",
            "masked array",
            "no axis",
            "np.matrix",
            "objects",
            "truth values",
        }
    },
}

NO_TWIN = {
    count_operations: "describes what was computed, for somebody to look at",
}

UNASKED = {
    count_operations: "whatever its function answers, it counts",
}

EQUIVALENT = {
    "_operations": {
        "np.size(inputs[0]) → np.size(inputs[-1])": "A reduction has one input, the first and the last.",
    },
}
