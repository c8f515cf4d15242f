"""One valid call of every public function of the package, with every argument given, defaults included."""

from importlib import import_module
from inspect import isroutine

import numpy as np

from transformer_math import gradient
from transformer_math.attention import (
    AttentionParameters,
    KVCache,
    additive_mask,
    apply_mask,
    attention,
    blockwise_attention,
    cache_bytes,
    cached_attention,
    causal_mask,
    causal_padding_mask,
    concat_heads,
    cross_attention,
    dot_product_variance,
    entropy,
    multi_head_attention,
    online_softmax,
    padding_mask,
    prefix_mask,
    project,
    projection_flops,
    score_flops,
    score_terms,
    scores,
    sliding_window_mask,
    softmax,
    softmax_in_place,
    softmax_jacobian,
    split_heads,
    weights_bytes,
)
from transformer_math.block import (
    SwiGLUParameters,
    add_norm,
    decoder_layer,
    decoder_layer_pre_norm,
    encoder_layer,
    encoder_layer_pre_norm,
    erf,
    feed_forward,
    gelu,
    gelu_tanh,
    layer_norm,
    pre_norm,
    relu,
    residual,
    rms_norm,
    swiglu,
    swish,
)
from transformer_math.embedding import (
    count_neighbours,
    embed,
    frequent_words,
    letters_vector,
    nearest_words,
    one_hot,
    ppmi,
    scale_embedding,
    trigrams,
    vectors_of_text,
    word_vectors,
)
from transformer_math.model import (
    count_operations,
    count_parameters,
    decoder,
    decoder_attention,
    decoder_pre_norm,
    embed_at_positions,
    encoder,
    encoder_attention,
    encoder_decoder,
    encoder_decoder_logits,
    encoder_layer_flops,
    encoder_layer_parameters,
    encoder_pre_norm,
    initialise,
    initialise_encoder_decoder,
    logits_flops,
    transformer,
    transformer_logits,
)
from transformer_math.output import (
    beam,
    greedy,
    log_softmax,
    logits,
    nucleus,
    probabilities,
    sample,
    top_k,
)
from transformer_math.position import (
    add_position,
    frequencies,
    position_similarity,
    rope,
    rope_half_split,
    rotate_pairs,
    shift_matrix,
    sinusoidal,
    sinusoidal_at,
    wavelengths,
)
from transformer_math.tokenization import (
    ByteBPETokenizer,
    ByteTokenizer,
    PairCounts,
    Unigram,
    WordPiece,
    apply_charsmap,
    backward_sums,
    bert_words,
    best_scores,
    bits_per_character,
    build_vocabulary,
    characters,
    chunk_counts,
    corpus_log_likelihood,
    decode_bpe,
    decode_sentence,
    decode_text,
    decode_word_piece,
    digamma,
    edge_posteriors,
    em_step,
    encode_bpe,
    encode_chunk,
    encode_parts,
    encode_sentence,
    encode_text,
    encode_unigram,
    encode_word_piece,
    expected_counts,
    fit_power_law,
    forward_sums,
    frequent_substrings,
    frequent_vocabulary,
    from_huggingface,
    from_json,
    ids_to_tokens,
    join_pieces,
    lattice,
    log_likelihood,
    longest_piece,
    mark_spaces,
    marked_characters,
    maximise,
    maximise_bayesian,
    merge_count,
    merge_counts,
    merge_gain,
    merge_pair,
    merge_pieces,
    merge_places,
    merge_score,
    n_best,
    normalise,
    pair_counts,
    parsed,
    pretokenize,
    printable,
    printable_code_point,
    rare_share,
    read_sentencepiece,
    removal_loss,
    renyi_efficiency,
    renyi_entropy,
    require_unforgeable,
    segmentation_probability,
    sentence_pieces,
    to_huggingface,
    to_json,
    tokens_to_ids,
    train_bpe,
    train_byte_bpe,
    train_sentencepiece,
    train_unigram,
    train_word_piece,
    unknown_share,
    unprintable,
    utf8_bytes,
    utf8_decode,
    utf8_encode,
    viterbi,
    words,
    write_sentencepiece,
    zipf_exponent,
    zipf_log_likelihood,
)
from transformer_math.training import (
    AdamState,
    adam_start,
    adam_step,
    all_real,
    begin_and_end,
    bits_per_byte,
    clip_by_norm,
    cosine_schedule,
    cross_entropy,
    global_norm,
    inverse_root_schedule,
    perplexity,
    shift,
    training_flops,
)

GROUPS = (
    "tokenization",
    "embedding",
    "position",
    "attention",
    "block",
    "output",
    "model",
    "gradient",
    "training",
)
MACHINERY = {"transformer_math.training.loop", "transformer_math.training.command"}


def public_functions() -> set:
    """Every public function that the groups of the ten steps offer by name, those apart that take a task to train."""
    groups = [import_module(f"transformer_math.{group}") for group in GROUPS]
    offered = [getattr(group, name) for group in groups for name in group.__all__]
    functions = {value for value in offered if isroutine(value)}
    return {f for f in functions if f.__module__ not in MACHINERY}


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng([2, *shape]).normal(0, 2, size=shape)


# n = 3, m = 5, d_model = 4, d_ff = 7, 2 heads
Z = normal(3, 4)
vector = normal(4)
positive = np.abs(normal(3, 5))
model = initialise(np.random.default_rng(5), 11, 4, 2, 7, 2)
layer = model.layers[0]
heads: AttentionParameters = layer.attention
gated = SwiGLUParameters(normal(4, 6), normal(4, 6), normal(6, 4))
translator = initialise_encoder_decoder(np.random.default_rng(6), 9, 11, 4, 2, 7, 2)
reader = translator.decoder[0]
allowed = np.array([[True, False, True, True, True]] * 3)
word_list = ["sea", "ship", "cat"]
letters = train_bpe({"low": 3, "lower": 2}, vocab_size=7)
pieces = Unigram(("a", "b", "ab"), np.log([0.5, 0.25, 0.25]))
edges = np.where(np.triu(np.ones((3, 3)), 1) > 0, -1.5, -np.inf)
octets = train_byte_bpe("hi hi", vocab_size=257)
sentences_model = train_sentencepiece("hi hi", vocab_size=264)
word_pieces = WordPiece({"[UNK]": 0, "un": 1, "##able": 2})
two_pairs = PairCounts(
    *np.array([[2.0, 1], [3, 4], [2, 4]]), np.array([False, True]), N=9
)
ids = np.array([1, 5, 5])
distributions = np.array([[0.6, 0.3, 0.1, 0.0], [0.75, 0.125, 0.0, 0.125]])


def next_logits(ids):
    return np.cos(ids[-1] + np.arange(6.0))


EXAMPLES = {
    # attention
    blockwise_attention: {
        "Q": Z,
        "K": normal(5, 4),
        "V": normal(5, 2),
        "mask": allowed,
        "block": 2,
    },
    cache_bytes: {"n": 3, "d_model": 4, "n_layers": 2, "itemsize": 4},
    cached_attention: {
        "q": vector,
        "k": normal(4) + 1,
        "v": normal(2),
        "cache": KVCache(normal(3, 4), normal(3, 2)),
    },
    cross_attention: {
        "Z": Z,
        "memory": normal(5, 6),
        "W_Q": normal(4, 3),
        "W_K": normal(6, 3),
        "W_V": normal(6, 2),
        "mask": allowed,
    },
    online_softmax: {
        "m": normal(3),
        "l": np.abs(normal(3)) + 1,
        "o": normal(3, 2),
        "S": normal(3, 5),
        "V": normal(5, 2),
    },
    projection_flops: {"n": 3, "m": 5, "d_model": 4},
    score_flops: {"n": 3, "m": 5, "d_model": 4},
    weights_bytes: {"n": 3, "m": 5, "n_heads": 2, "itemsize": 4},
    additive_mask: {"mask": allowed},
    causal_padding_mask: {"lengths": np.array([2, 3]), "n": 3},
    prefix_mask: {"n": 3, "prefix": 2},
    sliding_window_mask: {"n": 3, "window": 2},
    apply_mask: {"S": normal(3, 5), "mask": allowed},
    attention: {"Q": Z, "K": normal(5, 4), "V": normal(5, 2), "mask": allowed},
    causal_mask: {"n": 3},
    concat_heads: {"O": normal(2, 3, 4)},
    dot_product_variance: {"d_k": 3, "variance": 2.0},
    entropy: {"weights": positive},
    multi_head_attention: {
        "Z": Z,
        "source": normal(5, 4),
        "parameters": heads,
        "n_heads": 2,
        "mask": allowed,
    },
    padding_mask: {"lengths": np.array([1, 3]), "n": 3},
    project: {"Z": Z, "W": normal(4, 6), "b": normal(6)},
    score_terms: {"X": Z, "P": Z + 1, "W_Q": normal(4, 2), "W_K": normal(4, 2)},
    scores: {"Q": Z, "K": normal(5, 4)},
    softmax: {"x": Z},
    softmax_in_place: {"x": Z},
    softmax_jacobian: {"weights": positive},
    split_heads: {"x": Z, "n_heads": 2},
    # block
    **{
        function: {
            "Z": Z,
            "memory": normal(5, 4),
            "parameters": reader,
            "n_heads": 2,
            "mask": causal_mask(3),
            "memory_mask": allowed,
            "activation": relu,
        }
        for function in (decoder_layer, decoder_layer_pre_norm)
    },
    add_norm: {"x": Z, "update": Z, "gamma": vector, "beta": vector, "eps": 1e-3},
    encoder_layer: {
        "Z": Z,
        "parameters": layer,
        "n_heads": 2,
        "mask": causal_mask(3),
        "activation": relu,
    },
    encoder_layer_pre_norm: {
        "Z": Z,
        "parameters": layer,
        "n_heads": 2,
        "mask": causal_mask(3),
        "activation": gelu,
    },
    erf: {"x": Z},
    feed_forward: {"x": Z, "parameters": layer.feed_forward, "activation": gelu},
    gelu: {"x": Z},
    gelu_tanh: {"x": Z},
    layer_norm: {"x": Z, "gamma": vector, "beta": vector, "eps": 1e-3},
    pre_norm: {
        "x": Z,
        "sublayer": relu,
        "gamma": vector,
        "beta": vector,
        "eps": 1e-3,
    },
    relu: {"x": Z},
    residual: {"x": Z, "update": Z + 1},
    rms_norm: {"x": Z, "gamma": vector, "eps": 1e-3},
    swiglu: {"x": Z, "parameters": gated},
    swish: {"x": Z},
    # embedding
    count_neighbours: {"ids": ids, "vocab_size": 6, "n_contexts": 6, "window": 1},
    embed: {"ids": ids, "E": model.E},
    frequent_words: {"tokens": ["a", "b", "a"], "at_least": 2},
    letters_vector: {"word": "seas", "words": word_list, "W": normal(3, 2)},
    nearest_words: {"word": "sea", "words": word_list, "W": normal(3, 2), "k": 1},
    one_hot: {"ids": ids, "vocab_size": 6},
    ppmi: {"C": positive, "smoothing": 0.5},
    scale_embedding: {"X": Z},
    trigrams: {"word": "cat"},
    vectors_of_text: {
        "text": "The sea. The ship. The sea.",
        "d": 2,
        "at_least": 2,
        "n_contexts": 9,
        "window": 1,
        "always": ("ship",),
    },
    word_vectors: {"I": normal(5, 4), "d": 2},
    # model
    count_operations: {"function": np.exp, "x": Z},
    count_parameters: {"parameters": model},
    encoder: {
        "Z": Z,
        "layers": model.layers,
        "n_heads": 2,
        "mask": causal_mask(3),
        "activation": relu,
    },
    decoder: {
        "Z": Z,
        "memory": normal(5, 4),
        "layers": translator.decoder,
        "n_heads": 2,
        "mask": causal_mask(3),
        "memory_mask": allowed,
        "activation": relu,
    },
    decoder_attention: {
        "Z": Z,
        "memory": normal(5, 4),
        "layers": translator.decoder,
        "n_heads": 2,
        "mask": causal_mask(3),
        "memory_mask": allowed,
    },
    decoder_pre_norm: {
        "Z": Z,
        "memory": normal(5, 4),
        "layers": translator.decoder,
        "gamma": vector,
        "beta": vector,
        "n_heads": 2,
        "mask": causal_mask(3),
        "memory_mask": allowed,
        "activation": gelu,
    },
    embed_at_positions: {"ids": ids, "E": model.E},
    encoder_attention: {
        "Z": Z,
        "layers": model.layers,
        "n_heads": 2,
        "mask": causal_mask(3),
    },
    **{
        function: {
            "source_ids": np.array([3, 1, 4, 1, 5]),
            "target_ids": ids,
            "parameters": translator,
            "n_heads": 2,
            "source_mask": allowed[:1],
            "target_mask": causal_mask(3),
        }
        for function in (encoder_decoder, encoder_decoder_logits)
    },
    encoder_layer_flops: {"n": 3, "d_model": 4, "d_ff": 7},
    encoder_layer_parameters: {"d_model": 4, "d_ff": 7},
    encoder_pre_norm: {
        "Z": Z,
        "layers": model.layers,
        "gamma": vector,
        "beta": vector,
        "n_heads": 2,
        "mask": causal_mask(3),
        "activation": gelu,
    },
    initialise: {
        "rng": np.random.default_rng(0),
        "vocab_size": 11,
        "d_model": 4,
        "n_heads": 2,
        "d_ff": 7,
        "n_layers": 1,
    },
    initialise_encoder_decoder: {
        "rng": np.random.default_rng(0),
        "source_vocab_size": 9,
        "vocab_size": 11,
        "d_model": 4,
        "n_heads": 2,
        "d_ff": 7,
        "n_layers": 1,
    },
    logits_flops: {"n": 3, "d_model": 4, "vocab_size": 11},
    **{
        function: {
            "ids": ids,
            "parameters": model,
            "n_heads": 2,
            "mask": causal_mask(3),
        }
        for function in (transformer, transformer_logits)
    },
    # output
    beam: {
        "next_logits": next_logits,
        "start": ids,
        "length": 2,
        "width": 2,
        "end": 3,
        "power": 0.5,
    },
    greedy: {"next_logits": next_logits, "start": ids, "length": 2, "end": 3},
    log_softmax: {"x": Z},
    logits: {"Z": Z, "W_out": normal(4, 11), "b_out": normal(11)},
    nucleus: {"p": distributions, "mass": 0.8},
    probabilities: {"logits": Z, "temperature": 0.5},
    sample: {
        "next_logits": next_logits,
        "start": ids,
        "length": 2,
        "rng": np.random.default_rng(0),
        "distribution": probabilities,
        "end": 3,
    },
    top_k: {"p": distributions, "k": 2},
    # position
    add_position: {"X": Z, "P": Z + 1},
    frequencies: {"d_model": 4, "base": 100.0},
    position_similarity: {"offset": np.arange(3.0), "d_model": 4, "base": 100.0},
    rope: {"x": Z, "positions": np.arange(3.0), "base": 100.0},
    rope_half_split: {"x": Z, "positions": np.arange(3.0), "base": 100.0},
    rotate_pairs: {"x": Z, "angles": normal(3, 2)},
    shift_matrix: {"k": 2.0, "d_model": 4, "base": 100.0},
    sinusoidal: {"n": 3, "d_model": 4, "base": 100.0},
    sinusoidal_at: {"positions": np.arange(3.0), "d_model": 4, "base": 100.0},
    wavelengths: {"d_model": 4, "base": 100.0},
    # tokenization
    build_vocabulary: {"tokens": ["b", "a"], "specials": ["[UNK]"]},
    characters: {"text": "Hi"},
    chunk_counts: {"text": "to be or"},
    bert_words: {"text": "to be"},
    corpus_log_likelihood: {"n": np.array([2.0, 0, 1])},
    decode_bpe: {"ids": [0, 1], "bpe": letters},
    decode_word_piece: {"ids": [1, 2], "word_piece": word_pieces},
    encode_word_piece: {"words": ["unable"], "word_piece": word_pieces},
    longest_piece: {"word": "unable", "start": 2, "word_piece": word_pieces},
    marked_characters: {"word": "low"},
    merge_count: {"pairs": two_pairs},
    merge_counts: {"words": {("l", "##o"): 3}},
    merge_gain: {"pairs": two_pairs},
    merge_places: {"tokens": "aaab"},
    merge_score: {"pairs": two_pairs},
    join_pieces: {"a": "##o", "b": "##w"},
    train_word_piece: {
        "word_counts": {"low": 3},
        "vocab_size": 9,
        "specials": ["[UNK]", "[PAD]"],
        "value": merge_gain,
    },
    decode_text: {"ids": [104, 256], "bpe": octets},
    encode_bpe: {"chunks": ["low", "wol"], "bpe": letters},
    encode_chunk: {"symbols": [1, 2], "merges": {(1, 2): 3}, "ranks": {(1, 2): 0}},
    encode_text: {"text": "hi", "bpe": octets},
    ids_to_tokens: {"ids": [1, 0], "vocabulary": {"a": 0, "b": 1}},
    merge_pair: {"tokens": ["a", "b"], "pair": ("a", "b"), "merged": "ab"},
    pair_counts: {"word_counts": {"low": 3}},
    pretokenize: {"text": "to be"},
    tokens_to_ids: {"tokens": ["a"], "vocabulary": {"a": 0}},
    train_bpe: {"word_counts": {"low": 3}, "vocab_size": 5, "alphabet": "low"},
    train_byte_bpe: {"text": "hi hi", "vocab_size": 257},
    utf8_bytes: {"code_point": 233},
    utf8_decode: {"units": [72, 105]},
    utf8_encode: {"text": "Hé"},
    words: {"text": "Hello, world!"},
    encode_parts: {
        "parts": ["hi"],
        "encode": lambda text: [*text.encode()],
        "specials": {"<|end|>": 256},
    },
    from_huggingface: {"text": to_huggingface(ByteBPETokenizer(octets))},
    parsed: {"text": "[1]"},
    require_unforgeable: {"bpe": octets, "specials": {}},
    to_huggingface: {"tokenizer": ByteBPETokenizer(octets)},
    printable_code_point: {"byte": 32},
    unknown_share: {"ids": [1, 0], "unknown": 1},
    backward_sums: {"L": edges},
    best_scores: {"L": edges},
    digamma: {"x": positive},
    edge_posteriors: {"L": edges},
    em_step: {"word_counts": {"ab": 3}, "unigram": pieces},
    encode_unigram: {"words": ["ab", "b"], "unigram": pieces},
    expected_counts: {"word_counts": {"ab": 3}, "unigram": pieces},
    forward_sums: {"L": edges},
    frequent_substrings: {"word_counts": {"low": 3}, "longest": 2, "least": 1},
    lattice: {"word": "ab", "unigram": pieces},
    log_likelihood: {"word_counts": {"ab": 3}, "unigram": pieces},
    maximise: {"counts": positive[0]},
    maximise_bayesian: {"counts": positive[0]},
    n_best: {"word": "ab", "unigram": pieces, "n": 2},
    removal_loss: {"counts": positive[0], "piece": 2, "alternative": [0, 1]},
    segmentation_probability: {"segmentation": ["a", "b"], "unigram": pieces},
    train_unigram: {
        "word_counts": {"low": 3},
        "vocab_size": 4,
        "longest": 3,
        "maximiser": maximise,
    },
    viterbi: {"word": "ab", "unigram": pieces},
    frequent_vocabulary: {"tokens": ["b", "a"], "vocab_size": 2},
    from_json: {"text": '{"type": "ByteTokenizer"}'},
    printable: {"token": b" hi"},
    to_json: {"tokenizer": ByteTokenizer()},
    unprintable: {"text": "Ġhi"},
    bits_per_character: {"counts": np.array([2.0, 2.0]), "n_characters": 8},
    fit_power_law: {"x": np.array([1.0, 4.0]), "y": np.array([3.0, 6.0])},
    rare_share: {"counts": np.array([9.0, 0.0]), "fewest": 5},
    renyi_efficiency: {"counts": np.array([5.0, 0.0, 3.0]), "alpha": 2.0},
    renyi_entropy: {"p": np.array([0.0, 1.0, 0.0]), "alpha": 2.0},
    zipf_exponent: {"counts": np.array([2.0, 1.0])},
    zipf_log_likelihood: {"counts": np.array([2.0, 1.0]), "exponent": 1.0},
    apply_charsmap: {"text": "hi", "charsmap": b""},
    decode_sentence: {"ids": [260, 200], "model": sentences_model},
    encode_sentence: {"text": "hi", "model": sentences_model},
    mark_spaces: {"text": "it is"},
    merge_pieces: {"chunk": "ab", "scores": {"ab": -1.0}},
    normalise: {"text": "ﬁ", "rules": "nfkc"},
    read_sentencepiece: {"data": write_sentencepiece(sentences_model)},
    sentence_pieces: {"text": "hi", "model": sentences_model},
    train_sentencepiece: {
        "text": "hi hi",
        "vocab_size": 264,
        "inside": "bpe",
        "rules": "nfkc",
        "coverage": 0.9,
    },
    write_sentencepiece: {"model": sentences_model},
    # training
    adam_start: {"parameters": Z},
    adam_step: {
        "parameters": Z,
        "gradients": Z + 1,
        "state": AdamState(2, Z - 1, Z**2),
        "learning_rate": 0.1,
        "beta_1": 0.5,
        "beta_2": 0.75,
        "eps": 1e-3,
        "weight_decay": 0.2,
    },
    all_real: {"tree": model},
    begin_and_end: {"ids": ids, "begin": 8, "end": 9},
    bits_per_byte: {"loss": 2.0, "n_tokens": 3, "n_bytes": 5},
    clip_by_norm: {"gradients": Z, "largest": 0.5},
    cosine_schedule: {"step": 5, "peak": 0.1, "warm_up": 3, "steps": 9},
    cross_entropy: {
        "logits": normal(3, 11),
        "targets": ids,
        "weights": np.array([1.0, 0.5, 2.0]),
        "smoothing": 0.1,
    },
    global_norm: {"gradients": Z},
    inverse_root_schedule: {"step": 5, "d_model": 4, "warm_up": 3},
    perplexity: {"loss": 2.0},
    shift: {"ids": ids},
    training_flops: {
        "n": 3,
        "d_model": 4,
        "d_ff": 7,
        "n_layers": 2,
        "vocab_size": 11,
    },
}


def of_twin(twin) -> dict:
    """The example of the function whose twin it is; where that takes a function, the twin takes a twin."""
    function = next(f for f in EXAMPLES if f"{f.__name__}_vjp" == twin.__name__)
    twins_of_functions = {
        "activation": ("activation_vjp", gradient.gelu_vjp),
        "sublayer": ("sublayer_vjp", gradient.relu_vjp),
    }
    return dict(
        twins_of_functions.get(name, (name, value))
        for name, value in EXAMPLES[function].items()
    )


EXAMPLES[gradient.self_attention_vjp] = {
    "Z": Z,
    "parameters": heads,
    "n_heads": 2,
    "mask": causal_mask(3),
}
TWINS = [getattr(gradient, name) for name in gradient.__all__]
EXAMPLES |= {twin: of_twin(twin) for twin in TWINS if twin not in EXAMPLES}
