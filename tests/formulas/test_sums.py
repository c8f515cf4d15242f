"""A sum that is the same for every entry is computed once; where its parts differ from entry to entry, each has its own."""

import json
import subprocess

import numpy as np
import pytest
from conftest import ROOT

from transformer_math.explorables._scripts import HERE
from transformer_math.formulas.book import Formula
from transformer_math.formulas.engine import Engine, _node, katex_script

RNG = np.random.default_rng(0)
X, Y, Z = (RNG.normal(size=n) for n in (3, 4, 5))
A = RNG.normal(size=(3, 3))
SUMS = {
    r"s_i = \frac{x_i}{\sum_k x_k}": X / X.sum(),
    r"s_i = x_i \sum_k e^{x_k - \max x}": X * np.exp(X - X.max()).sum(),
    r"s_i = x_i \sum_k x_k x_i": X * X.sum() * X,
    r"s_i = \sum_k A_{ik} \sum_j x_j": A.sum(1) * X.sum(),
    r"s_i = x_i \sum_k x_k \sum_j y_j \sum_m z_m x_k": X * (X**2).sum() * Y.sum() * Z.sum(),
    r"s_i = x_i \sum_k x_k \sum_j A_{kj}": X * (A.sum(1) @ X),
    r"s_i = x_i \sum_k x_k \sum_j A_{ij}": X * X.sum() * A.sum(1),
    r"s_i = x_i \sum_i x_i": X * X.sum(),
    r"s = \sum_{k_1} x_{k_1} \sum_j y_j x_{k_1}": (X**2).sum() * Y.sum(),
    r"\begin{gathered} s_i = x_i \sum_k t_k \\ t_k = 2 x_k \end{gathered}": X * 2 * X.sum(),
}  # fmt: skip


@pytest.mark.parametrize("tex", SUMS)
def test_a_sum_has_the_numbers_of_its_entry(tex):
    case = ({"x": X, "y": Y, "z": Z, "A": A}, {"s": SUMS[tex]})
    with Engine([Formula(tex, "page", 1, "eq-sum")], {}) as engine:
        engine.prepare("eq-sum", [case])
        outcome = engine.run("eq-sum")
    assert outcome.problem is None
    assert outcome.worst < 1e-12


def test_what_another_formula_of_the_page_defines_has_the_letters_of_its_caller():
    """e with an index is no constant: here it depends on the row that asks."""
    w = RNG.random(3)
    formulas = [
        Formula(r"e_j = x_j w_i", "page", 1, "eq-e"),
        Formula(r"s_i = \frac{e_i}{\sum_j e_j}", "page", 2, "eq-s"),
    ]
    with Engine(formulas, {}) as engine:
        engine.prepare("eq-s", [({"x": X, "w": w}, {"s": X / X.sum()})])
        outcome = engine.run("eq-s")
    assert outcome.problem is None
    assert outcome.worst < 1e-12


@pytest.mark.parametrize("tex", list(SUMS)[:2])
def test_a_sum_for_all_entries_is_computed_once(tex):
    """With twice as many entries a softmax takes twice as many steps; sum by sum, it would take four times as many."""
    assert steps(tex, 40) < 2.2 * steps(tex, 20)


@pytest.mark.parametrize("tex", list(SUMS)[2:3])
def test_a_sum_of_its_own_for_each_entry_is_computed_for_each(tex):
    assert steps(tex, 40) > 3.5 * steps(tex, 20)


def steps(tex, n):
    """How many steps the page's evaluator takes for n entries."""
    x = RNG.normal(size=n).tolist()
    request = json.dumps({"tex": tex, "given": {"x": x}, "wanted": {"s": x}})
    script, katex = ROOT / "tests/formulas/steps.mjs", katex_script()
    command = [_node(), str(script), str(katex), str(HERE.parent), request]
    return int(subprocess.run(command, capture_output=True, check=True).stdout)
