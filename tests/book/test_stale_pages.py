"""Which pages a build reads and writes again: those that changed, those that warned, and all after a build was killed."""

import json
import re

import pytest
from small_books import conf
from sphinx_runs import run_sphinx

CONF = conf("""
import os
from pathlib import Path
import memory
memory.MEMORY = Path(__file__).with_name("fresh.json")
extensions = ["myst_parser", "sphinx.ext.mathjax"]
myst_enable_extensions = ["dollarmath"]
nitpicky = True

def die(app, pagename, *others):
    if pagename == os.environ.get("KILLED_AT"):
        os._exit(9)

def setup(app):
    import signatures
    from freshness import decide_pages
    signatures.setup(app)
    decide_pages(app)
    app.connect("html-page-context", die)
""")
INDEX = "# Index\n\n```{toctree}\nright\nwrong\nplain\n```\n"
FORMULA = "# A page\n\n% values: x: number\n\n$$\nx + x = {} x\n$$\n"


@pytest.fixture
def book(tmp_path):
    """A book of three pages, two of them with a formula."""
    write(tmp_path, "conf.py", CONF)
    write(tmp_path, "index.md", INDEX)
    write(tmp_path, "right.md", FORMULA.format(2))
    write(tmp_path, "wrong.md", FORMULA.format(2).replace("x + x", "(x + x)"))
    write(tmp_path, "plain.md", "# Words\n")
    return tmp_path


def write(book, name, text):
    (book / name).write_text(text, "utf-8")


def build(book, **environment):
    """Build; return whether it was accepted, the pages that it read, those that it wrote, and the warnings."""
    options = ("-W", "--keep-going", "--color")
    done = run_sphinx(*options, book, book / "html", **environment)
    warnings = [line for line in done.stderr.splitlines() if "WARNING" in line]
    return done.returncode == 0, *map(pages, ("reading sources", "writing output"), [done.stdout] * 2), warnings  # fmt: skip


def pages(what, said):
    """The pages that Sphinx names while it does something."""
    lines = re.split(r"[\r\n]", re.sub(r"\x1b\[[\d;]*[mK]", "", said))
    return {line.split()[-1] for line in lines if line.startswith(what) and "%" in line}


def test_a_refused_build_is_refused_again_in_the_same_words_and_mended_by_reading_one_page(
    book,
):
    write(book, "wrong.md", FORMULA.format(3))
    accepted, read, _, warnings = build(book)
    assert not accepted and read == {"index", "right", "wrong", "plain"}
    assert any("wrong.md" in line and "differs by" in line for line in warnings)

    again, read, _, same = build(book)
    assert not again and read == {"wrong"} and same == warnings

    write(book, "wrong.md", FORMULA.format(2).replace("x + x", "(x + x)"))
    mended, read, _, none = build(book)
    assert mended and read == {"wrong"} and not none
    assert 'data-formula="runs"' in (book / "html" / "wrong.html").read_text("utf-8")

    accepted, read, written, _ = build(book)
    assert accepted and not read and not written


def test_a_reference_that_leads_nowhere_is_refused_until_it_is_mended(book):
    """Sphinx finds it when it writes the page, and would not look at an unchanged page again."""
    write(book, "plain.md", "# Words\n\n{ref}`nowhere`\n")
    first, again = build(book), build(book)
    for accepted, _, _, warnings in (first, again):
        assert not accepted and any("nowhere" in line for line in warnings)
    assert again[1] == {"plain"}
    write(book, "right.md", "(nowhere)=\n" + FORMULA.format(2))
    accepted, read, _, _ = build(book)
    assert accepted and read == {"plain", "right"}


def test_a_warning_without_a_place_is_every_pages(book):
    conf = CONF.replace("import signatures\n", "import signatures\n    grumble(app)\n")
    said = """
def grumble(app):
    from sphinx.util import logging
    app.connect("env-updated", lambda app, env: logging.getLogger("x").warning("oh"))
"""
    write(book, "conf.py", conf + said)
    assert build(book)[1] == build(book)[1] == {"index", "right", "wrong", "plain"}


def test_a_build_that_was_killed_while_it_wrote_leaves_no_page_old(book):
    assert build(book)[0]
    write(book, "right.md", FORMULA.format(2).replace("A page", "Another"))
    write(book, "plain.md", "# Other words\n")
    assert not build(book, KILLED_AT="plain")[0]
    accepted, read, written, _ = build(book)
    assert accepted and read == {"right", "plain"}
    assert written == {"index", "right", "wrong", "plain"}
    assert "Other words" in (book / "html" / "plain.html").read_text("utf-8")


def test_what_a_seal_says_renews_its_page_and_no_other(book):
    """The text of the page is as it was; what came of its formula is not."""
    assert build(book)[0]
    kept = book / "html" / ".doctrees" / "evidence.json"
    found = json.loads(kept.read_text("utf-8"))
    for one in found["verdicts"].values():
        one["found"]["cases"] += 1
        break
    kept.write_text(json.dumps(found), "utf-8")
    accepted, read, _, _ = build(book)
    assert accepted and len(read) == 1 and read < {"right", "wrong"}
    (page,) = read
    assert "in 13 random cases" in (book / "html" / f"{page}.html").read_text("utf-8")


def test_a_page_is_written_again_when_what_it_refers_to_changes_and_refused_when_it_is_gone(
    book,
):
    """Sphinx itself would leave the old title, and the dead link."""
    write(book, "plain.md", "# Words\n\nSee {ref}`here`.\n")
    write(book, "right.md", "# A page\n\n(here)=\n## First\n")
    assert build(book)[0]
    write(book, "right.md", "# A page\n\n(here)=\n## Second\n")
    accepted, read, written, _ = build(book)
    assert accepted and read == {"right"} and "plain" in written - read
    html = (book / "html" / "plain.html").read_text("utf-8")
    assert "Second" in html and "First" not in html
    write(book, "right.md", "# A page\n\n## Second\n")
    accepted, _, _, warnings = build(book)
    assert not accepted and any("plain.md" in line for line in warnings)
