"""Parts of formulas and pieces of code belong together when they are worth the same in every case, and never otherwise."""

import json
from dataclasses import replace

import numpy as np
import pytest
from conftest import ROOT
from jaxtyping import Float
from small_books import conf
from sphinx_runs import run_sphinx

from transformer_math.attention import scores as attention_scores
from transformer_math.attention import softmax
from transformer_math.checks.proof import checks_of
from transformer_math.formulas import links
from transformer_math.formulas.book import displayed
from transformer_math.formulas.links import parts_of, same
from transformer_math.formulas.shown import shown_on
from transformer_math.formulas.verdict import open_engine
from transformer_math.formulas.watching import Piece, Watched
from transformer_math.plots.source import source

FORMULAS = {one.name: one for one in displayed(ROOT, sorted((ROOT / "book").rglob("*.md")))}  # fmt: skip
# Of each formula some parts, as they are printed, and the code that a reader of both would name.
EXPECTED = {
    "eq-attention": {
        r"Q": "Q",
        r"K^\top": "K.mT",
        r"d_k": "Q.shape[-1]",
        r"\sqrt{d_k}": "math.sqrt(Q.shape[-1])",
        r"\frac{Q K^\top}{\sqrt{d_k}}": "scores(Q, K)",
        r"\operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right)": "softmax(S)",
        r"A V": "A @ V",
        r"\operatorname{attention}(Q, K, V)": "A @ V",
    },
    "eq-softmax": {
        r"\max x": "x.max(axis=-1, keepdims=True, initial=lowest)",
        r"x_j - \max x": "x - x.max(axis=-1, keepdims=True, initial=lowest)",
        r"e^{x_j - \max x}": "powers",
        r"\sum_k e^{x_k - \max x}": "powers.sum(axis=-1, keepdims=True)",
    },
    "eq-layer-norm": {
        r"\gamma": "p.gamma",
        r"\mu": "x.mean(axis=-1, keepdims=True)",
        r"x - \mu": "centred",
        r"\sigma^2": "variance",
        r"\varepsilon": "eps",
        r"\sqrt{\sigma^2 + \varepsilon}": "np.sqrt(variance + eps)",
        r"(x_j - \mu)^2": "centred**2",
        r"\beta": "p.beta",
    },
    "eq-rope": {
        r"pos": "positions",
        r"d_k": "x.shape[-1]",
        r"b": "base",
        r"b^{-2r/d_k}": "frequencies(x.shape[-1], base)",
    },
    "eq-cross-entropy": {
        r"w_i": "weights",
        r"t_i": "targets",
        r"\alpha": "smoothing",
        r"1 - \alpha": "1 - smoothing",
        r"\ln p_{iv}": "log_p",
    },
}
# Things of one formula that a careless matcher would take for each other.
NEVER = {
    "eq-attention": [(r"Q", "K"), (r"K", "Q"), (r"V", "A"), (r"d_k", "K.mT"), ("K", "V")],
    "eq-layer-norm": [(r"\sigma^2", "centred"), (r"\gamma", "p.beta"), (r"\beta", "p.gamma"), (r"\mu", "centred")],
    "eq-rope": [("d_k", "base"), ("pos", "base")],
}  # fmt: skip


@pytest.fixture(scope="module")
def engine():
    with open_engine(FORMULAS.values()) as one:
        yield one


def shown(label):
    return shown_on((ROOT / f"{FORMULAS[label].page}.md").read_text("utf-8"))


def letters(tex):
    """LaTeX without what the places of parts may leave out: commands, brackets and spaces at its ends."""
    for command in (r"\operatorname", r"\left", r"\right", r"\frac", r"\sqrt", r"\sum_", r"\max", r"\ln", r"\!"):  # fmt: skip
        tex = tex.replace(command, "")
    return "".join(one for one in tex if one not in "{}() ")


@pytest.fixture(scope="module")
def found(engine):
    """For each formula: which code was found for which of its letters."""
    out = {}
    for label in EXPECTED:
        own = out[label] = {}
        for part in parts_of(FORMULAS[label], shown(label), engine):
            tex = letters(FORMULAS[label].tex[part.start : part.end])
            own.setdefault((tex, part.kind == "sym"), set()).update(one.text for one in part.pieces)  # fmt: skip
    return out


def of(found, label, tex):
    return found[label].get((letters(tex), True), set()) | found[label].get((letters(tex), False), set())  # fmt: skip


@pytest.mark.parametrize("label", EXPECTED)
def test_the_expected_code_is_found(found, label):
    for tex, code in EXPECTED[label].items():
        assert code in of(found, label, tex), (tex, sorted(found[label]))


def test_no_code_is_found_for_something_else(found):
    for label, pairs in NEVER.items():
        for tex, code in pairs:
            assert code not in found[label].get((letters(tex), True), ()), (label, tex, code)  # fmt: skip


def test_a_root_that_the_code_does_not_take_is_not_found(engine, monkeypatch):
    """The same function, but for the root: what lies after it has other values, what lies before it the same."""
    check = checks_of("eq-scores")[0]
    monkeypatch.setattr(links, "checks_of", lambda _: [replace(check, target=scores)])
    formula = FORMULAS["eq-scores"]
    parts = parts_of(formula, {"scores": scores}, engine)
    code = {formula.tex[one.start : one.end]: [p.text for p in one.pieces] for one in parts}  # fmt: skip
    assert code["d_k"] == ["Q.shape[-1]"]
    assert r"K^\top" in code and "Q" in code
    assert not any("sqrt" in tex or tex == "S" for tex in code), code


def scores(
    Q: Float[np.ndarray, "... n d_k"], K: Float[np.ndarray, "... m d_k"]
) -> Float[np.ndarray, "... n m"]:
    """Without the root."""
    scaled = Q / Q.shape[-1]
    return scaled @ K.mT


PIECES = [Piece("f", 0, 1, "a"), Piece("f", 2, 5, "a.T")]


def seen(rng, change=lambda x, i: x):
    for i in range(5):
        x = rng.normal(size=(2, 3))
        yield {0: [x]}, {0: [change(x, i)], 1: [x.T]}


def test_one_case_that_differs_is_enough():
    rng = np.random.default_rng(0)
    assert same(list(seen(rng)), PIECES) == {0: [PIECES[0]]}
    nearly = list(seen(rng, lambda x, i: x + 1e-6 * (i == 3)))
    assert same(nearly, PIECES) == {0: [PIECES[1]]}  # the same numbers, transposed
    larger = list(seen(rng, lambda x, i: np.append(x, 1.0)))
    assert same(larger, PIECES[:1]) == {}


def test_what_never_changes_and_what_was_seen_twice_tell_nothing():
    constant = [({0: [np.array(2.0)]}, {0: [np.array(2.0)]}) for _ in range(5)]
    assert same(constant, PIECES) == {}
    assert same(list(seen(np.random.default_rng(0)))[:2], PIECES) == {}


def test_watching_changes_nothing_and_knows_every_name():
    watched = Watched({"softmax": softmax})
    x = np.random.default_rng(0).normal(size=(2, 3))
    results = []
    values = watched.run(lambda shown: results.append(shown["softmax"](x)))
    np.testing.assert_array_equal(results[0], softmax(x))
    code = source(softmax).code
    assert all(code[one.start : one.end] == one.text for one in watched.pieces)
    names = [watched.pieces[i] for i in values if watched.pieces[i].text.isidentifier()]
    assert [one.text for one in names].count("powers") == 3
    np.testing.assert_array_equal(values[watched.pieces.index(names[0])][0], x)


def test_pages_show_what_their_cells_hand_to_source():
    assert list(shown("eq-attention"))[:2] == ["attention", "scores"]
    assert "```{code-cell}" in (ROOT / "book/attention/masks.md").read_text("utf-8")
    assert shown_on("no cells") == {}


CONF = conf("""
extensions = ["myst_parser", "sphinxcontrib.katex", "typesetting", "answers", "pointing"]
html_math_renderer = "symbols"
katex_prerender = True
""")
TABLE = (
    "# Notation\n\n## Names\n\n| Symbol | Meaning | In code |\n|---|---|---|\n"
    "| $S$ | scores | `S` |\n| $Q$, $K$ | rows | `Q`, `K` |\n| $n$, $m$, $d_k$ | sizes | `n` |\n| $\\mathbb{R}$ | numbers | |\n"
)
CELL = "```{code-cell}\nfrom transformer_math.attention import scores\nsource(scores)\n```\n"


def built(folder, page):
    (folder / "book").mkdir(exist_ok=True)
    (folder / "book" / "notation.md").write_text(TABLE, "utf-8")
    (folder / "index.md").write_text("# T\n\n```{toctree}\nbook/notation\nbook/page\n```\n")  # fmt: skip
    (folder / "book" / "page.md").write_text(page, "utf-8")
    (folder / "conf.py").write_text(CONF, "utf-8")
    done = run_sphinx(folder, folder / "html")
    assert done.returncode == 0, done.stderr
    return done.stdout, (folder / "html" / "book" / "page.html").read_text("utf-8")


def test_a_page_learns_where_its_code_stands_and_forgets_it_with_the_code(tmp_path):
    formula = (
        f"```{{math}}\n:label: eq-scores\n{FORMULAS['eq-scores'].tex.strip()}\n```\n"
    )
    code = f"```python\n{source(attention_scores).code}\n```\n"
    said, html = built(tmp_path, f"# P\n\n{formula}\n{CELL}\n{code}")
    places = (tmp_path / "html/_static/pointing/book-page.js").read_text("utf-8")
    data = json.loads(places.removeprefix("globalThis.pointingOfPage = ")[:-2])
    assert data["blocks"] == ["code-scores"] and 'id="code-scores"' in html
    assert "1 of 1 displayed formulas have found code" in said
    shown_code = source(attention_scores).code
    found = {shown_code[a:b] for flat in data["code"]["eq-scores"].values() for a, b in zip(flat[1::3], flat[2::3])}  # fmt: skip
    assert {"Q", "K.mT", "Q.shape[-1]", "math.sqrt(Q.shape[-1])"} <= found
    _, html = built(tmp_path, f"# P\n\n{formula}")
    assert 'class="pointing"' not in html and "data-part" not in html
