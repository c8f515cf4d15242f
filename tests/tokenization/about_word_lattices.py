"""What the tests of all ideas ask of `tokenization/word_lattices`."""

EQUIVALENT = {
    "WordLattices.expected_counts": {
        "whole @ self._counts → self._counts @ whole": "A dot product does not know its order.",
    },
}
