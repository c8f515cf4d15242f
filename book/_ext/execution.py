"""Run chapters, one more at once than there are processors, before Sphinx reads the pages; `freshness` says which.

The outputs lie in one cache, `_build/executed`, where MyST-NB finds them. Each carries the fingerprint of what it was
made from. A chapter that fails stops the build, and so does a solution that its grader refuses, and an answer that stands
in the open (`leaks`); those that ran well beside it stay in the cache.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import nullcontext, suppress
from pathlib import Path

from cells import code, read
from chapter_form import refused
from contents import ROOT, page_id
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn, JupyterCacheAbstract
from jupyter_cache.cache.db import NbCacheRecord
from jupyter_cache.executors.utils import single_nb_execution
from kernels import begin, forked
from leaks import leaks
from nbformat import NotebookNode
from sphinx.application import Sphinx

SECONDS_FOR_A_CELL = 600  # on a slow and busy machine; what takes longer hangs
# Jupyter finds a free port and lets go of it; until the kernel binds it, another process may have taken it
BEGINNINGS = 3
UNBORN = "Kernel died before replying to kernel_info"  # Jupyter's words


def cache_folder(root: Path = ROOT) -> Path:
    """Where the executed chapters are kept."""
    return root / "_build" / "executed"


def keep(wanted: dict[str, str], root: Path = ROOT) -> set[str]:
    """Keep the outputs that were made from what is wanted, and no others; return the names of their chapters."""
    return set(_fresh(get_cache(cache_folder(root)), wanted))


def run_all(
    pages: Sequence[Path],
    made_from: Mapping[str, str],
    root: Path = ROOT,
    say: Callable[[str], None] = print,
    meanwhile: Callable[[], None] = lambda: None,
) -> list[str]:
    """Run chapters and keep their outputs; return what failed, one paragraph for each chapter.

    Those with most code begin, so that none runs alone in the end. This process waits for them: `meanwhile` is what it can do
    until they are done.
    """
    cache = get_cache(cache_folder(root))
    failures = []
    os.environ["TQDM_DISABLE"] = "1"  # bars are for those who wait, not for pages
    at_once = 1 + (os.cpu_count() or 1)  # each waits now and then
    # a few begin sooner in kernels that import for themselves
    kernels = forked() if len(pages) > at_once else nullcontext()
    with kernels, ThreadPoolExecutor(max_workers=at_once) as pool:
        most_first = sorted(pages, key=lambda page: -len(code(page.read_text("utf-8"))))
        running = {pool.submit(run, page): page for page in most_first}
        if pages:
            meanwhile()
        for done, future in enumerate(as_completed(running), 1):
            page = page_id(running[future], root)
            notebook, seconds, fault = future.result()
            say(f"  [{done}/{len(pages)}] ran {page} in {seconds:.1f} s")
            if fault:
                failures.append(f"{page}, {fault}")
                continue
            data = {"execution_seconds": seconds, "fingerprint": made_from[page]}
            bundle = CacheBundleIn(notebook, page, data=data)
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    return failures


def made_from(root: Path = ROOT) -> dict[str, str]:
    """The fingerprint of what each executed chapter was made from, by the chapter's name in Sphinx."""
    records = get_cache(cache_folder(root)).list_cache_records()
    return {r.uri.removesuffix(".md"): r.data["fingerprint"] for r in records}


def _fresh(cache: JupyterCacheAbstract, wanted: dict[str, str]) -> Iterator[str]:
    for record in cache.list_cache_records():
        with suppress(Exception):  # a build was killed, or somebody emptied a file
            executed = cache.get_cache_bundle(record.pk).nb
            if wanted.get(record.uri) == record.data["fingerprint"] and whole(executed):
                yield record.uri
                continue
        discard(cache, record)


def discard(cache: JupyterCacheAbstract, record: NbCacheRecord) -> None:
    """Remove an executed chapter from the cache, whatever a build that was killed has left of it."""
    shutil.rmtree(Path(cache.path) / "executed" / record.hashkey, ignore_errors=True)
    NbCacheRecord.remove_record(record.pk, cache.db)


def whole(notebook: NotebookNode) -> bool:
    """Whether every cell that holds code has been run."""
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return all(cell.execution_count for cell in codes if cell.source.strip())


def run(page: Path) -> tuple[NotebookNode, float, str]:
    """Run a chapter in its folder; the notebook, the seconds it took, and what was wrong: the cell, and why."""
    notebook, start = read(page), time.perf_counter()
    for _ in range(BEGINNINGS):
        error = _run(notebook, page.parent)
        if UNBORN not in str(error):
            break
    found = faults(notebook) if error is None else [failure(notebook, error)]
    return notebook, time.perf_counter() - start, next(iter(found), "")


def _run(notebook: NotebookNode, folder: Path) -> Exception | str | None:
    """Run the cells of a notebook; what went wrong."""
    try:
        return single_nb_execution(
            notebook,
            str(folder),
            SECONDS_FOR_A_CELL,
            allow_errors=False,
            extra_arguments=["--log-level=ERROR"],
            shutdown_kernel="immediate",  # to be asked, it would take a second
        ).err
    except Exception as exception:  # the kernel died, say
        return exception


def failure(notebook: NotebookNode, error: Exception | str) -> str:
    """Where a chapter failed, and why."""
    return f"{place(notebook, failed_cell(notebook))}:\n{error}"


def faults(notebook: NotebookNode) -> Iterator[str]:
    """What is wrong with the exercises of an executed chapter, with the cell."""
    for cell in refused(notebook):
        said = "the grader refuses this solution"
        yield f"{place(notebook, cell)}: {said}:\n{notebook.cells[cell].source}"
    for cell, answer in leaks(notebook):
        fix = "compute it, and do not say or show it before the solution"
        yield f"{place(notebook, cell)}: the answer {answer} stands in the open. Fix: {fix}."


def failed_cell(notebook: NotebookNode) -> int:
    """The cell that raised an error, or else the first that has not been run."""
    for number, cell in enumerate(notebook.cells):
        if any(output.output_type == "error" for output in cell.get("outputs", [])):
            return number
    codes = ((i, c) for i, c in enumerate(notebook.cells) if c.cell_type == "code")
    return next((i for i, cell in codes if not cell.execution_count), 0)


def place(notebook: NotebookNode, number: int) -> str:
    """A cell, counted as the code cells of the page are, and its line in the file."""
    codes = sum(cell.cell_type == "code" for cell in notebook.cells[: number + 1])
    return f"code cell {codes}, line {notebook.metadata.source_map[number] + 1}"


def setup(app: Sphinx) -> dict:
    """Where no chapter has been run, begin at once with what all their kernels import."""
    if not cache_folder().exists():
        begin()
    return {"parallel_read_safe": True}
