"""A copy of the book's own code is no answer to an exercise that asks to write it, and an answer is no copy."""

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from abouts import listed
from conftest import ROOT
from pasting import pasted

from transformer_math.attention import attention, softmax
from transformer_math.block import swiglu
from transformer_math.checks import grade, grade_written
from transformer_math.checks.copies import only_calls, same_code
from transformer_math.model import encoder
from transformer_math.output import top_k

pytestmark = pytest.mark.usefixtures("a_readers_notebook")

WRITTEN = re.compile(r"\bgrade_written\(\w+, like=(\w+)\)")
TO_WRITE = sorted(
    {
        name
        for page in (ROOT / "book").glob("*/*.md")
        for name in WRITTEN.findall(page.read_text("utf-8"))
    }
)


@pytest.fixture(scope="module")
def copies():
    """What becomes of copies of the package's functions."""
    script = [sys.executable, str(Path(__file__).with_name("pasting.py"))]
    done = subprocess.run([*script, *TO_WRITE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_function_is_known_under_other_names_and_no_other_is_taken_for_it(copies):
    assert copies["unknown"] == copies["confused"] == []


def test_a_copy_is_no_answer_to_any_exercise(copies):
    assert len(copies["verdicts"]) == len(TO_WRITE) >= 100
    said = "· This is the book's own code for `{}`. Write it in the way that the exercise asks for."
    assert copies["verdicts"] == {name: said.format(name) for name in TO_WRITE}


@pytest.mark.parametrize("like", [softmax, top_k, swiglu], ids=lambda one: one.__name__)
def test_nothing_but_its_code_tells_a_copy_from_an_answer(like):
    copy = pasted(like)
    assert grade(copy, like=like)
    assert grade_written(copy, like=like).verdict == "open"


def by_hand(p, k):
    order = np.argsort(-p, axis=-1, kind="stable")
    kept = np.zeros_like(p)
    kept[order < k] = 1
    return kept


def wrapped(x, parameters):
    result = swiglu(x, parameters)
    return result


CALLS = {
    "itself": (softmax, softmax),
    "in a lambda": (lambda x: softmax(x), softmax),
    "with a variable": (wrapped, swiglu),
    "whatever comes": (lambda *given, **named: attention(*given, **named), attention),
    "with a call around it": (lambda x: np.array(softmax(x)), softmax),
}


@pytest.mark.parametrize("how", CALLS)
def test_a_call_is_no_answer(how):
    mine, like = CALLS[how]
    verdict = grade_written(mine, like=like)
    assert verdict.verdict == "open"
    assert f"calls `{like.__name__}` itself" in verdict.message


def my_encoder(Z, layers, n_heads, mask=None, activation=None):
    first, *others = layers
    return encoder(encoder(Z, [first], n_heads, mask), others, n_heads, mask)


def test_what_does_more_than_call_is_an_answer():
    assert not only_calls(my_encoder, encoder)
    assert not only_calls(lambda x: softmax(x) / 1, softmax)
    assert grade_written(lambda x: softmax(x + 1), like=softmax)


def test_what_is_wrong_or_not_begun_is_told_as_ever():
    for mine in (by_hand, lambda p, k: 2 * top_k(p, k)):
        assert grade_written(mine, like=top_k) == grade(mine, like=top_k)
    with pytest.raises(ValueError, match="wanted the function itself"):
        grade_written(softmax, like="softmax")


def test_a_second_name_for_an_argument_hides_nothing():
    def gated(x, p):
        return swish(x @ p.W_g) * (x @ p.W_1) @ p.W_2

    swish = None
    assert not same_code(gated, swiglu)  # whose `swish` is no variable
    names = dict(vars(sys.modules[inspect.unwrap(swiglu).__module__]))
    exec("def mine(x, p):\n    return swish(x @ p.W_g) * (x @ p.W_1) @ p.W_2", names)
    assert same_code(names["mine"], swiglu)


def test_what_has_no_code_of_its_own_is_no_copy():
    assert not same_code(np.exp, np.exp)
    assert not only_calls(np.exp, softmax)
    assert only_calls(np.exp, np.exp)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda x, y: x - y, lambda x, y: y - x),
        (lambda x: x.sum(axis=0), lambda x: x.sum(keepdims=0)),
        (lambda x: x.min(), lambda x: x.max()),
        (lambda x: [2 * y for y in x], lambda x: [3 * y for y in x]),
        (lambda x: lambda y: x - y, lambda x: lambda y: y - x),
        (lambda x: x < 1, lambda x: x > 1),
        (lambda x: x[0], lambda x: x[0.0]),
    ],
)
def test_a_small_difference_is_one(one, other):
    assert not same_code(one, other)


@pytest.mark.parametrize(("like", "mine"), listed("RIGHT"))
def test_no_right_answer_of_the_tables_to_an_exercise_is_a_copy(like, mine):
    assert like.__name__ not in TO_WRITE or not same_code(mine, like)
