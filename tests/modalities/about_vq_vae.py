"""What the tests of all ideas ask of `modalities/vq_vae`."""

import numpy as np

from transformer_math.modalities import decode, encode, vq_vae_loss

ACCEPTED = {vq_vae_loss: {"beta": {"0", "1.5"}}}
NO_TWIN = {
    encode: "vq_vae_loss_vjp takes the gradient through it, to the encoder's matrix and bias",
    decode: "vq_vae_loss_vjp takes the gradient through it, to the decoder and past the codes",
}


def vector_by_vector(X, p):
    d = p.C.shape[1]
    flat = np.stack([x @ p.W_e + p.b_e for x in X])
    return np.stack(np.split(flat, len(p.b_e) // d, axis=1), axis=1)


def by_einsum(X, p):
    W = p.W_e.reshape(len(p.W_e), -1, p.C.shape[1])
    return np.einsum("nv,vml->nml", X, W) + p.b_e.reshape(W.shape[1:])


def code_by_code(ids, p):
    W = p.W_d.reshape(ids.shape[1], -1, p.W_d.shape[1])
    return p.b_d + sum(p.C[own] @ W[u] for u, own in enumerate(ids.T))


def code_by_frame(ids, p):
    return [np.concatenate(list(p.C[own])) @ p.W_d + p.b_d for own in ids]


def all_in_one(X, p, beta=0.25):
    Z = by_einsum(X, p)
    apart = np.square(Z[..., None, :] - p.C).sum(-1)
    rebuilt = code_by_code(apart.argmin(-1), p)
    return float(
        np.linalg.norm(X - rebuilt) ** 2 / len(X) + (1 + beta) * apart.min(-1).mean()
    )


def frame_by_frame(X, p, beta=0.25):
    return float(np.mean([all_in_one(x[None], p, beta) for x in X]))


RIGHT = [
    (encode, vector_by_vector),
    (encode, by_einsum),
    (decode, code_by_code),
    (decode, lambda ids, p: np.array(code_by_frame(ids, p)).tolist()),
    (vq_vae_loss, all_in_one),
    (vq_vae_loss, frame_by_frame),
]

WRONG = [
    (encode, lambda X, p: by_einsum(X, p)[:, ::-1], "it gave"),
    (encode, lambda X, p: by_einsum(X, p).reshape(len(X), -1), "it gave"),
    (encode, lambda X, p: np.maximum(by_einsum(X, p), 0), "it gave"),
    (encode, lambda X, p: by_einsum(-X, p), "it gave"),
    (encode, lambda X, p: by_einsum(X, p) / 2, "it gave"),
    (decode, lambda ids, p: code_by_code(0 * ids, p), "it gave"),
    (decode, lambda ids, p: code_by_code(ids, p) + p.b_d, "it gave"),
    (decode, lambda ids, p: code_by_code(ids, p)[::-1], "it gave"),
    (decode, lambda ids, p: -code_by_code(ids, p), "it gave"),
    (decode, lambda ids, p: p.C[ids], "it gave"),
    (vq_vae_loss, lambda X, p, beta=0.25: all_in_one(X, p, beta) / 2, "it gave"),
    (vq_vae_loss, lambda X, p, beta=0.25: all_in_one(X, p, 1.0), "it gave"),
    (vq_vae_loss, lambda X, p, beta=0.25: all_in_one(X, p, beta) * len(X), "it gave"),
    (vq_vae_loss, lambda X, p, beta=0.25: beta * all_in_one(X, p), "it gave"),
    (vq_vae_loss, lambda X, p, beta=0.25: all_in_one(0 * X, p, beta), "it gave"),
]

EQUIVALENT = {
    "vq_vae_loss": {
        "decode(nearest_codes(Z, C), parameters) - X → X - decode(nearest_codes(Z, C), parameters)": "A square does not know its sign.",
    },
}
