"""Formulas that a reader may edit: for each its numbers, how they are shown, and the edits that a button makes.

An edit is a list of replacements in the printed LaTeX. What is wrong with it is not said here: where its numbers are
those of a wrong version that a check of the formula knows, the check's message stands beside them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_math.attention import causal_mask, scores
from transformer_math.block import NormParameters
from transformer_math.corpus import SENTENCE
from transformer_math.explorables.attention.vocabulary import content, visible_words
from transformer_math.position import sinusoidal

TOKENS = visible_words(SENTENCE)
NUMBERED = [f"{i} {token}" for i, token in enumerate(TOKENS)]
GAIN = 4.0  # of the head "similar words" of the chapter's other explorable

SOFTMAX = r"\operatorname{softmax}"
AFTER = r"\frac{\operatorname{softmax}(Q K^\top)}{\sqrt{d_k}}"
TANH = r"\sqrt{\tfrac{2}{\pi}}\,(x + 0.044715\, x^3)"
THREE = ["only", "opinion", "only ÷ 10⁴"]
MASKED = (
    "That is right: attention under the causal mask M. Forbidden scores become −∞ before softmax, and the weights still "
    "sum to 1."
)

Replacement = tuple[str, str]


@dataclass(frozen=True)
class View:
    """How a result is shown: `kind` is "heatmap", "table" or "curve"; `name` is the symbol of what is shown.

    A heatmap's ink is full at `limit`. A curve has its x in `columns`. `place` names the two axes in words.
    """

    kind: str
    name: str
    caption: str
    rows: list[str]
    columns: list[Any]
    place: tuple[str, str]
    limit: float = 1.0


@dataclass(frozen=True)
class Offer:
    """One formula: a word for its title, its calls on the chapter's numbers, its view, its edits by their button's text.

    `extra` are symbols that an edit may use and the printed formula does not, `stated` those whose values are printed, so
    that an edit of them counts; `also` are calls with further arguments,
    each with what to say where an edit gives the numbers of the right function called so; `wrong_with` are the arguments
    with which wrong versions are called once more. `lines` is the room that the
    typeset formula takes, in lines of text.
    """

    title: str
    calls: Callable[[], list[tuple]]
    view: Callable[[], View]
    edits: dict[str, list[Replacement]]
    lines: int
    extra: Callable[[], dict[str, Any]] = dict
    stated: tuple[str, ...] = ()
    also: Callable[[], list[tuple[str, dict]]] = list
    wrong_with: Callable[[], dict] = dict


def vectors() -> np.ndarray:
    """The tokens' vectors, learned from *Moby-Dick*, to two decimals."""
    return np.round([content(token) for token in TOKENS], 2)


def queries_keys_values() -> list[tuple]:
    """The head that looks for similar words: what the chapter's other explorable shows at first."""
    X = vectors()
    return [(GAIN * X, GAIN * X, X)]


def mask() -> dict:
    """The causal mask of the sentence."""
    return {"mask": causal_mask(len(TOKENS))}


def sentence_scores() -> list[tuple]:
    """The scores of that head."""
    X = GAIN * vectors()
    return [(np.round(scores(X, X), 2),)]


def three_tokens() -> list[tuple]:
    """The two tokens of the page's example, and the first once more, ten thousand times smaller; γ and β as if learned."""
    x = np.array([[10.0, 4, 2, -4], [3, 5, 3, 5], [1e-3, 4e-4, 2e-4, -4e-4]])
    gamma, beta = np.array([1.0, 2, 0.5, 1]), np.array([0.0, 0, 1, 0])
    return [(x, NormParameters(gamma, beta))]


def query_and_key() -> list[tuple]:
    """The chapter's untrained query and key, at every pair of the sentence's first places: one call for each."""
    q, k = np.random.default_rng(6).normal(size=(2, 8)).round(2)
    places = [(i, j) for i in range(PLACES) for j in range(PLACES)]
    return [(x[None], np.array([float(at)])) for i, j in places for x, at in ((q, i), (k, j))]  # fmt: skip


PLACES = 9


def weights_view(name: str, caption: str) -> Callable[[], View]:
    """A heatmap with a row for each query, a column for each key."""
    return lambda: View("heatmap", name, caption, TOKENS, TOKENS, ("query", "key"))


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
        extra=lambda: {"M": causal_mask(len(TOKENS))},
        also=lambda: [(MASKED, mask())],
        wrong_with=mask,
    ),
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
    "eq-layer-norm": Offer(
        "LayerNorm",
        three_tokens,
        lambda: View("table", "result", "γ = 1, 2, ½, 1 and β = 0, 0, 1, 0", THREE, ["0", "1", "2", "3"], ("token", "dimension")),
        {
            "ε outside the root": [(r"\sqrt{\sigma^2 + \varepsilon}", r"\sqrt{\sigma^2} + \varepsilon")],
            "Divide by d − 1": [(r"\sigma^2 = \frac{1}{d}", r"\sigma^2 = \frac{1}{d - 1}")],
            "Keep the mean": [(r"\frac{x - \mu}", r"\frac{x}"), (r"(x_j - \mu)^2", r"x_j^2")],
            "Without the root": [(r"\sqrt{\sigma^2 + \varepsilon}", r"\sigma^2 + \varepsilon")],
            "Without ε": [(r" + \varepsilon", "")],
            "Without γ": [(r"\gamma \odot ", "")],
            "Without β": [(r" + \beta", "")],
            "β before γ": [(r"\frac{x - \mu}", r"\left(\frac{x - \mu}"), (r"+ \beta", r"+ \beta\right)")],
        },
        lines=9,
        stated=("varepsilon",),
    ),
    "eq-sinusoidal": Offer(
        "Sinusoids",
        lambda: [(len(TOKENS), 16)],
        lambda: View("heatmap", "result", "the encoding P", NUMBERED, [str(c) for c in range(16)], ("position", "dimension")),
        {
            "Cosine first": [(r"2i} = \sin", r"2i} = \cos"), (r"2i+1} = \cos", r"2i+1} = \sin")],
            "Sine for cosine": [(r"\cos", r"\sin")],
            "Count from 1": [(r"pos\; \omega_i", r"(pos + 1)\, \omega_i")],
            "All waves alike": [(r"\omega_i", r"\omega_0")],
            "A speed for each dimension": [(r"\cos(pos\; \omega_i)", r"\cos(pos \; b^{-(2i+1)/d_{\text{model}}})")],
            "Sines left, cosines right": [(r"\,2i}", r"\,i}"), (r"\,2i+1}", r"\,i + d_{\text{model}}/2}")],
            "Divide by ω": [(r"pos\; \omega_i", r"pos / \omega_i")],
        },
        lines=3,
    ),
    "eq-rope-relative": Offer(
        "RoPE",
        query_and_key,
        lambda: View("heatmap", "result", "the score ⟨Rᵢ q, Rⱼ k⟩", *[[str(i) for i in range(PLACES)]] * 2, ("i", "j"), limit=6.0),
        {
            "Turn the key the other way": [(r"R_j\, k", r"R_j^\top k")],
            "Turn the query alone": [(r"R_j\, k", "k")],
            "Turn neither": [(r"R_i\, q", "q"), (r"R_j\, k", "k")],
            "Add positions, turn nothing": [(r"R_i\, q", "(q + P_i)"), (r"R_j\, k", "(k + P_j)")],
            "Square the positions": [(r"R_i\, q", r"R_{i^2}\, q"), (r"R_j\, k", r"R_{j^2}\, k")],
            "Swap i and j on the right": [("(j - i)", "(i - j)")],
            "Sine for cosine": [(r"\cos", r"\sin")],
        },
        lines=7,
        extra=lambda: {"P": sinusoidal(PLACES, 8)},
    ),
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
