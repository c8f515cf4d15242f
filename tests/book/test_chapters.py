"""Every chapter has what a chapter has; every page that runs was run in the build, and runs as a reader's download."""

import ast
import re

import nbformat
import pytest
from cells import read
from chapter_form import (
    OF_MODELS,
    PARTS,
    copyable,
    faults,
    missing,
    parts_of,
    refused,
    to_do,
)
from conftest import ROOT
from contents import chapters, notebooks
from execution import cache_folder, whole
from jupyter_cache import get_cache
from jupyter_cache.executors.utils import single_nb_execution

HTML = ROOT / "_build" / "html"
CHAPTER = (ROOT / "book" / "block" / "feed_forward.md").read_text("utf-8")
ids = "{0.stem}".format


def test_the_chapters_keep_their_contract():
    assert len(chapters()) >= 12
    assert faults() == []


@pytest.mark.parametrize(
    ("mark", "part"),
    [
        ("**What.**", "the opening line **What.**"),
        ("**Why.**", "the opening line **Why.**"),
        ("**How.**", "the opening line **How.**"),
        (":label: eq-", "a labelled equation"),
        ("source(", "the code of an equation"),
        ("The same in PyTorch", "the same in PyTorch"),
        ("## Questions people ask", "questions"),
        ("## Read on", "where to read on"),
        ("{cite:", "a citation"),
        ("```{exercise}", "exercises with a grader"),
        ("{dropdown} Hint", "a hint ({dropdown} Hint) in exercise 1"),
        ("**Solution", "a solution (% fold-start, **Solution: …**) in exercise 1"),
        ("grade", "exercises with a grader (grade(…)): 0"),
        (
            "ask(",
            "a field to answer in (ask, choose, predict, estimate or sketch) in exercise",
        ),
    ],
)
def test_a_chapter_without_a_part_is_refused(mark, part):
    assert not list(missing(CHAPTER))
    assert any(line.startswith(part) for line in missing(CHAPTER.replace(mark, "")))


def test_a_formula_before_every_picture_is_refused():
    formula = "```{math}\nx\n```\n"
    title = next(line for line in CHAPTER.splitlines() if line.startswith("# "))
    early = CHAPTER.replace(title, f"{title}\n\n{formula}", 1)
    drawn = CHAPTER.replace(title, f"{title}\n\n`table(…)`\n\n{formula}", 1)
    assert list(missing(early)) == ["a picture before its first formula"]
    assert list(missing(drawn)) == []


@pytest.mark.parametrize("page", chapters(), ids=ids)
def test_a_page_imports_nothing_that_it_does_not_use(page):
    codes = [c.source for c in read(page).cells if c.cell_type == "code"]
    tree = ast.parse("\n".join(code for code in codes if not code.startswith("%")))
    nodes = [n for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom))]
    named = {a.asname or a.name.split(".")[0] for node in nodes for a in node.names}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert named - used == set()


def test_the_page_of_a_model_has_a_card_and_no_other_page_needs_one():
    trained = ROOT / "book" / "trained"
    assert parts_of(trained / "date_translator.md") == OF_MODELS
    assert parts_of(trained / "ablation.md") == PARTS
    page = (trained / "date_translator.md").read_text("utf-8")
    assert not list(missing(page, OF_MODELS))
    (part,) = missing(page.replace("## Model card", ""), OF_MODELS)
    assert part == "the model's card (## Model card)"


def test_a_third_exercise_without_a_grader_is_missed():
    (part,) = missing(CHAPTER.replace("grade_written(", "", 1))
    assert part == "exercises with a grader (grade(…)): 2 of at least 3"


def test_a_grader_that_takes_a_copy_for_an_answer_is_refused_with_its_line():
    assert not list(copyable(CHAPTER))
    forgotten = CHAPTER.replace("grade_written(", "grade(", 1)
    (fault,) = copyable(forgotten)
    number, words = re.fullmatch(r"line (\d+): (.*)", fault).groups()
    assert forgotten.splitlines()[int(number) - 1].startswith("grade(my_feed_forward")
    assert "Fix: grade_written(…)" in words
    repair = forgotten.replace("raise NotImplementedError", "return x")
    assert not list(copyable(repair))


def test_a_break_without_a_question_is_refused():
    assert "**Break it.**" in CHAPTER
    (part,) = missing(CHAPTER.replace("choose(", "say("))
    assert re.fullmatch(r"a question \(fix: choose or ask .*\) in exercise \d+", part)


def test_what_is_to_be_written_is_refused_with_its_line(tmp_path):
    (tmp_path / "src").mkdir()
    module = tmp_path / "src" / "idea.py"
    module.write_text('"""An idea."""\n# TO' + "DO: the formula.\n", "utf-8")
    assert list(to_do(tmp_path)) == [
        "src/idea.py, line 2: still to be written: the formula"
    ]


def test_a_refused_solution_is_found_in_an_executed_notebook():
    def solution(verdict):
        data = {"text/plain": verdict}
        result = nbformat.v4.new_output("execute_result", data, execution_count=1)
        task = nbformat.v4.new_markdown_cell("% fold-start\n\n**Solution: relu**")
        code = nbformat.v4.new_code_cell("grade(f, like=g)", outputs=[result])
        return nbformat.v4.new_notebook(cells=[task, code])

    assert list(refused(solution("✓ Right."))) == []
    assert list(refused(solution("✗ Compare with 0."))) == [1]


@pytest.fixture(scope="module")
def executed():
    """The pages as they were run in the build, by their file's name; what was not run is missing."""
    cache = get_cache(cache_folder())
    bundles = [cache.get_cache_bundle(r.pk) for r in cache.list_cache_records()]
    return {bundle.record.uri: bundle.nb for bundle in bundles}


@pytest.mark.parametrize("page", notebooks(), ids=ids)
def test_every_cell_was_run_and_every_solution_is_right(page, executed):
    notebook = executed[page.relative_to(ROOT).as_posix()]
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    told = read(page).cells
    assert [c.source for c in codes] == [
        c.source for c in told if c.cell_type == "code"
    ]
    assert whole(notebook)
    assert not [
        o for c in codes for o in c.outputs if o.output_type in ("error", "stderr")
    ]
    # The cache keeps no text, and a solution is known by the text before it.
    run = iter(codes)
    page_as_run = [next(run) if cell.cell_type == "code" else cell for cell in told]
    assert list(refused(nbformat.v4.new_notebook(cells=page_as_run))) == []


SHOWN = {
    "arcs",
    "grade",
    "grade_written",
    "heatmap",
    "heatmaps",
    "picture",
    "say",
    "source",
    "table",
}
SHOWN |= {"ask", "choose", "estimate", "matrix", "predict", "shapes", "sketch", "together"}  # fmt: skip


def unseen(source):
    """What a cell calls for what it shows, before its last line, where nobody sees it."""
    early = [one.value for one in ast.parse(source).body[:-1] if isinstance(one, ast.Expr)]  # fmt: skip
    calls = [one for one in early if isinstance(one, ast.Call)]
    return [ast.unparse(one) for one in calls if getattr(one.func, "id", "") in SHOWN]


@pytest.mark.parametrize("page", notebooks(), ids=ids)
def test_all_that_a_cell_shows_is_seen(page):
    codes = [cell.source for cell in read(page).cells if cell.cell_type == "code"]
    assert [lost for source in codes for lost in unseen(source)] == []


def test_a_sentence_before_the_last_line_would_be_lost():
    assert unseen("x = 1\nsay('a')\nsay('b')") == ["say('a')"]


def download(page):
    name = page.relative_to(ROOT).with_suffix(".ipynb")
    return nbformat.read(HTML / "_sources" / name, as_version=4)


@pytest.mark.parametrize("page", notebooks(), ids=ids)
def test_the_download_holds_the_page(page):
    codes = [c.source for c in download(page).cells if c.cell_type == "code"]
    installing = [source for source in codes if "%pip install" in source]
    assert codes[len(installing) :] == [
        cell.source for cell in read(page).cells if cell.cell_type == "code"
    ]


@pytest.mark.parametrize("name", ["position/rope", "tokenization/tokenization"])
def test_a_download_runs_in_an_empty_folder(name, tmp_path):
    notebook = download(ROOT / "book" / f"{name}.md")
    result = single_nb_execution(notebook, str(tmp_path), 120, allow_errors=False)
    assert result.err is None, result.exc_string
    assert whole(notebook)
