"""What all tests share: where things are, a browser, pages with explorables."""

import gc
import os
import shutil
from contextlib import ExitStack
from importlib.metadata import version
from itertools import count
from pathlib import Path

import jaxtyping
import pytest

# else all that tests have made is gone through again and again
gc.set_threshold(200_000, 50, 1000)

ROOT = Path(__file__).resolve().parents[1]
collect_ignore_glob = [
    "*/about_*.py"
]  # two ideas may have one name; `abouts` reads them


@pytest.fixture
def a_readers_notebook(monkeypatch):
    """No types are enforced where readers call functions, and grade their own."""
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium that reaches no other host."""
    from late_frames import PAUSE, delayed
    from playwright.sync_api import sync_playwright

    from chromium import find_chromium, launch

    with sync_playwright() as playwright:
        browser = delayed(launch(playwright, find_chromium(playwright), PAUSE))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def windows():
    """Windows of other browsers, by name, opened when first asked for; without a browser its tests are skipped, but not in CI."""
    from windows import BROWSERS

    from other_browsers import FINDERS

    with ExitStack() as stack:
        opened = {}

        def window(name):
            if name not in opened:
                skip_without(FINDERS[name])
                opened[name] = stack.enter_context(BROWSERS[name]())
            return opened[name]

        yield window


def skip_without(find):
    """Skip a test for want of a browser; where everything has to be tried, fail."""
    try:
        find()
    except RuntimeError as missing:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(missing))


def kept_by_the_build(kind):
    """Its proofs or verdicts: nothing where other versions are installed than those by which it knows them."""
    from evidence import read_json

    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    pins = [line.split("==") for line in lines if "==" in line]
    if any(version(name).split("+")[0] != pinned for name, pinned in pins):
        return {}
    return read_json(ROOT / "_build" / ".doctrees" / "evidence.json").get(kind, {})


@pytest.fixture(scope="session")
def explorables_folder(tmp_path_factory):
    """A folder with the files that a book's explorables share."""
    from assets import KATEX, fetch_katex

    from transformer_math.explorables.assets import write_assets

    folder = tmp_path_factory.mktemp("site")
    write_assets(folder / "_static")
    fetch_katex()
    own = folder / "_static" / "katex"
    shutil.copytree(KATEX, own)
    shutil.copy(own / "katex.min.css", own / "katex.cut.css")  # as `light` does
    return folder


def opened_pages(browser, explorables_folder):
    """Open pages that hold given explorables, or some of them by name; close them in the end."""
    from live_pages import CLASSES, EMPTY, open_file

    opened = []

    def opener(*figures, **options):
        figures = [CLASSES[f]() if isinstance(f, str) else f for f in figures]
        body = "\n".join(figure.html() for figure in figures)
        path = explorables_folder / f"page{next(PAGE_NUMBERS)}.html"
        below = '<h2 id="below">Below</h2><p style="height: 150vh">…</p>'
        path.write_text(EMPTY.format(body=body + below), "utf-8")
        opened.append(open_file(browser, path, **options))
        return opened[-1].__enter__()[0]

    yield opener
    for page in opened:
        page.__exit__(None, None, None)


PAGE_NUMBERS = count()
show = pytest.fixture(opened_pages)


def reload_as_a_person(tab) -> None:
    """Reload a moment after the last answer: what a page remembers, the browser keeps in another process."""
    tab.wait_for_timeout(300)
    tab.reload()
