"""Step 10: from vectors to probabilities."""

# Written by `make exports` from what the modules define.
from transformer_math.output.decoding import (
    Hypothesis,
    beam,
    greedy,
    nucleus,
    sample,
    top_k,
)
from transformer_math.output.min_p import min_p, min_p_from_logits
from transformer_math.output.probabilities import log_softmax, logits, probabilities

__all__ = [
    "Hypothesis",
    "beam",
    "greedy",
    "log_softmax",
    "logits",
    "min_p",
    "min_p_from_logits",
    "nucleus",
    "probabilities",
    "sample",
    "top_k",
]
