"""The language model learns, its checkpoint has the quality that its card states, and no token sees those behind it."""

import json
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from transformer_math.trained import language_model as lm
from transformer_math.trained.committed import FOLDER, read_history, write_committed
from transformer_math.trained.kneser_ney import fit_ngrams, ngram_probabilities
from transformer_math.training import Settings, bits_per_byte, shift, train
from transformer_math.trees import leaves, map_leaves, same


@dataclass(frozen=True)
class Small(lm.LanguageTask):
    """The task in small, evaluated on a few tokens."""

    steps: int = 60
    every: int = 30
    context: int = 16
    d_model: int = 16
    d_ff: int = 32
    n_layers: int = 1
    warm_up: int = 10

    def evaluate(self, parameters):
        losses = lm.next_token_losses(lm.novel().held_out[:400], parameters, 16)
        return {"held_out": float(losses.mean())}


def test_it_learns_and_resumes_to_the_same_bits(tmp_path):
    settings = Settings(seed=1)
    whole = train(Small(), tmp_path / "whole", settings)
    first, last = (record["held_out"] for record in whole.history)
    assert last < first < 7
    train(Small(), tmp_path / "parts", settings, steps=45)
    parts = train(Small(), tmp_path / "parts", settings)
    assert same(parts.parameters, whole.parameters)
    assert all(leaf.dtype == np.float32 for leaf in leaves(parts.parameters).values())


def test_the_gradient_follows_finite_differences():
    task = Small(batch_size=2)
    rng = np.random.default_rng(0)
    parameters = map_leaves(lambda x: x.astype(float), task.initial(rng))
    batch = task.batch(rng, 1)
    _, gradients = task.loss_and_gradient(parameters, batch)
    way = map_leaves(lambda x: rng.normal(size=x.shape), parameters)

    def loss(step):
        moved = map_leaves(lambda x, w: x + step * w, parameters, way)
        return task.loss_and_gradient(moved, batch)[0]

    slope = (loss(1e-6) - loss(-1e-6)) / 2e-6
    pairs = zip(leaves(gradients).values(), leaves(way).values())
    found = sum(np.sum(g * w) for g, w in pairs)
    assert found == pytest.approx(slope, rel=1e-6)


def test_batches_come_from_both_texts_and_depend_on_the_step():
    task = lm.LanguageTask(batch_size=400, context=8)
    novel = lm.novel().training

    def share_of_novel(step):
        batch = task.batch(np.random.default_rng(0), step)
        assert batch.shape == (400, 9)
        known = {tuple(novel[i : i + 9]) for i in range(len(novel) - 8)}
        return np.mean([tuple(row) in known for row in batch])

    assert share_of_novel(1) == pytest.approx(0.1, abs=0.06)
    assert share_of_novel(task.steps) == pytest.approx(0.9, abs=0.06)


def test_the_committed_model_beats_the_best_n_gram_model():
    text = lm.novel()
    bits = lm.held_out_bits_per_byte(lm.language_model())
    recorded = read_history(lm.NAME)[-1]
    counted = fit_ngrams(text.training, 1024, order=6)  # the best of all orders
    best = float(-np.log(ngram_probabilities(counted, text.held_out))[1:].mean())
    of_counts = bits_per_byte(best, len(text.held_out), text.held_out_bytes)
    assert 1.8 < bits < 1.87
    assert 1.9 < of_counts < 1.95
    single = bits_per_byte(
        recorded["held_out"], len(text.held_out), text.held_out_bytes
    )
    assert bits == pytest.approx(single, abs=0.002)  # what int8 costs
    assert recorded["step"] == lm.LanguageTask().steps


def test_the_files_are_small_and_belong_together():
    assert (FOLDER / f"{lm.NAME}.bin").stat().st_size <= 600_000
    histories = FOLDER.glob(f"{lm.NAME}_history.*")
    assert sum(path.stat().st_size for path in histories) <= 400_000
    assert lm.tokenizer() == lm.novel().bpe
    assert lm.configuration()["context"] == lm.CONTEXT


def test_no_token_sees_those_behind_it():
    model = lm.language_model()
    ids = lm.novel().held_out[:20]
    other = np.append(ids[:10], (ids[10:] + 1) % lm.VOCAB_SIZE)
    one, two = (lm.language_logits(x, model) for x in (ids, other))
    np.testing.assert_array_equal(one[:10], two[:10])
    assert np.abs(one[10:] - two[10:]).max() > 1


def test_losses_of_windows_are_those_of_one_text():
    model = lm.language_model()
    ids = lm.novel().held_out[:301]
    losses = lm.next_token_losses(ids, model, context=64)
    assert losses.shape == (300,) and np.isfinite(losses).all()
    given, wanted = shift(ids[:65])
    logits = lm.language_logits(given, model).astype(float)
    p = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(
        losses[:64], -np.log(p[np.arange(64), wanted]), rtol=1e-4, atol=1e-5
    )
    given, wanted = shift(ids[32 : 32 + 65])
    logits = lm.language_logits(given, model).astype(float)
    p = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(
        losses[64:96], -np.log(p[np.arange(32, 64), wanted[32:]]), rtol=1e-4, atol=1e-5
    )


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
    tokens, weights = lm.attention_of(lm.SENTENCE, lm.language_model(), lm.tokenizer())
    assert head["tokens"] == tokens
    last = scenes[f"attention_{lm.SNAPSHOTS[-1]}"].reshape(weights.shape)
    np.testing.assert_allclose(last, weights, atol=0.03)
    first = scenes["attention_0"].reshape(weights.shape)
    assert np.abs(first - weights).max() > 0.3


def test_finishing_writes_what_is_read(tmp_path, monkeypatch):
    task = lm.LanguageTask(steps=60, every=60, context=8, batch_size=1, warm_up=5)
    monkeypatch.setattr(lm.LanguageTask, "evaluate", lambda self, p: {"held_out": 1.0})
    monkeypatch.setattr(lm, "FOLDER", tmp_path)
    monkeypatch.setattr(
        lm, "write_committed", partial(write_committed, folder=tmp_path)
    )
    run = train(
        task, tmp_path / "run", lm.SETTINGS, report=lambda r, _: lm.watch(r, tmp_path)
    )
    lm.finish(run, tmp_path)
    like = task.initial(np.random.default_rng(0))
    found, texts = lm.read_committed(lm.NAME, like, tmp_path)
    for a, b in zip(leaves(found).values(), leaves(run.parameters).values()):
        np.testing.assert_allclose(a, b, atol=np.abs(b).max() / 200)
    assert json.loads(texts["config"])["steps"] == 60
    assert (tmp_path / f"{lm.NAME}_history.bin").stat().st_size > 10_000
