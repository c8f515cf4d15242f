"""Step 10: from vectors to probabilities."""

from transformer_math.output.probabilities import logits, probabilities

__all__ = ["logits", "probabilities"]
