"""Two older ways to read digits, trained by the same loop on the same pictures: logistic regression and a small convolution."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.modalities.vit import accuracy
from transformer_math.model._initial import new_matrix
from transformer_math.signals.digits import SIDE
from transformer_math.trained._schedule import WarmUpInATenth
from transformer_math.trained.committed import float32
from transformer_math.trained.digits import (
    CLASSES,
    Part,
    drawn,
    fixed_order,
    shuffled,
    split,
)
from transformer_math.training.objective import cross_entropy

Parameters = dict[str, np.ndarray]
CHANNELS = 16, 32
KERNEL = 3  # its side in pixels


def logistic_initial(rng: np.random.Generator) -> Parameters:
    """Nothing yet: the loss of logistic regression has one valley, and where one begins does not matter."""
    return {"W": np.zeros((SIDE**2, CLASSES)), "b": np.zeros(CLASSES)}


def logistic_vjp(X: np.ndarray, p: Parameters) -> tuple[np.ndarray, Callable]:
    """Scores that are linear in the pixels, and the gradients of their parameters."""
    flat = X.reshape(len(X), -1)

    def pullback(d):
        return {"W": flat.T @ d, "b": d.sum(axis=0)}

    return flat @ p["W"] + p["b"], pullback


def convolution_initial(rng: np.random.Generator) -> Parameters:
    """Two layers of kernels and a head."""
    first, second = CHANNELS
    return {
        "K_1": new_matrix(rng, KERNEL**2, first),
        "b_1": np.zeros(first),
        "K_2": new_matrix(rng, KERNEL**2 * first, second),
        "b_2": np.zeros(second),
        "W": new_matrix(rng, (SIDE // 2) ** 2 * second, CLASSES),
        "b": np.zeros(CLASSES),
    }


def windows(X: np.ndarray, stride: int) -> np.ndarray:
    """What the kernel sees at each of its places, as rows; a frame of zeros lies around the picture."""
    framed = np.pad(X, ((0, 0), (1, 1), (1, 1), (0, 0)))
    found = sliding_window_view(framed, (KERNEL, KERNEL), axis=(1, 2))
    found = found[:, ::stride, ::stride]
    return found.reshape(*found.shape[:3], -1)


def windows_back(d: np.ndarray, shape: tuple[int, ...], stride: int) -> np.ndarray:
    """The gradient of each pixel: the sum over all windows that saw it."""
    n, H, W, C = shape
    d = d.reshape(*d.shape[:3], C, KERNEL, KERNEL)
    framed = np.zeros((n, H + 2, W + 2, C), d.dtype)
    for a, b in np.ndindex(KERNEL, KERNEL):
        framed[:, a : a + H : stride, b : b + W : stride] += d[..., a, b]
    return framed[:, 1:-1, 1:-1]


def convolution_vjp(X: np.ndarray, p: Parameters) -> tuple[np.ndarray, Callable]:
    """Kernels of 3 by 3, ReLU, kernels that move by two, ReLU, and a linear head; and the gradients of their parameters."""
    T_1 = windows(X, 1)
    H_1 = np.maximum(T_1 @ p["K_1"] + p["b_1"], 0)
    T_2 = windows(H_1, 2)
    H_2 = np.maximum(T_2 @ p["K_2"] + p["b_2"], 0)
    flat = H_2.reshape(len(X), -1)

    def pullback(d):
        d_2 = (d @ p["W"].T).reshape(H_2.shape) * (H_2 > 0)
        d_1 = windows_back(d_2 @ p["K_2"].T, H_1.shape, 2) * (H_1 > 0)
        return {
            **_of_kernels("1", T_1, d_1),
            **_of_kernels("2", T_2, d_2),
            "W": flat.T @ d,
            "b": d.sum(axis=0),
        }

    return flat @ p["W"] + p["b"], pullback


def _of_kernels(number: str, T: np.ndarray, d: np.ndarray) -> Parameters:
    rows = d.reshape(-1, d.shape[-1])
    dK = T.reshape(-1, T.shape[-1]).T @ rows
    return {f"K_{number}": dK, f"b_{number}": rows.sum(axis=0)}


KINDS: dict[str, tuple[Callable[..., Parameters], Callable]] = {
    "logistic": (logistic_initial, logistic_vjp),
    "convolution": (convolution_initial, convolution_vjp),
}


@dataclass(frozen=True)
class RivalTask(WarmUpInATenth):
    """The task of `DigitsTask` for another kind of reader; a fixed shuffle moves squares of 2 by 2 pixels."""

    kind: str
    steps: int = 600
    every: int = 600
    batch_size: int = 50
    peak: float = 1e-2
    fixed_shuffle: bool = False

    def initial(self, rng: np.random.Generator) -> Parameters:
        """The parameters to begin with, in single precision."""
        return float32(KINDS[self.kind][0](rng))

    def arranged(self, X: np.ndarray) -> np.ndarray:
        """Pictures as this task shows them."""
        return shuffled(X, 2, fixed_order(2)) if self.fixed_shuffle else X

    def batch(self, rng: np.random.Generator, step: int) -> Part:
        """Pictures of the training part, drawn with replacement: the same ones that the vision transformer gets."""
        part = drawn(rng, self.batch_size)
        return Part(self.arranged(part.X), part.y)

    def loss_and_gradient(
        self, parameters: Parameters, batch: Part
    ) -> tuple[float, Parameters]:
        """Cross-entropy of the digits."""
        scores, to_parameters = KINDS[self.kind][1](batch.X, parameters)
        loss, to_scores = cross_entropy_vjp(scores, batch.y)
        return loss, to_parameters(*to_scores(1.0))

    def evaluate(self, parameters: Parameters) -> dict[str, float]:
        """Accuracy and loss on the validation part."""
        return self.judged(parameters, split()[1])

    def judged(self, parameters: Parameters, part: Part) -> dict[str, float]:
        """Accuracy and loss on some pictures, as the task shows them."""
        scores: Any = KINDS[self.kind][1](self.arranged(part.X), parameters)[0]
        return {
            "accuracy": accuracy(scores, part.y),
            "held_out": cross_entropy(scores, part.y),
        }
