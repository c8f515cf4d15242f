"""The whole Transformer, encoder and decoder, runs from its printed formulas alone, and equals PyTorch's nn.Transformer."""

import numpy as np
import pytest
import torch
from conftest import ROOT
from formulas.breaks import SHARED, broken

from transformer_math.checks import torch_layers
from transformer_math.formulas.book import displayed
from transformer_math.formulas.engine import TOLERANCE
from transformer_math.formulas.symbols import parameters_as_symbols
from transformer_math.formulas.verdict import open_engine
from transformer_math.model import EncoderDecoderParameters

FORMULAS = displayed(ROOT, (ROOT / "book").rglob("*.md"))
N, M, HEADS, D_MODEL, D_FF, READ, WRITTEN = 5, 4, 3, 12, 7, 9, 11


def embedded(ids, embedding):
    """Scaled embeddings and positions, by torch alone."""
    pairs = torch.arange(0, D_MODEL, 2, dtype=torch.float64)
    angles = torch.arange(len(ids))[:, None] / 10000.0 ** (pairs / D_MODEL)
    positions = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return (D_MODEL**0.5 * embedding(ids) + positions)[None]


def pytorch_case(seed):
    """nn.Transformer without last normalisations: its weights as the symbols of the formulas, and its probabilities."""
    rng = np.random.default_rng(seed)
    sizes = D_MODEL, HEADS, D_FF
    stacks = torch_layers.encoder(rng, 2, *sizes), torch_layers.decoder(rng, 3, *sizes)
    model = torch.nn.Transformer(
        *(D_MODEL, HEADS),
        custom_encoder=stacks[0],
        custom_decoder=stacks[1],
        batch_first=True,
    )
    model = torch_layers.shaken(model, rng)
    of_source, of_target = (
        torch_layers.shaken(torch.nn.Embedding(V, D_MODEL), rng) for V in (READ, WRITTEN)
    )  # fmt: skip
    last = torch_layers.shaken(torch.nn.Linear(D_MODEL, WRITTEN, bias=False), rng)
    s, t = (torch.from_numpy(rng.integers(V, size=n)) for V, n in ((READ, M), (WRITTEN, N)))  # fmt: skip
    future = torch.ones(N, N, dtype=torch.bool).triu(1)
    Z = model(embedded(s, of_source), embedded(t, of_target), tgt_mask=future)
    wanted = torch.softmax(last(Z[0]), dim=-1)
    parameters = EncoderDecoderParameters(
        torch_layers.array(of_source.weight),
        torch_layers.array(of_target.weight),
        tuple(map(torch_layers.encoder_layer_parameters, stacks[0].layers)),
        tuple(map(torch_layers.decoder_layer_parameters, stacks[1].layers)),
        torch_layers.array(last.weight).T,
    )
    known = {"n": N, "m": M, "d_model": D_MODEL, "V": WRITTEN, "H": HEADS}
    given = parameters_as_symbols(parameters, HEADS) | known
    return given | {"s": s.numpy(), "t": t.numpy()}, {"p": torch_layers.array(wanted)}


def error(formulas, cases):
    with open_engine(formulas) as engine:
        assert engine.prepare("eq-encoder-decoder", cases) == len(cases)
        return engine.run("eq-encoder-decoder")


def test_the_whole_transformer_runs_from_its_printed_formulas_alone():
    outcome = error(FORMULAS, [pytorch_case(seed) for seed in range(3)])
    assert outcome.problem is None
    assert outcome.worst < TOLERANCE


BREAKS = {
    "eq-encoder-decoder": ("Y &= ", "Y &= 2 "),
    "eq-embed-at-positions": (r"\sqrt{d_\text{model}}\,", ""),
    "eq-decoder": (r"DecoderLayer}_\ell", r"DecoderLayer}_1"),
    "eq-decoder-layer": (r"\operatorname{MultiHead}(Z', Y)", r"\operatorname{MultiHead}(Z, Y)"),
    "eq-masked-multi-head": (r"j \le i", "i \\le j"),
    **SHARED,
}  # fmt: skip


@pytest.mark.parametrize("label", BREAKS)
def test_it_needs_each_of_them(label):
    formulas = broken(FORMULAS, label, *BREAKS[label])
    assert error(formulas, [pytorch_case(0)]).worst > TOLERANCE


def test_it_needs_every_word_of_the_decoder_layer():
    changes = {
        r"LayerNorm}_2": r"LayerNorm}_1",
        r"LayerNorm}_3": r"LayerNorm}_2",
        "Z' + ": "Z + ",
        "Z'' + ": "Z' + ",
        r"\operatorname{FFN}(Z'')": r"\operatorname{FFN}(Z')",
        r"\operatorname{MaskedMultiHead}(Z)": "Z",
    }
    cases = [pytorch_case(0)]
    for right, wrong in changes.items():
        formulas = broken(FORMULAS, "eq-decoder-layer", right, wrong)
        assert error(formulas, cases).worst > TOLERANCE, right
