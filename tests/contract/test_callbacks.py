"""What a caller passes in is looked at when it answers: an answer that cannot be used is refused in words."""

import inspect
from copy import deepcopy

import numpy as np
import pytest
from abouts import told
from examples import EXAMPLES

from transformer_math.attention import softmax
from transformer_math.contract.decorator import Plan
from transformer_math.contract.functions import Function
from transformer_math.output import beam, greedy, probabilities, sample

TAKEN = {
    (function, name)
    for function in EXAMPLES
    for name, rule in Plan(inspect.unwrap(function)).rules
    if isinstance(rule, Function) and function not in told("UNASKED")
}


def with_nan(x):
    return np.full(x.shape, np.nan)


def of_arrays():
    yield "None", lambda x: None
    yield "text", lambda x: "abc"
    yield "list", lambda x: x.tolist()
    yield "NaN", with_nan
    yield "infinity", lambda x: x + np.inf
    yield "no [-1]", lambda x: np.stack([x, x])
    yield "one number", lambda x: x.sum()
    yield "no number", lambda x: x[..., :0]
    yield "texts", lambda x: x.astype(str)
    yield "-inf everywhere", lambda x: np.full(x.shape, -np.inf)


def longer(x):
    return np.concatenate([x, x[..., :1]], axis=-1)


def answers(function, name):
    """Ways to spoil what the function of the example answers."""
    if name == "encode":
        yield from [
            ("None", lambda ids: None),
            ("text", lambda ids: "abc"),
            ("texts", lambda ids: ["abc"]),
            ("array", np.array),
        ]
    elif name.endswith("_vjp"):
        yield "no pullback", lambda pair: pair[0]
        yield "three", lambda pair: (*pair, 1)
        for title, spoil in [*of_arrays(), ("longer", longer)]:
            yield f"value {title}", lambda pair, spoil=spoil: (spoil(pair[0]), pair[1])
            yield f"pullback {title}", lambda pair, spoil=spoil: spoilt(pair, spoil)
        yield "no function", lambda pair: (pair[0], pair[0])
        yield "no tuple", lambda pair: (pair[0], lambda dy: pair[1](dy)[0])
    else:
        yield from of_arrays()
        if name != "next_logits":  # which alone says how many tokens there are
            yield "longer", longer
        if name == "distribution":
            yield "negative", lambda p: p - 1 / len(p)
            yield "a sum of 2", lambda p: 2 * p


def spoilt(pair, spoil):
    """The value, and a pullback whose first gradient is spoilt."""
    value, pullback = pair

    def wrong(dy):
        first, *rest = pullback(dy)
        return (spoil(first), *rest)

    return value, wrong


CASES = [
    pytest.param(function, name, spoil, id=f"{function.__name__}-{name}-{title}")
    for function, name in sorted(TAKEN, key=lambda pair: (pair[0].__name__, pair[1]))
    for title, spoil in answers(function, name)
]


@pytest.mark.parametrize(("function", "name", "spoil"), CASES)
def test_a_wrong_answer_is_refused_in_words(function, name, spoil):
    given = deepcopy(EXAMPLES[function])
    right = given[name]
    given[name] = lambda *arguments: spoil(right(*arguments))
    with pytest.raises(
        ValueError, match=rf"(?s){name}\(….*wanted|which is not.*Fix: \S"
    ):
        result = function(**given)
        if name.endswith("_vjp"):
            result[1](np.ones_like(result[0]))


@pytest.mark.parametrize("bad", [None, 3, "greedy", np.ones(3)])
@pytest.mark.parametrize(("function", "name"), sorted(TAKEN, key=str))
def test_what_is_no_function_is_refused_in_words(function, name, bad):
    with pytest.raises(ValueError, match=rf"{name} is .*wanted a function.*Fix: \S"):
        function(**{**deepcopy(EXAMPLES[function]), name: bad})


def test_logits_of_all_positions_ask_for_the_last():
    logits = np.arange(12.0).reshape(3, 4)
    with pytest.raises(ValueError, match=r"next_logits\(…\)\[-1\], the last row"):
        greedy(lambda ids: logits, np.array([1]), 2)


@pytest.mark.parametrize("search", [greedy, beam, sample])
def test_a_vocabulary_that_changes_its_size_is_refused(search):
    extra = {beam: {"width": 2}, sample: {"rng": np.random.default_rng(0)}}
    with pytest.raises(ValueError, match=r"next_logits\(…\) has shape"):
        search(
            lambda ids: np.arange(float(len(ids))),
            np.array([1, 2]),
            3,
            **extra.get(search, {}),
        )


def test_numbers_without_a_fraction_are_logits():
    assert greedy(lambda ids: np.array([0, 2, 1]), np.array([0]), 1).tolist() == [0, 1]


def test_probabilities_of_single_precision_are_drawn_with():
    p = np.array([0.3, 0.7], np.float32) * np.float32(1.0004)
    drawn = sample(
        lambda ids: np.zeros(2),
        np.array([0]),
        20,
        np.random.default_rng(0),
        lambda x: p,
    )
    assert set(drawn.tolist()) == {0, 1}


def test_what_a_callback_itself_calls_is_looked_at():
    with pytest.raises(ValueError, match="x holds nan"):
        greedy(lambda ids: softmax(np.array([1.0, np.nan])), np.array([0]), 1)
    with pytest.raises(ValueError, match="logits holds inf"):
        sample(
            lambda ids: np.zeros(2),
            np.array([0]),
            1,
            np.random.default_rng(0),
            lambda x: probabilities(x + np.inf),
        )


def test_an_exception_of_the_callers_own_function_reaches_the_caller():
    with pytest.raises(ZeroDivisionError):
        greedy(lambda ids: 1 / 0, np.array([0]), 1)
    assert greedy(lambda ids: np.ones(2), np.array([0]), 1).tolist() == [0, 0]
    with pytest.raises(ValueError, match="holds nan"):
        softmax(np.array([np.nan]))  # looked at as before
