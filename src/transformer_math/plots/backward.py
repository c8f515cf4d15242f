"""The model from the loss back to the embeddings: one picture for all pages on gradients, each with its own part lit."""

from collections.abc import Collection
from dataclasses import dataclass

from transformer_math import palette
from transformer_math.errors import require
from transformer_math.plots.cells import drawing
from transformer_math.plots.picture import Picture, described
from transformer_math.plots.symbols import plain, svg

WIDTH, BOX, HEIGHT, STEP = 330, 176, 36, 68
UP, DOWN = 40, 150  # where the arrows stand: forward on the left, backward on the right


@dataclass(frozen=True)
class Part:
    """A part of the model: what it is, what it hands up, what comes back to it, what its parameters get."""

    name: str
    up: str
    back: str
    learns: str


PARTS = {
    "loss": Part("loss: cross-entropy", r"$\mathcal{L}$", r"$\mathrm{d}\mathcal{L} = 1$", ""),
    "logits": Part("logits, softmax", r"$p$", r"$p - y$", r"$\mathrm{d}W^{\text{out}}$"),
    "network": Part("feed-forward, add & norm", r"$Z^{(ℓ)}$", r"$\mathrm{d}Z^{(ℓ)}$", r"$\mathrm{d}W_1$, $\mathrm{d}W_2$, …"),
    "attention": Part("attention, add & norm", r"$Z'$", r"$\mathrm{d}Z'$", r"$\mathrm{d}W^Q$, $\mathrm{d}W^K$, …"),
    "embedding": Part("embeddings, positions", r"$Z^{(0)}$", r"$\mathrm{d}Z^{(0)}$", r"$\mathrm{d}E$"),
}  # fmt: skip
LAYER = ("network", "attention")
HEAD = (
    '<marker id="{0}" viewBox="0 0 8 8" refX="6.5" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 .8L7 4 0 7.2z" fill="{1}"/></marker>'
)


def backward_graph(lit: Collection[str] = tuple(PARTS)) -> Picture:
    """Draw the forward pass upwards and the gradients downwards, from the loss to the embeddings.

    `lit` names the parts that a page is about: "loss", "logits", "network", "attention", "embedding". Raises ValueError
    for another name.
    """
    unknown = [name for name in lit if name not in PARTS]
    require(
        not unknown,
        f"the model has no part {unknown}; wanted some of {list(PARTS)}. Fix: one of these names.",
    )
    tops = {name: 34 + STEP * k for k, name in enumerate(PARTS)}
    heads = HEAD.format("fwd", "currentColor") + HEAD.format("bwd", palette.ORANGE)
    shapes = [_part(PARTS[name], top, name in lit) for name, top in tops.items()]
    last = max(tops.values()) + HEIGHT
    inside = [f"<defs>{heads}</defs>", _frame(tops), *shapes, _ends(last)]
    return described(
        [("", drawing(WIDTH, last + 34, *inside))], _alt(lit), _caption(lit)
    )


def _part(part: Part, top: int, lit: bool) -> str:
    colour = palette.ORANGE if lit else palette.GREY
    fill, weight = (0.2, 2) if lit else (0.06, 1)
    middle = top + HEIGHT / 2
    box = (
        f'<rect x="12" y="{top}" width="{BOX}" height="{HEIGHT}" rx="7" fill="{colour}" fill-opacity="{fill}" '
        f'stroke="{colour}" stroke-width="{weight}"/>'
    )
    label = _text(12 + BOX / 2, middle + 4, part.name, "middle", 600 if lit else 400)
    shapes = [
        box,
        label,
        _text(UP + 7, top - 9, part.up),
        _text(DOWN + 7, top - 9, part.back),
    ]
    if part.learns:
        shapes += [
            _arrow(f"M{12 + BOX} {middle}H{BOX + 40}", "bwd"),
            _text(BOX + 46, middle + 4, part.learns),
        ]
    return "".join(
        [
            *shapes,
            _arrow(f"M{UP} {top}V{top - 26}", "fwd"),
            _arrow(f"M{DOWN} {top - 30}V{top - 4}", "bwd"),
        ]
    )


def _frame(tops: dict[str, int]) -> str:
    """The frame of a layer, and how often there is one."""
    first, last = (tops[name] for name in LAYER)
    box = (
        f'<rect x="3" y="{first - 6}" width="{WIDTH - 6}" height="{last - first + HEIGHT + 12}" rx="10" fill="none" '
        'stroke="currentColor" stroke-opacity=".5" stroke-dasharray="5 4"/>'
    )
    return box + _text(WIDTH - 10, last - 12, "layer, $N$ times", "end")


def _ends(last: int) -> str:
    return _arrow(f"M{UP} {last + 28}V{last + 4}", "fwd") + _text(
        UP + 7, last + 20, "ids"
    )


def _arrow(path: str, kind: str) -> str:
    colour = palette.ORANGE if kind == "bwd" else "currentColor"
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.5" marker-end="url(#{kind})"/>'


def _text(
    x: float, y: float, text: str, anchor: str = "start", weight: int = 400
) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-weight="{weight}">{svg(text)}</text>'


def _names(lit: Collection[str]) -> str:
    return "; ".join(PARTS[name].name for name in PARTS if name in lit)


def _alt(lit: Collection[str]) -> str:
    learns = ", ".join(plain(part.learns) for part in PARTS.values() if part.learns)
    return (
        "The model as a column of boxes, from embeddings at the bottom through a layer of attention and feed-forward network, N "
        f"times, to logits and loss. Forward arrows go up. Gradients go down, and leave {learns} on their way. Lit: {_names(lit)}."
    )


def _caption(lit: Collection[str]) -> str:
    if len(lit) == len(PARTS):
        return "Forward goes up; gradients, in orange, come down, and every part keeps those of its own parameters."
    boxes = "box" if len(lit) == 1 else "boxes"
    return (
        "Forward goes up; gradients, in orange, come down. "
        f"This page is about the orange {boxes}."
    )
