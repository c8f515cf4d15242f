"""The autoencoder's step against PyTorch's autograd, and what its strips and its checkpoint promise."""

import numpy as np
import pytest
import torch

from transformer_math.signals.prints import prints
from transformer_math.trained.vqgan import (
    CODES,
    FILES,
    PATCH,
    SQUARE,
    WAYS,
    VqganTask,
    Way,
    decode,
    edge_filters,
    encode,
    grid_of_patches,
    picture_of,
    qualities,
    regions,
    seams,
    vqgan,
    vqgan_records,
)

conv2d, relu = torch.nn.functional.conv2d, torch.nn.functional.relu


def convolution(x, K, b):
    return conv2d(
        x.permute(0, 3, 1, 2), K.permute(3, 2, 0, 1).contiguous(), b, padding=1
    ).permute(0, 2, 3, 1)


def in_patches(X):
    n, H, W, _ = X.shape
    cut = X.reshape(n, H // PATCH, PATCH, W // PATCH, PATCH).transpose(2, 3)
    return cut.reshape(n, H // PATCH, W // PATCH, PATCH**2)


def as_picture(T):
    n, h, w, _ = T.shape
    cut = T.reshape(n, h, w, PATCH, PATCH).transpose(2, 3)
    return cut.reshape(n, h * PATCH, w * PATCH, 1)


def read(T, W, b, K, c):
    return convolution(relu(T @ W + b), K, c)


def strengths(X):
    answers = convolution(X, torch.tensor(edge_filters()).double(), None)
    pooled = torch.nn.functional.avg_pool2d(
        answers.permute(0, 3, 1, 2).square(), SQUARE
    )
    return (1e-4 + pooled).sqrt()


def losses_of_torch(p, X, way):
    """The loss of the autoencoder, whose weight is measured, and that of the discriminator."""
    T = in_patches(X)
    Z = read(T, *p["encoder"])
    ids = torch.cdist(Z.reshape(-1, Z.shape[-1]), p["codes"]).argmin(-1)
    Q = p["codes"][ids].reshape(Z.shape)
    K, b, W, c = p["decoder"]
    drawn = relu(convolution(Z + (Q - Z).detach(), K, b)) @ W + c
    loss = (drawn - T).square().mean()
    loss = (
        loss
        + way.perceptual * (strengths(as_picture(drawn)) - strengths(X)).square().mean()
    )
    h = PATCH // 2
    score = lambda Y: read(in_patches(Y[:, h:-h, h:-h]), *p["judge"])  # noqa: E731
    gan = -score(as_picture(drawn)).mean()
    rec_length, gan_length = (
        torch.autograd.grad(x, W, retain_graph=True)[0].norm() for x in (loss, gan)
    )
    weight = way.adversarial * (rec_length / (gan_length + 1e-6)).detach()
    of_codes = (Z.detach() - Q).square().mean() + (Z - Q.detach()).square().mean() / 4
    fooled = as_picture(drawn).detach()
    judge = (relu(1 - score(X)).mean() + relu(1 + score(fooled)).mean()) / 2
    return loss + weight * gan + of_codes, judge


@pytest.mark.parametrize("way", [Way(), Way(3.0), Way(3.0, 0.7)])
def test_a_step_has_the_gradients_of_autograd(way):
    task = VqganTask(way, batch_size=2)
    parameters = task.initial(np.random.default_rng(3))
    X = task.batch(np.random.default_rng(4), 1)
    _, found = task.loss_and_gradient(parameters, X)
    p = {
        name: torch.tensor(part).double().requires_grad_()
        if name == "codes"
        else tuple(torch.tensor(x).double().requires_grad_() for x in part)
        for name, part in parameters.items()
    }
    loss, judge = losses_of_torch(p, torch.tensor(X).double(), way)
    for name, of in (("encoder", loss), ("decoder", loss), ("judge", judge)):
        if name == "judge" and not way.adversarial:
            assert not any(x.any() for x in found["judge"])
            continue
        wanted = torch.autograd.grad(of, p[name], retain_graph=True)
        for ours, theirs in zip(found[name], wanted, strict=True):
            assert (
                np.abs(ours - theirs.numpy()).max()
                < 1e-4 * (1e-3 + theirs.abs().max().item()) + 1e-6
            )
    (wanted,) = torch.autograd.grad(loss, p["codes"])
    assert np.allclose(found["codes"], wanted.numpy(), atol=1e-6)


def test_the_strips_share_no_column():
    for name, grey in prints().items():
        widths = [
            regions(part)[name].shape[1] for part in ("training", "validation", "test")
        ]
        assert sum(widths) <= grey.shape[1]
        assert widths[1:] == [128, 256]
        right = regions("test")[name][:, -1, 0] * 0.25 + 0.5
        assert np.allclose(right, grey[: len(right), -1], atol=1e-6)


def test_patches_go_out_and_back():
    X = np.random.default_rng(0).normal(size=(2, 16, 24, 1))
    assert np.array_equal(picture_of(grid_of_patches(X)), X)


def test_seams_of_noise_are_those_of_its_inside():
    X = np.random.default_rng(0).normal(size=(256, 256, 1))
    assert abs(seams(X) - 1) < 0.05


@pytest.mark.parametrize("way", WAYS)
def test_the_checkpoint_is_what_was_measured(way):
    """Weights as bytes change little: the first seed's record is met within a few per cent."""
    (record,) = (r for r in vqgan_records() if r["way"] == way and r["seed"] == 1)
    found = qualities(vqgan(way), "test")
    assert found["error"] == pytest.approx(record["error"], rel=0.1)
    assert found["detail"] == pytest.approx(record["detail"], rel=0.3)


def test_every_way_has_a_checkpoint_and_three_records():
    assert set(FILES) == set(WAYS)
    assert sorted(r["way"] for r in vqgan_records()) == sorted([*WAYS] * 3)


def test_a_picture_becomes_a_grid_and_a_picture_again():
    X = regions("test")["sheep"]
    ids = encode(X, vqgan("squared error"))
    assert ids.shape == (X.shape[0] // PATCH, X.shape[1] // PATCH)
    assert ids.min() >= 0
    assert ids.max() < CODES
    assert decode(ids, vqgan("squared error")).shape == X.shape


def test_the_prints_hold_pixels_that_nobody_can_change():
    assert len(prints()) == 8
    for grey in prints().values():
        assert max(grey.shape) == 1024
        assert 0 <= grey.min() < 0.3
        assert 0.7 < grey.max() <= 1
        with pytest.raises(ValueError):
            grey[0] = 0
