"""The formula of softmax, to be edited."""

import numpy as np

from transformer_math.attention import scores
from transformer_math.explorables.editing.attention.scaled_dot_product import (
    queries_keys_values,
)
from transformer_math.explorables.editing.offer import Offer
from transformer_math.explorables.editing.sentence import weights_view


def sentence_scores() -> list[tuple]:
    """The scores of the head whose attention may be edited."""
    ((Q, K, _),) = queries_keys_values()
    return [(np.round(scores(Q, K), 2),)]


OFFERS = {
    "eq-softmax": Offer(
        "Softmax",
        sentence_scores,
        weights_view("result", "softmax of each row of scores"),
        {
            "Powers of 2": [("e^{", "2^{")],
            "Without the exponential": [(r"\frac{e^{x_j}}{\sum_k e^{x_k}}", r"\frac{x_j}{\sum_k x_k}")],
            "The logarithm": [(r"\frac{e^{x_j}}{\sum_k e^{x_k}}", r"x_j - \ln\left(\sum_k e^{x_k}\right)")],
            "Temperature 2": [
                *((f"e^{{x_{i}}}", f"e^{{x_{i} / 2}}") for i in "jk"),
                *((rf"x_{i} - \max x", rf"(x_{i} - \max x) / 2") for i in "jk"),
            ],
            "Subtract above only": [(r"e^{x_k - \max x}", "e^{x_k}")],
            "Subtract the smallest": [(r"\max x", r"\min x")],
            "Forget the sum": [(r"\sum_k e^{x_k - \max x}", r"e^{x_k - \max x}")],
        },
        lines=5,
    ),
}  # fmt: skip
