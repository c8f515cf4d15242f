"""What proves the package: one registry of checks for the tests, the pages, the readers' exercises, and itself."""

from importlib import import_module
from pathlib import Path

from transformer_math.checks.grading import Grade, grade
from transformer_math.checks.proof import Proof, checks_of, equations, prove, run
from transformer_math.checks.registry import REGISTRY, Check, check, difference

_HERE = Path(__file__).parent
IDEAS = [f"{path.parent.name}.{path.stem}" for path in sorted(_HERE.glob("*/[!_]*.py"))]

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
