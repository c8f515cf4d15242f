"""The recipe of the English model: its gradient, windows and threads, and a training in small that goes on where it stopped."""

import json
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest
import torch

from transformer_math.checks.gradients import as_tensors
from transformer_math.output import log_softmax
from transformer_math.parts import split_by_chapters
from transformer_math.trained import english as en
from transformer_math.trained.committed import read_committed, write_committed
from transformer_math.trained.english_model import (
    english_logits,
    english_logits_vjp,
    new_parameters,
)
from transformer_math.training import Settings, train
from transformer_math.trees import leaves, map_leaves, same

V, N = 300, 16


@dataclass(frozen=True)
class Small(en.EnglishTask):
    steps: int = 16
    every: int = 8
    batch_size: int = 4
    context: int = N
    warm_up: int = 2
    d_model: int = 20
    d_ff: int = 40
    n_layers: int = 1
    copying: float = 0.25
    vocab_size: int = V

    def evaluate(self, parameters):
        found = en.losses(en.texts(V).validation[:100], parameters, N)
        return {"validation": float(found.mean())}


@pytest.fixture(autouse=True, scope="module")
def few_chapters():
    """The first chapters and addresses alone: a tokenizer of a few merges in a second."""
    few = {
        name: split_by_chapters(source()[:10]) for name, source in en.SOURCES.items()
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(en, "parts", lambda: few)
        en.texts.cache_clear()
        yield
    en.texts.cache_clear()


def drawn(rng, d_model=20, n_layers=2):
    drawn = new_parameters(rng, V, d_model, en.N_HEADS, 2 * d_model, n_layers)
    return map_leaves(lambda x: x + 0.05 * rng.normal(size=x.shape), drawn)


def test_the_gradient_follows_finite_differences():
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


def test_logits_are_those_of_pytorch():
    rng = np.random.default_rng(1)
    parameters = drawn(rng)
    p = as_tensors(parameters)
    ids, d, H = rng.integers(V, size=(2, 9)), 20, en.N_HEADS
    norm = torch.nn.functional.layer_norm
    angles = torch.outer(
        torch.arange(9.0, dtype=torch.float64),
        10000.0 ** (-torch.arange(0, d // H, 2, dtype=torch.float64) / (d // H)),
    )
    turn = torch.polar(torch.ones_like(angles), angles)

    def heads(x):
        return x.view(2, 9, H, d // H).transpose(1, 2)

    def turned(x):
        pairs = torch.view_as_complex(heads(x).reshape(2, H, 9, -1, 2).contiguous())
        return torch.view_as_real(pairs * turn).flatten(-2)

    Z = d**0.5 * p.E[torch.from_numpy(ids)]
    for layer in p.layers:
        a, f = layer.attention, layer.feed_forward
        X = norm(Z, (d,), layer.norm_1.gamma, layer.norm_1.beta)
        Q, K = turned(X @ a.W_Q + a.b_Q), turned(X @ a.W_K + a.b_K)
        O = torch.nn.functional.scaled_dot_product_attention(
            Q, K, heads(X @ a.W_V + a.b_V), is_causal=True
        )
        Z = Z + O.transpose(1, 2).reshape(2, 9, d) @ a.W_O + a.b_O
        X = norm(Z, (d,), layer.norm_2.gamma, layer.norm_2.beta)
        Z = Z + torch.relu(X @ f.W_1 + f.b_1) @ f.W_2 + f.b_2
    wanted = norm(Z, (d,), p.norm.gamma, p.norm.beta) @ p.E.T
    found = english_logits(ids, parameters, H)
    np.testing.assert_allclose(found, wanted.numpy(), atol=1e-10)
    kept = [np.ones((2, 9, d), bool)] * 5
    value, _ = english_logits_vjp(ids, parameters, H, kept, 0.0)
    np.testing.assert_allclose(value, found, atol=1e-10)


def test_two_threads_learn_what_one_learns():
    rng = np.random.default_rng(2)
    parameters = drawn(rng, n_layers=1)
    batch = Small().batch(rng, 1)
    one, two = (Small(threads=n).loss_and_gradient(parameters, batch) for n in (1, 2))
    assert one[0] == pytest.approx(two[0], rel=1e-12)
    for a, b in zip(leaves(one[1]).values(), leaves(two[1]).values()):
        np.testing.assert_allclose(a, b, atol=1e-12)


def test_batches_hold_text_copies_and_gaps():
    task = Small(batch_size=400, dropout=0.2)
    batch = task.batch(np.random.default_rng(0), task.steps)
    assert batch.windows.shape == (400, N + 1) and len(batch.kept) == 3
    assert 1 - np.mean(batch.kept) == pytest.approx(0.2, abs=0.01)
    novel = en.texts(V).training["novel"]
    of_novel = {tuple(novel[i : i + N + 1]) for i in range(len(novel) - N)}
    share = np.mean([tuple(w) in of_novel for w in batch.windows.tolist()])
    assert share == pytest.approx(0.75 * 0.9, abs=0.08)
    copies = [w for w in batch.windows if (w[8:] == w[:-8]).all()]
    assert len(copies) == pytest.approx(100, abs=30)


def test_no_token_sees_those_behind_it():
    rng = np.random.default_rng(3)
    parameters, ids = drawn(rng), rng.integers(V, size=12)
    other = np.append(ids[:6], (ids[6:] + 1) % V)
    one, two = (english_logits(x, parameters, en.N_HEADS) for x in (ids, other))
    np.testing.assert_array_equal(one[:6], two[:6])
    assert np.abs(one[6:] - two[6:]).max() > 0.1


def test_held_out_parts_are_the_novels_and_unread():
    text, novel = en.texts(V), en.parts()["novel"]
    assert text.validation_bytes == len("\n\n".join(novel.validation).encode())
    assert text.test_bytes == len("\n\n".join(novel.test).encode())
    assert set(novel.training).isdisjoint(novel.validation + novel.test)


def test_it_learns_and_resumes_to_the_same_bits(tmp_path):
    settings = Settings(seed=1)
    whole = train(Small(), tmp_path / "whole", settings)
    first, last = (record["validation"] for record in whole.history)
    assert last < first < 8
    train(Small(), tmp_path / "parts", settings, steps=11)
    parts = train(Small(), tmp_path / "parts", settings)
    assert same(parts.parameters, whole.parameters)
    assert all(leaf.dtype == np.float32 for leaf in leaves(parts.parameters).values())


def test_bits_and_copies_are_evaluated():
    parameters = drawn(np.random.default_rng(4), n_layers=1)
    text = en.texts(V)
    few = replace(text, validation=text.validation[:300], validation_bytes=400)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(en, "texts", lambda vocab_size: few)
        found = en.EnglishTask(vocab_size=V, context=N).evaluate(parameters)
    nats = en.losses(few.validation, parameters, N).mean()
    assert found["validation"] == pytest.approx(nats / np.log(2) * 300 / 400)
    said = np.tile(np.random.default_rng(7).integers(V, size=(16, N // 2)), 2)
    logits = english_logits(said[:, :-1], parameters, en.N_HEADS)
    own = -np.take_along_axis(log_softmax(logits), said[:, 1:, None], axis=-1)[..., 0]
    assert found["first"] == pytest.approx(own[:, : N // 2 - 1].mean())
    assert found["second"] == pytest.approx(own[:, N // 2 :].mean())


def test_finishing_writes_what_is_read(tmp_path, monkeypatch):
    task = en.EnglishTask(steps=2, every=2, batch_size=2, context=8, warm_up=1)
    monkeypatch.setattr(en.EnglishTask, "evaluate", lambda self, p: {"validation": 1.0})
    monkeypatch.setattr(
        en, "write_committed", partial(write_committed, folder=tmp_path)
    )
    monkeypatch.setattr(en, "bits_of_the_test", lambda parameters: 1.5)
    monkeypatch.setattr(en, "rival", lambda: (None, 2.0))
    monkeypatch.setattr(en, "bits_of_the_rival_on_the_test", lambda mixture: 2.5)
    run = train(task, tmp_path / "run", en.SETTINGS)
    en.finish(run, tmp_path)
    like = task.initial(np.random.default_rng(0))
    found, told = read_committed(en.NAME, like, tmp_path)
    assert json.loads(told["config"])["test"] == 1.5
    for a, b in zip(leaves(found).values(), leaves(run.parameters).values()):
        np.testing.assert_allclose(a, b, atol=np.abs(b).max() / 200)
    size = (tmp_path / f"{en.NAME}.bin").stat().st_size
    assert size <= 2_000_000  # what a page may fetch
