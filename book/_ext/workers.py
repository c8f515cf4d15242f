"""Work on formulas and checks in as many processes as there are processors, each with an engine that has read all formulas."""

import os
import time
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from threading import Thread

from processes import processes

from transformer_math.formulas.book import Formula
from transformer_math.formulas.cases import Drawn


def at_once(work: Callable, tasks: list, *knowledge: tuple) -> Iterator[tuple]:
    """Each task with what came of it; as many at a time as there are processors. `told` gives them the knowledge."""
    if not tasks:
        return
    import_all()
    with processes(len(tasks), _tell, knowledge) as pool:
        yield from zip(tasks, pool.map(work, tasks), strict=True)


def import_all() -> None:
    """Import what the evidence is found with, once for all processes that come."""
    import torch._dynamo  # noqa: F401 -- what PyTorch imports when it first counts operations

    from transformer_math.checks import all_checks

    all_checks()


_knowledge: list[tuple] = []


def _tell(knowledge: tuple) -> None:
    _knowledge[:] = knowledge
    Thread(target=_leave_with, args=[os.getppid()], daemon=True).start()


def _leave_with(parent: int) -> None:
    """End this process when the build that started it was killed."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def told() -> list[tuple]:
    """In a process of its own: what `at_once` was given for all tasks, the formulas first."""
    return _knowledge


@cache
def engine():
    """In a process of its own: an engine that has read all formulas; it ends with the process."""
    from transformer_math.formulas.verdict import open_engine

    return open_engine(told()[0])


@lru_cache(maxsize=1)
def drawn(formula: Formula) -> Drawn:
    """In a process of its own: the calls of a formula's checks, which are drawn once for all that is asked of it."""
    return Drawn()
