"""The gradients that JavaScript computes are the package's, on cases made at random."""

import numpy as np
from parity import assert_parity

from transformer_math.attention import attention, causal_mask
from transformer_math.explorables.gradient.attention import GradientFlowExplorable
from transformer_math.gradient import attention_vjp, softmax_vjp


def some(rng):
    n, d, e = rng.integers(1, 7, size=3)
    scale = 10 ** rng.uniform(-1, 1)
    shapes = {"Q": (n, d), "K": (n, d), "V": (n, e), "dO": (n, e)}
    return {name: scale * rng.normal(size=shape) for name, shape in shapes.items()}


def cases_of(rng):
    inputs = some(rng)
    Q, K, V, dO = inputs.values()
    n = len(Q)
    mask = [causal_mask(n), np.ones((n, n), bool), rng.random((n, n)) < 0.6][
        rng.integers(3)
    ]
    O, A = attention(Q, K, V, mask)
    _, pullback = attention_vjp(Q, K, V, mask)
    dQ, dK, dV = pullback(dO)
    dA = dO @ V.T
    masked = np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    (dS,) = softmax_vjp(masked)[1](dA)
    wanted = {"A": A, "O": O, "loss": float((O * dO).sum())}
    yield "forward", [inputs, mask], wanted
    back = {"dA": dA, "dS": dS, "dQ": dQ, "dK": dK, "dV": dV}
    yield "backward", [inputs, mask], back
    name = ["Q", "K", "V", "dO"][rng.integers(4)]
    i, c = (int(rng.integers(size)) for size in inputs[name].shape)
    changed = {key: matrix.copy() for key, matrix in inputs.items()}
    changed[name][i, c] += 0.25
    yield "nudged", [inputs, name, i, c, 0.25], changed
    losses = []
    for by in (0.5, -0.5):
        moved = {key: matrix.copy() for key, matrix in inputs.items()}
        moved[name][i, c] += by
        O, _ = attention(moved["Q"], moved["K"], moved["V"], mask)
        losses.append(float((O * moved["dO"]).sum()))
    if abs(losses[0] - losses[1]) > 0.05 * max(map(abs, losses)):  # few digits cancel
        yield "slope", [inputs, mask, name, i, c, 0.5], losses[0] - losses[1]


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(3)
    cases = [case for _ in range(60) for case in cases_of(rng)]
    assert sum(name == "slope" for name, *_ in cases) > 15
    assert_parity(tmp_path, "gradient/formulas.js", cases, at_least=5_000)


def test_the_formula_agrees_with_the_finite_difference_for_every_number():
    for causal in (False, True):
        for which, columns in {"Q": 3, "K": 3, "V": 3, "dO": 3}.items():
            for row in range(5):
                for column in range(columns):
                    flow = GradientFlowExplorable(
                        which=which, row=row, column=column, nudge=-0.7, causal=causal
                    )
                    assert abs(flow.formula() - flow.slope()) < 1e-6
