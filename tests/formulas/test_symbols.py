"""Every symbol of every displayed formula answers, nothing else changes, and one that nobody explains stops the build."""

import json
import re
import subprocess
from html.parser import HTMLParser

import pytest
from conftest import ROOT
from small_books import conf
from sphinx_runs import run_sphinx

from transformer_math.formulas.answers import marked
from transformer_math.formulas.book import displayed
from transformer_math.formulas.engine import SERVER, Engine, _node, katex_script
from transformer_math.formulas.notation import PAGE, own_rows, rows_of
from transformer_math.formulas.verdict import open_engine
from transformer_math.formulas.words import WORDS

PAGES = sorted((ROOT / "book").rglob("*.md"))
FORMULAS = displayed(ROOT, PAGES)
RUN = [one for one in FORMULAS if not one.words and one.label not in WORDS]
NOTATION = list(rows_of((ROOT / f"{PAGE}.md").read_text("utf-8")))
OWN = [
    row
    for page in PAGES
    for row in own_rows(
        page.read_text("utf-8"), page.relative_to(ROOT).with_suffix("").as_posix()
    )
]


@pytest.fixture(scope="module")
def found():
    with open_engine(FORMULAS) as engine:
        return marked(FORMULAS, NOTATION + OWN, engine)


def test_every_symbol_of_every_formula_answers(found):
    assert len(found) == len(FORMULAS) > 60
    assert sum(len(one.places) for one in found.values()) > 800
    assert not [fault for one in found.values() for fault in one.faults]
    for one in found.values():
        marks = [int(place) for place in re.findall(r'data-s="(\d+)"', one.html)]
        assert sorted(marks) == list(range(len(one.places)))
        assert all(aloud and answer.meaning for aloud, _, answer in one.places)


def test_the_symbols_that_answer_are_those_that_the_reader_runs(found):
    """The reader of formulas finds its symbols in another way: each of them is marked."""
    command = [_node(), str(ROOT / "tests/formulas/reader_symbols.mjs")]
    command += [str(katex_script()), str(SERVER.with_name("reader.js"))]
    texts = json.dumps([one.tex for one in RUN])
    output = subprocess.run(
        command, input=texts, capture_output=True, check=True, text=True
    )
    read = json.loads(output.stdout)
    assert sum(map(len, read)) > 500
    for formula, letters in zip(RUN, read, strict=True):
        names = [name for _, name, _ in found[formula.name].places]
        unmarked = [one for one in set(letters) if not is_marked(one, names)]
        assert not unmarked, (formula.name, unmarked)


def is_marked(letters, names):
    """Whether a symbol of the reader's answers: a gradient such as dO is one name to it, and two symbols on the page."""
    if any(name.removeprefix("upright:").startswith(letters) for name in names):
        return True
    is_gradient = letters.startswith("d") and "upright:d" in names
    return is_gradient and any(name.startswith(letters[1:]) for name in names)


class Bare(HTMLParser):
    """HTML without the spans that mark a symbol, adjoining letters joined as KaTeX joins them."""

    def __init__(self):
        super().__init__()
        self.out, self.open, self.marks = [], [], 0

    def handle_starttag(self, tag, attributes):
        is_mark = "data-s" in dict(attributes)
        self.marks += is_mark
        self.open.append(is_mark)
        if not is_mark:
            self.out.append(self.get_starttag_text())

    def handle_endtag(self, tag):
        if not self.open.pop():
            self.out.append(f"</{tag}>")

    def handle_data(self, data):
        self.out.append(data)


def bare(html):
    parser = Bare()
    parser.feed(html)
    text = "".join(parser.out)
    letter = r'(<span class="mord mathnormal[^"]*")(?: style="[^"]*")?>([^<]+)</span>'
    while (joined := re.sub(rf"{letter}(?={letter})", r"\2", text)) != text:
        text = joined
    return re.sub(letter, r"\2", text), parser.marks


def test_marks_change_nothing_that_is_seen_or_read_aloud(found):
    with Engine([], {}) as engine:
        for formula in FORMULAS:
            plain = engine.mark(formula.tex, [])["html"]
            text, marks = bare(found[formula.name].html)
            assert marks == len(found[formula.name].places) > 0
            assert text == bare(plain)[0], formula.name
            mathml = found[formula.name].html.split("</math>")[0]
            assert mathml == plain.split("</math>")[0] and "annotation" in mathml


@pytest.mark.parametrize(
    ("formula", "symbol", "words"),
    [
        ("eq-attention", "d_k", "size of a query"),
        ("eq-multi-head", "W^Q_h", "projection to the queries of head"),
        ("eq-entropy", "H()", "entropy of the weights"),
        ("eq-feed-forward", "W_1", "first layer"),
        ("eq-logits-flops", "V", "vocabulary"),
        ("eq-attention", "V", "values"),
        ("eq-encoder", "Z^()", "output of layer"),
        ("eq-attention", "softmax", "Turn each row"),
    ],
)
def test_a_letter_means_what_it_means_there(found, formula, symbol, words):
    answers = {name: answer for _, name, answer in found[formula].places}
    assert words in re.sub("<[^>]+>", "", answers[symbol].meaning)


def test_a_symbol_knows_its_argument_and_its_shape(found):
    answers = {name: answer for _, name, answer in found["eq-feed-forward"].places}
    assert answers["W_1"].code == "<code>parameters.W_1</code>"
    assert re.sub("<[^>]+>", "", answers["W_1"].shape) == "dmodel × dff"


def test_every_row_of_the_notation_names_a_symbol_and_says_what_it_is():
    assert len(NOTATION) > 90 and len(OWN) > 20
    for row in NOTATION + OWN:
        assert row.symbols and row.meaning, (row.page, row.line)
    anchors = [row.anchor for row in NOTATION]
    assert len(set(anchors)) == len(anchors)


CONF = conf("""
extensions = ["myst_parser", "sphinxcontrib.katex", "typesetting", "answers"]
html_math_renderer = "symbols"
katex_prerender = True
myst_enable_extensions = ["dollarmath"]
""")
TABLE = "# Notation\n\n## Sizes\n\n| Symbol | Meaning | In code |\n|---|---|---|\n| $x$ | a number | `x` |\n"


def build(folder, page):
    (folder / "book").mkdir(exist_ok=True)
    (folder / "book" / "notation.md").write_text(TABLE, "utf-8")
    (folder / "index.md").write_text(
        "# T\n\n```{toctree}\nbook/notation\nbook/page\n```\n"
    )
    (folder / "book" / "page.md").write_text(page, "utf-8")
    (folder / "conf.py").write_text(CONF, "utf-8")
    return run_sphinx("-q", "-W", "--keep-going", folder, folder / "html")


def test_a_symbol_that_nobody_explains_stops_the_build_and_a_line_of_the_chapter_mends_it(
    tmp_path,
):
    page = "# P\n\n{}$$\nx = \\zeta_q + x\n$$\n"
    refused = build(tmp_path, page.format(""))
    assert refused.returncode != 0
    assert (
        "book/page.md, line 3: nothing says what the symbol zeta_q is" in refused.stderr
    )
    assert "Fix: add it to a table of book/notation.md" in refused.stderr
    assert "symbol x is" not in refused.stderr
    mended = build(tmp_path, page.format("% symbols: $\\zeta_q$ | another number\n\n"))
    assert mended.returncode == 0, mended.stderr
    html = (tmp_path / "html" / "book" / "page.html").read_text("utf-8")
    data = json.loads(
        html.split('class="symbols"')[1].split(">", 1)[1].split("</script>")[0]
    )
    answers = {answer[0] for answer in data["answers"]}
    assert answers == {"a number", "another number"}


def test_a_row_that_changes_is_told_by_pages_that_did_not(tmp_path):
    page = "# P\n\n$$\nx = x\n$$\n"
    assert build(tmp_path, page).returncode == 0
    global TABLE
    old, TABLE = TABLE, TABLE.replace("a number", "any number")
    try:
        assert build(tmp_path, page).returncode == 0
    finally:
        TABLE = old
    html = (tmp_path / "html" / "book" / "page.html").read_text("utf-8")
    assert "any number" in html and "a number" not in html


HALVES = (
    r"\begin{aligned} a &= \frac{1}{2} \\%s b &= \frac{1}{3} \\ c &= d \end{aligned}"
)


def height(html):
    """The height of a typeset formula, in em."""
    return float(re.search(r'class="strut" style="height:([\d.]+)em', html)[1])


def test_between_two_rows_with_fractions_there_is_more_room_unless_the_formula_says_how_much():
    with Engine([], {}) as engine:
        room, none, line = (
            height(engine.mark(tex, [])["html"])
            for tex in (HALVES % "", HALVES % "[0em]", r"\frac{1}{2}")
        )
    assert none + 0.3 < room < none + 0.6
    assert line < room / 2
