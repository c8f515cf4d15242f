"""What the tests of all ideas ask of `block/erf`."""

from example_values import Z

from transformer_math.block import erf

EXAMPLES = {
    erf: {"x": Z},
}

ACCEPTED = {
    erf: {"x": {"longer", "no axis"}},
}

NO_TWIN = {
    erf: "a slope that a twin has inside: the bell curve of gelu_vjp",
}

EQUIVALENT = {
    "erf": {
        "y < _NEAR → y <= _NEAR": "Both formulas are right to rounding where they meet.",
        "1 - missing → missing - 1": "copysign takes the size and gives it the sign of x.",
    },
}
