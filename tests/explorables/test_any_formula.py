"""Whatever stands in the field of a formula, the answer is a sentence: never an error of a program, never a riddle."""

import json
import re
import shutil
import subprocess

import numpy as np
import pytest
from live_pages import look, settle
from playwright.sync_api import expect

from transformer_math.explorables import FormulaExplorable
from transformer_math.explorables._scripts import FORMULAS, HERE
from transformer_math.explorables.editing._example import example
from transformer_math.explorables.editing.offers import OFFERS
from transformer_math.formulas.engine import katex_script
from transformer_math.formulas.shipped import shipped

PRINTED = {label: shipped()[label]["tex"] for label in OFFERS}
COUNT = 250  # texts for each formula
PIECES = [
    *"{}()[]^_=+-*/&,;:.|!'<>~$%#@\\ \n01279xQKVAnedkpτ½∞√−ᵀ",
    *(r"\\", r"\frac", r"\sqrt", r"\sum_k", r"\left(", r"\right)", r"\begin{cases}", r"\end{cases}"),
    *(r"\top", r"\max", r"\operatorname{"),
    *(r"\text{if }", r"\prime", r"\quad", r"\in", r"\{", r"\}", r"\mathbb{R}", r"\partial", r"\dots"),
    *(r"\hat", r"\sum", r"\argmax", "…"),
    *("softmax(", "sqrt(", "exp", "QK^T", "x_{20}", "^2", "_{i}", "''", "d_k", "sum_k", "10^{9}"),
    r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}",
]  # fmt: skip
TYPED = [
    "softmax(QK^T/sqrt(d_k))V",
    "exp(x_j) / sum_k exp(x_k)",
    "x * (1 + erf(x/sqrt(2))) / 2",
    "gamma * (x - mu) / sqrt(sigma^2 + varepsilon) + beta",
    "(R_i q)^T (R_j k)",
    "sin(pos omega_i)",
]
ODD = [
    "",
    " ",
    r"[x'_{2r}; x'_{2r+1}] = 0",
    r"\begin{bmatrix} x'_{2r} \\ x'_{2r+1} \end{bmatrix} = 0",
    r"7 + \begin{cases} 1 & x > 0 \\ 2 & \text{otherwise} \end{cases}",
    "7 + cases",
    r"\frac{" * 300 + "x" + "}{2}" * 300,
    "(" * 300 + "x" + ")" * 300,
    "x^{" * 300 + "2" + "}" * 300,
    r"\sqrt{" * 2000,
    "x" * 20_000,
    "=" * 50,
    "constructor",
    "__proto__ = toString(x)",
    r"\operatorname{hasOwnProperty}(x)",
    r"\operatorname{constructor}(x) = \operatorname{valueOf} x",
]
RIDDLES = re.compile(
    r"make sense of|undefined|\[object|\bNaN\b|is not a function|Cannot read"
    r"|not iterable|Infinity|KaTeX parse|null\b"
)


def mutated(tex, rng):
    """A text after a few edits: pieces put in, left out, doubled, exchanged."""
    for _ in range(rng.integers(1, 5)):
        a, b = sorted(rng.integers(0, len(tex) + 1, 2))
        b = min(b, a + int(rng.integers(1, 12)))
        piece = PIECES[rng.integers(len(PIECES))]
        tex = [
            tex[:a] + piece + tex[a:],
            tex[:a] + tex[b:],
            tex[:b] + tex[a:b] + tex[b:],
            tex[:a] + piece + tex[b:],
        ][rng.integers(4)]
    return tex


TOKENS = re.compile(r"\\[A-Za-z]+|\\.|[A-Za-z]+|[0-9.]+|\s+|.", re.DOTALL)


def exchanged(tex, rng):
    """A text in which signs have changed places or were put in from elsewhere, so that most brackets still match."""
    signs = TOKENS.findall(tex)
    for _ in range(rng.integers(1, 4)):
        places = [i for i, sign in enumerate(signs) if sign not in "{}()"]
        a, b = rng.choice(places, 2)
        whole = PIECES[rng.integers(len(PIECES))]
        ways = (
            (signs[b], signs[a]),
            (signs[b], signs[b]),
            (whole, signs[b]),
            ("", signs[b]),
        )
        signs[a], signs[b] = ways[rng.integers(len(ways))]
    return "".join(signs)


def texts(label):
    rng = np.random.default_rng(sorted(OFFERS).index(label))
    of = [PRINTED[label], PRINTED[label], *TYPED]
    made = [(mutated, exchanged)[k % 2](of[rng.integers(len(of))], rng) for k in range(COUNT)]  # fmt: skip
    return [*ODD, *made]


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What is said of every text, by formula."""
    folder = tmp_path_factory.mktemp("any")
    for source in (HERE, FORMULAS):
        shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("*.py"))  # fmt: skip
    (folder / "package.json").write_text('{"type": "module"}')
    runs = [{"label": label, "text": text} for label in OFFERS for text in texts(label)]
    request = {"formulas": shipped(), "runs": runs, "examples": {label: example(label) for label in OFFERS}}  # fmt: skip
    (folder / "request.json").write_text(json.dumps(request))
    script = HERE.parents[2] / "tests" / "explorables" / "any_formula.mjs"
    command = ["node", script, folder, katex_script(), folder / "request.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = {label: [] for label in OFFERS}
    for run, got in zip(runs, json.loads(done.stdout), strict=True):
        found[run["label"]].append((run["text"], got))
    return found


@pytest.mark.parametrize("label", OFFERS)
def test_every_text_is_answered_in_words(answers, label):
    wordless = [
        (text[:200], got)
        for text, got in answers[label]
        if not re.search(r"\w{2,}.*[.?]$", got.get("words", "")) or RIDDLES.search(got["words"])
    ]  # fmt: skip
    assert wordless == []


def test_the_page_itself_complains_of_nothing(show):
    """Its opener asserts that; here every odd text gets its words."""
    figure = look(show(FormulaExplorable("eq-rope-relative")))
    field, says = figure.get_by_role("textbox"), figure.locator(".xp-says")
    field.fill("x")
    expect(says).not_to_contain_text("on its way", timeout=20_000)
    for text in ODD:
        field.fill(text)
        settle(figure.page)
        assert re.search(r"\w{2,}", says.inner_text()), text
        assert not RIDDLES.search(says.inner_text().split("Read as")[0]), text


@pytest.mark.parametrize("label", OFFERS)
def test_no_text_keeps_the_page_waiting(answers, label):
    slow = [(text[:200], got) for text, got in answers[label] if got["took"] > 4000]
    assert slow == []
