"""Wrong formulas: printed LaTeX with one plausible mistake in it, made by rule from the right one."""

import re
from collections.abc import Iterator

RULES = [  # what is looked for, and what stands in its place: one place at a time
    (r"(?<![{_^(])\s\+\s", " - "),
    (r"(?<=[\w})])\s*-\s*(?=[\w\\(])", " + "),
    (r"(?<=[({=&])\s*-\s*(?=[\w\\])", " "),
    (r"\^\\top", ""),
    (r"\\sin\b", r"\\cos"),
    (r"\\cos\b", r"\\sin"),
    (r"\\tanh\b", r"\\sin"),
    (r"\\max\b", r"\\min"),
    (r"\\log_2", r"\\ln"),
    (r"\\ln\b", r"\\log_2"),
    (r"\\le\b", "<"),
    (r"(?<!\\)<", r"\\le"),
    (r"\\geq?\b", "<"),
    (r"\\gg\b", "+"),
    (r"_\{?ij\}?", "_{ji}"),
    (r"_\{2([iu])\}", r"_{\1}"),
    (r"_\{2([iu])\+1\}", r"_{2\1}"),
    (r"(?<=_)j(?!\w)", "i"),
    (r"(?<=_)i(?!\w)", "j"),
    (r"(?<=_)u(?!\w)", "0"),
    (r"\\sum_k\b", r"\\sum_j"),
    (r"\\sum_j\b", r"\\sum_i"),
    (r"\\sum_u\b", r"\\sum_v"),
    (r"(?<![\d.{_^])2(?=[\s\\,]*[a-z\\(])", ""),
    (r"(?<![\d.])2(?=[\s\\,]*\\pi)", ""),
    (r"\^2", ""),
    (r"\^\{?2\}?", "^{3}"),
    (r"\^4", "^2"),
    (r"(?<![\d.])([4686])(?![\d.])", "5"),
    (r"\s*\+\s*b(?:\^\\?\w+(?:\{\w+\})?)?(?:_\w)?(?=[\s,;\\}]|$)", ""),
    (r"\s*\+\s*\\beta", ""),
    (r"\\gamma\s*\\odot", ""),
    (r"\\gamma\b", r"\\beta"),
    (r"\s*\+\s*\\varepsilon", ""),
    (r"W\^Q", "W^K"),
    (r"W\^K", "W^V"),
    (r"W\^V", "W^Q"),
    (r"W_1", "W_2"),
    (r"b_2\b", "b_1"),
    (r"d_k(?![\w/])", "d_v"),
    (r"\\sqrt\{d_k\}", "d_k"),
    (r"\\operatorname\{softmax\}", ""),
    (r"\\operatorname\{LayerNorm\}(?:_\d)?", ""),
    (r"\\operatorname\{LayerNorm\}_1", r"\\operatorname{LayerNorm}_2"),
    (r"\\operatorname\{Encoder\}", ""),
    (r"\\operatorname\{FFN\}", ""),
    (r"\(Z, Y\) =", "(Y, Z) ="),
    (r"Z'(?= \+| \\)", "Z"),
    (r"Y W", "Z W"),
    (r"-2", "2"),
    (r"\be\^", "2^"),
    (r"\\frac\{x\}\{2\}", "x"),
    (r"0\.044715", "0.04715"),
    (r"x\^3", "x^2"),
    (r"\(j - i\)", "(i - j)"),
    (r"\(l-1\)", "(l)"),
    (r"x_m|x_i(?=,)", "x_0"),
    (r"\\omega_i", r"\\omega_0"),
    (r"k\\?,? ?\\omega", r"\\omega"),
    (r"pos\s*\\;", ""),
    (r"\+ P\b", ""),
    (r"X \+ P", "X P"),
    (r"A V", "V"),
]

# Words and names, in which a change is no mistake in mathematics: text, operators' names, Var[…], what a brace is called.
NAMES = re.compile(
    r"\\operatorname\{Var\}(?:\\!)?(?:\\left)?\[.*?(?:\\right)?\]"
    r"|\\(?:text|operatorname|xrightarrow)\{[^{}]*\}"
    r"|(?<=\})_\{Q[^{}]*\}",
    re.DOTALL,
)


def wrong_formulas(tex: str) -> Iterator[str]:
    """Every wrong version of a formula that the rules make, each with one change; none twice."""
    seen = {_plain(tex)}
    names = [found.span() for found in NAMES.finditer(tex)]
    changes = (*_by_rules(tex), *_without_roots(tex), *_upside_down(tex))
    for place, wrong in changes:
        in_a_name = any(start < place < end for start, end in names)
        if not in_a_name and _plain(wrong) not in seen:
            seen.add(_plain(wrong))
            yield wrong


def _plain(tex: str) -> str:
    return re.sub(r"\s|\\[,;!]|[{}]", "", tex)


def _by_rules(tex: str) -> Iterator[tuple[int, str]]:
    for pattern, instead in RULES:
        for found in re.finditer(pattern, tex):
            changed = tex[: found.start()] + found.expand(instead) + tex[found.end() :]
            yield found.start(), changed


def _without_roots(tex: str) -> Iterator[tuple[int, str]]:
    for found in re.finditer(r"\\sqrt(?=\{)", tex):
        yield found.start(), tex[: found.start()] + tex[found.end() :]


def _upside_down(tex: str) -> Iterator[tuple[int, str]]:
    for found in re.finditer(r"\\t?frac(?=\{)", tex):
        over = _braces(tex, found.end())
        if tex[over : over + 1] == "{":
            under = _braces(tex, over)
            a, b = tex[found.end() : over], tex[over:under]
            yield found.start(), tex[: found.end()] + b + a + tex[under:]


def _braces(tex: str, start: int) -> int:
    depth = 0
    for place in range(start, len(tex)):
        depth += {"{": 1, "}": -1}.get(tex[place], 0)
        if depth == 0:
            return place + 1
    raise ValueError(f"the braces of {tex!r} do not match")
