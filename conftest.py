"""The tests hold the mathematics to its signatures, results included.

Not so what makes functions by the thousand while it runs, or is called by every function for each of its arguments: checks,
contracts, trees and pullbacks above all. To hold each of them anew took five sixths of the time in which wrong gradients of
the encoder and decoder are graded. (What gradients return is compared with their inputs in tests/gradient.) And what has no
array in its signature is held to its types without a memory of shapes: four predicates that are asked of every character there
is took twenty seconds to import otherwise.

PyTorch computes with one thread, as under `make test`: a process that is forked from one with several waits for ever.
"""

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path

import jaxtyping

os.environ.setdefault("OMP_NUM_THREADS", "1")

PACKAGE = Path(__file__).parent / "src" / "transformer_math"
FREE = {"checks", "contract", "explorables", "formulas", "gradient", "plots", "trees"}
HELD = sorted({path.stem for path in PACKAGE.glob("[!_.]*")} - FREE)


def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are processors: tests that drive a browser mostly wait for it."""
    return (os.cpu_count() or 1) + 1


hold_shapes = jaxtyping.jaxtyped


def hold(*, typechecker: Callable) -> Callable:
    """What jaxtyping's hook writes above each function and class, found by its public name."""

    def held(one: Callable | type) -> Callable | type:
        if isinstance(one, type) or "ndarray" in repr(one.__annotations__):
            return hold_shapes(one, typechecker=typechecker)
        typed = typechecker(one)

        @wraps(one)
        def called(*args, **kwargs):
            free = jaxtyping.config.jaxtyping_disable  # as where readers call
            return (one if free else typed)(*args, **kwargs)

        return called

    return held


jaxtyping.jaxtyped = hold
rooms = [f"{PACKAGE.name}.{room}" for room in HELD]
jaxtyping.install_import_hook(rooms, "beartype.beartype")
