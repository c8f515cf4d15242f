"""Training by PyTorch's modules, autograd, clipping and Adam, beside the same steps by printed formulas alone."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch

from transformer_math.checks import torch_layers
from transformer_math.formulas.symbols import parameters_as_symbols
from transformer_math.formulas.training_step import Pages, flat, start, training_step
from transformer_math.model import EncoderDecoderParameters, TransformerParameters

SIZES = D_MODEL, HEADS, D_FF = 6, 2, 5
# clip_grad_norm_ adds 1e-6 to the length that it divides by: with a longer warm-up that stays below the tolerance.
SETTINGS = {
    "alpha": 0.1, "c": 0.7, "w": 100, "beta_1": 0.9, "beta_2": 0.98, "varepsilon": 1e-9, "lambda": 0.0,
}  # fmt: skip


@dataclass
class Peer:
    """A model of PyTorch's modules beside the label of its formula: what it says of a batch, and its weights as ours."""

    label: str
    modules: torch.nn.ModuleList
    batch: dict[str, Any]
    logits: Callable
    parameters: Callable

    def read(self) -> dict[str, Any]:
        """The weights as symbols of the model's formula."""
        return parameters_as_symbols(self.parameters(self.modules), HEADS)

    def slopes(self) -> np.ndarray:
        """The gradients in a row, read as the weights are."""
        modules = deepcopy(self.modules)
        with torch.no_grad():
            for copied, own in zip(modules.parameters(), self.modules.parameters()):
                copied.copy_(cast(torch.Tensor, own.grad))
        return flat(parameters_as_symbols(self.parameters(modules), HEADS))

    def train(self, steps: int) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
        """Some steps of PyTorch: the loss, its gradient, and the new weights."""
        adam = torch.optim.Adam(self.modules.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)  # fmt: skip
        for step in range(1, steps + 1):
            rate = D_MODEL**-0.5 * min(step**-0.5, step * SETTINGS["w"] ** -1.5)
            adam.param_groups[0]["lr"] = rate
            logits = self.logits(self.modules, self.batch)
            targets = torch.from_numpy(self.batch["targets"])
            loss = torch.nn.functional.cross_entropy(logits, targets, label_smoothing=SETTINGS["alpha"])  # fmt: skip
            adam.zero_grad()
            loss.backward()
            gradient = self.slopes()
            torch.nn.utils.clip_grad_norm_(self.modules.parameters(), SETTINGS["c"])
            adam.step()
            yield loss.item(), gradient, flat(self.read())


def embedded(ids: np.ndarray, embedding: torch.nn.Module) -> torch.Tensor:
    """Scaled embeddings and positions, by torch alone."""
    pairs = torch.arange(0, D_MODEL, 2, dtype=torch.float64)
    angles = torch.arange(len(ids))[:, None] / 10000.0 ** (pairs / D_MODEL)
    positions = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return (D_MODEL**0.5 * embedding(torch.from_numpy(ids)) + positions)[None]


def encoder_decoder(seed: int) -> Peer:
    """nn.Transformer between two embeddings and a last projection."""
    rng, n, m, (read, written) = np.random.default_rng(seed), 4, 3, (5, 7)
    stacks = torch_layers.encoder(rng, 2, *SIZES), torch_layers.decoder(rng, 2, *SIZES)
    model = torch.nn.Transformer(D_MODEL, HEADS, custom_encoder=stacks[0], custom_decoder=stacks[1], batch_first=True)  # fmt: skip
    tables = [torch.nn.Embedding(V, D_MODEL) for V in (read, written)]
    last = torch.nn.Linear(D_MODEL, written, bias=False)
    parts = torch_layers.shaken(torch.nn.ModuleList([model, *tables, last]), rng)
    ids = {"s": rng.integers(read, size=m), "t": rng.integers(written, size=n)}
    sizes = {"n": n, "m": m, "d_model": D_MODEL, "V": written, "H": HEADS}
    batch = ids | sizes | {"targets": rng.integers(written, size=n)}
    return Peer("eq-encoder-decoder", parts, batch, logits_of_both, both)


def logits_of_both(modules: Any, batch: dict[str, Any]) -> torch.Tensor:
    """What the model of `encoder_decoder` says after each target token, with its future hidden."""
    model, of_source, of_target, last = modules
    future = torch.ones(batch["n"], batch["n"], dtype=torch.bool).triu(1)
    inputs = embedded(batch["s"], of_source), embedded(batch["t"], of_target)
    return last(model(*inputs, tgt_mask=future)[0])


def both(modules: Any) -> EncoderDecoderParameters:
    """The weights of `encoder_decoder` as this book's."""
    model, of_source, of_target, last = modules
    return EncoderDecoderParameters(
        torch_layers.array(of_source.weight),
        torch_layers.array(of_target.weight),
        tuple(map(torch_layers.encoder_layer_parameters, model.encoder.layers)),
        tuple(map(torch_layers.decoder_layer_parameters, model.decoder.layers)),
        torch_layers.array(last.weight).T,
    )


def ten_steps(seed: int) -> Peer:
    """The model of the ten steps: embeddings, a stack of encoder layers, a last projection."""
    rng, n, V = np.random.default_rng(seed), 5, 7
    last = torch.nn.Linear(D_MODEL, V, bias=False)
    stack = torch_layers.encoder(rng, 2, *SIZES)
    parts = torch.nn.ModuleList([torch.nn.Embedding(V, D_MODEL), stack, last])
    parts = torch_layers.shaken(parts, rng)
    ids = {"t": rng.integers(V, size=n), "targets": rng.integers(V, size=n)}
    batch = ids | {"n": n, "d_model": D_MODEL, "V": V, "H": HEADS}
    return Peer("eq-transformer", parts, batch, logits_of_one, one)


def logits_of_one(modules: Any, batch: dict[str, Any]) -> torch.Tensor:
    """What the model of `ten_steps` says at each token."""
    embedding, stack, last = modules
    return last(stack(embedded(batch["t"], embedding))[0])


def one(modules: Any) -> TransformerParameters:
    """The weights of `ten_steps` as this book's."""
    embedding, stack, last = modules
    layers = tuple(map(torch_layers.encoder_layer_parameters, stack.layers))
    return TransformerParameters(torch_layers.array(embedding.weight), layers, torch_layers.array(last.weight).T)  # fmt: skip


def differences(pages: Pages, peer: Peer, steps: int) -> Iterator[float]:
    """Train both from the same weights: how far apart loss, gradient and weights are, after each step."""
    parameters = peer.read()
    state = start(parameters)
    for loss, gradient, theta in peer.train(steps):
        state = training_step(
            pages, peer.label, parameters, state, peer.batch, SETTINGS
        )
        yield max(
            abs(state.loss - loss),
            np.abs(state.gradient - gradient).max(),
            np.abs(state.theta - theta).max(),
        )
