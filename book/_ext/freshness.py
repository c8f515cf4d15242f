"""Is this page stale? The one place that decides it, for `make book` and for `jupyter-book build .` alike.

- A chapter is *run* again when its cells, a module or a data file that these use, or a pinned version is not what its
  outputs were made from (see `dependencies`). Its outputs carry the fingerprint of what they were made from.
- A page is *read* again when its text, its outputs, its seals or its symbols' answers are not those with which it was
  last read. Seals are compared by what they say now (see `evidence`): an edit that changes no verdict renews no page.
- A page that warned is read again until it no longer warns: Sphinx would not say it twice.
- A page is *written* again when something that it refers to has another number, title or address, or is gone (see
  `references`); every page after a build that did not come to its end.
- `make book` does nothing where no file changed at all, and puts a style sheet in its place (see `static_files`).

What the last builds did is kept in one file (see `memory`), written when a build begins and when it ends.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import execution
import references
from cells import code
from contents import ROOT, notebooks, page_id
from dependencies import Package, hash_of
from memory import inputs, recall, remember
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util import logging
from warned import Warned

EXTENSIONS = Path(__file__).parent

logger = logging.getLogger(__name__)


# Chapters: which are run again.


def fingerprints(root: Path = ROOT) -> dict[Path, str]:
    """For each page that runs, a hash of its code and of everything that its outputs depend on."""
    package = Package(root)
    pages = {page: page.read_text("utf-8") for page in notebooks(root)}
    return {page: fingerprint(code(text), package) for page, text in pages.items()}


def fingerprint(text: str, package: Package) -> str:
    """A hash of some code, of the files that it depends on, of the pinned versions; of all formulas, if it runs them."""
    files = {package.root / "requirements.txt", *package.dependencies(text)}
    if package.runs_formulas(text):
        files |= package.scripts
        text += package.printed
    return package.digest(text, files)


def run_stale(
    root: Path = ROOT,
    say: Callable[[str], None] = print,
    meanwhile: Callable[[], None] = lambda: None,
) -> list[str]:
    """Run what is not fresh and keep the outputs; return what failed, one paragraph for each chapter."""
    wanted = {page_id(page, root): made for page, made in fingerprints(root).items()}
    fresh = execution.keep(wanted, root)
    stale = [page for page in notebooks(root) if page_id(page, root) not in fresh]
    return execution.run_all(stale, wanted, root, say, meanwhile)


def run_chapters(app: Sphinx) -> None:
    """Stop where a chapter lacks a part; run those that are not fresh; stop where one fails."""
    from chapter_form import faults
    from evidence import prepare

    if app.builder.name != "html":
        return
    found = faults() or run_stale(say=logger.info, meanwhile=partial(prepare, app))
    if found:
        raise ExtensionError("The book was not built.\n" + "\n".join(found))


# Pages: which are read again.


def made_from(app: Sphinx) -> Iterator[tuple[str, str]]:
    """For each page, a hash of all that it is made from: its text, its outputs, its seals, its symbols' answers."""
    from answers import answers_on
    from signatures import seals

    outputs = execution.made_from(ROOT)
    for name in sorted(app.env.found_docs):
        page = Path(app.env.doc2path(name))
        parts = [page.read_text("utf-8"), outputs.get(name, "")]
        if page.suffix == ".md":
            parts += [seals(app, name), answers_on(app, name)]
        yield name, hash_of("\0".join(parts))


def outdated(app: Sphinx, env: BuildEnvironment, added, changed, removed) -> list[str]:
    """The pages that are not made from what they were made from when they were last read without a warning."""
    app.fresh.pages, known = dict(made_from(app)), app.fresh.pages
    now = app.fresh.pages
    return [n for n in now if n in env.all_docs and known.get(n) != now[n]]


def forget(app: Sphinx, env: BuildEnvironment, names: list[str]) -> None:
    """Forget all pages that are to be read again, before the first is: a label may have moved from one to another."""
    for name in set(names) & env.all_docs.keys():
        app.emit("env-purge-doc", env, name)
        env.clear_doc(name)


# The build: what it begins with, and how it ends.


def use_cache(app: Sphinx, config) -> None:
    """Let MyST-NB find the executed chapters, and read all pages again when an extension changes."""
    config.nb_execution_cache_path = str(execution.cache_folder())
    config.extensions_fingerprint = Package().digest("", EXTENSIONS.rglob("*.py"))


def begin(app: Sphinx) -> None:
    """Take down what this build begins with; until it ends well, there is no whole book."""
    app.warned = Warned(app)
    app.made_from, app.fresh = inputs(), recall()
    app.fresh.files = None
    remember(app.fresh)


def begin_reading(app: Sphinx, env: BuildEnvironment, names: list[str]) -> None:
    """Note that pages are being made: if the build is killed now, nobody knows which of them are old."""
    last = recall()
    app.last_ended, last.ended = last.ended, False
    remember(last)


def write_all_after_a_kill(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """All pages, where the last build did not come to its end: the environment may be new and a page old."""
    return [] if app.last_ended else sorted(env.all_docs)


def end(app: Sphinx, exception: Exception | None) -> None:
    """Remember a build that came to its end: the whole book if nothing warned, else the pages that did not."""
    if exception is not None or app.builder.name != "html":
        return
    warned = app.warned.pages()
    app.fresh.pages = {n: made for n, made in app.fresh.pages.items() if n not in warned}  # fmt: skip
    app.fresh.files = None if app._warncount else app.made_from
    app.fresh.ended = True
    remember(app.fresh)


def decide_pages(app: Sphinx) -> None:
    """Decide which pages are read and written again."""
    app.connect("builder-inited", begin, priority=0)
    app.connect("env-get-outdated", outdated)
    app.connect("env-before-read-docs", begin_reading, priority=0)
    app.connect("env-before-read-docs", forget)
    app.connect("env-updated", write_all_after_a_kill)
    references.listen(app)
    app.connect("build-finished", end, priority=999)


def setup(app: Sphinx) -> dict:
    """Act first and last; run chapters before any page is read."""
    app.add_config_value("extensions_fingerprint", "", "env")
    app.connect("config-inited", use_cache, priority=1)
    app.connect("builder-inited", run_chapters, priority=1)
    decide_pages(app)
    return {"parallel_read_safe": True}
