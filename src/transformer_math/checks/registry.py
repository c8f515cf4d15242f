"""The one registry of checks: what an implementation is compared with, and which wrong versions that must unmask."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from zlib import crc32

import numpy as np

from transformer_math.checks.compare import worst
from transformer_math.checks.sampling import drawing

Case = Callable[[Callable, np.random.Generator], float]
Axes = Mapping[str, str]  # the letters of an array, as in "n d_model"
Symbols = Mapping[str, str | tuple[str, ...] | None]

REGISTRY: dict[str, "Check"] = {}
ORACLES = {"torch", "tokenizers", "sentencepiece", "regex"}


@dataclass(frozen=True)
class WrongVersion:
    """A plausible bug: an implementation that the check must reject, and what to say to whoever wrote it."""

    name: str
    message: str
    implementation: Callable
    raises: bool = False

    @property
    def plain(self) -> str:
        """The message where nothing is typeset: names of the code stand in quotation marks."""
        return re.sub("`([^`]*)`", r"“\1”", self.message)


@dataclass(frozen=True)
class Check:
    """One comparison of an implementation with an independent oracle, over many seeded random cases."""

    name: str
    equation: str
    target: Callable
    oracle: str
    cases: int
    tolerance: float
    case: Case
    wrt: tuple[str, ...] = ()  # the arguments that a pullback has gradients of
    axes: Axes = field(default_factory=dict)
    symbols: Symbols = field(default_factory=dict)
    wrong_versions: list[WrongVersion] = field(default_factory=list)
    edges: dict[str, Callable[..., bool]] = field(default_factory=dict)
    excused: dict[str, str] = field(default_factory=dict)

    def visits(self, edge: str, condition: Callable[..., bool]) -> None:
        """Declare an edge of the target that its signature cannot say: cases must come there.

        The condition's arguments are named like the target's: `check.visits("t > T", lambda step, steps: step > steps)`.
        """
        self.edges[edge] = condition

    def excuses(self, reason: str, *edges: str) -> None:
        """Say why the checks of this target never come to edges that its signature seems to have."""
        self.excused.update(dict.fromkeys(edges, reason))

    def error(self, implementation: Callable, number: int) -> float:
        """The error of an implementation in one case; NaN counts as infinite. May raise what the implementation raises."""
        rng = np.random.default_rng([crc32(self.name.encode()), number])
        with drawing(number, self.cases):
            return worst([self.case(implementation, rng)])

    def rejects(
        self, message: str, raises: bool = False
    ) -> Callable[[Callable], Callable]:
        """Register the decorated function as a wrong version that this check must reject.

        It must give a wrong value in some case; with `raises`, it is known to end in an exception instead.
        """

        def register(implementation: Callable) -> Callable:
            self.wrong_versions.append(
                WrongVersion(implementation.__name__, message, implementation, raises)
            )
            return implementation

        return register


def check(
    target: Callable,
    equation: str,
    oracle: str,
    cases: int = 40,
    tolerance: float = 1e-10,
    wrt: tuple[str, ...] = (),
    axes: Axes | None = None,
    symbols: Symbols | None = None,
) -> Callable[[Case], Check]:
    """Register the decorated function as a check of `target`.

    The function takes the implementation under test and a seeded generator, makes one random case and returns the
    error, by `difference` in most cases. Where the target returns a pullback, `wrt` names the arguments that it has
    gradients of.

    How the printed formula speaks of the function: `axes` names the axes of an argument (or of the result, as `return`)
    where they are not those of its annotation, `symbols` the symbol where it is not the usual one; `return` may be
    several, one for each result; None leaves an argument or result out.
    """

    def register(case: Case) -> Check:
        if case.__name__ in REGISTRY:
            raise ValueError(
                f"there are two checks named {case.__name__!r}. Fix: name the second one after what it compares."
            )
        made = Check(
            *(case.__name__, equation, target, oracle, cases, tolerance, case, wrt),
            axes=axes or {},
            symbols=symbols or {},
        )
        REGISTRY[case.__name__] = made
        return made

    return register


@cache
def ideas() -> tuple[str, ...]:
    """The ideas that have checks, `group.idea` for each file `checks/<group>/<idea>.py`, by name."""
    folder = Path(__file__).parent
    files = (path.relative_to(folder).with_suffix("") for path in folder.glob("*/*.py"))
    names = (".".join(path.parts) for path in files if path.stem != "__init__")
    return tuple(sorted(names))


def all_checks() -> dict[str, Check]:
    """Load the checks of every idea: all of them by name."""
    for idea in ideas():
        _load(idea)
    return REGISTRY


def _load(idea: str) -> None:
    try:
        import_module(f"{__package__}.{idea}")
    except ModuleNotFoundError as missing:
        if missing.name in ORACLES:
            raise ImportError(
                f"the checks of {idea} compare with {missing.name}, which is not installed. "
                "Fix: pip install 'transformer-math[checks]'"
            ) from missing
        raise


def checks_for(function: Callable) -> list[Check]:
    """The checks of one function of the package; loads those of its idea and no others.

    A function is known by the module and the name that it was defined with, however it may be decorated.
    """
    idea = _identity(function)[0].removeprefix("transformer_math.")
    if idea in ideas():
        _load(idea)
    return [
        check
        for check in REGISTRY.values()
        if _identity(check.target) == _identity(function)
    ]


def _identity(function: Callable) -> tuple[str, str]:
    name = getattr(function, "__qualname__", repr(function))
    return getattr(function, "__module__", None) or "", name
