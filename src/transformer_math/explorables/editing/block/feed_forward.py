"""The formula of GELU, to be edited."""

import numpy as np

from transformer_math.explorables.editing.offer import Offer, View

TANH = r"\sqrt{\tfrac{2}{\pi}}\,(x + 0.044715\, x^3)"


OFFERS = {
    "eq-gelu": Offer(
        "GELU",
        lambda: [(np.linspace(-4, 4, 65),)],
        lambda: View("curve", "result", "gelu(x)", ["gelu"], np.linspace(-4, 4, 65).tolist(), ("", "x")),
        {
            "Without √2": [(r"\frac{x}{\sqrt{2}}", "x")],
            "By tanh": [(r"\operatorname{erf}\frac{x}{\sqrt{2}}", rf"\tanh\left({TANH}\right)")],
            "By a logistic curve": [(r"x\,\Phi(x)", r"\frac{x}{1 + e^{-1.702\, x}}")],
            "ReLU": [(r"x\,\Phi(x)", r"\max(0, x)")],
            "The probability alone": [(r"x\,\Phi(x)", r"\Phi(x)")],
            "The other tail": [(r"\Phi(x)", r"\Phi(-x)")],
            "Forget the 1": [("1 + ", "")],
        },
        lines=4,
    ),
}  # fmt: skip
