"""Write a formula from what it is to compute: it runs on cases of its checks, and a known mistake is called by its name."""

import json
import re
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import traitlets

from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Weights, Whole, require
from transformer_math.explorables.editing.formula import packed_formulas, send_katex
from transformer_math.quantised import pack

TASKS = Path(__file__).with_name("tasks.json")  # written by `make tasks`
TRIED = ("cases", "known")  # of a task, fetched when somebody writes
FIRST = "eq-scores"
HINTS = 3  # what goes in, the first sign, the formula
LINE = 62  # characters, in the still picture


@cache
def tasks() -> dict[str, dict[str, Any]]:
    """What is asked, by the label of the formula, in the order of the book."""
    found = json.loads(TASKS.read_text("utf-8"))
    return {task["label"]: task for task in found}


def packed_tasks() -> bytes:
    """What is asked, without what an answer is tried on, as JSON."""
    asked = [
        {name: part for name, part in task.items() if name not in TRIED}
        for task in tasks().values()
    ]
    return pack({"tasks": json.dumps(asked, ensure_ascii=False)})


def packed_trials() -> bytes:
    """What an answer is tried on: the cases of each formula, and what its wrong versions make of them, as JSON."""
    tried = {
        label: {name: task[name] for name in TRIED} for label, task in tasks().items()
    }
    return pack({"trials": json.dumps(tried, ensure_ascii=False)})


class WriteExplorable(Explorable):
    """A formula of the book that the reader writes: `equation` is its label, `latex` what was written so far.

    `hints` is how many hints are open; the last one shows the formula. Which formulas were written is remembered by the
    browser alone. In Jupyter, Python sends KaTeX when the page asks for it.

    >>> WriteExplorable("eq-softmax").task["title"]
    'softmax'
    """

    equation = traitlets.Unicode(FIRST).tag(sync=True)
    latex = traitlets.Unicode("").tag(sync=True)
    hints = Whole(0, low=0, high=HINTS)
    tasks = Weights(packed_tasks)
    trials = Weights(packed_trials)
    printed_formulas = Weights(packed_formulas)

    def __init__(self, equation: str = FIRST, **kwargs: Any):
        super().__init__(equation=equation, **kwargs)
        self.on_msg(send_katex)

    @traitlets.validate("equation")
    def _is_a_task(self, proposal: dict) -> str:
        label = proposal["value"]
        known = f"{', '.join(list(tasks())[:3])}, …"
        require(label in tasks(), f"equation is {label!r}; wanted one of {known}")
        return label

    @property
    def task(self) -> dict[str, Any]:
        """What is asked now."""
        return tasks()[self.equation]

    def description(self) -> str:
        """What is to be written."""
        says = plain_text(self.task["says"])
        return (
            f"Write the formula of {self.task['title']}. {says} One of {len(tasks())} formulas to write. "
            "Where scripts run, what you write is typeset, run and graded."
        )

    def heights(self) -> tuple[str, str]:
        """The choice, the question, the field and the verdict below each other; question and field side by side."""
        return "948px", "558px"

    def still(self) -> str:
        """The question, in words."""
        title, says = self.task["title"], plain_text(self.task["says"])
        lines = [f"Write the formula: {title}", "", *wrapped(says)]
        texts = [
            _svg.text(20, 30 + 24 * i, line, "start") for i, line in enumerate(lines)
        ]
        return _svg.picture(560, 60 + 24 * len(lines), *texts)


def plain_text(html: str) -> str:
    """HTML without its marks."""
    return unescape(re.sub("<[^>]+>", "", html))


def wrapped(text: str) -> list[str]:
    """A sentence in lines of a picture."""
    return re.findall(rf".{{1,{LINE}}}(?:\s|$)", text)
