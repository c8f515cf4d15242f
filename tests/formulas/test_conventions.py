"""How formulas are read: each convention of the page `reading` on a small case."""

import inspect
import re

import numpy as np
import pytest
from conftest import ROOT

from transformer_math.formulas.book import Formula, formulas_of
from transformer_math.formulas.engine import Engine
from transformer_math.tokenization import words


def difference(tex, given, wanted, others=(), defaults=None):
    """Run one formula, with others beside it that it may call."""
    formulas = [Formula(tex, "page", 1, "eq-this")]
    formulas += [Formula(other, "page", 1, f"eq-{i}") for i, other in enumerate(others)]
    with Engine(formulas, {}) as engine:
        engine.prepare("eq-this", [(given, wanted)], defaults)
        return engine.run("eq-this")


A = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
B = np.array([[1.0, -1.0], [0.5, 2.0]])
x, y = np.array([1.0, 2.0]), np.array([3.0, -1.0])


def TEXT(letters):
    return {"text": letters}


AGREE = {
    "side by side is the matrix product": ("C = A B", {"A": A, "B": B}, A @ B),
    "a transpose": (r"C = A A^\top", {"A": A}, A @ A.T),
    "digits come one by one": ("y = 12.5 x", {"x": 2.0}, 25.0),
    "a dot product": (r"c = x \cdot y", {"x": x, "y": y}, x @ y),
    "an inner product": (r"c = \langle x, y \rangle", {"x": x, "y": y}, x @ y),
    "a row times a column": (r"c = x y^\top", {"x": x, "y": y}, x @ y),
    "a matrix times a column": ("c = B x", {"B": B, "x": x}, B @ x),
    "a row times a matrix": ("c = x B", {"B": B, "x": x}, x @ B),
    "entry by entry": (r"c = x \odot y", {"x": x, "y": y}, x * y),
    "products bind before dots": (r"c = 2 x \cdot 3 y", {"x": x, "y": y}, 6 * x @ y),
    "a slash takes one factor": ("c = x / 2 + 1", {"x": 3.0}, 2.5),
    "a root of another degree": (r"c = \sqrt[3]{x}", {"x": 8.0}, 2.0),
    "a power of a root": (r"c = \sqrt{x}^2", {"x": 3.0}, 3.0),
    "a power of a fraction": (r"c = \frac{x}{2}^2", {"x": 3.0}, 2.25),
    "an index in braces, and a power": (r"c = {d_k}^2", {"d_k": 3}, 9),
    "bars of any spelling": (r"c = \left\lvert x \right\rvert + \lvert x \rvert + \vert x \vert", {"x": -2.0}, 6.0),
    "a bar in a bar": (r"c = \lvert x - \lvert x \rvert \rvert", {"x": -2.0}, 4.0),
    "double bars of any spelling": (r"c = \| x \| + \left\| x \right\| + \Vert x \Vert", {"x": B[1]}, 3 * np.linalg.norm(B[1])),
    "a tall slash": (r"c = x \big/ 2", {"x": 3.0}, 1.5),
    "a power after a bracket": ("c = (x + 1)^2", {"x": 3.0}, 16.0),
    "a name with a subscript": ("c = d_k + 1", {"d_k": 3}, 4),
    "the gradient of a name with a subscript": (r"\mathrm{d}W_g = 2 W_g", {"W_g": A}, 2 * A),
    "an index": ("c = x_1", {"x": x}, 2.0),
    "two indices": ("c = A_{ij}", {"A": A, "i": 2, "j": 1}, 6.0),
    "a computed index": ("c = x_{2i+1}", {"x": x, "i": 0}, 2.0),
    "an index of an index": ("X_i = E_{t_i}", {"E": A, "t": [2, 0]}, A[[2, 0]]),
    "a small letter is a row": ("c = a_1 B", {"A": A, "B": B}, A[1] @ B),
    "a free index runs over the shape": ("M_{ij} = (j \\le i)", {}, np.tri(3)),
    "a printed range": (r"c_i = i^2, \qquad i = 0, 1, \dots, n - 1", {"n": 4}, [0, 1, 4, 9]),
    "even and odd": (r"c_{2i} = x_i, \qquad c_{2i+1} = -x_i", {"x": x}, [1, -1, 2, -2]),
    "a sum over an axis": (r"c = \sum_k x_k y_k", {"x": x, "y": y}, x @ y),
    "a sum with bounds": (r"c = \sum_{k=1}^{n} k", {"n": 4}, 10),
    "a sum with a condition": (r"c_v = \sum_{i \,:\, t_i = v} x_i", {"x": x, "t": [1, 1]}, [0.0, 3.0]),
    "a sum takes the product behind it": (r"c = \sum_{k=1}^{2} 2 k + 1", {}, 7),
    "dots between members": (r"C = \operatorname{Concat}(O_0, \dots, O_{H-1})", {"O[]": [A, 2 * A], "H": 2}, np.hstack([A, 2 * A])),
    "a diagonal with dots": (
        r"C = \begin{bmatrix} x_0 & & \\ & \ddots & \\ & & x_{n-1} \end{bmatrix}",
        {"x": x, "n": 2},
        np.diag(x),
    ),
    "blocks side by side": ("C = [A, A]", {"A": A}, np.hstack([A, A])),
    "cases": (r"c = \begin{cases} 1 & \text{if } x > 0 \\ -1 & \text{otherwise} \end{cases}", {"x": -2.0}, -1),
    "where": (r"c = \mu + 1 \qquad \mu = 2 x", {"x": 3.0}, 7.0),
    "a named power": (r"c = \sqrt{\sigma^2} \qquad \sigma^2 = 4 x", {"x": 1.0}, 2.0),
    "layers": (
        r"Z^{(l)} = 2 Z^{(l-1)}, \qquad l = 1, \dots, N \\ \operatorname{f}(x) = Z^{(N)}",
        {"Z^(0)": 3.0, "N": 4, "x": 0.0},
        48.0,
    ),
    "an arrow": ("x \\leftarrow 2 x", {"x": x}, 2 * x),
    "0 log 0": (r"c = -\sum_j a_j \log_2 a_j", {"a": [0.0, 1.0]}, 0.0),
    "absolute value": ("c = |x - 5|", {"x": 3.0}, 2.0),
    "a constant of nature": (r"c = 2\pi", {}, 2 * np.pi),
    "Kronecker": (r"C_{ij} = \delta_{ij}", {}, np.eye(2)),
    "a length": (r"c = \lVert x \rVert", {"x": [3.0, 4.0]}, 5.0),
    "the first of the largest": (r"i = \operatorname*{argmax}_j x_j", {"x": [1.0, 7.0, 7.0]}, 1),
    "under a condition": (r"i = \operatorname*{argmin}_{j:\; j > 0} x_j", {"x": [1.0, 7.0, 6.0]}, 2),
    "the best pair of a set": (
        r"c = \operatorname*{argmax}_{a, b \in \mathcal{V}} X_{ab}",
        {"mathcal:V": [0, 2], "X": A @ A.T * [[1, 1, -1], [1, 9, 9], [-1, 9, -1]]},
        [0, 0],
    ),
    "texts side by side": (
        r"c = \operatorname{score}(x_0 x_1)",
        {"x": [TEXT("a"), TEXT("b")], "score": {"table": [[TEXT("ab"), 3.0]]}},
        3.0,
    ),
    "members of both": (r"c = |U \cap N|", {"U": {"members": [1, 2, 3]}, "N": {"members": [3, 4, 1]}}, 2),
}  # fmt: skip


@pytest.mark.parametrize("name", AGREE)
def test_a_sign_means_what_the_page_says(name):
    tex, given, wanted = AGREE[name]
    if "\\\\" in tex and "begin" not in tex:
        tex = rf"\begin{{gathered}} {tex} \end{{gathered}}"
    outcome = difference(tex, given, {"result": wanted})
    assert outcome.problem is None, outcome.problem
    assert outcome.worst < 1e-12
    off = np.asarray(wanted, dtype=float) + 0.5
    assert difference(tex, given, {"result": off}).worst > 0.01


HOLDS = {
    "at most": (r"x_1 \le n", r"x_1 \ge n"),
    "less": (r"x_0 < x_1 < n", r"x_0 < x_1 < 2"),
    "equal is not less": (r"x_1 \le 2", r"x_1 < 2"),
    "entry by entry": (r"x \le 2", r"x \le 1"),
    "different": (r"x_0 \neq x_1", r"x_0 \neq 1"),
    "after an equation": (r"2 x_0 = x_1 \le n", r"2 x_0 = x_1 \ge n"),
    "proportional": (r"x \propto y", r"x \propto y^2"),
    "proportional, by index": (r"x_v \propto y_v / 7", r"x_v \propto y_v + 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLDS)
def test_a_relation_holds_or_the_formula_is_refused(name):
    holds, fails = HOLDS[name]
    given = {"x": [1.0, 2.0], "y": [3.0, 6.0], "n": 3}
    assert difference(holds, given, {}).worst < 1e-12
    assert difference(fails, given, {}).worst > 1e-3


def test_there_and_back_is_compared():
    tables = {
        "encode": {"table": [[TEXT("ab"), [3, 1]]]},
        "decode": {"table": [[[3, 1], TEXT("ab")]]},
    }
    tex = r"\operatorname{decode}(\operatorname{encode}(s)) = s"
    assert difference(tex, tables | {"s": TEXT("ab")}, {}).worst == 0
    tables["decode"]["table"][0][1] = TEXT("Ab")
    assert difference(tex, tables | {"s": TEXT("ab")}, {}).worst == np.inf


def test_an_equation_may_stand_beside_a_numbered_one():
    numbered = Formula(r"y = 2 x, \qquad u = x + 1", "page", 1, "eq-this")
    for tex, agrees in ((r"2 u = y + 2", True), (r"2 u = y + 1", False)):
        beside = Formula(tex, "page", 9, None, "as eq-this")
        with Engine([numbered, beside], {}) as engine:
            engine.prepare(beside.name, [({"x": 3.0}, {"result": 6.0})])
            assert (engine.run(beside.name).worst == 0) == agrees


def test_formulas_call_each_other():
    others = [r"\operatorname{double}(x) = 2 x", r"\omega_i = i + 1"]
    outcome = difference(
        r"y = \operatorname{double}(3 \omega_1)", {}, {"result": 12.0}, others
    )
    assert outcome.worst == 0


def test_a_function_with_an_index_brings_its_parameters():
    tex = r"y = \operatorname{scaled}_2(x)"
    given = {"x": 5.0, "scaled_2": {"parameters": {"gamma": 3.0}}, "gamma": 100.0}
    others = [r"\operatorname{scaled}(x) = \gamma x"]
    assert difference(tex, given, {"result": 15.0}, others).worst == 0


def test_a_default_on_the_page_must_be_the_functions():
    tex = r"y = b x, \qquad b = 10000"
    case = ({"x": 1.0, "b": 2.0}, {"result": 2.0})
    assert difference(tex, *case, defaults={"b": 10000.0}).worst == 0
    assert difference(tex, *case, defaults={"b": 1000.0}).worst > 1


def test_a_printed_shape_is_checked():
    right, wrong = (rf"C = A B \in \mathbb{{R}}^{{{shape}}}" for shape in (r"n \times d", r"d \times n"))  # fmt: skip
    given = {"A": A, "B": B, "n": 3, "d": 2}
    assert difference(right, given, {"result": A @ B}).worst < 1e-12
    assert "printed shape" in difference(wrong, given, {"result": A @ B}).problem


def test_a_form_may_overflow_but_not_always():
    tex = r"\operatorname{f}(x) = \frac{e^{x}}{e^{x}} \, x = x"
    formula = [Formula(tex, "page", 1, "eq-this")]
    small, large = ({"x": 1.0}, {"result": 1.0}), ({"x": 1e4}, {"result": 1e4})
    with Engine(formula, {}) as engine:
        engine.prepare("eq-this", [small, large])
        assert engine.run("eq-this").worst == 0
        engine.prepare("eq-this", [large])
        assert "overflows in every case" in engine.run("eq-this").problem


REFUSED = {
    "a symbol that nobody knows": (r"y = x + F", "nothing says what F is"),
    "shapes that do not meet": ("y = A A", "2 columns meet 3 rows"),
    "a bracket without a partner": ("y = (x + 1", "has no partner"),
    "two vectors side by side": ("y = x x", "makes their dot product"),
    "an index outside": ("y = x_7", "outside 0…1"),
    "an unknown function": (r"y = \operatorname{magic}(x)", "no formula of this book"),
    "a definition of itself": ("y = y + x", "defined by itself"),
    "something missing": ("y = x +", "missing"),
    "a sign without a meaning here": (r"y = x \star x", "no operator"),
    "no TeX": (r"y = \frac{x}", "KaTeX"),
    "a binomial coefficient": (r"y = \binom{x}{2}", "a fraction has a line"),
    "one over the other": (r"y = {x \atop 2}", "a fraction has a line"),
    "rounding brackets": (
        r"y = \left\lfloor x \right\rfloor",
        "no brackets that this book computes",
    ),
    "brackets of two sorts": (
        r"y = \left( x \right]",
        "no brackets that this book computes",
    ),
    "bars around a matrix": (
        r"y = \begin{vmatrix} 1 & 2 \end{vmatrix}",
        "round or square brackets",
    ),
    "two exponents": (r"y = {x^2}^3", "a second exponent"),
    "a prime of a bracket": (r"y = (x + 1)'", "no name of its own"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_run_is_explained(name):
    tex, words = REFUSED[name]
    outcome = difference(tex, {"x": x, "A": A}, {"result": x})
    assert outcome.worst == np.inf
    assert words in outcome.problem


def test_formulas_are_found_with_their_labels_and_remarks():
    page = (
        "# T\n\n```{math}\n:label: eq-a\na = b\n```\n\n% values: x: number\n\n$$\nx = x\n$$\n\n"
        "```{code-cell} ipython3\nprint('$$no$$')\n```\n\n% words: a picture\n\n$$\ny\n$$\n"
    )
    found = formulas_of(page, "p")
    assert [(one.tex, one.label, one.values, one.words) for one in found] == [
        ("a = b", "eq-a", None, None),
        ("x = x", None, "x: number", None),
        ("y", None, None, "a picture"),
    ]


def test_the_printed_pattern_of_words_is_the_one_that_runs():
    page = (ROOT / "book" / "tokenization" / "tokenization.md").read_text("utf-8")
    [formula] = [one for one in formulas_of(page, "p") if one.label == "eq-words"]
    printed = re.search(r"\\texttt\{(.*)\}", formula.tex)[1]
    pattern = printed.replace(r"\textbackslash ", "\\").replace(r"\textbackslash", "\\")
    runs = pattern.replace(r"\textasciicircum", "^")
    assert f're.findall(r"{runs}", text)' in inspect.getsource(inspect.unwrap(words))
