"""The language model: its gradient, windows and threads, a training in small, and the quality that its card states."""

import json
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from transformer_math.corpus import SENTENCE
from transformer_math.model import initialise_decoder_only
from transformer_math.output import log_softmax
from transformer_math.parts import passages, split_by_chapters
from transformer_math.trained import language_model as lm
from transformer_math.trained import language_texts
from transformer_math.trained.committed import (
    FOLDER,
    read_committed,
    read_history,
    write_committed,
)
from transformer_math.trained.dropping import dropping_logits_vjp
from transformer_math.trained.language_rivals import language_rivals
from transformer_math.training import Settings, bits_per_byte, shift, train
from transformer_math.trees import leaves, map_leaves, same

V, N = 300, 16


@dataclass(frozen=True)
class Small(lm.LanguageTask):
    """The task in small, evaluated on a few tokens."""

    steps: int = 16
    every: int = 8
    batch_size: int = 4
    context: int = N
    warm_up: int = 2
    d_model: int = 20
    d_ff: int = 40
    n_layers: int = 1
    copying: lm.Shares = ((1.0, 0.25),)
    vocab_size: int = V

    def evaluate(self, parameters):
        ids = lm.texts(V).validation[:100]
        return {"held_out": float(lm.next_token_losses(ids, parameters, N).mean())}


@pytest.fixture
def few_chapters(monkeypatch):
    """The first chapters of each text alone: a tokenizer of a few merges in a second."""
    few = split_by_chapters(language_texts.chapters()[:10])
    monkeypatch.setattr(language_texts, "novel", lambda: few)
    others = {name: partial(lambda s: s()[:10], s) for name, s in lm.OTHERS.items()}
    monkeypatch.setattr(language_texts, "OTHERS", others)
    lm.texts.cache_clear()
    yield few
    lm.texts.cache_clear()


def drawn(rng, d_model=20, n_layers=2):
    sizes = V, d_model, lm.N_HEADS, 2 * d_model, n_layers
    start = initialise_decoder_only(rng, *sizes)
    return map_leaves(lambda x: x + 0.05 * rng.normal(size=x.shape), start)


def test_the_gradient_follows_finite_differences(few_chapters):
    rng = np.random.default_rng(0)
    parameters, task = drawn(rng, n_layers=1), Small(threads=1)
    batch = task.batch(rng, 1)
    _, gradients = task.loss_and_gradient(parameters, batch)
    way = map_leaves(lambda x: rng.normal(size=x.shape), parameters)

    def loss(step):
        moved = map_leaves(lambda x, w: x + step * w, parameters, way)
        return task.loss_and_gradient(moved, batch)[0]

    slope = (loss(1e-6) - loss(-1e-6)) / 2e-6
    pairs = zip(leaves(gradients).values(), leaves(way).values())
    assert sum(np.sum(g * w) for g, w in pairs) == pytest.approx(slope, rel=1e-6)


def test_without_gaps_dropout_changes_nothing():
    rng = np.random.default_rng(1)
    parameters, ids = drawn(rng), rng.integers(V, size=(2, 9))
    kept = [np.ones((2, 9, 20), bool)] * 5
    logits, _ = dropping_logits_vjp(ids, parameters, lm.N_HEADS, kept, 0.0)
    wanted = lm.language_logits(ids, parameters)
    np.testing.assert_allclose(logits, wanted, atol=1e-12)


def test_two_threads_learn_what_one_learns(few_chapters):
    rng = np.random.default_rng(2)
    parameters = drawn(rng, n_layers=1)
    batch = Small().batch(rng, 1)
    one, two = (Small(threads=n).loss_and_gradient(parameters, batch) for n in (1, 2))
    assert one[0] == pytest.approx(two[0], rel=1e-12)
    for a, b in zip(leaves(one[1]).values(), leaves(two[1]).values()):
        np.testing.assert_allclose(a, b, atol=1e-12)


def test_batches_hold_text_copies_and_gaps(few_chapters):
    task = Small(batch_size=400, dropout=0.2)
    batch = task.batch(np.random.default_rng(0), task.steps)
    assert batch.windows.shape == (400, N + 1) and len(batch.kept) == 3
    assert 1 - np.mean(batch.kept) == pytest.approx(0.2, abs=0.01)
    novel = lm.texts(V).training["novel"]
    of_novel = {tuple(novel[i : i + N + 1]) for i in range(len(novel) - N)}
    share = np.mean([tuple(w) in of_novel for w in batch.windows.tolist()])
    assert share == pytest.approx(0.75 * 0.6, abs=0.08)
    copies = [w for w in batch.windows if (w[8:] == w[:-8]).all()]
    assert len(copies) == pytest.approx(100, abs=30)


def test_copying_is_taught_in_the_third_quarter():
    task = lm.LanguageTask(steps=100)
    shares = [task.copies(step) for step in range(1, 101)]
    assert shares == [0.03] * 50 + [0.2] * 10 + [0.5] * 15 + [0.03] * 25


def test_what_is_read_too_quotes_no_held_out_chapter():
    held_out = passages(language_texts.novel().validation + language_texts.novel().test)
    for text in language_texts.read_too().values():
        assert not passages([text]) & held_out


def test_held_out_parts_are_the_novels_and_unread(few_chapters):
    text = lm.texts(V)
    assert text.validation_bytes == len("\n\n".join(few_chapters.validation).encode())
    assert text.test_bytes == len("\n\n".join(few_chapters.test).encode())
    known = set(few_chapters.training)
    assert known.isdisjoint(few_chapters.validation + few_chapters.test)


def test_it_learns_and_resumes_to_the_same_bits(few_chapters, tmp_path):
    settings = Settings(seed=1)
    whole = train(Small(), tmp_path / "whole", settings)
    first, last = (record["held_out"] for record in whole.history)
    assert last < first < 8
    train(Small(), tmp_path / "parts", settings, steps=11)
    parts = train(Small(), tmp_path / "parts", settings)
    assert same(parts.parameters, whole.parameters)
    assert all(leaf.dtype == np.float32 for leaf in leaves(parts.parameters).values())


def test_copies_are_evaluated():
    parameters = drawn(np.random.default_rng(4), n_layers=1)
    first, second = lm.copying_losses(parameters, V, N)
    said = np.tile(np.random.default_rng(7).integers(V, size=(16, N // 2)), 2)
    logits = lm.language_logits(said[:, :-1], parameters)
    own = -np.take_along_axis(log_softmax(logits), said[:, 1:, None], axis=-1)[..., 0]
    assert first == pytest.approx(own[:, : N // 2 - 1].mean())
    assert second == pytest.approx(own[:, N // 2 :].mean())


def test_finishing_writes_what_is_read(few_chapters, tmp_path, monkeypatch):
    task = Small(steps=2, every=2, warm_up=1)
    monkeypatch.setattr(
        lm, "write_committed", partial(write_committed, folder=tmp_path)
    )
    monkeypatch.setattr(lm, "FOLDER", tmp_path)
    monkeypatch.setattr(lm, "VOCAB_SIZE", V)
    monkeypatch.setattr(lm, "LanguageTask", Small)
    monkeypatch.setattr(lm, "SAMPLES", 1)
    run = train(task, tmp_path / "run", lm.SETTINGS)
    lm.finish(run, tmp_path)
    like = task.initial(np.random.default_rng(0))
    found, told = read_committed(lm.NAME, like, tmp_path)
    assert json.loads(told["config"])["steps"] == 2
    for a, b in zip(leaves(found).values(), leaves(run.parameters).values()):
        np.testing.assert_allclose(a, b, atol=np.abs(b).max() / 200)


def test_the_files_are_small_and_belong_together():
    assert (FOLDER / f"{lm.NAME}.bin").stat().st_size <= 2_000_000
    histories = FOLDER.glob(f"{lm.NAME}_history.*")
    assert sum(path.stat().st_size for path in histories) <= 400_000
    config = lm.configuration()
    assert (config["context"], config["vocab_size"]) == (lm.CONTEXT, lm.VOCAB_SIZE)
    assert lm.tokenizer() == lm.texts(lm.VOCAB_SIZE).bpe


def test_the_committed_model_is_as_good_as_its_records_say():
    *_, record = language_rivals()
    held_out = lm.novel_tokens("validation")
    nats = float(lm.next_token_losses(held_out, lm.language_model()).mean())
    n_bytes = len("\n\n".join(language_texts.novel().validation).encode())
    bits = bits_per_byte(nats, len(held_out), n_bytes)
    assert bits == pytest.approx(record["validation"], abs=1e-4)
    recorded = read_history(lm.NAME)[-1]
    assert recorded["step"] == lm.LanguageTask().steps
    assert nats == pytest.approx(recorded["held_out"], abs=0.01)  # what int8 costs


def test_it_beats_the_best_that_counts_by_three_hundredths():
    _, counting, model = language_rivals()
    assert model["test"] < 0.97 * counting["test"]


def test_no_token_sees_those_behind_it():
    model = lm.language_model()
    ids = lm.novel_tokens("validation")[:20]
    other = np.append(ids[:10], (ids[10:] + 1) % lm.VOCAB_SIZE)
    one, two = (lm.language_logits(x, model) for x in (ids, other))
    np.testing.assert_array_equal(one[:10], two[:10])
    assert np.abs(one[10:] - two[10:]).max() > 1


def test_losses_of_windows_are_those_of_one_text():
    model = lm.language_model()
    ids = lm.novel_tokens("validation")[:463]
    losses = lm.next_token_losses(ids, model, context=64)
    assert losses.shape == (462,) and np.isfinite(losses).all()
    for begin in range(
        0, 462 - 32, 32
    ):  # ten whole windows after the first, and a short one
        given, wanted = shift(ids[begin : begin + 65])
        logits = lm.language_logits(given, model).astype(float)
        p = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
        own = -np.log(p[np.arange(len(wanted)), wanted])
        found = lm.window_losses(ids[begin : begin + 65], model, 3)
        np.testing.assert_allclose(found, own[3:], rtol=1e-4, atol=1e-5)
        new = 32 if begin else 0
        found = losses[begin + new : begin + 64]
        np.testing.assert_allclose(found, own[new:], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("length", [2, 7, 8, 9, 12, 13, 14, 15])
@pytest.mark.parametrize("context", [2, 7, 8])
def test_every_token_but_the_first_has_a_loss_from_half_a_window(length, context):
    model, half = lm.language_model(), context // 2
    ids = lm.novel_tokens("validation")[:length]
    losses = lm.next_token_losses(ids, model, context)
    for place, loss in enumerate(losses):
        begin = (place - half) // half * half if place >= 2 * half else 0
        own = lm.window_losses(ids[begin : begin + context + 1], model)
        assert loss == pytest.approx(own[place - begin], abs=1e-4)


def test_windows_have_losses_in_any_number_of_axes():
    model = lm.language_model()
    windows = lm.novel_tokens("validation")[: 3 * 4 * 6].reshape(3, 4, 6)
    losses = lm.window_losses(windows, model, 2)
    own = [[lm.next_token_losses(w, model)[2:] for w in some] for some in windows]
    np.testing.assert_allclose(losses, own, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("first", [-1, 5, 6])
def test_where_no_loss_is_left_the_window_is_refused(first):
    windows = lm.novel_tokens("validation")[:12].reshape(2, 6)
    with pytest.raises(ValueError, match=f"first is {first}, of 6 tokens"):
        lm.window_losses(windows, lm.language_model(), first)


def test_a_window_of_one_token_cannot_be_halved():
    with pytest.raises(ValueError, match="context is 1; wanted at least 2"):
        lm.next_token_losses(np.arange(5), lm.language_model(), 1)


def test_it_writes_the_same_from_one_seed_and_begins_with_what_it_was_given():
    model, bpe = lm.language_model(), lm.tokenizer()
    one, two, other = (
        lm.write_on("The whale", model, bpe, 12, np.random.default_rng(seed))
        for seed in (1, 1, 2)
    )
    assert one == two != other
    assert one.startswith("The whale") and len(one) > len("The whale")


def test_the_scenes_show_every_snapshot():
    scenes = lm.language_model_scenes()
    head, told = (json.loads(scenes[name]) for name in ("head", "snapshots"))
    assert [scene["step"] for scene in told] == [0, *lm.SNAPSHOTS]
    tokens, weights = lm.attention_of(SENTENCE, lm.language_model(), lm.tokenizer())
    assert head["tokens"] == tokens
    last = scenes[f"attention_{lm.SNAPSHOTS[-1]}"].reshape(weights.shape)
    np.testing.assert_allclose(last, weights, atol=0.05)
    first = scenes["attention_0"].reshape(weights.shape)
    assert np.abs(first - weights).max() > 0.3
    samples = json.loads(scenes["samples"])
    assert len(samples) == lm.SAMPLES and len(set(samples)) == lm.SAMPLES
