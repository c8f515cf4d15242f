"""Checks of Adam, against PyTorch's."""

from inspect import signature

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import or_edge, size
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
        "beta_1": (or_edge(rng, 0.0, float(rng.uniform(0.5, 0.95))), 0.9),
        "beta_2": (or_edge(rng, 0.0, float(rng.uniform(0.6, 0.99))), 0.98),
        "eps": (float(10 ** rng.uniform(-9, 0.5)), 1e-9),
        "weight_decay": (float(rng.uniform(0.01, 0.5)), 0.0),
    }
    given = {name: x for name, (x, _) in settings.items() if rng.random() < 0.75}
    beta_1, beta_2, eps, decay = (given.get(k, d) for k, (_, d) in settings.items())
    rate = or_edge(rng, 0.0, float(rng.uniform(0.01, 0.5)))
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


def with_the_defaults(version):
    """A wrong version that takes all eight arguments, with the defaults of `adam_step`."""

    def adam(*arguments, **settings):
        bound = signature(adam_step).bind(*arguments, **settings)
        bound.apply_defaults()
        return version(*bound.args)

    adam.__name__, adam.__signature__ = version.__name__, signature(adam_step)
    return adam


@adam_step_equals_torch.rejects(
    "You add the decay to the gradient, so that it passes through m and v: this is Adam with an L2 penalty. "
    "AdamW takes η λ θ off the parameters themselves."
)
@with_the_defaults
def decay_through_the_gradient(
    parameters, gradients, state, learning_rate, beta_1, beta_2, eps, weight_decay
):
    with_decay = map_leaves(
        lambda g, theta: g + weight_decay * theta, gradients, parameters
    )
    return adam_step(parameters, with_decay, state, learning_rate, beta_1, beta_2, eps)


@adam_step_equals_torch.rejects(
    "You have β₁ and β₂ the wrong way round: β₁ is for m, β₂ for v."
)
@with_the_defaults
def betas_exchanged(
    parameters, gradients, state, learning_rate, beta_1, beta_2, eps, weight_decay
):
    return adam_step(
        parameters, gradients, state, learning_rate, beta_2, beta_1, eps, weight_decay
    )


@adam_step_equals_torch.rejects(
    "Your defaults are those of PyTorch; here β₂ = 0.98 and ε = 10⁻⁹, as in the paper."
)
def defaults_of_pytorch(
    parameters,
    gradients,
    state,
    learning_rate,
    beta_1=0.9,
    beta_2=0.999,
    eps=1e-8,
    weight_decay=0.0,
):
    return adam_step(
        parameters, gradients, state, learning_rate, beta_1, beta_2, eps, weight_decay
    )


@adam_step_equals_torch.rejects(
    "You let the parameters decay after the step; they decay before it: the step itself is not made smaller."
)
@with_the_defaults
def decay_after_the_step(
    parameters, gradients, state, learning_rate, beta_1, beta_2, eps, weight_decay
):
    moved, after = adam_step(
        parameters, gradients, state, learning_rate, beta_1, beta_2, eps
    )
    return map_leaves(lambda x: x * (1 - learning_rate * weight_decay), moved), after


@adam_step_equals_torch.rejects(
    "You let the parameters grow: the decay is taken off, 1 − η λ."
)
@with_the_defaults
def growth_for_decay(
    parameters, gradients, state, learning_rate, beta_1, beta_2, eps, weight_decay
):
    grown = map_leaves(lambda x: x * (1 + learning_rate * weight_decay), parameters)
    return adam_step(grown, gradients, state, learning_rate, beta_1, beta_2, eps)


@adam_step_equals_torch.rejects(
    "You return the state that you were given: the new one holds the new m and v, and one step more."
)
@with_the_defaults
def state_not_renewed(
    parameters, gradients, state, learning_rate, beta_1, beta_2, eps, weight_decay
):
    moved, _ = adam_step(
        parameters, gradients, state, learning_rate, beta_1, beta_2, eps, weight_decay
    )
    return moved, state


@adam_step_equals_torch.rejects(
    "You keep the corrected m and v in the state: the corrections are for this step alone, the state keeps the running means."
)
@with_the_defaults
def corrections_remembered(
    parameters, gradients, state, learning_rate, beta_1, beta_2, eps, weight_decay
):
    moved, after = adam_step(
        parameters, gradients, state, learning_rate, beta_1, beta_2, eps, weight_decay
    )
    m = map_leaves(lambda m: m / (1 - beta_1**after.step), after.m)
    v = map_leaves(lambda v: v / (1 - beta_2**after.step), after.v)
    return moved, AdamState(after.step, m, v)


@adam_step_equals_torch.rejects(
    "Your v is a running mean of absolute values; wanted that of squares."
)
@with_the_defaults
def absolute_values(
    parameters, gradients, state, learning_rate, beta_1, beta_2, eps, weight_decay
):
    t = state.step + 1
    m = map_leaves(lambda m, g: beta_1 * m + (1 - beta_1) * g, state.m, gradients)
    v = map_leaves(lambda v, g: beta_2 * v + (1 - beta_2) * abs(g), state.v, gradients)

    def moved(theta, m, v):
        step = m / (1 - beta_1**t) / (np.sqrt(v / (1 - beta_2**t)) + eps)
        return theta * (1 - learning_rate * weight_decay) - learning_rate * step

    return map_leaves(moved, parameters, m, v), AdamState(t, m, v)


@adam_step_equals_torch.rejects(
    "You have β₁ and β₂ the wrong way round in the means: m = β₁ m + (1 − β₁) g, and v has β₂."
)
@with_the_defaults
def betas_exchanged_in_the_means(
    parameters, gradients, state, learning_rate, beta_1, beta_2, eps, weight_decay
):
    _, after = adam_step(
        parameters, gradients, state, learning_rate, beta_2, beta_1, eps
    )
    settings = learning_rate, beta_1, beta_2, eps, weight_decay
    return moved_by(parameters, after, *settings), after


@adam_step_equals_torch.rejects(
    "You have β₁ and β₂ the wrong way round in the corrections: m is divided by 1 − β₁ᵗ, and v by 1 − β₂ᵗ."
)
@with_the_defaults
def betas_exchanged_in_the_corrections(
    parameters, gradients, state, learning_rate, beta_1, beta_2, eps, weight_decay
):
    _, after = adam_step(
        parameters, gradients, state, learning_rate, beta_1, beta_2, eps
    )
    settings = learning_rate, beta_2, beta_1, eps, weight_decay
    return moved_by(parameters, after, *settings), after


def moved_by(parameters, state, learning_rate, beta_1, beta_2, eps, weight_decay):
    """The parameters after a step with these running means, and with corrections by these betas."""

    def moved(theta, m, v):
        m, v = m / (1 - beta_1**state.step), v / (1 - beta_2**state.step)
        return theta - learning_rate * (m / (np.sqrt(v) + eps) + weight_decay * theta)

    return map_leaves(moved, parameters, state.m, state.v)
