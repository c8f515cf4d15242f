import numpy as np
import pytest
import torch

from transformer_math.attention import causal_mask
from transformer_math.trained.attention_only import (
    attention_only_logits,
    attention_only_logits_vjp,
    attention_only_weights,
    initialise_attention_only,
)
from transformer_math.trained.induction_heads import (
    N_HEADS,
    VOCAB_SIZE,
    InductionTask,
    induction_heads,
    losses_of_halves,
    prefix_matching_score,
    previous_token_score,
    repeated,
)
from transformer_math.training.loop import train
from transformer_math.trees import leaves, map_leaves


@pytest.fixture(scope="module")
def model():
    return induction_heads()


def torch_logits(ids, leaf, n_heads):
    """The model in PyTorch, written for this test, from leaves by path."""
    E = leaf[".E"]
    n, d = ids.shape[-1], E.shape[1]
    at, pair = torch.arange(n)[:, None], torch.arange(0, d, 2).double()
    angle = at / 10000 ** (pair / d)
    P = torch.stack([angle.sin(), angle.cos()], -1).reshape(n, d).to(E.dtype)
    Z = E[torch.from_numpy(ids)] * d**0.5 + P
    for layer in range(2):
        own = f".layers[{layer}]."
        of = {p.removeprefix(own): x for p, x in leaf.items() if p.startswith(own)}
        x = torch.nn.functional.layer_norm(Z, (d,), of["norm.gamma"], of["norm.beta"])
        Q, K, V = (
            (x @ of[f"attention.W_{c}"] + of[f"attention.b_{c}"])
            .unflatten(-1, (n_heads, -1))
            .transpose(-2, -3)
            for c in "QKV"
        )
        O = torch.nn.functional.scaled_dot_product_attention(Q, K, V, is_causal=True)
        O = O.transpose(-2, -3).flatten(-2)
        Z = Z + O @ of["attention.W_O"] + of["attention.b_O"]
    return Z @ leaf[".W_out"]


def test_the_model_and_its_gradient_equal_pytorch():
    rng = np.random.default_rng(0)
    start = initialise_attention_only(rng, 11, 8, 2, 2)
    parameters = map_leaves(lambda x: x + rng.normal(0, 0.2, x.shape), start)
    ids = rng.integers(0, 11, (3, 7))
    leaf = {
        path: torch.from_numpy(x).requires_grad_()
        for path, x in leaves(parameters).items()
    }
    wanted = torch_logits(ids, leaf, 2)
    gradient = rng.normal(size=wanted.shape)
    found = torch.autograd.grad(wanted, list(leaf.values()), torch.from_numpy(gradient))
    got, pullback = attention_only_logits_vjp(ids, parameters, 2, causal_mask(7))
    np.testing.assert_allclose(got, wanted.detach(), atol=1e-10)
    np.testing.assert_allclose(
        attention_only_logits(ids, parameters, 2, causal_mask(7)), got, atol=1e-12
    )
    (slopes,) = pullback(gradient)
    assert list(leaves(slopes)) == list(leaf)
    for (path, got), wanted in zip(leaves(slopes).items(), found):
        np.testing.assert_allclose(got, wanted, atol=1e-9, err_msg=path)


def test_the_gradient_follows_finite_differences():
    rng = np.random.default_rng(1)
    parameters = initialise_attention_only(rng, 7, 4, 2, 2)
    ids, direction = (
        rng.integers(0, 7, (2, 5)),
        map_leaves(lambda x: rng.normal(size=x.shape), parameters),
    )
    gradient = rng.normal(size=(2, 5, 7))

    def value(step):
        moved = map_leaves(lambda x, way: x + step * way, parameters, direction)
        return (attention_only_logits(ids, moved, 2, causal_mask(5)) * gradient).sum()

    _, pullback = attention_only_logits_vjp(ids, parameters, 2, causal_mask(5))
    slopes = leaves(pullback(gradient)[0]).values()
    along = sum((g * d).sum() for g, d in zip(slopes, leaves(direction).values()))
    assert along == pytest.approx((value(1e-5) - value(-1e-5)) / 2e-5, abs=1e-6)


def test_the_checkpoint_copies_what_it_has_read_once(model):
    rng = np.random.default_rng(11)
    blocks = rng.integers(0, VOCAB_SIZE, (100, 25))
    ids = np.concatenate([blocks, blocks], axis=1)
    leaf = {path: torch.from_numpy(x) for path, x in leaves(model).items()}
    scored = torch_logits(ids[:, :-1], leaf, N_HEADS)
    loss = torch.nn.functional.cross_entropy(
        scored.flatten(0, 1), torch.from_numpy(ids[:, 1:]).flatten(), reduction="none"
    ).view(100, -1)
    first, second = loss[:, :24].mean().item(), loss[:, 25:].mean().item()
    assert first > 0.95 * np.log(VOCAB_SIZE)
    assert second < 0.15
    assert losses_of_halves(ids, model) == pytest.approx((first, second), rel=1e-3)


def test_the_checkpoint_has_a_previous_token_head_and_induction_heads_behind_it(model):
    (ids,) = repeated(np.random.default_rng(12), 1, 30)
    below, above = attention_only_weights(ids, model, N_HEADS, causal_mask(60))
    assert previous_token_score(below).max() > 0.6
    assert prefix_matching_score(above, ids).max() > 0.6
    assert prefix_matching_score(below, ids).max() < 0.2
    assert previous_token_score(above).max() < 0.2


def test_a_little_training_lowers_the_loss(tmp_path):
    task = InductionTask(every=20, batch_size=8)
    first, *_, last = train(task, tmp_path, steps=100).history
    assert last["loss"] < 0.95 * first["loss"]
