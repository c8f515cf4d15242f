"""Step 2: from token ids to vectors."""

from transformer_math.embedding.lookup import embed, one_hot, scale_embedding

__all__ = ["embed", "one_hot", "scale_embedding"]
