"""One step of training by printed formulas alone: loss, backward pass, clipping, schedule and Adam, each as its page has it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_math.formulas.engine import Engine, Evaluation

# The gradients that the formula of a model's backward pass names itself; all others come from the pullbacks that it calls.
OWN = {
    "eq-encoder-decoder": ("E^source", "E^target", "W^out"),
    "eq-transformer": ("E", "W^out"),
}


@dataclass(frozen=True)
class State:
    """A model between two steps: its parameters in a row, what Adam remembers; the loss and the gradient of the last step."""

    theta: np.ndarray
    m: np.ndarray
    v: np.ndarray
    step: int = 0
    loss: float = np.nan
    gradient: np.ndarray | None = None


class Pages:
    """The printed formulas, asked by label; `used` are the labels of all that took part."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.used: set[str] = set()

    def ask(self, label: str, given: dict[str, Any], *names: str) -> Evaluation:
        """What a formula makes of given values, with every formula that it calls."""
        found = self.engine.evaluate(label, given, names)
        self.used |= found.used
        return found

    def value(self, label: str, given: dict[str, Any], name: str) -> np.ndarray:
        """The value of one name in a formula."""
        return self.ask(label, given, name).values[name]


def training_step(
    pages: Pages,
    model: str,
    parameters: dict[str, Any],
    state: State,
    batch: dict[str, Any],
    settings: dict[str, float],
) -> State:
    """The state after one more step.

    `parameters` has the form of the model's parameters; `batch` holds the ids and sizes of the model's formula, and the
    `targets`; `settings` what the other formulas speak of: alpha, w (warm-up), c (clipping), the letters of Adam.
    """
    given = like(parameters, state.theta) | batch
    raw, loss = gradient(pages, model, given, settings)
    t = state.step + 1
    g = pages.value("eq-clipping", {"g": raw, "c": settings["c"]}, "g←")
    about = {"t": t, "w": settings["w"], "d_model": batch["d_model"]}
    eta = pages.value("eq-inverse-root-schedule", about, "eta")
    old = {"theta": state.theta, "m": state.m, "v": state.v, "g": g, "eta": eta, "t": t}
    new = pages.ask("eq-adam", settings | old, "theta'", "m'", "v'").values
    return State(new["theta'"], new["m'"], new["v'"], t, loss, raw)


def gradient(
    pages: Pages, model: str, given: dict[str, Any], settings: dict[str, float]
) -> tuple[np.ndarray, float]:
    """The gradient of all parameters in a row, and the loss: from the model's formula and that of its backward pass."""
    Z_out = pages.value(model, given, "Z_out")
    last = {"Z_out": Z_out, "W^out": given["W^out"], "b^out": 0.0}
    logits = pages.value("eq-logits", last | _sizes(given), "logits")
    at = {"logits": logits, "t": given["targets"], "V": logits.shape[1]}
    at |= {"w": np.ones(len(logits)), "alpha": settings["alpha"]}
    loss = pages.value("eq-cross-entropy", at, "mathcal:L")
    at |= {"dmathcal:L": 1.0}
    dlogits = pages.value("eq-cross-entropy-vjp", at, "dlogits")
    names = [f"d{name}" for name in OWN[model]]
    back = pages.ask(f"{model}-vjp", given | {"dlogits": dlogits}, *names)
    own = {name: back.values[f"d{name}"] for name in OWN[model]}
    return flat(back.parameters | own), float(loss)


def _sizes(given: dict[str, Any]) -> dict[str, int]:
    return {name: given[name] for name in ("n", "d_model", "V")}


def start(parameters: dict[str, Any]) -> State:
    """Before the first step: Adam remembers nothing."""
    theta = flat(parameters)
    return State(theta, np.zeros_like(theta), np.zeros_like(theta))


def flat(parameters: dict[str, Any]) -> np.ndarray:
    """All numbers of a tree of parameters in a row, in the order of their names."""
    return np.concatenate([array.ravel() for array in _arrays(parameters)])


def like(parameters: dict[str, Any], theta: np.ndarray) -> dict[str, Any]:
    """A row of numbers in the form of these parameters: the inverse of `flat`."""
    sizes = [array.size for array in _arrays(parameters)]
    pieces = iter(np.split(theta, np.cumsum(sizes)[:-1]))
    return _rebuilt(parameters, pieces)


def _arrays(tree: dict[str, Any]) -> Iterator[np.ndarray]:
    for _, part in sorted(tree.items()):
        if isinstance(part, dict):
            yield from _arrays(part)
        elif isinstance(part, np.ndarray):
            yield part


def _rebuilt(tree: dict[str, Any], pieces: Iterator[np.ndarray]) -> dict[str, Any]:
    def part(value: Any) -> Any:
        if isinstance(value, dict):
            return _rebuilt(value, pieces)
        is_array = isinstance(value, np.ndarray)
        return next(pieces).reshape(value.shape) if is_array else value

    return {name: part(value) for name, value in sorted(tree.items())}
