"""A formula's verdict says where its values come from: the calls of its checks, or more than that."""

import numpy as np
import pytest
from conftest import ROOT

from transformer_math.checks import checks_of
from transformer_math.checks.recording import Call
from transformer_math.formulas import cases
from transformer_math.formulas.book import Formula, displayed
from transformer_math.formulas.cases import Drawn, calls, slices
from transformer_math.formulas.engine import Engine
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


def test_calls_are_drawn_once_and_everybody_draws_from_a_generator_of_their_own(
    monkeypatch,
):
    times = []
    monkeypatch.setattr(cases, "calls", lambda *given: times.append(1) or calls(*given))
    drawn = Drawn()
    check = checks_of("eq-dropout-sample")[0]
    first, second = drawn(check), drawn(check)
    assert times == [1] and len(first) == len(second) > 0
    for a, b in zip(first, second, strict=True):
        mine, yours = (_generators(call) for call in (a, b))
        assert mine and [g.random() for g in mine] == [g.random() for g in yours]


def test_a_generator_that_is_given_by_name_is_nobody_elses_either(monkeypatch):
    named = Call((), {"rng": np.random.default_rng(0)}, None)
    monkeypatch.setattr(cases, "calls", lambda *given: [named])
    drawn, (check, *_) = Drawn(), checks_of("eq-softmax")
    mine, yours = (drawn(check)[0].settings["rng"] for _ in range(2))
    assert mine.random() == yours.random()


def _generators(call):
    return [one for one in call.arguments if isinstance(one, np.random.Generator)]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"x": np.array([1.5, -np.inf])}, {"result": np.array([3.0, -np.inf])}),
        ({"x": np.array([[1, 2], [3, 4]])}, {"result": np.array([[2, 4], [6, 8]])}),
        ({"x": np.float32([0.1])}, {"result": [2 * float(np.float32(0.1))]}),
        ({"x": np.array(2.5)}, {"result": 5.0}),
        ({"x": np.array([0.1])}, {"result": [0.2]}),
    ],
)
def test_arrays_come_to_the_engine_as_they_are(given, wanted):
    with Engine([Formula("y = 2 x", "page", 1, "eq-double")], {}) as engine:
        engine.prepare("eq-double", [(given, wanted)])
        assert engine.run("eq-double").worst == 0.0


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
