"""Ten training steps of the whole model equal PyTorch's: gradient, clipping, warm-up, Adam, weight decay."""

import numpy as np
import pytest
import torch

from transformer_math.attention import causal_mask
from transformer_math.checks import torch_layers
from transformer_math.checks.position.sinusoidal import encoding
from transformer_math.gradient import cross_entropy_vjp, transformer_logits_vjp
from transformer_math.model import TransformerParameters
from transformer_math.training import (
    adam_start,
    adam_step,
    clip_by_norm,
    global_norm,
    inverse_root_schedule,
    shift,
)
from transformer_math.trees import leaves, map_leaves

N_HEADS, D, D_FF, N_LAYERS, V, N = 2, 8, 12, 2, 11, 7
WARM_UP, BOUND, DECAY, SMOOTHING = 4, 1.0, 0.1, 0.1
WIDTH = 512  # that of the original model, for its learning rates


class Theirs(torch.nn.Module):
    """The model of the ten steps, of PyTorch's modules."""

    def __init__(self, rng):
        super().__init__()
        self.embedding = torch_layers.shaken(torch.nn.Embedding(V, D), rng)
        self.stack = torch_layers.encoder(rng, N_LAYERS, D, N_HEADS, D_FF)
        self.last = torch_layers.shaken(torch.nn.Linear(D, V, bias=False), rng)
        positions = [encoding(i, D, 10000.0) for i in range(N)]
        self.positions = torch.tensor(positions, dtype=torch.float64)

    def forward(self, ids):
        Z = D**0.5 * self.embedding(ids) + self.positions
        mask = torch_layers.torch_mask(causal_mask(N), 1, N, N)[0]
        return self.last(self.stack(Z, mask))

    def as_ours(self):
        layers = map(torch_layers.encoder_layer_parameters, self.stack.layers)
        array = torch_layers.array
        E, W = array(self.embedding.weight), array(self.last.weight)
        return map_leaves(np.copy, TransformerParameters(E, tuple(layers), W.T))


def their_step(model, optimiser, ids, number):
    """A step with PyTorch's loss, clipping and AdamW; returns the loss and the length of the gradient."""
    given, wanted = (torch.from_numpy(part.copy()) for part in shift(ids))
    loss = torch.nn.functional.cross_entropy(
        model(given).reshape(-1, V), wanted.reshape(-1), label_smoothing=SMOOTHING
    )
    optimiser.zero_grad()
    loss.backward()
    length = torch.nn.utils.get_total_norm([p.grad for p in model.parameters()])
    for p in model.parameters():  # clip_grad_norm_ divides by length + 1e-6
        p.grad *= min(1.0, BOUND / float(length))
    for group in optimiser.param_groups:
        group["lr"] = inverse_root_schedule(number, WIDTH, WARM_UP)
    optimiser.step()
    return float(loss.detach()), float(length)


def our_step(parameters, state, ids, number):
    """The same step by the book's functions."""
    given, wanted = shift(ids)
    scored, to_parameters = transformer_logits_vjp(
        given, parameters, N_HEADS, causal_mask(N)
    )
    loss, to_logits = cross_entropy_vjp(scored, wanted, smoothing=SMOOTHING)
    (gradients,) = to_parameters(*to_logits(1.0))
    length = global_norm(gradients)
    rate = inverse_root_schedule(number, WIDTH, WARM_UP)
    clipped = clip_by_norm(gradients, BOUND)
    after = adam_step(parameters, clipped, state, rate, weight_decay=DECAY)
    return *after, loss, length


@pytest.mark.parametrize("seed", range(3))
def test_ten_training_steps_equal_pytorchs(seed):
    rng = np.random.default_rng(seed)
    model = Theirs(rng)
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=1, betas=(0.9, 0.98), eps=1e-9, weight_decay=DECAY
    )
    parameters, start = model.as_ours(), model.as_ours()
    state, clipped = adam_start(parameters), 0
    for number in range(1, 11):
        ids = rng.integers(V, size=(3, N + 1))
        loss, length = their_step(model, optimiser, ids, number)
        parameters, state, our_loss, our_length = our_step(
            parameters, state, ids, number
        )
        assert our_loss == pytest.approx(loss, rel=1e-9)
        assert our_length == pytest.approx(length, rel=1e-8)
        clipped += length > BOUND
    assert clipped > 0
    moved = []
    for (place, x), y, z in zip(
        leaves(parameters).items(),
        leaves(model.as_ours()).values(),
        leaves(start).values(),
    ):
        if place.endswith("b_K"):  # its gradient is 0 but for rounding
            continue
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-8, err_msg=place)
        moved.append(np.abs(x - z).max())
    assert min(moved) > 0.01
