"""Break the formula of attention: leave out a part of it, and see a trained head's weights go wrong, and what the check says."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import traitlets
from jaxtyping import Float

from transformer_math.attention import (
    attention,
    causal_mask,
    project,
    split_heads,
)
from transformer_math.block import layer_norm
from transformer_math.checks.attention.scaled_dot_product import (
    mask_ignored,
    masked_after_softmax,
    without_scale,
)
from transformer_math.checks.proof import checks_of, run
from transformer_math.checks.registry import Check
from transformer_math.corpus import SENTENCE
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice
from transformer_math.explorables.model import language
from transformer_math.explorables.model.drawings import CELL, LEFT, TOP, attention_map
from transformer_math.model.decoder_only import residual_stream
from transformer_math.position import rope
from transformer_math.trained.language_model import N_HEADS

LAYER, HEAD = 3, 1
DIGITS = 3
MORE_LINES = "clamp(0px, (401px - 100cqi) * 99, 42px)"  # of the verdict, on a phone


class Version(NamedTuple):
    """A formula as it is printed, what computes it, and the button that chooses it."""

    label: str
    tex: str
    function: Callable


UNMASKED = r"\operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right)"
WHOLE = r"\operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}} + \ln M\right) V"
VERSIONS = {
    "whole": Version("Whole", WHOLE, attention),
    "scale": Version("No √dₖ", WHOLE.replace(r"\frac{Q K^\top}{\sqrt{d_k}}", r"Q K^\top"), without_scale),
    "mask": Version("No mask", f"{UNMASKED} V", mask_ignored),
    "late": Version("Mask too late", rf"\left(M \odot {UNMASKED}\right) V", masked_after_softmax),
}  # fmt: skip


@cache
def tokens() -> list[str]:
    """The sentence as the model reads it."""
    return [language.label(v).strip("␣") for v in language.encode(f" {SENTENCE}")]


@cache
def head() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Queries, keys and values of a head of the language model that reads the sentence, and the mask."""
    parameters = language.parameters()
    ids = np.array(language.encode(f" {SENTENCE}"))
    Z = list(residual_stream(ids, parameters, N_HEADS))[LAYER]
    layer = parameters.layers[LAYER]
    p, normed = layer.rotary_attention, layer_norm(Z, layer.norm_1)
    Q, K, V = (
        split_heads(project(normed, W, b), N_HEADS)[HEAD]
        for W, b in ((p.W_Q, p.b_Q), (p.W_K, p.b_K), (p.W_V, p.b_V))
    )
    positions = np.arange(len(ids), dtype=float)
    return rope(Q, positions), rope(K, positions), V, causal_mask(len(ids))


@cache
def weights(version: str) -> Float[np.ndarray, "n n"]:
    """The weights that a version gives."""
    return VERSIONS[version].function(*head())[1]


def seen(A: Float[np.ndarray, "n n"]) -> str:
    """What its weights show: what a row sums to, how much of it goes to later words, and how sharp it is."""
    sums, later = A.sum(axis=1), (A * ~head()[3]).sum(axis=1).mean()
    low, high = sums.min(), sums.max()
    rows = "1" if high - low < 1e-9 else f"{low:.2f} to {high:.2f}"
    sharp = A.max(axis=1).mean()
    ahead = f"{100 * later:.0f}\u202f%"
    return f"Rows sum to {rows}; {ahead} of the weight looks ahead; a row’s largest weight: {sharp:.2f} on average."


def rejecting(function: Callable) -> tuple[Check, str]:
    """The check that rejects a wrong version, and what it says to whoever wrote it."""
    return next(
        (check, wrong.message)
        for check in checks_of("eq-attention")
        for wrong in check.wrong_versions
        if wrong.implementation is function
    )


def verdict(version: str) -> str:
    """What the check says of a version, and how far it is from the oracle."""
    function = VERSIONS[version].function
    if function is attention:
        check = next(one for one in checks_of("eq-attention") if "mask" in one.oracle)
        return f"✓ Accepted: in {check.cases} random cases it gives what PyTorch gives."
    check, message = rejecting(function)
    error = max(check.error(function, case) for case in range(check.cases))
    assert run(check, function).error > check.tolerance
    # what to do instead, too, would not fit
    mistake = message.partition(". ")[0].rstrip(".").replace("d_k", "dₖ")
    return f"✗ Rejected, up to {error:.2f} from PyTorch’s numbers. {mistake}."


@cache
def outcomes() -> dict[str, dict[str, Any]]:
    """For each version the weights, in thousandths, and the verdict."""
    return {
        name: {
            "weights": np.rint(weights(name) * 10**DIGITS).astype(int).ravel().tolist(),
            "says": f"{verdict(name)} {seen(weights(name))}",
        }
        for name in VERSIONS
    }


class BreakingExplorable(Explorable):
    """The weights of a trained head by the formula of attention, whole or with a part of it forgotten.

    >>> BreakingExplorable(version="mask").weights[0].round(2)[:2].tolist()[0] < 1
    True
    """

    version = Choice({name: version.label for name, version in VERSIONS.items()})
    outcomes = traitlets.Dict(read_only=True).tag(sync=True)
    tokens = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)

    @traitlets.default("outcomes")
    def _default_outcomes(self) -> dict[str, dict[str, Any]]:
        return outcomes()

    @traitlets.default("tokens")
    def _default_tokens(self) -> list[str]:
        return tokens()

    @property
    def weights(self) -> Float[np.ndarray, "n n"]:
        """The weights of the version chosen."""
        return weights(self.version)

    def heights(self) -> tuple[str, str]:
        """The formula, the buttons, the heatmap, the verdict, tasks."""
        n = len(self.tokens)
        return (
            f"calc(404px + {MORE_LINES} + {n} * min(15px, (100cqi - 84px) / {n}))",
            f"{313 + 15 * n}px",
        )

    def description(self) -> str:
        """What is shown, and the verdict."""
        return (
            f"The weights of a trained head on “{SENTENCE}”, {len(self.tokens)} × {len(self.tokens)}, "
            f"by the formula of attention, {VERSIONS[self.version].label.lower()}. {self.outcomes[self.version]['says']}"
        )

    def still(self) -> str:
        """The heatmap."""
        n = len(self.tokens)
        drawn = attention_map(self.weights, self.tokens, self.tokens)
        picture = _svg.picture(LEFT + n * CELL + 10, TOP + n * CELL + 4, drawn)
        return f'<div style="max-width:22rem;margin:auto">{picture}</div>'
