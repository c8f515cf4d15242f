"""Checks of Adam, against PyTorch's."""

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size
from transformer_math.training.adam import AdamState, adam_step
from transformer_math.trees import map_leaves


def torch_state(optimiser, tensors, names):
    """What PyTorch's optimiser remembers, as ours."""
    states = [optimiser.state[tensor] for tensor in tensors]
    means = [
        {name: s[key].numpy().copy() for name, s in zip(names, states)}
        for key in ("exp_avg", "exp_avg_sq")
    ]
    return AdamState(int(states[0]["step"]), *means)


@check(
    adam_step, equation="eq-adam", oracle="torch.optim.AdamW, in the middle of its run"
)
def adam_step_equals_torch(adam_step, rng):
    shapes = {"W": (size(rng), size(rng)), "b": (size(rng),)}
    start = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    tensors = [torch.from_numpy(x.copy()).requires_grad_() for x in start.values()]
    settings = {  # our name: ours, PyTorch's, or the default
        "beta_1": (float(rng.uniform(0.5, 0.95)), 0.9),
        "beta_2": (float(rng.uniform(0.6, 0.99)), 0.98),
        "eps": (float(10 ** rng.uniform(-9, -1)), 1e-9),
        "weight_decay": (float(rng.uniform(0.01, 0.5)), 0.0),
    }
    given = {name: x for name, (x, _) in settings.items() if rng.random() < 0.75}
    beta_1, beta_2, eps, decay = (given.get(k, d) for k, (_, d) in settings.items())
    rate = float(rng.uniform(0.01, 0.5))
    optimiser = torch.optim.AdamW(
        tensors, lr=rate, betas=(beta_1, beta_2), eps=eps, weight_decay=decay
    )
    before = AdamState(0, *(map_leaves(np.zeros_like, start) for _ in range(2)))
    for _ in range(rng.integers(1, 4)):
        if optimiser.state:
            before = torch_state(optimiser, tensors, shapes)
        start = {n: t.detach().numpy().copy() for n, t in zip(shapes, tensors)}
        gradients = {name: rng.normal(size=shape) for name, shape in shapes.items()}
        for tensor, gradient in zip(tensors, gradients.values()):
            tensor.grad = torch.from_numpy(gradient.copy())
        optimiser.step()
    wanted = {name: tensor.detach() for name, tensor in zip(shapes, tensors)}
    after = torch_state(optimiser, tensors, shapes)
    got = adam_step(start, gradients, before, rate, **given)
    return difference(got, (wanted, after))


def variant(moved, beta_1_of=lambda b: b):
    """Adam with another last line: `moved(theta, g, m, v, t, rate, beta_1, beta_2, eps, decay)`."""

    def adam(
        parameters,
        gradients,
        state,
        learning_rate,
        beta_1=0.9,
        beta_2=0.98,
        eps=1e-9,
        weight_decay=0.0,
    ):
        t, b = state.step + 1, beta_1_of(beta_1)
        m = map_leaves(lambda m, g: b * m + (1 - b) * g, state.m, gradients)
        v = map_leaves(
            lambda v, g: beta_2 * v + (1 - beta_2) * g * g, state.v, gradients
        )
        rest = (t, learning_rate, beta_1, beta_2, eps, weight_decay)
        new = map_leaves(lambda *a: moved(*a, *rest), parameters, gradients, m, v)
        return new, AdamState(t, m, v)

    return adam


WRONG = {
    "You do not correct m and v for the zeros they begin with: divide them by 1 − βᵗ.": (
        "uncorrected",
        lambda theta, g, m, v, t, rate, b1, b2, eps, decay: (
            theta - rate * (m / (np.sqrt(v) + eps) + decay * theta)
        ),
    ),
    "You correct with the number of steps before this one: t counts from 1.": (
        "one_step_late",
        lambda theta, g, m, v, t, rate, b1, b2, eps, decay: (
            theta
            - rate
            * (
                m / (1 - b1 ** (t + 1)) / (np.sqrt(v / (1 - b2 ** (t + 1))) + eps)
                + decay * theta
            )
        ),
    ),
    "Your ε stands inside the root: it is added to the root, outside.": (
        "eps_inside",
        lambda theta, g, m, v, t, rate, b1, b2, eps, decay: (
            theta
            - rate * (m / (1 - b1**t) / np.sqrt(v / (1 - b2**t) + eps) + decay * theta)
        ),
    ),
    "You forget ε: where all gradients were 0 you divide by 0.": (
        "no_eps",
        lambda theta, g, m, v, t, rate, b1, b2, eps, decay: (
            theta - rate * (m / (1 - b1**t) / np.sqrt(v / (1 - b2**t)) + decay * theta)
        ),
    ),
    "You divide by v: divide by its root, so that the step has the size of the learning rate.": (
        "no_root",
        lambda theta, g, m, v, t, rate, b1, b2, eps, decay: (
            theta - rate * (m / (1 - b1**t) / (v / (1 - b2**t) + eps) + decay * theta)
        ),
    ),
    "You step along the gradient itself: its running mean m takes its place.": (
        "gradient_itself",
        lambda theta, g, m, v, t, rate, b1, b2, eps, decay: (
            theta - rate * (g / (np.sqrt(v / (1 - b2**t)) + eps) + decay * theta)
        ),
    ),
    "You step uphill: the step goes against the gradient.": (
        "uphill",
        lambda theta, g, m, v, t, rate, b1, b2, eps, decay: (
            theta
            - rate * decay * theta
            + rate * m / (1 - b1**t) / (np.sqrt(v / (1 - b2**t)) + eps)
        ),
    ),
    "You ignore the weight decay: each step makes the parameters smaller by η λ θ.": (
        "no_decay",
        lambda theta, g, m, v, t, rate, b1, b2, eps, decay: (
            theta - rate * m / (1 - b1**t) / (np.sqrt(v / (1 - b2**t)) + eps)
        ),
    ),
    "Your weight decay does not depend on the learning rate: it is η λ θ that is taken off.": (
        "decay_without_rate",
        lambda theta, g, m, v, t, rate, b1, b2, eps, decay: (
            theta
            - rate * m / (1 - b1**t) / (np.sqrt(v / (1 - b2**t)) + eps)
            - decay * theta
        ),
    ),
}
for message, (name, moved) in WRONG.items():
    wrong = variant(moved)
    wrong.__name__ = name
    adam_step_equals_torch.rejects(message)(wrong)


@adam_step_equals_torch.rejects(
    "You add the decay to the gradient, so that it passes through m and v: this is Adam with an L2 penalty. "
    "AdamW takes η λ θ off the parameters themselves."
)
def decay_through_the_gradient(
    parameters,
    gradients,
    state,
    learning_rate,
    beta_1=0.9,
    beta_2=0.98,
    eps=1e-9,
    weight_decay=0.0,
):
    with_decay = map_leaves(
        lambda g, theta: g + weight_decay * theta, gradients, parameters
    )
    return adam_step(parameters, with_decay, state, learning_rate, beta_1, beta_2, eps)
