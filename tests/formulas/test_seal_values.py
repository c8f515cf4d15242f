"""A formula's verdict says where its values come from: the calls of its checks, or more than that."""

import numpy as np
import pytest
from conftest import ROOT

from transformer_math.checks import checks_of
from transformer_math.formulas.book import displayed
from transformer_math.formulas.cases import calls, slices
from transformer_math.formulas.reading import cases_of
from transformer_math.formulas.sources import (
    AS_THEY_ARE,
    GRADIENT,
    READ,
    SAID,
    WITH,
    WITHOUT,
    note,
    noting,
    told,
)
from transformer_math.formulas.verdict import judge, open_engine

WANTED = {
    "eq-softmax": set(),
    "eq-layer-norm": set(),
    "eq-attention": {WITHOUT},
    "eq-mask": {WITH},
    "eq-masked-multi-head": {WITH, WITHOUT},
    "eq-projection": {READ},
    "eq-past-alone": {READ},
    "eq-softmax-vjp": {GRADIENT},
    "eq-mask-vjp": {GRADIENT, WITH},
    "eq-rope-vjp": {GRADIENT, READ},
}


@pytest.mark.parametrize("label", WANTED)
def test_where_the_values_of_a_formula_come_from(label):
    with noting() as noted:
        for check in checks_of(label):
            assert any(cases_of(check)) and [*cases_of(check)]
    assert noted == WANTED[label]


def test_what_is_said_to_be_as_it_is_is_an_argument_and_a_result_of_a_call():
    (check,) = checks_of("eq-softmax")
    seen = [a for call in calls(check, 12) for a, _ in slices(check.target, call, {})]
    given = [known for known, _ in cases_of(check)]
    for arguments, known in zip(seen, given, strict=True):
        assert any(np.array_equal(arguments["x"], value) for value in known.values())


def test_the_verdict_keeps_it():
    pages = (ROOT / "book" / "attention").glob("*.md")
    shown = {f.label: f for f in displayed(ROOT, pages)}
    mask = shown["eq-mask"]
    with open_engine([mask]) as engine:
        assert judge(engine, mask).sources == (WITH,)


def test_nothing_is_noted_where_nobody_listens():
    note(WITH)
    with noting() as noted:
        pass
    assert noted == set()


def test_each_source_has_its_sentence():
    sentences = [told((one,)) for one in SAID]
    assert len({*sentences, AS_THEY_ARE}) == len(SAID) + 1
    assert told((GRADIENT, READ)) == f"{SAID[READ]} {SAID[GRADIENT]}"
