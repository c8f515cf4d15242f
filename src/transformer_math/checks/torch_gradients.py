"""PyTorch's layers as functions of trees of tensors, so that autograd reaches every parameter: the oracles of gradients."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch.func import functional_call

from transformer_math.checks.torch_layers import torch_mask
from transformer_math.gradient.feed_forward import (
    gelu_tanh_vjp,
    gelu_vjp,
    relu_vjp,
)

ACTIVATIONS = {
    relu_vjp: torch.relu,
    gelu_vjp: torch.nn.functional.gelu,
    gelu_tanh_vjp: lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
}
Weights = dict[str, torch.Tensor]


def attention_weights(p: SimpleNamespace) -> Weights:
    """The parameters as `torch.nn.MultiheadAttention` names them."""
    return {
        "in_proj_weight": torch.cat([p.W_Q.T, p.W_K.T, p.W_V.T]),
        "in_proj_bias": torch.cat([p.b_Q, p.b_K, p.b_V]),
        "out_proj.weight": p.W_O.T,
        "out_proj.bias": p.b_O,
    }


def layer_weights(p: SimpleNamespace) -> Weights:
    """The parameters as PyTorch's encoder and decoder layers name them."""
    own = {
        "linear1.weight": p.feed_forward.W_1.T,
        "linear1.bias": p.feed_forward.b_1,
        "linear2.weight": p.feed_forward.W_2.T,
        "linear2.bias": p.feed_forward.b_2,
    }
    for name, value in vars(p).items():
        if name.startswith("norm_"):
            theirs = name.replace("_", "")
            own |= {f"{theirs}.weight": value.gamma, f"{theirs}.bias": value.beta}
    for name, theirs in (
        ("attention", "self_attn"),
        ("self_attention", "self_attn"),
        ("cross_attention", "multihead_attn"),
    ):
        if hasattr(p, name):
            weights = attention_weights(getattr(p, name))
            own |= {f"{theirs}.{key}": value for key, value in weights.items()}
    return own


def _layer(kind: type, d_model: int, p: Any, n_heads: int, activation, norm_first):
    layer = kind(
        d_model,
        n_heads,
        len(p.feed_forward.b_1),
        dropout=0.0,
        activation=ACTIVATIONS[activation],
        batch_first=True,
        norm_first=norm_first,
    )
    return layer.double()


def one_batch(x: torch.Tensor) -> torch.Tensor:
    """Tokens after any leading axes, as the one batch that PyTorch's modules know."""
    return x.reshape(-1, *x.shape[-2:])


def mask_like(mask: np.ndarray | None, Z: torch.Tensor, n_heads: int, m: int):
    """A mask as PyTorch's modules want it, for tokens Z and m keys."""
    return torch_mask(mask, *Z.shape[:-2], n_heads, Z.shape[-2], m)


def encoder_layer(Z, p, n_heads, mask=None, activation=relu_vjp, norm_first=False):
    """`torch.nn.TransformerEncoderLayer` with these parameters."""
    kind = torch.nn.TransformerEncoderLayer
    layer = _layer(kind, Z.shape[-1], p, n_heads, activation, norm_first)
    masked = {"src_mask": mask_like(mask, Z, n_heads, Z.shape[-2])}
    return functional_call(layer, layer_weights(p), one_batch(Z), masked).reshape(
        Z.shape
    )


def decoder_layer(
    Z, Y, p, n_heads, mask=None, memory_mask=None, activation=relu_vjp, norm_first=False
):
    """`torch.nn.TransformerDecoderLayer` with these parameters."""
    kind = torch.nn.TransformerDecoderLayer
    layer = _layer(kind, Z.shape[-1], p, n_heads, activation, norm_first)
    masked = {
        "tgt_mask": mask_like(mask, Z, n_heads, Z.shape[-2]),
        "memory_mask": mask_like(memory_mask, Z, n_heads, Y.shape[-2]),
    }
    tokens = (one_batch(Z), one_batch(Y))
    return functional_call(layer, layer_weights(p), tokens, masked).reshape(Z.shape)
