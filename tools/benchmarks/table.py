"""One row for each measurement, one table for all of them."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from tabulate import tabulate

HEAD = ("what", "ours", "peer", "peer's name", "ratio", "aim", "met?")


@dataclass(frozen=True)
class Row:
    """A measured value, a peer's where there is one, and what was aimed at: `at_most` a value, `ratio` to the peer."""

    what: str
    ours: float
    unit: str
    peer: float | None = None
    peer_name: str = ""
    at_most: float | None = None
    ratio_at_most: float | None = None

    def cells(self) -> tuple[str, ...]:
        """The row as it is printed.

        >>> Row("sort", 3.0, "ms", 2.0, "a peer", ratio_at_most=2).cells()
        ('sort', '3.00 ms', '2.00 ms', 'a peer', '1.50', '≤ 2 × peer', 'yes')
        """
        ours, peer, ratio = amount(self.ours, self.unit), "", ""
        if self.peer is not None:
            peer, ratio = amount(self.peer, self.unit), f"{self.ours / self.peer:.2f}"
        aims = []
        if self.at_most is not None:
            aims.append((f"≤ {self.at_most:g} {self.unit}", self.at_most))
        if self.ratio_at_most is not None:
            limit = self.ratio_at_most * self.peer
            aims.append((f"≤ {self.ratio_at_most:g} × peer", limit))
        reached = all(self.ours <= limit for _, limit in aims)
        met = "" if not aims else "yes" if reached else "NO"
        aim = ", ".join(aim for aim, _ in aims)
        return self.what, ours, peer, self.peer_name, ratio, aim, met


def amount(value: float, unit: str) -> str:
    """Three significant digits or so, and the unit.

    >>> amount(0.1234, "ms"), amount(1234.5, "kB"), amount(7, "requests")
    ('0.123 ms', '1,234 kB', '7 requests')
    """
    if isinstance(value, int) or value >= 100:
        return f"{value:,.0f} {unit}"
    return f"{value:.{1 if value >= 10 else 2 if value >= 1 else 3}f} {unit}"


def render(rows: list[Row]) -> str:
    """All rows below each other, columns aligned.

    >>> print(render([Row("sort", 3.0, "ms", at_most=2)]))
    what    ours     peer    peer's name    ratio    aim     met?
    ------  -------  ------  -------------  -------  ------  ------
    sort    3.00 ms                                  ≤ 2 ms  NO
    """
    cells = [row.cells() for row in rows]
    table = tabulate(cells, HEAD, tablefmt="simple", disable_numparse=True)
    return "\n".join(line.rstrip() for line in table.splitlines())


def interleaved(
    functions: list, repetitions: int, clock: Callable[[], float] = perf_counter
) -> list[float]:
    """The median seconds of each function, run in turn, so that a busy moment of the machine falls on all of them.

    `clock` may be `process_time`: the processor's seconds, which a busy machine changes little.

    Each turn is two calls, of which the second counts: the first brings back caches and threads from the one before.
    """
    seconds: list[list[float]] = [[] for _ in functions]
    for _ in range(repetitions):
        for function, taken in zip(functions, seconds):
            function()
            start = clock()
            function()
            taken.append(clock() - start)
    return [median(taken) for taken in seconds]
