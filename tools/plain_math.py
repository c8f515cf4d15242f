r"""The LaTeX of the book's formulas in plain text, a line for each row: what `help(attention)` shows.

>>> print(plain(r"S = \frac{Q K^\top}{\sqrt{d_k}} \in \mathbb{R}^{n \times m}"))
S = (Q Kᵀ)/√d_k ∈ R^(n × m)
"""

import re
from textwrap import wrap

WIDTH = 100
_TOKEN = re.compile(r"\\[a-zA-Z]+\*?|\\.|[{}^_&]|\s+|[^\\{}^_&\s]", re.DOTALL)
_GREEK = "alpha beta gamma delta varepsilon epsilon eta theta kappa lambda mu nu xi pi rho sigma tau phi varphi psi omega ell"
_CAPITALS = "Gamma Delta Theta Lambda Pi Sigma Phi Psi Omega"
_SIGNS = {
    **dict(zip(_GREEK.split(), "αβγδεϵηθκλμνξπρστϕφψωℓ")),
    **dict(zip(_CAPITALS.split(), "ΓΔΘΛΠΣΦΨΩ")),
    **{"sum": "Σ", "prod": "Π", "top": "ᵀ", "infty": "∞", "partial": "∂"},
    **{"odot": "⊙", "cdot": "·", "times": "×", "le": "≤", "ge": "≥", "ne": "≠"},
    **{"in": "∈", "approx": "≈", "leftarrow": "←", "to": "→", "mapsto": "↦"},
    **{"propto": "∝", "sim": "~", "cup": "∪", "cap": "∩", "mid": "|", "gg": ">>"},
    **{"dots": "…", "ddots": "⋱", "lVert": "‖", "rVert": "‖", "langle": "⟨"},
    **{"rangle": "⟩", "textbackslash": "\\", "textasciicircum": "^", "circ": "∘"},
    **{"oplus": "⊕", "bmod": "mod"},
    **dict.fromkeys(("quad", "qquad", ",", ";", " "), " "),
    **dict.fromkeys(("left", "right", "bigl", "bigr", "Bigl", "Bigr", "big"), ""),
    **dict.fromkeys(("Big", "!", "textstyle"), ""),
    **{"{": "{", "}": "}", "_": "_", "%": "%", "|": "‖"},
}
_WORDS = {"max", "min", "ln", "log", "exp", "sin", "cos", "tanh"}
_FONTS = {"text", "mathrm", "mathcal", "mathbb", "mathbf", "texttt"}
_ONE_THING = re.compile(
    r"√?[\d.]+|√?[^\W\d]?(?:[^\W\d_]{2,})?(?:_\w+|_\{[^{}]*\})?(?:\([^()]*\)|\[[^\[\]]*\])?[ᵀ'⁰¹²³⁴-⁹]*"
)
_POWERS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def plain(tex: str) -> str:
    r"""A formula in plain text. Raises ValueError for a command that it does not know.

    >>> plain(r"\begin{aligned} a &= x^2 \\ b &= \sum_{i=0}^{n-1} x_i \end{aligned}").splitlines()
    ['a = x²', 'b = Σ_{i=0}^(n-1) x_i']
    """
    lines: list[str] = []
    for row in map(_tidy, _Reader(tex).until(None).split("\n")):
        goes_on = row.startswith(("=", "+", "∈"))
        if goes_on and len(lines[-1]) + len(row) < WIDTH:
            lines[-1] += f" {row}"
        elif row:
            lines.append(row)
    return "\n".join(line for long in lines for line in _broken(long))


def _broken(line: str) -> list[str]:
    return wrap(line, WIDTH, subsequent_indent="    ", break_long_words=False)


def _tidy(row: str) -> str:
    row = re.sub(r" +([,;.)\]])", r"\1", re.sub(r"\s+", " ", row))
    return re.sub(r"([(\[]) +", r"\1", row).strip()


class _Reader:
    """Reads tokens from left to right."""

    def __init__(self, tex: str) -> None:
        self.tokens = _TOKEN.findall(tex)
        self.place = 0

    def next(self) -> str:
        """The next token."""
        self.place += 1
        return self.tokens[self.place - 1]

    def until(self, end: str | None) -> str:
        """Everything up to a token, which is read too; up to the end for None."""
        text = ""
        while self.place < len(self.tokens):
            token = self.next()
            if token == end:
                return text
            text += self.one(token)
        return text

    def argument(self) -> str:
        """What stands in braces, or the next token alone."""
        self.skip_space()
        token = self.next()
        return self.until("}") if token == "{" else self.one(token)

    def skip_space(self) -> None:
        """Go on to what is no space."""
        while self.place < len(self.tokens) and self.tokens[self.place].isspace():
            self.place += 1

    def one(self, token: str) -> str:
        """A token, with the arguments that belong to it."""
        if token == "{":
            return self.until("}")
        if token in "^_":
            return _script(token, self.argument().strip())
        if token == "&":
            return "\t"
        if token == "\\\\":
            return "\n"
        if not token.startswith("\\"):
            return " " if token.isspace() else token
        return self.command(token[1:].rstrip("*"))

    def command(self, name: str) -> str:
        """A command with its arguments."""
        if name.startswith("text"):
            self.skip_space()
        if name in _SIGNS:
            return _SIGNS[name]
        if name in _WORDS or name == "operatorname":
            word = name if name in _WORDS else self.argument()
            return f"{word} " if self.follows_a_symbol() else word
        if name in _FONTS:
            return self.argument()
        if name in ("frac", "tfrac"):
            parts = (_as_one(self.argument().strip()) for _ in range(2))
            return "/".join(parts) + " "
        if name == "sqrt":
            return "√" + _as_one(self.argument().strip())
        if name == "underbrace":
            above, _, below = self.argument(), self.next(), self.argument()
            return f"{above} [{below}]"
        if name == "begin":
            return self.environment(self.argument())
        raise ValueError(
            rf"\{name} has no plain text. Fix: give it one in tools/plain_math.py."
        )

    def follows_a_symbol(self) -> bool:
        """Whether no bracket, no index and no end comes next."""
        rest = "".join(self.tokens[self.place :]).lstrip("!\\ ").lower()
        return bool(re.match(r"\w", rest)) and not rest.startswith(("_", "left", "big"))

    def environment(self, name: str) -> str:
        """The rows of `cases`, of a matrix, or of aligned formulas."""
        body = ""
        while (token := self.next()) != r"\end":
            body += self.one(token)
        self.argument()
        rows = [row.split("\t") for row in body.strip().split("\n")]
        if name == "cases":
            return "{" + "; ".join(_case(*row) for row in rows) + "}"
        if name.endswith("matrix"):
            filled = ([cell.strip() for cell in row if cell.strip()] for row in rows)
            return f"[{'; '.join(map(', '.join, filled))}]"
        return "\n".join(" ".join(row) for row in rows) + "\n"


def _script(sign: str, text: str) -> str:
    if sign == "^":
        if text in ("ᵀ", "*", "'"):
            return text
        if re.fullmatch(r"-?\d+", text):
            return text.translate(_POWERS)
        return f"^{text}" if re.fullmatch(r"[^\W_]+|\([^()]*\)", text) else f"^({text})"
    return f"_{text}" if re.fullmatch(r"[^\W_]+", text) else f"_{{{text}}}"


def _as_one(text: str) -> str:
    r"""In brackets, unless it reads as one thing without them: a symbol, a number, a function of something."""
    return text if _ONE_THING.fullmatch(text) else f"({text})"


def _case(value: str, condition: str = "") -> str:
    value, condition = value.strip(), condition.strip()
    if not condition:
        return value
    said = condition.startswith(("if", "otherwise", "else"))
    return f"{value} {'' if said else 'if '}{condition}"
