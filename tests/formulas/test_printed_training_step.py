"""One step of training runs from printed formulas alone, and equals PyTorch's autograd, clip_grad_norm_ and Adam."""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from conftest import ROOT
from formulas.breaks import BACKWARD, TEN_STEPS, broken

from transformer_math.checks import torch_layers
from transformer_math.formulas.book import displayed
from transformer_math.formulas.engine import TOLERANCE
from transformer_math.formulas.symbols import parameters_as_symbols
from transformer_math.formulas.training_step import (
    Pages,
    flat,
    start,
    training_step,
)
from transformer_math.formulas.verdict import open_engine
from transformer_math.model import EncoderDecoderParameters, TransformerParameters

FORMULAS = displayed(ROOT, (ROOT / "book").rglob("*.md"))
SIZES = D_MODEL, HEADS, D_FF = 6, 2, 5
# clip_grad_norm_ adds 1e-6 to the length that it divides by: with a longer warm-up that stays below the tolerance.
SETTINGS = {
    "alpha": 0.1, "c": 0.7, "w": 100, "beta_1": 0.9, "beta_2": 0.98, "varepsilon": 1e-9, "lambda": 0.0,
}  # fmt: skip


@dataclass
class Peer:
    """A model of PyTorch's modules: `read` gives its weights as symbols, `logits` what it says of a batch."""

    name: str
    modules: torch.nn.ModuleList
    batch: dict[str, Any]

    def read(self):
        """The weights as symbols of the model's formula."""
        return parameters_as_symbols(READ[self.name](self.modules), HEADS)

    def slopes(self):
        """The gradients in a row, read as the weights are."""
        modules = deepcopy(self.modules)
        with torch.no_grad():
            for copied, own in zip(modules.parameters(), self.modules.parameters()):
                copied.copy_(own.grad)
        return flat(parameters_as_symbols(READ[self.name](modules), HEADS))

    def train(self, steps):
        """Some steps of PyTorch: the loss, its gradient, and the new weights."""
        adam = torch.optim.Adam(self.modules.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)  # fmt: skip
        for step in range(1, steps + 1):
            rate = D_MODEL**-0.5 * min(step**-0.5, step * SETTINGS["w"] ** -1.5)
            adam.param_groups[0]["lr"] = rate
            logits = LOGITS[self.name](self.modules, self.batch)
            targets = torch.from_numpy(self.batch["targets"])
            loss = torch.nn.functional.cross_entropy(logits, targets, label_smoothing=SETTINGS["alpha"])  # fmt: skip
            adam.zero_grad()
            loss.backward()
            gradient = self.slopes()
            torch.nn.utils.clip_grad_norm_(self.modules.parameters(), SETTINGS["c"])
            adam.step()
            yield loss.item(), gradient, flat(self.read())


def embedded(ids, embedding):
    """Scaled embeddings and positions, by torch alone."""
    pairs = torch.arange(0, D_MODEL, 2, dtype=torch.float64)
    angles = torch.arange(len(ids))[:, None] / 10000.0 ** (pairs / D_MODEL)
    positions = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return (D_MODEL**0.5 * embedding(torch.from_numpy(ids)) + positions)[None]


def encoder_decoder(seed):
    """nn.Transformer between two embeddings and a last projection."""
    rng, n, m, (read, written) = np.random.default_rng(seed), 4, 3, (5, 7)
    stacks = torch_layers.encoder(rng, 2, *SIZES), torch_layers.decoder(rng, 2, *SIZES)
    model = torch.nn.Transformer(D_MODEL, HEADS, custom_encoder=stacks[0], custom_decoder=stacks[1], batch_first=True)  # fmt: skip
    tables = [torch.nn.Embedding(V, D_MODEL) for V in (read, written)]
    last = torch.nn.Linear(D_MODEL, written, bias=False)
    parts = torch_layers.shaken(torch.nn.ModuleList([model, *tables, last]), rng)
    ids = {"s": rng.integers(read, size=m), "t": rng.integers(written, size=n)}
    sizes = {"n": n, "m": m, "d_model": D_MODEL, "V": written, "H": HEADS}
    return Peer("eq-encoder-decoder", parts, ids | sizes | {"targets": rng.integers(written, size=n)})  # fmt: skip


def logits_of_both(modules, batch):
    model, of_source, of_target, last = modules
    future = torch.ones(batch["n"], batch["n"], dtype=torch.bool).triu(1)
    inputs = embedded(batch["s"], of_source), embedded(batch["t"], of_target)
    return last(model(*inputs, tgt_mask=future)[0])


def both(modules):
    model, *tables, last = modules
    return EncoderDecoderParameters(
        *(torch_layers.array(table.weight) for table in tables),
        tuple(map(torch_layers.encoder_layer_parameters, model.encoder.layers)),
        tuple(map(torch_layers.decoder_layer_parameters, model.decoder.layers)),
        torch_layers.array(last.weight).T,
    )


def ten_steps(seed):
    """The model of the ten steps: embeddings, a stack of encoder layers, a last projection."""
    rng, n, V = np.random.default_rng(seed), 5, 7
    last = torch.nn.Linear(D_MODEL, V, bias=False)
    parts = [torch.nn.Embedding(V, D_MODEL), torch_layers.encoder(rng, 2, *SIZES), last]
    parts = torch_layers.shaken(torch.nn.ModuleList(parts), rng)
    ids = {"t": rng.integers(V, size=n), "targets": rng.integers(V, size=n)}
    return Peer("eq-transformer", parts, ids | {"n": n, "d_model": D_MODEL, "V": V, "H": HEADS})  # fmt: skip


def logits_of_one(modules, batch):
    embedding, stack, last = modules
    return last(stack(embedded(batch["t"], embedding))[0])


def one(modules):
    embedding, stack, last = modules
    layers = tuple(map(torch_layers.encoder_layer_parameters, stack.layers))
    return TransformerParameters(torch_layers.array(embedding.weight), layers, torch_layers.array(last.weight).T)  # fmt: skip


READ = {"eq-encoder-decoder": both, "eq-transformer": one}
LOGITS = {"eq-encoder-decoder": logits_of_both, "eq-transformer": logits_of_one}


def differences(pages, peer, steps):
    """Train both from the same weights: how far apart loss, gradient and weights are, after each step."""
    parameters = peer.read()
    state = start(parameters)
    for loss, gradient, theta in peer.train(steps):
        state = training_step(pages, peer.name, parameters, state, peer.batch, SETTINGS)
        yield max(
            abs(state.loss - loss),
            np.abs(state.gradient - gradient).max(),
            np.abs(state.theta - theta).max(),
        )


@pytest.fixture(scope="module")
def engine():
    with open_engine(FORMULAS) as engine:
        yield engine


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("make", [encoder_decoder, ten_steps])
def test_training_runs_from_printed_formulas_alone(make, seed, engine):
    pages = Pages(engine)
    assert max(differences(pages, make(seed), 3)) < TOLERANCE
    breaks = BACKWARD if make is encoder_decoder else BACKWARD | TEN_STEPS
    assert pages.used <= set(breaks)
    if make is encoder_decoder:
        assert pages.used == set(BACKWARD)


def ends(label, right, wrong, make):
    """Whether training no longer equals PyTorch's, or is refused, where a part of a formula is another."""
    with open_engine(broken(FORMULAS, label, right, wrong)) as engine:
        try:
            found = differences(Pages(engine), make(0), 3)
            return any(not one < TOLERANCE for one in found)
        except ValueError:
            return True


@pytest.mark.parametrize("label", BACKWARD)
def test_a_step_of_the_encoder_decoder_needs_each_of_its_formulas(label):
    assert ends(label, *BACKWARD[label], encoder_decoder)


@pytest.mark.parametrize("label", TEN_STEPS)
def test_a_step_of_the_model_of_the_ten_steps_needs_its_own(label):
    assert ends(label, *TEN_STEPS[label], ten_steps)
