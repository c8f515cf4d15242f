"""What each idea says about itself to the tests of all ideas: `tests/<group>/about_<idea>.py`, found by its place."""

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

TESTS = Path(__file__).parent
NAMES = {  # what such a file may hold
    "EXAMPLES": "one valid call of a function, every argument given, where no call of its checks serves",
    "ACCEPTED": "by function and argument, what looks like bad input and is none",
    "NO_TWIN": "why a function of real numbers has no gradient",
    "UNASKED": "why the answers of a function that is passed in are not looked at",
    "REFUSED": "what breaks a condition above a function with a twin, at its very edge",
    "COSTS": "arguments that change what a result costs, and not the result",
    "OTHER_DEFAULTS": "by function and argument, a value that differs enough from the default",
    "RIGHT": "right answers in other words, as readers write them",
    "WRONG": "mistakes that no wrong version repeats, and words that the grader must find",
    "EDITS": "by label, what each edit of its formula computes, and what the page says of it, where it knows the mistake",
    "EQUIVALENT": "by function, mutants that change nothing that anybody can see, and why",
    "EQUIVALENT_FORMULAS": "by label, wrong formulas that no case can tell from the right one, and why",
}


@cache
def abouts() -> dict[str, ModuleType]:
    """The files, by idea: `attention/softmax`."""
    return {_idea(path): _loaded(path) for path in sorted(TESTS.rglob("about_*.py"))}


def _idea(path: Path) -> str:
    name = path.stem.removeprefix("about_")
    return str(path.with_name(name).relative_to(TESTS))


def _loaded(path: Path) -> ModuleType:
    return import_module(".".join(path.relative_to(TESTS).with_suffix("").parts))


def told(name: str) -> dict:
    """What all ideas say under a name, in one dictionary."""
    said = [getattr(about, name, {}) for about in abouts().values()]
    return {key: value for part in said for key, value in part.items()}


def listed(name: str) -> list:
    """What all ideas list under a name, in one list."""
    return [entry for about in abouts().values() for entry in getattr(about, name, [])]
