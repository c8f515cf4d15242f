"""The grader says what is wrong, in words that fit the mistake."""

import math
import re
import subprocess
import sys
from collections import Counter
from functools import cache

import numpy as np
import pytest
import torch
from abouts import listed
from conftest import ROOT

from transformer_math.attention import (
    KVCache,
    cached_attention,
    multi_head_attention,
    prefix_mask,
    projection_flops,
    softmax,
    softmax_jacobian,
)
from transformer_math.block import encoder_layer, feed_forward, layer_norm
from transformer_math.checks import (
    all_checks,
    checks_for,
    grade,
    grading,
    recording,
    showing,
)
from transformer_math.checks.recording import same, try_case
from transformer_math.embedding import fnv_1a
from transformer_math.gradient import add_position_vjp, clip_loss_vjp
from transformer_math.modalities import nearest_codes
from transformer_math.model import encoder, initialise, transformer
from transformer_math.output import beam
from transformer_math.position import frequencies, rope, t5_bucket
from transformer_math.tokenization import pair_counts
from transformer_math.training import bits_per_byte, inverse_root_schedule
from transformer_math.trees import map_leaves

REGISTRY = all_checks()


pytestmark = pytest.mark.usefixtures("a_readers_notebook")


def in_place(x):
    x -= x.max(axis=-1, keepdims=True)
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)


def unwritten(x):
    raise NotImplementedError


def nothing_returned(x):
    softmax(x)


def ellipsis(x):
    return ...


def crashing(x):
    return x.no_such_thing


def generating(x):
    return (row for row in softmax(x))


def calling_itself(x):
    return calling_itself(x)


def leaving(x):
    sys.exit()


async def promising(x):
    return softmax(x)


FAULTS = {
    in_place: "changes an argument in place: `x`",
    nothing_returned: "returned nothing",
    ellipsis: "returned nothing",
    crashing: "For softmax([104.367]) it raised AttributeError",
    generating: "returns a generator",
    calling_itself: "calls itself without end",
    leaving: "ends the whole program",
    promising: "is `async`",
}


@pytest.mark.parametrize("function", FAULTS, ids=lambda function: function.__name__)
def test_faults_of_any_function_are_named(function):
    verdict = grade(function, like=softmax)
    assert not verdict
    assert FAULTS[function] in verdict.message
    assert repr(verdict).startswith("✗")
    assert 'class="grade wrong"' in verdict._repr_html_()


def test_a_loop_without_an_end_is_stopped_even_where_it_catches_every_exception(
    monkeypatch,
):
    monkeypatch.setattr(recording, "SECONDS", 0.2)

    def endless(x):
        while True:
            try:
                x = x + 1
            except Exception:
                x = 0

    assert "was not done after 0.2 seconds" in grade(endless, like=softmax).message
    assert grade(softmax, like=softmax)  # and the next one has its time


def named(answers):
    return [
        pytest.param(*answer, id=f"{answer[0].__name__}-{number}")
        for number, answer in enumerate(answers)
    ]


def ragged(n, prefix):
    return [[True] * max(i + 1, prefix) for i in range(n)]


def nothing_in_a_list(d_k, base=1e4):
    return [None] * (d_k // 2)


def objects(d_k, base=1e4):
    return frequencies(d_k, base).astype(object)


def a_pair_for_a_cache(q, k, v, cache=None):
    known = KVCache(*cache) if isinstance(cache, tuple) else cache
    O, now = cached_attention(q, k, v, known)
    return O, (now.K, now.V)


def wrong_for_one_offset(offset, n_buckets=32, max_distance=128):
    wanted = t5_bucket(offset, n_buckets, max_distance)
    return wanted - (offset == -n_buckets // 4)


def few_digits(loss, n_tokens, n_bytes):
    return loss * n_tokens / (n_bytes * 0.6931472)


def real_hash(text):
    return float(fnv_1a(text))


def real_flops(n, m, d_model):
    return projection_flops(n, m, d_model) / 1


def floored_bits(loss, n_tokens, n_bytes):
    return loss * n_tokens // n_bytes / np.log(2)


def floored_tokens(loss, n_tokens, n_bytes):
    return loss * (n_tokens // n_bytes) / np.log(2)


def real_codes(Z, C):
    return nearest_codes(Z, C).tolist() if len(C) == 1 else 1.0 * nearest_codes(Z, C)


def real_counts(word_counts):
    return map_leaves(float, pair_counts(word_counts))


def by_diagonal(weights):
    return np.diag(weights) - np.outer(weights, weights)


def deaf(U, V, temperature):
    value, pullback = clip_loss_vjp(U, V, temperature)
    return value, lambda arriving: pullback(1.0)


def twice_and_rarely_broadcast(x):
    return 2 * softmax(x) if x.ndim < 3 else np.ones(2) + np.ones(3)


def broadcast_unless_in_rows(x):
    return 2 * softmax(x) if x.ndim == 2 else np.ones(2) + np.ones(3)


def none_to_choose(x):
    return softmax(x) / max([])


def masked_without_a_batch(Z, source, parameters, n_heads, mask=None):
    used = mask if Z.ndim == 2 else None
    return multi_head_attention(Z, source, parameters, n_heads, used)


def deaf_to_its_base(x, positions, base=10000.0):
    return rope(x, positions)


def with_a_least_eps(x, p, eps=1e-5):
    return layer_norm(x, p, max(eps, 1e-12))


def plain_pairs_whatever_the_length(
    next_logits, start, length, width, end=None, power=0.0
):
    return [tuple(one) for one in beam(next_logits, start, length, width, end)]


def complex_weights(x):
    return softmax(x).astype(complex)


def positions_not_added_up(Z, P):
    value, _ = add_position_vjp(Z, P)
    return value, lambda arriving: (arriving, arriving)


STUMBLED = [
    (beam, plain_pairs_whatever_the_length, "You leave the length out"),
    (softmax, complex_weights, "and dtype complex128; wanted an array"),
    (add_position_vjp, positions_not_added_up, "over the leading axes"),
    (softmax, twice_and_rarely_broadcast, "are the ones wanted, times 2 throughout"),
    (softmax, twice_and_rarely_broadcast, "it gave [2.]; wanted [1.]"),
    (softmax, broadcast_unless_in_rows, "NumPy cannot bring two of your shapes"),
    (softmax, broadcast_unless_in_rows, "it raised ValueError: operands could"),
    (softmax, none_to_choose, "`min` or `max` has nothing to choose from"),
    (rope, deaf_to_its_base, "You ignore `base`"),
    (prefix_mask, ragged, "it gave [[True, True"),
    (frequencies, nothing_in_a_list, "it gave [None"),
    (frequencies, objects, "wanted an array of shape (11,) of numbers"),
    (cached_attention, a_pair_for_a_cache, "wanted KVCache(K="),
    (t5_bucket, wrong_for_one_offset, "For t5_bucket("),
    (fnv_1a, real_hash, "wanted whole ones (int)"),
    (projection_flops, real_flops, "it gave 300.0; wanted 300."),
    (softmax_jacobian, by_diagonal, "`np.diag` reads one vector"),
    (nearest_codes, real_codes, "wanted whole ones (int)"),
    (pair_counts, real_counts, "wanted whole ones (int)"),
    (bits_per_byte, few_digits, "a constant in your function has too few digits"),
    (clip_loss_vjp, deaf, "Your pullback ignores the gradient that arrives"),
    (clip_loss_vjp, deaf, "the gradient of `U` where -1.75 arrives is wrong"),
]


NOT_SAID = [
    (softmax, twice_and_rarely_broadcast, "NumPy cannot bring two of your shapes"),
    (softmax, broadcast_unless_in_rows, "it gave"),
    (bits_per_byte, floored_bits, "You ignore"),
    (bits_per_byte, floored_tokens, "You ignore"),
    (softmax_jacobian, by_diagonal, "NumPy cannot bring two of your shapes together"),
    (multi_head_attention, masked_without_a_batch, "You ignore"),
    (layer_norm, with_a_least_eps, "Your variance is wrong"),
]


@pytest.mark.parametrize(("like", "mine", "words"), named(NOT_SAID))
def test_nothing_is_said_that_is_not_so(like, mine, words):
    verdict = grade(mine, like=like)
    assert not verdict and words not in verdict.message


@pytest.mark.parametrize(("like", "mine", "words"), named(STUMBLED))
def test_an_odd_result_is_no_end_of_the_grader(like, mine, words):
    assert words in grade(mine, like=like).message


def wanting_a_name(d_k, *, base=1e4):
    return frequencies(d_k, base)


def with_a_graph(d_k, base=1e4):
    return 1 * torch.tensor(frequencies(d_k, base)).requires_grad_()


@pytest.mark.parametrize("mine", [wanting_a_name, with_a_graph])
def test_an_odd_form_of_a_right_answer_is_right(mine):
    verdict = grade(mine, like=frequencies)
    assert verdict, verdict.message


def test_a_result_is_no_function():
    with pytest.raises(ValueError, match="without brackets"):
        grade(softmax(np.ones(3)), like=softmax)


def test_one_number_that_is_nan_is_called_so():
    message = grade(lambda *numbers: math.nan, like=inverse_root_schedule).message
    assert "holds NaN" in message


def test_an_exercise_that_nobody_has_begun_is_open_not_wrong():
    verdict = grade(unwritten, like=softmax)
    assert not verdict
    assert repr(verdict).startswith("· Nothing is written yet")
    assert 'class="grade open"' in verdict._repr_html_()


@pytest.mark.parametrize(("like", "mine"), named(listed("RIGHT")))
def test_a_right_answer_in_other_words_is_right(like, mine):
    verdict = grade(mine, like=like)
    assert verdict, verdict.message


@pytest.mark.parametrize(("like", "mine", "words"), named(listed("WRONG")))
def test_the_words_fit_the_mistake(like, mine, words):
    verdict = grade(mine, like=like)
    assert not verdict
    assert words in verdict.message


GRADED = re.compile(r"\bgrade(?:_written)?\(\w+, like=(\w+)\)")


def test_every_grader_of_the_book_is_tried_with_five_mistakes_and_two_right_answers():
    graded = {
        name
        for page in (ROOT / "book").rglob("*.md")
        for name in GRADED.findall(page.read_text("utf-8"))
    }
    wrong, right = (
        Counter(answer[0].__name__ for answer in table)
        for table in (listed("WRONG"), listed("RIGHT"))
    )
    fix = "write them into WRONG and RIGHT of tests/<group>/about_<idea>.py"
    assert {name: wrong[name] for name in graded if wrong[name] < 5} == {}, fix
    assert {name: right[name] for name in graded if right[name] < 2} == {}, fix


def test_the_example_is_small_and_its_difference_can_be_seen():
    message = grade(
        lambda x: softmax(x) + 1e-9 * (x.size > 9) + 0.01 * (x.size == 3), like=softmax
    ).message
    got, wanted = re.search(
        r"it gave (\[.*\]); wanted (\[.*\])\.", message, re.DOTALL
    ).groups()
    assert got != wanted
    assert len(np.array(eval(got)).ravel()) == 3


def test_arrays_stand_in_one_line_and_large_trees_for_their_numbers():
    assert showing.show(np.zeros((0, 2))) == "an array of shape (0, 2)"
    column = np.array([[0.25], [-1.0], [2.0]])
    assert showing.show(column) == "[[0.25], [-1.], [2.]]"
    assert showing.show(np.random.default_rng(0)) == "rng"
    network = initialise(np.random.default_rng(1), 2, 2, 1, 2, 1).layers[0]
    assert showing.show(network) == "EncoderLayerParameters(…)"


def test_what_stands_between_backticks_is_code_on_a_page():
    shown = grade(nothing_returned, like=softmax)._repr_html_()
    assert "<code>return</code>" in shown and "`" not in shown
    assert (
        showing.as_html("`a < b` or `c`") == "<code>a &lt; b</code> or <code>c</code>"
    )


def test_a_right_function_is_told_so():
    verdict = grade(lambda x: softmax(x), like=softmax)
    assert verdict
    assert str(REGISTRY["softmax_equals_torch"].cases) in verdict.message


@pytest.mark.parametrize(
    "target", [feed_forward, encoder_layer, multi_head_attention, encoder, transformer]
)
def test_parameters_in_a_dataclass_can_be_graded(target):
    assert grade(target, like=target)


def test_a_name_is_refused():
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


WRONG_VERSIONS = [
    pytest.param(check, wrong, id=f"{check.name}-{wrong.name}")
    for check in REGISTRY.values()
    for wrong in check.wrong_versions
]


@pytest.fixture
def tried_once(monkeypatch):
    """A wrong version is graded, and then known: its trials are made once."""
    monkeypatch.setattr(
        grading, "try_case", lambda check, *case: tried(check.name, *case)
    )


@cache
def tried(name, function, number):
    return try_case(REGISTRY[name], function, number)


@pytest.mark.parametrize(("check", "wrong"), WRONG_VERSIONS)
def test_every_wrong_version_gets_its_own_hint(check, wrong, tried_once):
    verdict = grade(wrong.implementation, like=check.target)
    assert not verdict
    if not verdict.message.startswith(wrong.message):
        hinted = next(
            other
            for one in checks_for(check.target)
            for other in one.wrong_versions
            if verdict.message.startswith(other.message)
        )
        assert same_mistake(check, hinted, wrong)


def same_mistake(check, hinted, wrong):
    """Whether two wrong versions end alike in every case of the check, so that no grader can tell them apart."""
    trials = [
        [try_case(check, version.implementation, number) for version in (hinted, wrong)]
        for number in range(check.cases)
    ]
    return all(
        same([c.output for c in a.calls], [c.output for c in b.calls])
        for a, b in trials
    )
