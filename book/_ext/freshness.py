"""No stale page, and no needless work: what a page is made from has a fingerprint, and only what changed is made again.

A chapter is run again when its code, a module that it uses (see `dependencies`) or a pinned version changes. A page is
read again when it was run again, or when a check of one of its equations changed. All this holds for
`jupyter-book build .` as for `make book`.
"""

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from contents import ROOT, notebooks
from dependencies import Package
from myst_nb.core.read import read_myst_markdown_notebook
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util import logging

EXTENSIONS = Path(__file__).parent
LABEL = re.compile(
    r"^:label: (eq-[\w-]+)$|^```\{signature\} (eq-[\w-]+)$", re.MULTILINE
)

logger = logging.getLogger(__name__)


def read(page: Path) -> NotebookNode:
    """A page as a notebook, as MyST-NB reads it; its metadata hold the line at which each cell begins."""
    text = page.read_text("utf-8")
    return read_myst_markdown_notebook(text, None, path=page, add_source_map=True)


def code(notebook: NotebookNode) -> str:
    """All code of a notebook, without IPython's own commands."""
    cells = (cell.source for cell in notebook.cells if cell.cell_type == "code")
    return re.sub(r"^[%!].*$", "", "\n".join(cells), flags=re.MULTILINE)


def fingerprints(root: Path = ROOT) -> dict[Path, str]:
    """For each page that runs, a hash of its code and of everything that its outputs depend on."""
    package = Package(root)
    return {
        page: fingerprint(code(read(page)), package, root) for page in notebooks(root)
    }


def fingerprint(text: str, package: Package, root: Path) -> str:
    """A hash of some code, of the files that it depends on, and of the pinned versions."""
    return digest(text, [root / "requirements.txt", *package.dependencies(text)], root)


def digest(text: str, files: Iterable[Path], root: Path = ROOT) -> str:
    """A hash of a text and of files: their names and what stands in them."""
    total = sha256(text.encode())
    for file in sorted(files):
        total.update(f"\0{file.relative_to(root)}\0".encode() + file.read_bytes())
    return total.hexdigest()[:16]


def seals(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """For each page with signed equations, its name in Sphinx and a hash of the checks that sign them."""
    package = Package(root)
    for page in sorted((root / "book").rglob("*.md")):
        text, files = page.read_text("utf-8"), set()
        if "{ledger}" in text:
            files = package.all_checks()
        for label in LABEL.findall(text):
            files |= package.checks_of_label("".join(label))
        yield page.relative_to(root).with_suffix("").as_posix(), digest("", files, root)


def run_chapters(app: Sphinx) -> None:
    """Stop where a chapter breaks its contract; run those that are not fresh; stop where one fails."""
    from contract import faults
    from execution import run_stale

    if app.builder.name != "html":
        return
    found = faults() or run_stale(say=logger.info)
    if found:
        raise ExtensionError("The book was not built.\n" + "\n".join(found))


def use_cache(app: Sphinx, config) -> None:
    """Let MyST-NB find the executed chapters, and read all pages again when an extension changes."""
    from execution import cache_folder

    config.nb_execution_cache_path = str(cache_folder())
    config.extensions_fingerprint = digest("", EXTENSIONS.glob("*.py"))


def outdated(app: Sphinx, env: BuildEnvironment, added, changed, removed) -> list[str]:
    """The pages whose outputs or seals are no longer those that were read."""
    from execution import made_from

    outputs = made_from(ROOT)
    now = {name: (outputs.get(name), seal) for name, seal in seals()}
    known, env.made_from = getattr(env, "made_from", {}), now
    return [
        name for name in now if name in env.all_docs and known.get(name) != now[name]
    ]


def forget(app: Sphinx, env: BuildEnvironment, names: list[str]) -> None:
    """Forget all pages that are to be read again, before the first is: a label may have moved from one to another."""
    for name in set(names) & env.all_docs.keys():
        app.emit("env-purge-doc", env, name)
        env.clear_doc(name)


def forget_warnings(app: Sphinx, exception: Exception | None) -> None:
    """Let the next build read all pages again where this one warned: Sphinx would not say it twice."""
    if app._warncount:
        (Path(app.doctreedir) / "environment.pickle").unlink(missing_ok=True)


def setup(app: Sphinx) -> dict:
    """Act before any page is read."""
    app.add_config_value("extensions_fingerprint", "", "env")
    app.connect("config-inited", use_cache, priority=1)
    app.connect("builder-inited", run_chapters, priority=1)
    app.connect("env-get-outdated", outdated)
    app.connect("env-before-read-docs", forget)
    app.connect("build-finished", forget_warnings)
    return {"parallel_read_safe": True}
