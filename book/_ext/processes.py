"""As many processes at once as there are processors; on Linux each begins as a copy of this one, with all that it has read.

With all that it has read: Python's search for what can be thrown away would go through all of it, again and again.
"""

import gc
import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

# new objects between two searches; then every 50th search goes further, and every 1000th of these through all
SELDOM = 200_000, 50, 1000


def search_seldom() -> None:
    """Let this process, and those that begin as its copies, search seldom for what can be thrown away."""
    gc.set_threshold(*SELDOM)


def processes(
    tasks: int, begin: Callable | None = None, *given: object
) -> ProcessPoolExecutor:
    """Processes for so many tasks; each begins by calling `begin` with what is given."""
    how = get_context("fork" if sys.platform == "linux" else None)
    workers = max(1, min(tasks, os.cpu_count() or 1))
    return ProcessPoolExecutor(workers, how, begin, given)
