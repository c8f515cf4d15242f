"""Equations inside sentences: each that states a computation runs, or says why not; a misprint in one is refused."""

import re

import pytest
from conftest import ROOT
from formulas.wrong_formulas import wrong_formulas

from transformer_math.formulas.book import displayed
from transformer_math.formulas.engine import TOLERANCE
from transformer_math.formulas.inline import inline, inline_of, states
from transformer_math.formulas.verdict import judge, open_engine, prepare

PAGES = sorted((ROOT / "book").rglob("*.md"))
INLINE = inline(ROOT, PAGES)

# Wrong equations that hold all the same, with the reason.
EQUIVALENT = {
    r"w_i \cdot w_j = w_j \cdot w_i": "an index more or less stands on both sides",
    r"r(N) \le r(n_a)": "a smaller left side is smaller still",
    r"r(N) \le r(n_b)": "the same",
    "e^0 = 1": "any base gives 1",
    r"e^{-\infty} = 0": "any base above 1 gives 0",
    r"0 \ln 0 = 0": "0 times any logarithm",
    r"\ln x = 0": "any logarithm of 1",
}


@pytest.fixture(scope="module")
def engine():
    with open_engine([*displayed(ROOT, PAGES), *INLINE]) as engine:
        yield engine


def test_every_equation_that_states_a_computation_runs_or_says_why_not(engine):
    verdicts = [judge(engine, formula) for formula in INLINE]
    assert [v.formula.tex for v in verdicts if v.problem] == []
    assert sum(v.runs for v in verdicts) >= 60
    assert all(len(v.words.split()) >= 3 for v in verdicts if not v.runs)


def test_no_reason_is_given_where_nothing_is_computed():
    assert [one.tex for one in INLINE if one.words and not states(one.tex)] == []


def test_a_misprint_is_refused(engine):
    tried, passed = 0, []
    for formula in INLINE:
        if formula.words:
            continue
        prepare(engine, formula)
        for wrong in wrong_formulas(formula.tex):
            tried += 1
            if engine.run(formula.name, tex=formula.run(wrong)).worst <= TOLERANCE:
                passed.append((formula.tex, wrong))
    assert tried > 40
    assert [one for one in passed if one[0] not in EQUIVALENT] == []


def test_a_remark_speaks_of_an_equation_below_it():
    for page in PAGES:
        for block in re.split(r"\n\s*\n", page.read_text("utf-8")):
            for tex in re.findall(
                r"^\s*% inline(?: words)?: \$([^$]+)\$", block, re.MULTILINE
            ):
                shown = " ".join(
                    re.sub(r"^\s*%.*$", "", block, flags=re.MULTILINE).split()
                )
                assert f"${tex}$" in shown, (page.name, tex)


STATES = {
    "O = AV": True,
    r"\sin a \sin b + \cos a \cos b = \cos(a - b)": True,
    r"r(N) \le r(n_a)": True,
    r"p_v \propto c_v^{1/T}": True,
    "(a + b)^2 = a^2 + 2 a b + b^2": True,
    "n = 6 d": False,
    r"T = \frac12": False,
    r"\varepsilon = 10^{-9}": False,
    r"d_k = d_v = d_\text{model} / H": False,
    r"i = 0, \dots, n - 1": False,
    r"Z \in \mathbb{R}^{n \times d}": False,
    r"\sum_{i=1}^{n} x_i": False,
}


@pytest.mark.parametrize("tex", STATES)
def test_what_states_a_computation(tex):
    assert states(tex) == STATES[tex]


def test_an_equation_without_a_remark_is_a_fault():
    [silent] = inline_of("We know that $a + b = b + a$.\n", "page")
    with open_engine([silent]) as engine:
        assert judge(engine, silent).problem
