r"""Typeset symbols in tables, captions and pictures: `$d_k$`, `$d_{\text{model}}$`, `$W^Q$`, `$\sqrt{d_k}$`.

A small part of TeX, enough for names and short terms; whole formulas belong on the page, where KaTeX sets them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from transformer_math.errors import require
from transformer_math.plots.numbers import typographic

_SYMBOLS = dict(
    pair.split(":")
    for line in (
        "alpha:α beta:β gamma:γ delta:δ epsilon:ϵ varepsilon:ε theta:θ lambda:λ mu:μ pi:π rho:ρ sigma:σ tau:τ phi:φ",
        "varphi:φ omega:ω Delta:Δ Sigma:Σ Omega:Ω ell:ℓ cdot:· times:× le:≤ ge:≥ ne:≠ approx:≈ pm:± to:→ in:∈ odot:⊙",
        "Pi:Π Phi:Φ Psi:Ψ Gamma:Γ lvert:| rvert:| mapsto:↦ nabla:∇ eta:η kappa:κ xi:ξ zeta:ζ nu:ν chi:χ psi:ψ",
        "infty:∞ top:⊤ ldots:… dots:… sum:∑ partial:∂ lVert:‖ rVert:‖ log:log ln:ln sin:sin cos:cos exp:exp max:max",
    )
    for pair in line.split()
)
_ALPHABETS = {
    r"\mathbb": {"R": "ℝ", "E": "𝔼"},
    r"\mathcal": {"L": "ℒ", "V": "𝒱", "D": "𝒟"},
    r"\mathsf": {},
}
_NAMES = frozenset(("log", "ln", "sin", "cos", "exp", "max"))
_BINARY = frozenset("=+−·×<>≤≥≠≈→∈⊙±")
_FORMULA = re.compile(r"(?<!\\)\$(?!\s)([^$\n]+?)(?<!\s)\$(?!\d)")
_PIECE = re.compile(r"\\([A-Za-z]+|.)|(.)", re.DOTALL)


@dataclass(frozen=True)
class Run:
    """Letters of one kind: slanted or not, on the line (0), below it (−1) or above it (1)."""

    text: str
    italic: bool
    level: int


def html(text: str) -> str:
    r"""Escape a text for a page, with its `$…$` typeset.

    >>> html(r"$d_{\text{model}}$ & more")
    '<span class="symbol"><i>d</i><sub>model</sub></span> &amp; more'
    """
    return "".join(
        f'<span class="symbol">{"".join(map(_html, part))}</span>'
        if isinstance(part, list)
        else escape(part)
        for part in parts(text)
    )


def svg(text: str) -> str:
    """Escape a text for an SVG's `<text>`, with its `$…$` typeset in shifted, smaller, slanted spans."""
    written, height = [], 0.0
    for part in parts(text):
        for run in part if isinstance(part, list) else [Run(part, False, 0)]:
            target = {-1: 0.25, 0: 0.0, 1: -0.38}[run.level]
            shift = target - height
            # a step is in units of the span's own font size
            step = f' dy="{shift / (0.72 if run.level else 1):.2f}em"' if shift else ""
            size = ' font-size="72%"' if run.level else ""
            slant = ' font-style="italic"' if run.italic else ""
            inside = escape(run.text)
            written.append(
                f"<tspan{step}{size}{slant}>{inside}</tspan>"
                if step or size or slant
                else inside
            )
            height = target
    return "".join(written)


def plain(text: str) -> str:
    r"""The text as one would type it, for measuring and for hovering.

    >>> plain(r"$\sqrt{d_k}$ and more")
    '√d_k and more'
    >>> plain(r"$V \log V$, $-\infty$")
    'V\u2009log\u2009V, −∞'
    """
    marks = {-1: "_", 0: "", 1: "^"}
    return "".join(
        "".join(marks[run.level] + run.text for run in part)
        if isinstance(part, list)
        else part
        for part in parts(text)
    )


def parts(text: str) -> Iterator[str | list[Run]]:
    """Yield plain text and typeset formulas in turn. Raises ValueError for a command that is not known here."""
    end = 0
    for found in _FORMULA.finditer(text):
        if found.start() > end:
            yield typographic(text[end : found.start()])
        yield _merged(_apart(_runs(_pieces(found[1]), 0)))
        end = found.end()
    if end < len(text):
        yield typographic(text[end:])


def _pieces(tex: str) -> list[str]:
    return ["\\" + found[1] if found[1] else found[2] for found in _PIECE.finditer(tex)]


def _group(pieces: list[str]) -> list[str]:
    """Take one argument off the front: a group in braces, or one piece."""
    while pieces and pieces[0] == " ":
        pieces.pop(0)
    require(bool(pieces), "a formula ends where an argument was wanted. Fix: write it.")
    first = pieces.pop(0)
    if first != "{":
        return [first]
    group, depth = [], 1
    while depth:
        require(bool(pieces), "a brace is not closed in a formula. Fix: close it.")
        group.append(pieces.pop(0))
        depth += {"{": 1, "}": -1}.get(group[-1], 0)
    return group[:-1]


def _runs(pieces: list[str], level: int) -> list[Run]:
    pieces, runs = list(pieces), []
    while pieces:
        piece = pieces.pop(0)
        if piece in "_^":
            runs += _runs(_group(pieces), 1 if piece == "^" else -1)
        elif piece in (r"\text", r"\mathrm", r"\operatorname", r"\mathbf"):
            runs.append(Run("".join(_group(pieces)), False, level))
        elif piece in _ALPHABETS:
            letters = "".join(_group(pieces))
            runs.append(Run(_ALPHABETS[piece].get(letters, letters), False, level))
        elif piece == r"\sqrt":
            inside = _runs(_group(pieces), level)
            one = sum(run.level == level for run in inside) == 1
            opening, closing = ("√", "") if one else ("√(", ")")
            runs += [Run(opening, False, level), *inside]
            runs += [Run(closing, False, level)] * bool(closing)
        elif piece in ("{", "}"):
            continue
        else:
            runs += _letter(piece, level)
    return runs


def _letter(piece: str, level: int) -> list[Run]:
    if piece == " " or piece in (r"\left", r"\right", r"\bigl", r"\bigr"):
        return []
    if piece.startswith("\\"):
        name = piece[1:]
        if not name.isalpha():
            return [
                Run({",": "\u2009", " ": " ", ";": " "}.get(name, name), False, level)
            ]
        require(
            name in _SYMBOLS,
            f"{piece} is not known in tables and pictures. Fix: write a simpler term, or add it to plots/symbols.py.",
        )
        text = _SYMBOLS[name]
        slanted = len(text) == 1 and text.isalpha() and text.islower()
        return [Run(_spaced(text, level), slanted and text not in _BINARY, level)]
    text = {"-": "−", "'": "′", "*": "∗"}.get(piece, piece)
    return [Run(_spaced(text, level), text.isalpha(), level)]


def _spaced(text: str, level: int) -> str:
    return f"\u2009{text}\u2009" if text in _BINARY and level == 0 else text


def _apart(runs: list[Run]) -> list[Run]:
    """A thin space between the name of a function, as ln, and a letter or digit beside it; none around a first sign."""
    if runs and runs[0].text.strip() in "+−±":
        runs[0] = Run(runs[0].text.strip(), False, runs[0].level)
    apart: list[Run] = []
    for run in runs:
        base = [one for one in apart if one.level == 0]
        last = base[-1].text if base else ""
        beside = run.level == 0 and (run.text[:1].isalnum() or run.text[:1] == "√")
        if beside and (last in _NAMES or (run.text in _NAMES and last[-1:].isalnum())):
            apart.append(Run("\u2009", False, 0))
        apart.append(run)
    return apart


def _merged(runs: list[Run]) -> list[Run]:
    merged: list[Run] = []
    for run in runs:
        if merged and (merged[-1].italic, merged[-1].level) == (run.italic, run.level):
            merged[-1] = Run(merged[-1].text + run.text, run.italic, run.level)
        else:
            merged.append(run)
    return merged


def _html(run: Run) -> str:
    text = f"<i>{escape(run.text)}</i>" if run.italic else escape(run.text)
    tag = {-1: "sub", 1: "sup"}.get(run.level)
    return f"<{tag}>{text}</{tag}>" if tag else text
