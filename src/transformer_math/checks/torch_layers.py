"""PyTorch's own layers with weights of ours: the oracles of everything that has parameters."""

import numpy as np
import torch

from transformer_math.attention.multi_head import AttentionParameters
from transformer_math.block.encoder_layer import EncoderLayerParameters
from transformer_math.block.feed_forward import FeedForwardParameters


def array(tensor: torch.Tensor) -> np.ndarray:
    """The numbers of a tensor, as a NumPy array."""
    return tensor.detach().numpy()


def shaken(module: torch.nn.Module, rng: np.random.Generator) -> torch.nn.Module:
    """The module in float64 with every parameter drawn anew, so that no bias is 0 and no scale is 1."""
    module = module.double().eval()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(
                torch.from_numpy(rng.normal(size=tuple(parameter.shape)) * 0.5)
            )
    return module


def attention_parameters(module: torch.nn.MultiheadAttention) -> AttentionParameters:
    """Read the weights of PyTorch's multi-head attention; it stores them transposed and in one block."""
    W_Q, W_K, W_V = (w.T for w in np.split(array(module.in_proj_weight), 3))
    b_Q, b_K, b_V = np.split(array(module.in_proj_bias), 3)
    return AttentionParameters(
        W_Q,
        W_K,
        W_V,
        array(module.out_proj.weight).T,
        b_Q,
        b_K,
        b_V,
        array(module.out_proj.bias),
    )


def feed_forward_parameters(
    first: torch.nn.Linear, second: torch.nn.Linear
) -> FeedForwardParameters:
    """Read the weights of two linear layers."""
    return FeedForwardParameters(
        array(first.weight).T,
        array(first.bias),
        array(second.weight).T,
        array(second.bias),
    )


def encoder_layer_parameters(
    layer: torch.nn.TransformerEncoderLayer,
) -> EncoderLayerParameters:
    """Read the weights of PyTorch's encoder layer."""
    norms = [
        array(part)
        for norm in (layer.norm1, layer.norm2)
        for part in (norm.weight, norm.bias)
    ]
    feed_forward = feed_forward_parameters(layer.linear1, layer.linear2)
    return EncoderLayerParameters(
        attention_parameters(layer.self_attn), feed_forward, *norms
    )


def encoder_layer(
    rng: np.random.Generator, d_model: int, n_heads: int, d_ff: int, **settings
) -> torch.nn.TransformerEncoderLayer:
    """PyTorch's encoder layer without dropout, with random weights."""
    layer = torch.nn.TransformerEncoderLayer(
        d_model, n_heads, d_ff, dropout=0.0, batch_first=True, **settings
    )
    return shaken(layer, rng)
