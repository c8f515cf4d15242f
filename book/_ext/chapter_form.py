"""What every chapter has: its parts, its exercises, solutions that their graders accept. What lacks one stops the build."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from contents import ROOT, chapters
from nbformat import NotebookNode

PARTS = {
    "a labelled equation (:label: eq-…)": ":label: eq-",
    "the code of an equation (source(…))": "source(",
    "the same in PyTorch (a fold or tab “The same in PyTorch”)": "The same in PyTorch",
    "questions (## Questions people ask)": "## Questions people ask",
    "where to read on (## Read on)": "## Read on",
    "a citation ({cite:…})": "{cite:",
}
# A page about one trained model has a card, where other chapters show what their function is called in PyTorch: its
# layers are shown in their own chapters, and what a reader must know of a model is what it was made from and is worth.
OF_MODELS = {
    **{part: mark for part, mark in PARTS.items() if "PyTorch" not in part},
    "the model's card (## Model card)": "## Model card",
}
CHECKPOINTS = "src/transformer_math/trained/checkpoints"
EXERCISE = re.compile(r"^`{3,}\{exercise\}", re.MULTILINE)
SOLUTION = re.compile(r"^% fold-start\s+\*\*Solution", re.MULTILINE)
ANSWERED = re.compile(r"^\*\*(?:With pencil|Predict)", re.MULTILINE)
BROKEN = re.compile(r"^\*\*Break it\b", re.MULTILINE)
FIELD = re.compile(r"\b(?:ask|choose|predict|estimate|sketch)\(")
GRADED = re.compile(r"\bgrade(?:_written)?\(")
GRADE = re.compile(r"\bgrade\(")
UNWRITTEN = "raise NotImplementedError"
FEWEST_GRADED = 3
DRAWN = re.compile(
    r"\b(?:arcs|backward_graph|heatmaps?|matrix|picture|shapes|spread|table)\(|Explorable\("
)


def faults(root: Path = ROOT) -> list[str]:
    """What the chapters lack, one sentence each, with the file and the part; and what is still to be written."""
    found = [
        f"{page.relative_to(root)} lacks {part}"
        for page in chapters(root)
        for part in missing(page.read_text("utf-8"), parts_of(page, root))
    ]
    found += [
        f"{page.relative_to(root)}, {place}"
        for page in chapters(root)
        for place in copyable(page.read_text("utf-8"))
    ]
    return [*found, *to_do(root)]


def parts_of(page: Path, root: Path = ROOT) -> dict[str, str]:
    """The parts that a page must have: those of a model where a checkpoint of its name is committed."""
    return OF_MODELS if (root / CHECKPOINTS / f"{page.stem}.bin").exists() else PARTS


def missing(text: str, parts: dict[str, str] = PARTS) -> Iterator[str]:
    """The required parts that a chapter does not have."""
    opening, *_ = text.split("\n## ")
    for word in ("What", "Why", "How"):
        if opening.count(f"**{word}.**") != 1:
            yield f"the opening line **{word}.**"
    if not DRAWN.search(text.split("```{math}")[0]):
        yield "a picture before its first formula"
    yield from (part for part, mark in parts.items() if mark not in text)
    _, *exercises = EXERCISE.split(text)
    graded = sum(
        bool(GRADED.search(SOLUTION.split(exercise)[0])) for exercise in exercises
    )
    if graded < FEWEST_GRADED:
        yield f"exercises with a grader (grade(…)): {graded} of at least {FEWEST_GRADED}"
    for number, exercise in enumerate(exercises, 1):
        yield from (f"{p} in exercise {number}" for p in missing_in_exercise(exercise))


def missing_in_exercise(text: str) -> Iterator[str]:
    """What an exercise lacks: the text from its beginning to the next one's."""
    task, *solution = SOLUTION.split(text, maxsplit=1)
    if "{dropdown} Hint" not in task:
        yield "a hint ({dropdown} Hint)"
    if not solution:
        yield "a solution (% fold-start, **Solution: …**)"
    if ANSWERED.search(task) and not FIELD.search(text):
        yield "a field to answer in (ask, choose, predict, estimate or sketch)"
    if BROKEN.search(task) and not FIELD.search(text):
        yield "a question (fix: choose or ask in the fold of the solution: which input breaks the version, or which it survives)"


def copyable(text: str) -> Iterator[str]:
    """Every grader of an exercise to write that would take a copy of the package's own code for an answer, with its line."""
    begins = [*(exercise.start() for exercise in EXERCISE.finditer(text)), len(text)]
    for here, end in pairwise(begins):
        to_write = UNWRITTEN in text[here:end]
        for found in GRADE.finditer(text, here, end) if to_write else ():
            line = text.count("\n", 0, found.start()) + 1
            yield f"line {line}: a copy of the package's own code passes this grader. Fix: grade_written(…), in the solution, too"


def to_do(root: Path = ROOT) -> Iterator[str]:
    """Every line of book, package or tests that says what is still to be written."""
    for room in ("book/**/*.md", "src/**/*.py", "src/**/*.js", "tests/**/*.py"):
        for path in sorted(root.glob(room)):
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                if (place := line.find("TODO:")) >= 0:
                    what = line[place + 5 :].strip(' ".#*/)')
                    yield f"{path.relative_to(root)}, line {number}: still to be written: {what}"


def refused(notebook: NotebookNode) -> Iterator[int]:
    """The places of the cells whose solution its grader does not accept, in an executed notebook."""
    solution = False
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            solution = bool(SOLUTION.match("% fold-start" + _last_fold(cell.source)))
        elif cell.cell_type == "code" and solution and GRADED.search(cell.source):
            verdicts = [
                out.data.get("text/plain", "") for out in cell.outputs if "data" in out
            ]
            if not any(verdict.startswith("✓") for verdict in verdicts):
                yield place


def _last_fold(markdown: str) -> str:
    return markdown.rpartition("% fold-start")[2]
