"""The formula of attention, to be edited."""

from transformer_math.attention import causal_mask
from transformer_math.explorables.editing.offer import Offer
from transformer_math.explorables.editing.sentence import (
    GAIN,
    TOKENS,
    vectors,
    weights_view,
)

D_V = 6
SOFTMAX = r"\operatorname{softmax}"
AFTER = r"\frac{\operatorname{softmax}(Q K^\top)}{\sqrt{d_k}}"
MASKED = "Another right formula: attention under the causal mask M. What it forbids scores −∞; the weights still sum to 1."


def queries_keys_values() -> list[tuple]:
    """A head that looks for words like itself and, half as much, like the one before it, which the first word has not.

    The values are shorter than queries and keys: Q, K and V can be told apart, and so can all their sizes.
    """
    X = vectors()
    return [(GAIN * (X[1:] + X[:-1] / 2), GAIN * X, X[:, :D_V])]


def a_part() -> list[tuple]:
    """A few words as queries, keys and values of other sizes."""
    X = vectors()
    return [(GAIN * X[2:5, :5], GAIN * X[:4, :5], X[:4, 5:])]


def mask() -> dict:
    """The causal mask of the queries."""
    return {"mask": causal_mask(len(TOKENS))[1:]}


OFFERS = {
    "eq-attention": Offer(
        "Attention",
        queries_keys_values,
        weights_view("A", "the weights A"),
        {
            "Without √dₖ": [(r"\frac{Q K^\top}{\sqrt{d_k}}", r"Q K^\top")],
            "Divide by dₖ": [(r"\sqrt{d_k}", "d_k")],
            "Softmax over the queries": [(r"Q K^\top", r"K Q^\top"), (r"\right) \in", r"\right)^\top \in")],
            "Scale after softmax": [(rf"{SOFTMAX}\!\left(\frac{{Q K^\top}}{{\sqrt{{d_k}}}}\right)", AFTER)],
            "Mask before softmax": [(r"\right) \in", r" + \ln M\right) \in")],
            "Mask after softmax": [(r"A = \operatorname", r"A = M \odot \operatorname")],
            "Without softmax": [(r"\operatorname{softmax}\!", "")],
            "Forget the ⊤": [(r"Q K^\top", "Q K")],
        },
        lines=4,
        extra=lambda: {"M": mask()["mask"]},
        also=lambda: [(MASKED, mask())],
        wrong_with=mask,
        others=a_part,
    ),
}  # fmt: skip
