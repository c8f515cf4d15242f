"""Values of which the examples of several ideas are made: n = 3, m = 5, d_model = 4, d_ff = 7, two heads."""

import numpy as np

from transformer_math.block import NormParameters
from transformer_math.model import (
    initialise,
    initialise_decoder_only,
    initialise_encoder_decoder,
)
from transformer_math.tokenization import train_byte_bpe, train_sentencepiece


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng([2, *shape]).normal(0, 2, size=shape)


Z = normal(3, 4)


vector = normal(4)
norm = NormParameters(normal(4), normal(4))


positive = np.abs(normal(3, 5))


model = initialise(np.random.default_rng(5), 11, 4, 2, 7, 2)


today = initialise_decoder_only(np.random.default_rng(7), 11, 4, 2, 7, 2)


translator = initialise_encoder_decoder(np.random.default_rng(6), 9, 11, 4, 2, 7, 2)


allowed = np.array([[True, False, True, True, True]] * 3)


octets = train_byte_bpe("hi hi", vocab_size=257)


sentences_model = train_sentencepiece("hi hi", vocab_size=264)


ids = np.array([1, 5, 5])
