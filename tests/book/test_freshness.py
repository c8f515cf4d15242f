"""Only what changed is run again: dependencies read from imports and names of data, and the cache of executed chapters."""

import shutil

import pytest
from conftest import ROOT
from dependencies import Package
from execution import cache_folder, made_from
from freshness import fingerprints, run_stale

PACKAGE = Package()
FRONT = (
    "---\nkernelspec:\n  name: python3\n  display_name: Python 3\n---\n\n# A page\n\n"
)


def names(files):
    return {file.relative_to(PACKAGE.folder).as_posix() for file in files}


def test_a_name_leads_to_the_module_that_defines_it_and_on_to_what_that_imports():
    found = names(PACKAGE.dependencies("from transformer_math.position import rope"))
    assert "position/rope.py" in found
    assert "position/sinusoidal.py" in found  # rope imports its frequencies
    assert not any(
        name.startswith(("attention/", "checks/", "plots/")) for name in found
    )


def test_a_whole_group_leads_to_all_its_modules():
    found = names(PACKAGE.dependencies("import transformer_math.output"))
    assert "output/probabilities.py" in found


def test_imports_inside_functions_count():
    code = "def f():\n    from transformer_math.plots.table import cell"
    assert "plots/table.py" in names(PACKAGE.dependencies(code))


def test_grading_leads_to_the_checks_of_what_the_chapter_imports_and_no_others():
    code = "from transformer_math.checks import grade\nfrom transformer_math.block import relu"
    found = names(PACKAGE.dependencies(code))
    assert "checks/block/feed_forward.py" in found
    assert "checks/position/rope.py" not in found


def test_a_formula_to_edit_leads_to_what_its_idea_offers_and_no_other():
    code = "from transformer_math.explorables import FormulaExplorable\n"
    found = names(PACKAGE.dependencies(f'{code}FormulaExplorable("eq-gelu")'))
    assert "explorables/editing/block/feed_forward.py" in found
    assert "explorables/editing/position/rope.py" not in found


def test_whoever_asks_for_all_checks_depends_on_all():
    found = names(
        PACKAGE.dependencies("from transformer_math.checks import all_checks")
    )
    assert {"checks/block/feed_forward.py", "checks/position/rope.py"} <= found


def test_code_without_the_package_depends_on_nothing():
    assert not PACKAGE.dependencies("import numpy as np\nfrom math import pi")


CHECKPOINTS = PACKAGE.folder / "trained" / "checkpoints"
READS = "from transformer_math.trained.committed import read_history\n"


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ('FOLDER / "tokenizers.json"', {"tokenizers.json"}),
        (
            f'{READS}read_history("senses")',
            {"senses.bin", "senses_history.json", "senses_controls.json"},
        ),
        ('f(digits="digits", senses="senses")', set()),  # words, where nothing is read
        (f'{READS}"tokenizers"', set()),  # a package of that name
        (f'{READS}"senses_and_more"', set()),
        ("from transformer_math.attention import senses", set()),
    ],
)
def test_whoever_names_a_data_file_depends_on_it(code, wanted):
    found = PACKAGE.dependencies(code)
    assert {file.name for file in found if file in PACKAGE.data} == wanted


def test_whoever_uses_a_model_depends_on_its_checkpoint_and_its_history():
    code = "from transformer_math.trained.date_translator import translate"
    found = names(PACKAGE.dependencies(code))
    own = {"date_translator.bin", "date_translator_history.json"}
    assert {n for n in found if n.startswith("trained/checkpoints/")} == {
        f"trained/checkpoints/{name}" for name in own
    }


def test_every_data_file_is_named_by_a_module():
    """A checkpoint that no module names would leave its pages as they were."""
    named = PACKAGE.closure(PACKAGE.folder.rglob("*.py"))
    assert PACKAGE.data and named >= PACKAGE.data


@pytest.fixture
def copy(tmp_path):
    """The book and the package, without what was built."""
    for name in ("book", "src"):
        unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info", "_ext")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=unwanted)
    for name in ("_toc.yml", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def edit(path):
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")


def changed(root, path):
    """The pages that an edit of a file makes stale."""
    before = fingerprints(root)
    edit(root / path)
    after = fingerprints(root)
    return {page.stem for page in before if before[page] != after[page]}


def test_an_edit_makes_those_pages_stale_that_depend_on_it(copy):
    everything = {page.stem for page in fingerprints(copy)}
    assert changed(copy, "book/_static/book.css") == set()
    assert changed(copy, "book/notation.md") == set()
    for script in ("explorable.css", "kit.js", "position/rope.js"):
        assert changed(copy, f"src/transformer_math/explorables/{script}") == set()
    stale = changed(copy, "src/transformer_math/explorables/position/rope.py")
    assert stale == {"rope"}
    stale = changed(copy, "src/transformer_math/position/rope.py")
    assert "rope" in stale and not stale & {"glove", "word2vec", "tokenization"}
    stale = changed(copy, "src/transformer_math/checks/block/layer_norm.py")
    assert "layer_norm" in stale and not stale & {"glove", "rope", "tokenization"}
    assert changed(copy, "requirements.txt") == everything


@pytest.mark.parametrize(
    ("file", "users", "others"),
    [
        (
            "date_translator.bin",
            {"date_translator", "cross_attention", "corrections"},
            {"rope", "induction_heads", "senses", "language_model", "tokenization"},
        ),
        (
            "senses_history.json",
            {"senses"},
            {"rope", "induction_heads", "date_translator", "language_model"},
        ),
        ("tokenizers.json", {"comparison"}, {"date_translator", "senses", "rope"}),
        ("digits.bin", {"vit"}, {"rope", "softmax", "senses", "vqgan"}),
    ],
)
def test_an_edited_checkpoint_makes_the_pages_stale_that_use_it(
    copy, file, users, others
):
    before = fingerprints(copy)
    path = copy / CHECKPOINTS.relative_to(ROOT) / file
    path.write_bytes(path.read_bytes() + b" ")
    after = fingerprints(copy)
    stale = {page.stem for page in before if before[page] != after[page]}
    assert users <= stale and not stale & others


def test_an_edit_in_the_prose_runs_nothing_and_one_in_a_cell_runs_its_page(copy):
    assert changed(copy, "book/position/rope.md") == set()
    page = copy / "book" / "position" / "rope.md"
    text = page.read_text("utf-8") + "\n```{code-cell} ipython3\n1 + 1\n```\n"
    before = fingerprints(copy)
    page.write_text(text, "utf-8")
    after = fingerprints(copy)
    assert {page.stem for page in before if before[page] != after[page]} == {"rope"}


def test_the_page_that_runs_formulas_is_stale_when_one_is_printed_otherwise(copy):
    page = copy / "book" / "attention" / "scaled_dot_product.md"
    assert changed(copy, "book/attention/scaled_dot_product.md") == set()
    assert changed(copy, "src/transformer_math/formulas/reader.js") == {"reading"}
    before, text = fingerprints(copy), page.read_text("utf-8")
    page.write_text(text.replace("\\frac{e^{x_j}}", "\\frac{2 e^{x_j}}"), "utf-8")
    assert page.read_text("utf-8") != text
    after = fingerprints(copy)
    assert {page.stem for page in before if before[page] != after[page]} == {"reading"}


@pytest.fixture
def small(copy):
    """A book of two pages that run."""
    shutil.rmtree(copy / "book")
    (copy / "book").mkdir()
    (copy / "_toc.yml").write_text(
        "root: book/a\nchapters:\n  - file: book/b\n", "utf-8"
    )
    write(copy, "a", "from transformer_math.output import logits\nprint(1)")
    write(copy, "b", "from transformer_math.position import sinusoidal\nprint(2)")
    return copy


def write(root, name, *cells):
    text = "".join(f"```{{code-cell}} ipython3\n{cell}\n```\n\n" for cell in cells)
    (root / "book" / f"{name}.md").write_text(FRONT + text, "utf-8")


def ran(root):
    """The pages that were run, and what was said of those that failed."""
    said = []
    failures = run_stale(root, said.append)
    return {line.split()[2] for line in said}, failures


def test_a_page_is_run_once_and_again_when_something_it_uses_changed(small):
    assert ran(small) == ({"book/a.md", "book/b.md"}, [])
    assert ran(small) == (set(), [])
    edit(small / "src" / "transformer_math" / "output" / "probabilities.py")
    assert ran(small) == ({"book/a.md"}, [])
    assert set(made_from(small)) == {"book/a", "book/b"}
    assert (
        len(list(cache_folder(small).rglob("base.ipynb"))) == 2
    )  # the old one is gone


def test_what_is_done_meanwhile_is_done_once_and_only_where_pages_run(small):
    done = []
    for times in ("pages run", "all are fresh"):
        run_stale(small, lambda line: None, lambda: done.append("done"))
        assert done == ["done"], times


@pytest.mark.parametrize(
    ("before", "after"),
    [(["a = 1\nprint(a)"], ["a = 1", "print(a)"]), (["%pwd"], ["%precision"])],
)
def test_a_page_is_run_again_when_its_outputs_would_not_be_found(small, before, after):
    write(small, "a", *before)
    ran(small)
    write(small, "a", *after)
    assert ran(small) == ({"book/a.md"}, [])
    assert ran(small) == (set(), [])


@pytest.mark.parametrize(
    ("wrong", "said"), [("x / 0", "ZeroDivisionError"), ("x = (2", "SyntaxError")]
)
def test_a_page_that_fails_is_named_with_its_cell_and_the_others_are_kept(
    small, wrong, said
):
    write(small, "b", "x = 1", wrong)
    pages, (failure,) = ran(small)
    assert pages == {"book/a.md", "book/b.md"}
    assert failure.startswith("book/b.md, code cell 2, line 14:")
    assert said in failure
    write(small, "b", "x = 1", "x / 2")
    assert ran(small) == ({"book/b.md"}, [])


def test_a_refused_solution_fails_and_is_not_kept(small):
    grade = "from transformer_math.checks import grade\nfrom transformer_math.block import relu\n"
    wrong = f"```{{code-cell}}\n{grade}grade(lambda x: abs(x), like=relu)\n```\n"
    page = small / "book" / "b.md"
    page.write_text(f"{FRONT}% fold-start\n\n**Solution: relu**\n\n{wrong}", "utf-8")
    _, (failure,) = ran(small)
    assert "book/b.md, code cell 1" in failure
    assert "the grader refuses this solution" in failure
    assert "book/b" not in made_from(small)


ASKED = """```{{exercise}}
:label: ex-lines
**With pencil.** {task}

:::{{dropdown}} Hint
Is it 2048?
:::
```

% fold-start

**Solution: with pencil**

```{{code-cell}}
from transformer_math.plots import ask
ask("How many?", {answer}, (1, "No."))
```

% fold-end
"""


@pytest.mark.parametrize(
    ("task", "answer", "said"),
    [
        ("How many are 2048 things?", "2**11", "the answer 2048.0 stands in the open"),
        ("Are there 2,048 of them?", "2**11", "the answer 2048.0 stands in the open"),
        ("How many are they?", "2048", "the answer 2048 stands in the open"),
    ],
)
def test_an_answer_in_the_open_stops_the_build(small, task, answer, said):
    asked = ASKED.format(task=task, answer=answer)
    (small / "book" / "b.md").write_text(f"{FRONT}{asked}", "utf-8")
    _, (failure,) = ran(small)
    assert "book/b.md, code cell 1" in failure and said in failure
    closed = ASKED.format(task="How many are they?", answer="2**11")
    (small / "book" / "b.md").write_text(f"{FRONT}{closed}", "utf-8")
    assert ran(small) == ({"book/b.md"}, [])


@pytest.mark.parametrize("damage", ["", "{}", None])
def test_a_damaged_cache_is_made_again(small, damage):
    ran(small)
    for path in cache_folder(small).rglob("base.ipynb"):
        path.unlink() if damage is None else path.write_text(damage)
    assert ran(small) == ({"book/a.md", "book/b.md"}, [])
