"""What is printed is what runs: every formula of the book, the whole Transformer, and wrong formulas in their place."""

import numpy as np
import pytest
import torch
from conftest import ROOT
from formulas.breaks import SHARED, broken
from formulas.wrong_formulas import wrong_formulas

from transformer_math.checks import torch_layers
from transformer_math.formulas.book import displayed
from transformer_math.formulas.engine import TOLERANCE
from transformer_math.formulas.readings import WORDS
from transformer_math.formulas.symbols import parameters_as_symbols
from transformer_math.formulas.verdict import judge, open_engine, prepare
from transformer_math.model.transformer import TransformerParameters

FORMULAS = displayed(ROOT, (ROOT / "book").rglob("*.md"))
NUMBERED = [formula for formula in FORMULAS if formula.label]

# Wrong formulas that no case can tell from the right one, with the reason.
EQUIVALENT = {
    "eq-softmax-jacobian": {r"\delta_{ji}": "δ is symmetric"},
    "eq-silhouette": {"D_{ji}": "the distance there is the distance back"},
    "book/gradient/attention": {r"\delta_{ji}": "δ is symmetric"},
    "eq-rope-relative": {r"\cos\big((i - j)": "cosine is even"},
    "eq-cosine-schedule": {r"t \le w": "at t = w both cases give the peak"},
    "eq-position-similarity": {"p_{pos - k}": "cosine is even"},
    "eq-multi-head": {
        "K_h &= Y W^K_h -": "what the keys' bias adds is the same for all scores of a query, and softmax takes it away",
        r"K_h &= Y W^K_h \\": "the same: no bias of the keys changes a weight",
    },
    "eq-masked-multi-head": {
        "K_h &= Z W^K_h -": "what the keys' bias adds is the same for all scores of a query, and softmax takes it away",
        r"K_h &= Z W^K_h \\": "the same: no bias of the keys changes a weight",
    },
    "eq-decoder-layer": {
        r"{DecoderLayer}(Y, Z)": "alone it is run with its arguments by name; eq-decoder, which calls it by place, fails above it",
    },
    "eq-digamma": {
        r"- \frac{1}{240": "y is 10 or more: twice this term is below 1e-10, and a formula may differ by 1e-9",
        r"+ \frac{1}{132": "the same: twice this term is below 1e-11",
    },
    "eq-power-law": {
        r"(u_i + \mu)(v_i - \nu)": "the differences from a mean sum to 0, so a constant beside the other factor adds nothing",
        r"(u_i - \mu)(v_i + \nu)": "the same, the other way round",
    },
    "book/attention/projections": {"S_{ji} &=": "a new name on the left; the right sides are still equal"},
    "book/embedding/embedding": {r"\frac{\partial E": "a quotient of ∂ is read as a name, and has no other value here"},
}  # fmt: skip


@pytest.fixture(scope="module")
def engine():
    with open_engine(FORMULAS) as engine:
        yield engine


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.name)
def test_a_formula_runs_as_printed_or_says_why_not(formula, engine):
    verdict = judge(engine, formula)
    assert verdict.problem is None
    assert verdict.runs or len(verdict.words.split()) >= 4
    assert verdict.cases >= 10 or verdict.words


def test_few_formulas_are_told_in_words():
    words = [formula for formula in NUMBERED if formula.label in WORDS]
    assert len(words) <= 0.2 * len(NUMBERED)
    core = ("book/position", "book/attention", "book/block", "book/output")
    assert not [formula for formula in words if formula.page.startswith(core)]


def pytorch_transformer(rng, layers=2):
    """A model of torch modules, its input, its probabilities; and its weights as the symbols of the printed formulas."""
    n, n_heads, d_model, vocab_size = 5, 3, 12, 11
    stack = torch.nn.TransformerEncoder(
        torch_layers.encoder_layer(rng, d_model, n_heads, d_ff=7),
        layers,
        enable_nested_tensor=False,
    )
    parts = torch.nn.ModuleList(
        [torch.nn.Embedding(vocab_size, d_model), stack, torch.nn.Linear(d_model, vocab_size, bias=False)]
    )  # fmt: skip
    embedding, stack, last = torch_layers.shaken(parts, rng)
    ids = torch.from_numpy(rng.integers(vocab_size, size=n))
    pairs = torch.arange(0, d_model, 2, dtype=torch.float64)
    angles = torch.arange(n)[:, None] / 10000.0 ** (pairs / d_model)
    positions = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    hidden = stack((d_model**0.5 * embedding(ids) + positions)[None])
    wanted = torch.softmax(last(hidden[0]), dim=-1)
    read = map(torch_layers.encoder_layer_parameters, stack.layers)
    parameters = TransformerParameters(
        torch_layers.array(embedding.weight), tuple(read), torch_layers.array(last.weight).T
    )  # fmt: skip
    sizes = {"n": n, "d_model": d_model, "V": vocab_size, "H": n_heads}
    given = parameters_as_symbols(parameters, n_heads) | sizes | {"t": ids.numpy()}
    return given, torch_layers.array(wanted)


def test_the_whole_transformer_runs_from_its_printed_formulas_alone(engine):
    cases = [pytorch_transformer(np.random.default_rng(seed)) for seed in range(3)]
    engine.prepare("eq-transformer", [(given, {"p": wanted}) for given, wanted in cases])  # fmt: skip
    outcome = engine.run("eq-transformer")
    assert outcome.problem is None
    assert outcome.worst < TOLERANCE


BREAKS = {"eq-transformer": (r"+ P", ""), **SHARED}


@pytest.mark.parametrize("label", BREAKS)
def test_the_transformer_needs_each_of_its_printed_formulas(label):
    given, wanted = pytorch_transformer(np.random.default_rng(0))
    with open_engine(broken(FORMULAS, label, *BREAKS[label])) as engine:
        engine.prepare("eq-transformer", [(given, {"p": wanted})])
        assert engine.run("eq-transformer").worst > TOLERANCE


def test_wrong_formulas_are_refused(engine):
    tried, passed = 0, []
    for formula in FORMULAS:
        if formula.words or formula.label in WORDS or not prepare(engine, formula):
            continue
        for wrong in wrong_formulas(formula.tex):
            tried += 1
            if engine.run(formula.name, tex=wrong).worst <= TOLERANCE:
                passed.append((formula.name, wrong))
    unexplained = [
        (name, wrong)
        for name, wrong in passed
        if not any(mark in wrong for mark in EQUIVALENT.get(name.split(":")[0], ()))
    ]
    print(f"{tried} wrong formulas, {len(passed)} not refused")
    assert tried >= 150
    assert len(passed) <= 0.05 * tried
    assert unexplained == []
