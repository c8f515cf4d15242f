"""The shapes that several ideas share, each under one name; a name means the same everywhere."""

from typing import Annotated

import numpy as np
from jaxtyping import Bool, Float

from transformer_math.contract import OrMinusInfinity

Numbers = Float[np.ndarray, "*shape"]  # one function of each number
Rows = Float[np.ndarray, "*rows m"]  # one function of each row
TokenRows = Float[np.ndarray, "*rows d_model"]  # one function of each token
AnyTokens = Float[np.ndarray, "... d_model"]  # tokens, or one of them
Tokens = Float[np.ndarray, "... n d_model"]  # sequences: tokens look at each other
Memory = Float[np.ndarray, "... m d_model"]  # the sequence that is looked at
Vector = Float[np.ndarray, " d_model"]
HeadVectors = Float[np.ndarray, "... n d_k"]  # queries or keys of one head

# -inf where attention is forbidden
MaskedScores = Annotated[Float[np.ndarray, "*batch n m"], OrMinusInfinity]

# True where attention is allowed
Mask = Bool[np.ndarray, "*#batch #n m"]  # of one head's scores
CrossMask = Bool[np.ndarray, "#n m"] | Bool[np.ndarray, "... #n_heads #n m"]
SelfMask = Bool[np.ndarray, "#n n"] | Bool[np.ndarray, "... #n_heads #n n"]
SourceMask = Bool[np.ndarray, "1 m"] | Bool[np.ndarray, "... #n_heads 1 m"]
