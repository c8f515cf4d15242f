"""PyTorch's own layers with weights of ours: the oracles of everything that has parameters."""

from typing import TypeVar

import numpy as np
import torch

from transformer_math.attention.multi_head import AttentionParameters
from transformer_math.block.decoder_layer import DecoderLayerParameters
from transformer_math.block.encoder_layer import EncoderLayerParameters
from transformer_math.block.feed_forward import FeedForwardParameters
from transformer_math.block.layer_norm import NormParameters

Module = TypeVar("Module", bound=torch.nn.Module)


def array(tensor: torch.Tensor) -> np.ndarray:
    """The numbers of a tensor, as a NumPy array."""
    return tensor.detach().numpy()


def shaken(module: Module, rng: np.random.Generator) -> Module:
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
    feed_forward = feed_forward_parameters(layer.linear1, layer.linear2)
    norms = _norms(layer.norm1, layer.norm2)
    return EncoderLayerParameters(
        attention_parameters(layer.self_attn), feed_forward, *norms
    )


def decoder_layer_parameters(
    layer: torch.nn.TransformerDecoderLayer,
) -> DecoderLayerParameters:
    """Read the weights of PyTorch's decoder layer."""
    return DecoderLayerParameters(
        attention_parameters(layer.self_attn),
        attention_parameters(layer.multihead_attn),
        feed_forward_parameters(layer.linear1, layer.linear2),
        *_norms(layer.norm1, layer.norm2, layer.norm3),
    )


def _norms(*modules: torch.nn.LayerNorm) -> list[NormParameters]:
    return [NormParameters(array(norm.weight), array(norm.bias)) for norm in modules]


def torch_mask(mask: np.ndarray | None, *shape: int) -> torch.Tensor | None:
    """A mask as PyTorch's modules want it: True where attention is forbidden, one matrix for each sequence and head."""
    if mask is None:
        return None
    return torch.from_numpy(~np.broadcast_to(mask, shape)).reshape(-1, *shape[-2:])


def one_batch(x: np.ndarray) -> torch.Tensor:
    """Tokens after any leading axes, as the one batch that PyTorch's modules know."""
    return torch.from_numpy(x.reshape(-1, *x.shape[-2:]))


def encoder_layer(
    rng: np.random.Generator, d_model: int, n_heads: int, d_ff: int, **settings
) -> torch.nn.TransformerEncoderLayer:
    """PyTorch's encoder layer without dropout, with random weights."""
    layer = torch.nn.TransformerEncoderLayer(
        d_model, n_heads, d_ff, dropout=0.0, batch_first=True, **settings
    )
    return shaken(layer, rng)


def encoder(
    rng: np.random.Generator, n_layers: int, *sizes: int, **settings
) -> torch.nn.TransformerEncoder:
    """PyTorch's stack of encoder layers, every layer with random weights of its own."""
    layer = encoder_layer(rng, *sizes, **settings)
    stack = torch.nn.TransformerEncoder(layer, n_layers, enable_nested_tensor=False)
    return shaken(stack, rng)


def decoder_layer(
    rng: np.random.Generator, d_model: int, n_heads: int, d_ff: int, **settings
) -> torch.nn.TransformerDecoderLayer:
    """PyTorch's decoder layer without dropout, with random weights."""
    layer = torch.nn.TransformerDecoderLayer(
        d_model, n_heads, d_ff, dropout=0.0, batch_first=True, **settings
    )
    return shaken(layer, rng)


def decoder(
    rng: np.random.Generator, n_layers: int, *sizes: int, **settings
) -> torch.nn.TransformerDecoder:
    """PyTorch's stack of decoder layers, every layer with random weights of its own."""
    layer = decoder_layer(rng, *sizes, **settings)
    return shaken(torch.nn.TransformerDecoder(layer, n_layers), rng)
