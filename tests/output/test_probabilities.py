import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.output import logits, probabilities

scores = np.array([[1.0, 3.0, 2.0]])


def test_a_cold_model_takes_the_best_token():
    assert np.allclose(probabilities(scores, temperature=1e-3), [[0, 1, 0]], atol=1e-12)


def test_a_hot_model_takes_any_token():
    assert np.allclose(probabilities(scores, temperature=1e9), 1 / 3, atol=1e-8)


def test_a_forbidden_token_gets_nothing():
    assert np.array_equal(probabilities(np.array([-np.inf, 3.0])), [0, 1])


@refusals(
    ("temperature NaN", lambda: probabilities(scores, np.nan), ("temperature is nan",)),
    (
        "infinite temperature",
        lambda: probabilities(scores, np.inf),
        ("temperature is inf",),
    ),
    ("temperature None", lambda: probabilities(scores, None), ("temperature is None",)),
    ("logit NaN", lambda: probabilities(scores * np.nan), ("logits holds nan",)),
    (
        "E in place of its transpose",
        lambda: logits(np.ones((2, 3)), np.ones((9, 3))),
        ("W_out.T",),
    ),
    (
        "temperature zero",
        lambda: probabilities(scores, 0.0),
        ("temperature is 0", "argmax"),
    ),
    ("temperature negative", lambda: probabilities(scores, -1.0), ("-1",)),
    (
        "sizes do not meet",
        lambda: logits(np.ones((2, 3)), np.ones((4, 9))),
        ("(4, 9)", "d_model = 3"),
    ),
)
def test_bad_input(call, words):
    assert_refused(call, words)
