"""What checks the package: one set of checks for the tests, the pages, the readers' exercises, and itself.

Importing this loads no check and no oracle: `grade`, `grade_written`, `checks_of` and `all_checks` load what they need.
"""

from transformer_math.checks.compare import difference, worst
from transformer_math.checks.grading import Grade, grade, grade_written
from transformer_math.checks.proof import Proof, checks_of, equations, prove, run
from transformer_math.checks.registry import (
    Check,
    all_checks,
    check,
    checks_for,
    ideas,
)

__all__ = [
    "Check",
    "Grade",
    "Proof",
    "all_checks",
    "check",
    "checks_for",
    "checks_of",
    "difference",
    "equations",
    "grade",
    "grade_written",
    "ideas",
    "prove",
    "run",
    "worst",
]
