"""What proves the package: one registry of checks for the tests, the pages, the readers' exercises, and itself."""

from importlib import import_module

from transformer_math.checks.grading import Grade, grade
from transformer_math.checks.proof import Proof, checks_of, equations, prove, run
from transformer_math.checks.registry import REGISTRY, Check, check, difference

IDEAS = (  # in reading order, which is the ledger's
    "tokenization.units",
    "tokenization.utf8",
    "tokenization.bpe",
    "tokenization.byte_bpe",
    "embedding",
    "position.sinusoidal",
    "position.rope",
    "attention.projections",
    "attention.scaled_dot_product",
    "attention.softmax",
    "attention.multi_head",
    "block.layer_norm",
    "block.feed_forward",
    "block.encoder_layer",
    "model.encoder",
    "output",
    "model.transformer",
    "model.cost",
)

for idea in IDEAS:
    import_module(f"{__name__}.{idea}")

__all__ = [
    "IDEAS",
    "REGISTRY",
    "Check",
    "Grade",
    "Proof",
    "check",
    "checks_of",
    "difference",
    "equations",
    "grade",
    "prove",
    "run",
]
