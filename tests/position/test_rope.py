import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.position import rope, rope_half_split, rotate_pairs

rng = np.random.default_rng(3)


def test_lengths_stay():
    x = rng.normal(size=(5, 8))
    assert np.allclose(
        np.linalg.norm(rope(x, np.arange(5.0)), axis=-1),
        np.linalg.norm(x, axis=-1),
        atol=1e-12,
    )


def test_position_zero_changes_nothing():
    x = rng.normal(size=(1, 6))
    assert np.array_equal(rope(x, np.zeros(1)), x)


def test_moving_both_leaves_the_score():
    q, k = rng.normal(size=(2, 1, 16))
    scores = [
        (rope(q, np.array([m])) @ rope(k, np.array([m + 3.0])).T).item()
        for m in (0.0, 1.0, 50.0, 1000.0)
    ]
    assert np.ptp(scores) < 1e-10


@refusals(
    (
        "position NaN",
        lambda: rope(np.ones((2, 4)), np.array([0, np.nan])),
        ("positions holds nan at index (1,)",),
    ),
    ("base zero", lambda: rope(np.ones((2, 4)), np.arange(2.0), 0.0), ("base is 0.0",)),
    (
        "base NaN",
        lambda: rope(np.ones((2, 4)), np.arange(2.0), np.nan),
        ("base is nan",),
    ),
    (
        "positions as a list",
        lambda: rope(np.ones((2, 4)), [0, 1]),
        ("positions is a list",),
    ),
    (
        "positions for each head",
        lambda: rope(np.ones((2, 4)), np.ones((1, 2))),
        ("positions has shape (1, 2)", "1 axis"),
    ),
    (
        "half split, odd size",
        lambda: rope_half_split(np.ones((2, 3)), np.arange(2.0)),
        ("(2, 3)", "even"),
    ),
    (
        "angles of a batch",
        lambda: rotate_pairs(np.ones((2, 4)), np.ones((3, 2, 2))),
        ("angles has shape (3, 2, 2)",),
    ),
    (
        "positions missing",
        lambda: rope(np.ones((3, 4)), np.arange(2.0)),
        ("(2,)", "n = 3"),
    ),
    ("odd size", lambda: rope(np.ones((2, 3)), np.arange(2.0)), ("3", "even")),
    (
        "angles missing",
        lambda: rotate_pairs(np.ones((2, 6)), np.ones((2, 2))),
        ("(2, 6)", "(2, 2)"),
    ),
    (
        "half split, positions missing",
        lambda: rope_half_split(np.ones((3, 4)), np.arange(2.0)),
        ("(3, 4)",),
    ),
)
def test_bad_input(call, words):
    assert_refused(call, words)
