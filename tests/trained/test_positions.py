"""The bench for positions: what its tasks ask, that its records are whole, and a claim of its page tried anew."""

from itertools import product

import numpy as np
import pytest

from transformer_math.position import (
    frequencies,
    interpolated_frequencies,
    t5_causal_bucket,
)
from transformer_math.trained import positions
from transformer_math.trained.placed import CONTEXT, D_K, ENCODINGS
from transformer_math.trained.positions import (
    BUCKET_BEFORE,
    CLIPPED,
    COPY_BACK,
    FACTOR,
    LARGEST,
    LAST_BUCKET,
    LONG,
    SEEDS,
    SORTED,
    STEP,
    SYMBOLS,
    TASKS,
    PlacesTask,
    beginning_batch,
    by_place,
    changes,
    copying_batch,
    following_batch,
    going_on,
    language_batch,
    long_batches,
    measured,
    position_runs,
    scalings,
    sorted_right,
    sorting_batch,
)
from transformer_math.training import Settings, train

rng = np.random.default_rng(0)


def test_what_is_to_be_copied_stands_so_far_back():
    given, wanted, counts = copying_batch(rng, 4, 50)
    np.testing.assert_array_equal(wanted[:, COPY_BACK:], given[:, :-COPY_BACK])
    assert not counts[:, :COPY_BACK].any() and counts[:, COPY_BACK:].all()


def test_the_first_letter_is_wanted_everywhere():
    given, wanted, counts = beginning_batch(rng, 3, 20)
    assert counts.all() and (wanted == given[:, [0]]).all()


def test_what_followed_the_last_time_is_wanted():
    given, wanted, counts = following_batch(rng, 3, 40)
    for row, answers, some in zip(given.tolist(), wanted.tolist(), counts):
        for i, letter in enumerate(row):
            before = [j for j in range(i) if row[j] == letter]
            assert bool(some[i]) == bool(before)
            if before:
                assert answers[i] == row[before[-1] + 1]


def test_the_letters_that_follow_are_wanted():
    given, wanted, counts = language_batch(rng, 3, 20)
    np.testing.assert_array_equal(wanted[:, :-1], given[:, 1:])
    assert counts.all()


@pytest.mark.parametrize("number", [None, 2, 40])
def test_answers_are_the_same_symbols_in_order(number):
    given, wanted, counts = sorting_batch(rng, 20, 100, number)
    for row in range(20):
        answers = wanted[row][counts[row] > 0]
        m = len(answers)
        assert m == (number or m) and 2 <= m <= (number or LARGEST)
        assert given[row, m] == SYMBOLS and len(set(answers)) == m
        np.testing.assert_array_equal(np.sort(given[row, :m]), answers)
        np.testing.assert_array_equal(given[row, m + 1 : 2 * m], answers[:-1])


def test_the_largest_training_text_of_sorting_fits():
    assert 2 * LARGEST <= CONTEXT and max(SORTED) < SYMBOLS


def untrained(task):
    encoding = ENCODINGS["none"]
    return PlacesTask(task, encoding).initial(np.random.default_rng(0)), encoding


def test_measures_of_a_perfect_model(monkeypatch):
    def copied(given, parameters, encoding):
        return 100.0 * np.eye(16)[np.roll(given, COPY_BACK, axis=1)], None

    monkeypatch.setattr(positions, "placed_logits_vjp", copied)
    found = by_place(*untrained("copying"), long_batches("copying", LONG))
    assert found["right"] == [1.0] * (LONG // STEP)
    np.testing.assert_allclose(found["loss"], 0, atol=1e-9)


def test_measures_of_a_model_that_always_says_the_same(monkeypatch):
    def next_symbol(given, parameters, encoding):
        return np.eye(SYMBOLS + 1)[(given + 1) % (SYMBOLS + 1)], None

    monkeypatch.setattr(positions, "placed_logits_vjp", next_symbol)
    few, many = sorted_right(*untrained("sorting"), [5, 62])
    assert few < 0.3 and many > 0.9


def test_a_table_of_places_is_measured_as_far_as_it_goes():
    task = PlacesTask("copying", ENCODINGS["learned"])
    parameters = task.initial(np.random.default_rng(0))
    assert (
        len(measured("copying", parameters, task.encoding)["loss"]) == CONTEXT // STEP
    )
    found = measured(
        "sorting", PlacesTask("sorting", task.encoding).initial(rng), task.encoding
    )
    assert len(found["right"]) == sum(2 * m <= CONTEXT for m in SORTED)


def test_scalings_slow_what_they_should():
    """The slowest plane is slowed by the factor in all three, the fastest by interpolation alone, or in part."""
    q = np.zeros((1, 1, 2, D_K))
    q[..., -2], k = 1.0, np.zeros((1, 1, 2, D_K))
    k[..., -2] = 1.0
    slowest = {name: e.scores(q, k, {})[0][0, 0, 1, 0] * np.sqrt(D_K) for name, e in scalings().items()}  # fmt: skip
    wanted = np.cos(interpolated_frequencies(D_K, FACTOR)[-1])
    for name in ("interpolation", "NTK-aware base"):
        assert slowest[name] == pytest.approx(wanted, abs=1e-12)
    assert slowest["YaRN"] > 1
    assert slowest["unchanged"] == pytest.approx(
        np.cos(frequencies(D_K)[-1]), abs=1e-15
    )


def records(longer):
    return [r for r in position_runs() if (r["task"] == "longer") == longer]


def test_the_records_are_whole():
    found = [(r["task"], r["encoding"], r["seed"]) for r in records(longer=False)]
    assert sorted(found) == sorted(product(TASKS, ENCODINGS, SEEDS))
    found = [(r["encoding"], r["steps"], r["seed"]) for r in records(longer=True)]
    wanted = [
        *product(scalings(), (0, 100), SEEDS),
        *product([CLIPPED, LAST_BUCKET, BUCKET_BEFORE], [0], SEEDS),
    ]
    assert sorted(found) == sorted(wanted)


@pytest.mark.parametrize("bucket", [20, 21])
def test_all_buckets_after_one_get_its_number(bucket):
    old = PlacesTask("language", ENCODINGS["T5"]).initial(np.random.default_rng(0))
    new = going_on(old, bucket)
    for before, after in zip(old.layers, new.layers):
        T, changed = before.attention.own["T"], after.attention.own["T"]
        np.testing.assert_array_equal(changed[: bucket + 1], T[: bucket + 1])
        np.testing.assert_array_equal(changed[bucket:], np.broadcast_to(T[bucket], changed[bucket:].shape))  # fmt: skip


def test_what_goes_on_is_the_last_bucket_that_training_saw_and_the_one_before_it():
    old = PlacesTask("language", ENCODINGS["T5"]).initial(np.random.default_rng(0))
    T = old.layers[0].attention.own["T"]
    seen = {int(t5_causal_bucket(np.array([-d]), len(T))[0]) for d in range(CONTEXT)}
    last = max(seen)
    assert seen == set(range(last + 1)) and last < len(T) - 1
    found = {way: new for way, new, _ in changes("T5", old)}
    assert list(found) == [LAST_BUCKET, BUCKET_BEFORE]
    for new, bucket in zip(found.values(), (last, last - 1)):
        changed = new.layers[0].attention.own["T"]
        np.testing.assert_array_equal(changed[-1], T[bucket])
        assert (changed[bucket - 1] != T[bucket]).all()


def test_unscaled_and_without_more_steps_it_is_the_model_that_it_was():
    bases = {
        r["seed"]: r["loss"]
        for r in records(longer=False)
        if (r["task"], r["encoding"]) == ("language", "RoPE")
    }
    for r in records(longer=True):
        if (r["encoding"], r["steps"]) == ("unchanged", 0):
            np.testing.assert_allclose(r["loss"], bases.pop(r["seed"]), rtol=1e-5)
    assert not bases


def test_clipped_offsets_copy_in_texts_eight_times_as_long(tmp_path):
    """A shorter training than that of the records, and the same end."""
    task = PlacesTask("copying", ENCODINGS["Shaw"], steps=300, every=300)
    run = train(task, tmp_path, Settings(seed=5))
    found = measured("copying", run.parameters, task.encoding)
    assert min(found["right"]) > 0.99
