"""What the tests of all ideas ask of `tokenization/digamma`."""

from example_values import positive

from transformer_math.tokenization import digamma, digamma_series

EXAMPLES = {
    digamma: {"x": positive},
    digamma_series: {"y": positive},
}

ACCEPTED = {
    digamma: {"x": {"longer", "no axis"}},
    digamma_series: {"y": {"longer", "no axis"}},
}
