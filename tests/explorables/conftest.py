"""What the tests of live pages share: a folder with a page for each explorable, and for chosen states."""

import pytest
from live_pages import CLASSES, EMPTY, open_file

from transformer_math.explorables.assets import write_assets


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder with the files that a book's explorables share."""
    folder = tmp_path_factory.mktemp("site")
    write_assets(folder / "_static")
    return folder


@pytest.fixture
def show(browser, folder):
    """Open a page that holds the given explorables, or one of them by name."""
    opened = []

    def opener(*figures, **options):
        figures = [CLASSES[f]() if isinstance(f, str) else f for f in figures]
        body = "\n".join(figure.html() for figure in figures)
        path = folder / f"page{len(opened)}.html"
        below = '<h2 id="below">Below</h2><p style="height: 150vh">…</p>'
        path.write_text(EMPTY.format(body=body + below), "utf-8")
        opened.append(open_file(browser, path, **options))
        return opened[-1].__enter__()[0]

    yield opener
    for page in opened:
        page.__exit__(None, None, None)
