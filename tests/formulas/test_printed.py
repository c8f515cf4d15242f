"""What is printed is what runs: every formula of the book, the whole Transformer, and wrong formulas in their place."""

import numpy as np
import pytest
import torch
from abouts import told
from conftest import ROOT, kept_by_the_build
from evidence import find_verdicts, verdict_of
from evidence_keys import Keys
from formulas.breaks import SHARED, broken
from formulas.wrong_formulas import wrong_formulas

from transformer_math.checks import torch_layers
from transformer_math.formulas.book import displayed
from transformer_math.formulas.engine import TOLERANCE
from transformer_math.formulas.symbols import parameters_as_symbols
from transformer_math.formulas.verdict import open_engine, prepare
from transformer_math.formulas.words import WORDS
from transformer_math.model.transformer import TransformerParameters

KEPT = ROOT / "_build" / ".doctrees"
FORMULAS = displayed(ROOT, (ROOT / "book").rglob("*.md"))
NUMBERED = [formula for formula in FORMULAS if formula.label]

EQUIVALENT = told("EQUIVALENT_FORMULAS")


@pytest.fixture(scope="module")
def engine():
    with open_engine(FORMULAS) as engine:
        yield engine


@pytest.fixture(scope="module")
def found():
    """What came of every formula: as the build found it, where nothing has changed on which it depends, or found anew."""
    kept = kept_by_the_build("verdicts")
    return find_verdicts(tuple(FORMULAS), Keys(), KEPT, kept)


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.name)
def test_a_formula_runs_as_printed_or_says_why_not(formula, found):
    verdict = verdict_of(formula, found)
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


MISPRINTS = [  # what random cases in the comfortable range let through
    ("eq-digamma-series", "252", "252.5"),
    ("eq-digamma-series", "240", "241"),
    ("eq-digamma-series", "132", "133"),
    ("eq-digamma-series", "132", "142"),
    ("eq-feed-forward-vjp", "> 0", r"\ge 0"),
]


@pytest.mark.parametrize(("label", "right", "wrong"), MISPRINTS)
def test_a_misprint_that_few_cases_notice_is_refused(label, right, wrong, engine):
    [formula] = [one for one in NUMBERED if one.label == label]
    assert right in formula.tex
    assert prepare(engine, formula)
    assert engine.run(label, tex=formula.tex).worst <= TOLERANCE
    misprint = formula.tex.replace(right, wrong)
    assert engine.run(label, tex=misprint).worst > TOLERANCE


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
