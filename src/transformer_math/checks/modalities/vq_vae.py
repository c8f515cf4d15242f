"""Checks of the smallest VQ-VAE, against PyTorch's linear layers and embedding."""

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.modalities.codebook import first_nearest
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import few, size, sometimes
from transformer_math.modalities.codebook import nearest_codes
from transformer_math.modalities.vq_vae import VqVae, decode, encode, vq_vae_loss


def frames_and_model(rng):
    """A few frames, and a model with random numbers."""
    n, d_frame, k = size(rng, mostly=2), size(rng, mostly=2), size(rng)
    m, d = few(rng), few(rng, mostly=2)
    parameters = VqVae(
        *(rng.normal(size=(d_frame, m * d)), rng.normal(size=m * d)),
        rng.normal(size=(k, d)) * 2,
        *(rng.normal(size=(m * d, d_frame)), rng.normal(size=d_frame)),
    )
    return rng.normal(size=(n, d_frame)), parameters


def tensors(parameters):
    """The five arrays, as PyTorch's."""
    return [torch.from_numpy(x) for x in vars(parameters).values()]


def encoded(X, W_e, b_e, d):
    """PyTorch's linear layer, whose matrix is ours transposed."""
    flat = torch.nn.functional.linear(X, W_e.mT, b_e)
    return torch.stack(flat.split(d, dim=-1), dim=-2)


@check(
    encode,
    equation="eq-vq-encode",
    symbols={"return": "Z"},
    oracle="torch.nn.functional.linear and split",
)
def encoded_equal_linear(encode, rng):
    X, p = frames_and_model(rng)
    W_e, b_e, C, *_ = tensors(p)
    return difference(encode(X, p), encoded(torch.from_numpy(X), W_e, b_e, C.shape[1]))


@encoded_equal_linear.rejects(
    "Your vectors take every m-th number; wanted are neighbours, d of them at a time."
)
def interleaved(X, parameters):
    Z = encode(X, parameters)
    return Z.reshape(len(X), Z.shape[2], Z.shape[1]).swapaxes(1, 2)


@encoded_equal_linear.rejects("The bias of the encoder is missing.")
def without_bias(X, parameters):
    p = parameters
    return (X @ p.W_e).reshape(len(X), -1, p.C.shape[1])


@encoded_equal_linear.rejects(
    "You give the codes already; wanted are the vectors before the choice."
)
def already_quantised(X, parameters):
    Z = encode(X, parameters)
    return parameters.C[nearest_codes(Z, parameters.C)]


@check(
    decode,
    equation="eq-vq-decode",
    symbols={"ids": "a", "return": "F"},
    oracle="torch.nn.functional.embedding and linear",
)
def rebuilt_equal_linear(decode, rng):
    X, p = frames_and_model(rng)
    *_, C, W_d, b_d = tensors(p)
    ids = rng.integers(len(C), size=(len(X), len(W_d) // C.shape[1]))
    rows = torch.nn.functional.embedding(torch.from_numpy(ids), C).flatten(1)
    return difference(decode(ids, p), torch.nn.functional.linear(rows, W_d.mT, b_d))


@rebuilt_equal_linear.rejects("The bias of the decoder is missing.")
def decoded_without_bias(ids, parameters):
    return decode(ids, parameters) - parameters.b_d


@rebuilt_equal_linear.rejects(
    "The codes of a frame have changed their order: the first stands first."
)
def turned(ids, parameters):
    return decode(ids[:, ::-1], parameters)


@rebuilt_equal_linear.rejects(
    "Every place takes the first code; wanted is the code of its own."
)
def first_code(ids, parameters):
    return decode(np.repeat(ids[:, :1], ids.shape[1], axis=1), parameters)


def loss_in_torch(X, W_e, b_e, C, W_d, b_d, beta):
    """With what is held fixed detached."""
    Z = encoded(X, W_e, b_e, C.shape[1])
    ids = torch.from_numpy(first_nearest(Z.detach().numpy(), C.detach().numpy()))
    Q = C[ids]
    passed = Z + (Q - Z).detach()
    rebuilt = torch.nn.functional.linear(passed.flatten(1), W_d.mT, b_d)
    code = (Z.detach() - Q).square().sum(-1).mean()
    commit = (Z - Q.detach()).square().sum(-1).mean()
    return (X - rebuilt).square().sum(-1).mean() + code + beta * commit


@check(
    vq_vae_loss,
    equation="eq-vq-vae-loss",
    symbols={"return": "mathcal:L"},
    oracle="PyTorch's linear layers, in single terms",
)
def vq_loss_equals_torch(vq_vae_loss, rng):
    X, p = frames_and_model(rng)
    given, beta = sometimes(rng, float(rng.choice([0.0, 0.5, 2.0])), 0.25)
    wanted = loss_in_torch(torch.from_numpy(X), *tensors(p), beta)
    return difference(vq_vae_loss(X, p, *given), float(wanted))


@vq_loss_equals_torch.rejects(
    "β stands before the codebook loss in your version; it weighs the commitment loss. (The values differ only where β is taken for both.)"
)
def beta_for_both(X, parameters, beta=0.25):
    rebuilt = vq_vae_loss(X, parameters, 0.0)
    Z = encode(X, parameters)
    apart = np.square(Z - parameters.C[nearest_codes(Z, parameters.C)]).sum(-1).mean()
    return float(rebuilt - apart + 2 * beta * apart)


@vq_loss_equals_torch.rejects(
    "You average the squares over the entries of a frame; wanted is their sum, and the mean over the frames."
)
def mean_over_entries_of_frames(X, parameters, beta=0.25):
    Z, C = encode(X, parameters), parameters.C
    ids = nearest_codes(Z, C)
    apart = np.square(Z - C[ids]).sum(-1).mean()
    return float(np.square(X - decode(ids, parameters)).mean() + (1 + beta) * apart)


@vq_loss_equals_torch.rejects(
    "You decode the vectors, not their codes: then the codebook has no part in what is rebuilt."
)
def without_codes(X, parameters, beta=0.25):
    p, Z = parameters, encode(X, parameters)
    apart = np.square(Z - p.C[nearest_codes(Z, p.C)]).sum(-1).mean()
    rebuilt = Z.reshape(len(X), -1) @ p.W_d + p.b_d
    return float(np.square(X - rebuilt).sum(-1).mean() + (1 + beta) * apart)


@vq_loss_equals_torch.rejects("The commitment loss is missing.")
def without_commitment(X, parameters, beta=0.25):
    return vq_vae_loss(X, parameters, 0.0)
