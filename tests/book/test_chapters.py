"""Every chapter has what a chapter has, and runs as the notebook that a reader downloads, from top to bottom."""

import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest
from conftest import ROOT
from jupyter_cache.executors.utils import single_nb_execution

sys.path.insert(0, str(ROOT / "tools"))

HTML = ROOT / "_build" / "html"
STEPS = [
    "tokenization/tokenization",
    "embedding/embedding",
    "position/sinusoidal",
    "position/rope",
    "attention/projections",
    "attention/scaled_dot_product",
    "attention/multi_head",
    "block/layer_norm",
    "block/feed_forward",
    "block/encoder_layer",
    "output/probabilities",
    "model/pipeline",
]
NOTEBOOKS = sorted(HTML.glob("_sources/**/*.ipynb"))


def text_of(step):
    return (ROOT / "book" / f"{step}.md").read_text("utf-8")


@pytest.mark.parametrize("step", STEPS)
def test_a_chapter_opens_with_what_why_and_how(step):
    opening = text_of(step).split("\n## ")[0]
    assert [opening.count(f"**{word}.**") for word in ("What", "Why", "How")] == [
        1,
        1,
        1,
    ]


@pytest.mark.parametrize("step", STEPS)
def test_a_chapter_has_three_exercises_with_hint_grader_and_solution(step):
    text = text_of(step)
    exercises = text.count("```{exercise}")
    assert exercises >= 3
    assert text.count("{dropdown} Hint") >= exercises
    assert len(re.findall(r"% fold-start\n\n\*\*Solution", text)) >= exercises
    assert text.count("grade(") >= 2 * exercises


@pytest.mark.parametrize("step", STEPS)
def test_a_chapter_has_equations_questions_code_pytorch_and_sources(step):
    text = text_of(step)
    for part in (
        ":label: eq-",
        "## Questions people ask",
        "source(",
        "The same in PyTorch",
        "## Read on",
        "{cite:",
    ):
        assert part in text, part


@pytest.mark.parametrize("step", STEPS)
def test_folds_are_closed(step):
    text = text_of(step)
    assert text.count("% fold-start") == text.count("% fold-end") > 0


def test_there_is_a_notebook_for_every_chapter():
    names = {
        path.relative_to(HTML / "_sources" / "book").with_suffix("").as_posix()
        for path in NOTEBOOKS
    }
    assert names >= {*STEPS, "index", "corrections"}


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """Run every notebook in an empty folder, two at a time; the outcome by name."""
    folder = tmp_path_factory.mktemp("notebooks")

    def run(path: Path):
        copy = shutil.copy(path, folder / path.name)
        notebook = nbformat.read(copy, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        return notebook, single_nb_execution(
            notebook, cwd=str(folder), allow_errors=False, timeout=120
        )

    with ThreadPoolExecutor(max_workers=2) as pool:
        return dict(zip([path.stem for path in NOTEBOOKS], pool.map(run, NOTEBOOKS)))


@pytest.mark.parametrize("name", [path.stem for path in NOTEBOOKS])
def test_a_notebook_runs_from_top_to_bottom(name, executed):
    notebook, result = executed[name]
    assert result.err is None, result.exc_string
    assert all(
        cell.execution_count
        for cell in notebook.cells
        if cell.cell_type == "code" and cell.source.strip()
    )


@pytest.mark.parametrize("name", [path.stem for path in NOTEBOOKS])
def test_every_solution_is_graded_right(name, executed):
    notebook, _ = executed[name]
    solution = False
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            solution = (
                cell.source.rstrip()
                .split("% fold-start")[-1]
                .strip()
                .startswith("**Solution")
            )
        elif cell.cell_type == "code" and "grade(" in cell.source and solution:
            verdicts = [
                output["data"]["text/plain"]
                for output in cell.outputs
                if output.output_type == "execute_result"
            ]
            assert verdicts and all(verdict.startswith("✓") for verdict in verdicts), (
                cell.source
            )
