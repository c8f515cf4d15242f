"""The grader says what is wrong, in words that fit the mistake."""

import subprocess
import sys

import jaxtyping
import numpy as np
import pytest

from transformer_math.attention import multi_head_attention, softmax
from transformer_math.block import encoder_layer, feed_forward
from transformer_math.checks import all_checks, grade
from transformer_math.model import encoder, transformer

REGISTRY = all_checks()


def by_columns(x):
    return np.exp(x) / np.exp(x).sum(axis=-2, keepdims=True)


def in_place(x):
    x -= x.max(axis=-1, keepdims=True)
    return np.exp(x)


def unwritten(x):
    raise NotImplementedError


def nothing_returned(x):
    softmax(x)


def ellipsis(x):
    return ...


def crashing(x):
    return x.no_such_thing


MISTAKES = {
    by_columns: "Your columns sum to 1",
    in_place: "changes an argument in place",
    unwritten: "Nothing is written yet",
    nothing_returned: "returned nothing",
    ellipsis: "returned nothing",
    crashing: "AttributeError",
}


@pytest.mark.parametrize("function", MISTAKES, ids=lambda function: function.__name__)
def test_the_hint_fits_the_mistake(function):
    verdict = grade(function, like=softmax)
    assert not verdict
    assert MISTAKES[function] in verdict.message
    kind = "open" if function is unwritten else "wrong"
    assert f'class="grade {kind}"' in verdict._repr_html_()


def test_a_right_function_is_told_so():
    verdict = grade(lambda x: softmax(x), like=softmax)
    assert verdict
    assert str(REGISTRY["softmax_equals_torch"].cases) in verdict.message


@pytest.mark.parametrize(
    "target", [feed_forward, encoder_layer, multi_head_attention, encoder, transformer]
)
def test_parameters_in_a_dataclass_can_be_graded(target):
    assert grade(target, like=target)


def test_a_name_is_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(ValueError, match="wanted the function itself"):
        grade(softmax, like="softmax")


def test_a_function_without_a_check_is_refused():
    with pytest.raises(ValueError, match="no check for len"):
        grade(softmax, like=len)


def test_importing_the_checks_loads_no_oracle():
    code = (
        "import sys, transformer_math.checks\n"
        "from transformer_math.tokenization import words\n"
        "assert 'torch' not in sys.modules\n"
        "assert transformer_math.checks.grade(words, like=words)\n"
        "assert 'torch' not in sys.modules"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", REGISTRY)
def test_a_wrong_version_is_answered_with_a_hint_of_its_function(name):
    check = REGISTRY[name]
    hints = {
        wrong.message
        for other in REGISTRY.values()
        if other.target is check.target
        for wrong in other.wrong_versions
    }
    wrong = check.wrong_versions[0]
    verdict = grade(wrong.implementation, like=check.target)
    assert not verdict
    assert verdict.message.split("\n")[0] in hints
