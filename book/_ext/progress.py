"""Your exercises: every exercise and every formula to write, by chapter; scripts say which of them this browser remembers as done.

Without a script it is a plain list. `done.js`, on every page, fetches `marks.js` and the keys that are written here when
something was done, and the contents show how much. Nothing is sent anywhere.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

from book_site import in_words
from docutils import nodes
from ledger import number_of, reading_order
from left_places import places
from signatures import PRACTICE
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx_exercise.nodes import is_exercise_node

from transformer_math.explorables.editing.write import tasks

KEYS = "exercises.js"
LONGEST = 88  # characters of an exercise
EQUATION = re.compile(r"\beq(?:-\w+)+")
TOOLS = """
<div class="progress-tools" hidden><p class="progress-sums"></p><p class="progress-next"></p>
<p class="progress-buttons"><button type="button" name="save">Save as a file</button>
<button type="button" name="read">Load a saved file</button><button type="button" name="forget">Forget everything</button>
<input type="file" accept=".json,application/json" aria-label="A file that this page saved" hidden></p></div>
<p class="progress-says" role="status"></p>"""


class progress(nodes.General, nodes.Element):
    """Where the list is put when the exercises of all pages are known."""


class Progress(SphinxDirective):
    """Every exercise and every formula to write, by chapter."""

    def run(self) -> list[nodes.Node]:
        """Leave its place."""
        places(self.env, "progress").add(self.env.docname)
        return [progress()]


@dataclass(frozen=True)
class Task:
    """Something to do: the page to which it belongs, the key under which it is remembered, what it is called, where it stands."""

    page: str
    key: str
    name: str
    words: str
    stands: str  # the page, and what follows it in the address
    behind: str


def take_exercises(app: Sphinx, doctree: nodes.document) -> None:
    """Note the exercises of a page, each with its first words."""
    found = filter(is_exercise_node, doctree.findall())
    listed = [(node["label"], first_words(node)) for node in found]
    if listed:
        _exercises(app.env)[app.env.docname] = listed


def first_words(exercise: nodes.Node) -> str:
    """What an exercise asks first; its equations have no numbers yet, and stand there with their labels."""
    return in_words(next(exercise.findall(nodes.paragraph)))


def numbered(app: Sphinx, words: str) -> str:
    """What an exercise asks, with the numbers of its equations in place of their labels."""
    known = app.env.get_domain("math").equations
    return EQUATION.sub(lambda found: f"({number_of(app, found[0])})" if found[0] in known else "", words)  # fmt: skip


def shortened(text: str, longest: int = LONGEST) -> str:
    """A text that ends at a word.

    >>> shortened("With pencil. How many?", 15)
    'With pencil. …'
    """
    cut = text[: longest + 1]
    return text if cut == text else f"{cut.rpartition(' ')[0]} …"


def tasks_of(env: BuildEnvironment) -> list[Task]:
    """All there is to do, in the order of the book."""
    order = reading_order(env)
    found = [*exercises_of(env), *formulas_of(env)]
    return sorted(found, key=lambda task: order[task.page])


def exercises_of(env: BuildEnvironment) -> Iterator[Task]:
    """The exercises of every page, numbered on each."""
    for page, listed in _exercises(env).items():
        for i, (label, words) in enumerate(listed, 1):
            yield Task(page, f"exercise:{label}", f"Exercise {i}", words, page, f"#{label}")  # fmt: skip


def formulas_of(env: BuildEnvironment) -> Iterator[Task]:
    """The formulas that may be written by the reader."""
    if PRACTICE in env.found_docs:
        for label, task in tasks().items():
            yield Task(task["page"], f"write:{label}", task["title"], label, PRACTICE, f"?write={label}")  # fmt: skip


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Write the list."""
    for place in list(doctree.findall(progress)):
        chapters = groupby(tasks_of(app.env), key=lambda task: task.page)
        html = TOOLS + "".join(_chapter(app, docname, *one) for one in chapters)
        place.replace_self(nodes.raw("", html, format="html"))


def _chapter(app: Sphinx, docname: str, page: str, own: Iterator[Task]) -> str:
    title = escape(app.env.titles[page].astext())
    address = app.builder.get_relative_uri(docname, page)
    parts = {True: [], False: []}
    for task in own:
        parts[task.stands == page].append(_row(app, docname, task))
    exercises = f"<ul>{''.join(parts[True])}</ul>" * bool(parts[True])
    formulas = (
        f'<p>Formulas to write:</p><ul class="progress-formulas">{"".join(parts[False])}</ul>'
        if parts[False]
        else ""
    )
    many = " · ".join(
        f"{n}\u00a0{word}{'s' * (n != 1)}"
        for n, word in ((len(parts[True]), "exercise"), (len(parts[False]), "formula"))
        if n
    )
    return (
        f'<details class="progress-chapter" data-page="{page}"><summary>{title} <span>{many}</span></summary>'
        f'<p><a href="{address}">Read the chapter</a></p>{exercises}{formulas}</details>'
    )


def _row(app: Sphinx, docname: str, task: Task) -> str:
    address = app.builder.get_relative_uri(docname, task.stands) + task.behind
    said = shortened(numbered(app, task.words))
    words = f" {escape(said)}" if said else ""
    return f'<li data-key="{task.key}"><a href="{address}">{escape(task.name)}</a>{words}</li>'


def write_keys(app: Sphinx, exception: Exception | None) -> None:
    """Leave the keys of every page where `marks.js` finds them: formulas count for the page on which they are written."""
    if exception is None and app.builder.name == "html":
        keys: dict[str, list[str]] = {}
        for task in tasks_of(app.env):
            keys.setdefault(task.stands, []).append(task.key)
        text = f"const exercisesOfBook = {json.dumps(keys, separators=(',', ':'))};\n"
        (Path(app.outdir) / "_static" / KEYS).write_text(text, "utf-8")


def give_files(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree
) -> None:
    """Load what counts and saves on this page alone."""
    if pagename in places(app.env, "progress"):
        app.add_js_file("progress.js", loading_method="defer")
        app.add_css_file("progress.css")


def _exercises(env: BuildEnvironment) -> dict[str, list[tuple[str, str]]]:
    if not hasattr(env, "exercises_by_page"):
        env.exercises_by_page = {}
    return env.exercises_by_page


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """A page is read again, or gone."""
    _exercises(env).pop(docname, None)


def merge(app: Sphinx, env: BuildEnvironment, docnames: set, other) -> None:
    """Take over what another process read."""
    read = _exercises(other)
    _exercises(env).update({name: read[name] for name in docnames if name in read})


def setup(app: Sphinx) -> dict:
    """Take exercises when a page is read, list them when all are known."""
    app.setup_extension("left_places")
    app.add_node(progress)
    app.add_directive("progress", Progress)
    app.connect("doctree-read", take_exercises)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("doctree-resolved", fill)
    app.connect("html-page-context", give_files)
    app.connect("build-finished", write_keys)
    app.add_js_file("done.js", loading_method="defer")
    return {"parallel_read_safe": True}
