"""What the tests of all ideas ask of `tokenization/digamma`."""

from example_values import positive

from transformer_math.tokenization import digamma

EXAMPLES = {
    digamma: {"x": positive},
}

ACCEPTED = {
    digamma: {"x": {"longer", "no axis"}},
}
