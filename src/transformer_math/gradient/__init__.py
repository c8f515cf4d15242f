"""Gradients: for every differentiable function a twin that returns its value and a pullback, from softmax to the whole model."""

# Written by `make exports` from what the modules define.
from transformer_math.gradient.alibi import alibi_attention_vjp
from transformer_math.gradient.attention import (
    apply_mask_vjp,
    attention_vjp,
    scores_vjp,
)
from transformer_math.gradient.codebook import (
    codebook_loss_vjp,
    commitment_loss_vjp,
    quantise_vjp,
    stop_gradient_vjp,
)
from transformer_math.gradient.cross_attention import cross_attention_vjp
from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.gradient.decoder_layer import (
    decoder_layer_pre_norm_vjp,
    decoder_layer_vjp,
    decoder_pre_norm_vjp,
    decoder_vjp,
)
from transformer_math.gradient.decoder_only import decoder_only_logits_vjp
from transformer_math.gradient.decoder_only_layer import decoder_only_layer_vjp
from transformer_math.gradient.divided_attention import divided_layer_vjp
from transformer_math.gradient.dropout import dropout_vjp
from transformer_math.gradient.encoder_decoder import encoder_decoder_logits_vjp
from transformer_math.gradient.encoder_layer import (
    encoder_layer_pre_norm_vjp,
    encoder_layer_vjp,
    encoder_pre_norm_vjp,
    encoder_vjp,
)
from transformer_math.gradient.fasttext import (
    expected_sampling_loss_vjp,
    sum_of_ngrams_vjp,
)
from transformer_math.gradient.feed_forward import (
    feed_forward_vjp,
    gelu_tanh_vjp,
    gelu_vjp,
    relu_vjp,
)
from transformer_math.gradient.glove import glove_loss_vjp
from transformer_math.gradient.layer_norm import (
    add_norm_vjp,
    layer_norm_vjp,
    pre_norm_vjp,
    residual_vjp,
)
from transformer_math.gradient.learned import add_learned_position_vjp
from transformer_math.gradient.lookup import (
    add_position_vjp,
    embed_at_positions_vjp,
    embed_vjp,
    scale_embedding_vjp,
)
from transformer_math.gradient.model import transformer_logits_vjp
from transformer_math.gradient.multi_head import (
    multi_head_attention_vjp,
    self_attention_vjp,
)
from transformer_math.gradient.neuron import neuron_loss_vjp
from transformer_math.gradient.patches import vit_input_vjp
from transformer_math.gradient.point_clouds import (
    chamfer_distance_vjp,
    gumbel_softmax_vjp,
    point_net_vjp,
)
from transformer_math.gradient.probabilities import (
    log_softmax_vjp,
    logits_vjp,
    probabilities_vjp,
)
from transformer_math.gradient.projections import project_vjp
from transformer_math.gradient.relative import (
    relative_attention_vjp,
    relative_scores_vjp,
    skew_vjp,
)
from transformer_math.gradient.rms_norm import rms_norm_vjp
from transformer_math.gradient.rope import (
    rope_half_split_vjp,
    rope_vjp,
    rotate_pairs_vjp,
)
from transformer_math.gradient.rotary_attention import rotary_attention_vjp
from transformer_math.gradient.series_contrast import (
    contrast_vjp,
    dual_contrast_vjp,
    halve_time_vjp,
    hierarchical_contrast_vjp,
)
from transformer_math.gradient.side_by_side import clip_loss_vjp
from transformer_math.gradient.softmax import softmax_vjp
from transformer_math.gradient.swiglu import swiglu_vjp, swish_vjp
from transformer_math.gradient.t5 import t5_bias_vjp, t5_causal_bias_vjp, t5_scores_vjp
from transformer_math.gradient.time_series import (
    dilated_convolution_vjp,
    masked_projection_vjp,
)
from transformer_math.gradient.tubelets import video_input_vjp
from transformer_math.gradient.vit import vit_logits_vjp
from transformer_math.gradient.vq_vae import vq_vae_loss_vjp
from transformer_math.gradient.vqgan import (
    convolve_vjp,
    discriminator_loss_vjp,
    energies_vjp,
    generator_loss_vjp,
    perceptual_loss_vjp,
)
from transformer_math.gradient.word2vec import (
    cbow_context_vjp,
    negative_sampling_loss_vjp,
)

__all__ = [
    "add_learned_position_vjp",
    "add_norm_vjp",
    "add_position_vjp",
    "alibi_attention_vjp",
    "apply_mask_vjp",
    "attention_vjp",
    "cbow_context_vjp",
    "chamfer_distance_vjp",
    "clip_loss_vjp",
    "codebook_loss_vjp",
    "commitment_loss_vjp",
    "contrast_vjp",
    "convolve_vjp",
    "cross_attention_vjp",
    "cross_entropy_vjp",
    "decoder_layer_pre_norm_vjp",
    "decoder_layer_vjp",
    "decoder_only_layer_vjp",
    "decoder_only_logits_vjp",
    "decoder_pre_norm_vjp",
    "decoder_vjp",
    "dilated_convolution_vjp",
    "discriminator_loss_vjp",
    "divided_layer_vjp",
    "dropout_vjp",
    "dual_contrast_vjp",
    "embed_at_positions_vjp",
    "embed_vjp",
    "encoder_decoder_logits_vjp",
    "encoder_layer_pre_norm_vjp",
    "encoder_layer_vjp",
    "encoder_pre_norm_vjp",
    "encoder_vjp",
    "energies_vjp",
    "expected_sampling_loss_vjp",
    "feed_forward_vjp",
    "gelu_tanh_vjp",
    "gelu_vjp",
    "generator_loss_vjp",
    "glove_loss_vjp",
    "gumbel_softmax_vjp",
    "halve_time_vjp",
    "hierarchical_contrast_vjp",
    "layer_norm_vjp",
    "log_softmax_vjp",
    "logits_vjp",
    "masked_projection_vjp",
    "multi_head_attention_vjp",
    "negative_sampling_loss_vjp",
    "neuron_loss_vjp",
    "perceptual_loss_vjp",
    "point_net_vjp",
    "pre_norm_vjp",
    "probabilities_vjp",
    "project_vjp",
    "quantise_vjp",
    "relative_attention_vjp",
    "relative_scores_vjp",
    "relu_vjp",
    "residual_vjp",
    "rms_norm_vjp",
    "rope_half_split_vjp",
    "rope_vjp",
    "rotary_attention_vjp",
    "rotate_pairs_vjp",
    "scale_embedding_vjp",
    "scores_vjp",
    "self_attention_vjp",
    "skew_vjp",
    "softmax_vjp",
    "stop_gradient_vjp",
    "sum_of_ngrams_vjp",
    "swiglu_vjp",
    "swish_vjp",
    "t5_bias_vjp",
    "t5_causal_bias_vjp",
    "t5_scores_vjp",
    "transformer_logits_vjp",
    "video_input_vjp",
    "vit_input_vjp",
    "vit_logits_vjp",
    "vq_vae_loss_vjp",
]
