"""What the build does not do: a style sheet is put in place alone, a spoilt asset is noticed."""

import os
import shutil
import sys

import assets
import memory
import pytest
import static_files
import typesetting
from small_books import conf
from sphinx_runs import run_sphinx
from sphinxcontrib import katex

import build


@pytest.fixture
def html(tmp_path, monkeypatch):
    """A repository with one style sheet, and a built page that asks for it."""
    monkeypatch.setattr(static_files, "ROOT", tmp_path)
    sheet = tmp_path / "book" / "_static" / "book.css"
    page = tmp_path / "_build" / "html" / "book" / "index.html"
    for file in (sheet, page):
        file.parent.mkdir(parents=True)
    sheet.write_text("p { color: red }", "utf-8")
    page.write_text('<link href="../_static/book.css?v=00000000" />', "utf-8")
    return tmp_path / "_build" / "html"


def test_a_changed_style_sheet_is_put_in_place_and_asked_for(html):
    page = html / "book" / "index.html"
    os.utime(page, ns=(10**18, 10**18))
    static_files.place(["book/_static/book.css"], html)
    placed = html / "_static" / "book.css"
    assert placed.read_text("utf-8") == "p { color: red }"
    assert f"book.css?v={static_files.checksum(placed)}" in page.read_text("utf-8")
    assert page.stat().st_mtime_ns == 10**18


def test_a_changed_script_of_explorables_is_put_in_place(html):
    static_files.place(["src/transformer_math/explorables/kit.js"], html)
    kit = html / "_static" / "explorables" / "kit.js"
    assert kit.read_text("utf-8").startswith('explorables.register("kit.js",')


def test_a_style_sheet_that_is_gone_is_removed(html):
    static_files.place(["book/_static/book.css"], html)
    (html.parents[1] / "book" / "_static" / "book.css").unlink()
    static_files.place(["book/_static/book.css"], html)
    assert not (html / "_static" / "book.css").exists()


def test_the_checksum_is_the_one_that_sphinx_writes(tmp_path):
    from sphinx.builders.html._assets import _file_checksum

    (tmp_path / "a.css").write_bytes(b"p { color: red }\r\n")
    mine = static_files.checksum(tmp_path / "a.css")
    assert mine == _file_checksum(tmp_path, "a.css")


def test_only_files_that_pages_fetch_are_static():
    own = "src/transformer_math/explorables"
    for name in ("book/_static/book.css", f"{own}/kit.js", f"{own}/explorable.css"):
        assert static_files.is_static(name)
    for name in ("book/index.md", "_config.yml", f"{own}/_base.py"):
        assert not static_files.is_static(name)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository of two files, and nothing built."""
    monkeypatch.setattr(memory, "MEMORY", tmp_path / "fresh.json")
    for name in ("book/a.md", *memory.FILES):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a", "utf-8")
    return tmp_path


def test_what_changed_since_the_build_is_known(repository):
    assert memory.changes(memory.inputs(repository)) is None
    memory.placed(memory.inputs(repository))
    assert memory.changes(memory.inputs(repository)) == set()
    (repository / "book" / "a.md").write_text("b", "utf-8")
    (repository / "book" / "b.md").write_text("b", "utf-8")
    found = memory.changes(memory.inputs(repository))
    assert found == {"book/a.md", "book/b.md"}


@pytest.mark.parametrize("kept", ['{"files": {"book/a.md": "', '{"other": 1}', ""])
def test_a_note_that_was_cut_short_counts_as_none(repository, kept):
    memory.MEMORY.write_text(kept, "utf-8")
    assert memory.changes(memory.inputs(repository)) is None
    assert memory.recall() == memory.Memory()


def test_a_spoilt_style_sheet_of_katex_is_fetched_again(tmp_path, monkeypatch):
    copy = tmp_path / "katex"
    shutil.copytree(assets.KATEX, copy)
    monkeypatch.setattr(assets, "KATEX", copy)
    fetched = []

    def unpack(*wanted):
        fetched.append(wanted)
        raise RuntimeError("no network")

    monkeypatch.setattr(assets, "unpack", unpack)
    assets.fetch_katex()
    assert not fetched
    (copy / "katex.min.css").write_text("", "utf-8")
    with pytest.raises(RuntimeError, match="no network"):
        assets.fetch_katex()
    assert fetched[0][:2] == ("katex", assets.VERSION)


def test_another_version_of_katex_asks_for_its_hash(monkeypatch):
    monkeypatch.setattr(assets, "katex_version", "9.9.9")
    with pytest.raises(RuntimeError, match=r"Fix: pin the new version"):
        assets.fetch_katex()


def sphinx(folder, event, handler, connected):
    """Build a folder with one handler of the book's, or without it, and return what Sphinx said."""
    connect = f'app.connect("{event}", {handler})' if connected else "pass"
    (folder / "conf.py").write_text(
        conf(f"from freshness import {handler}\ndef setup(app):\n    {connect}\n"),
        "utf-8",
    )
    return run_sphinx("-q", folder, folder / "html").stderr


PAGE = "T\n=\n\n.. math::\n   :label: {}\n\n   x = y\n"
INDEX = "T\n=\n\n.. toctree::\n\n   first\n   second\n"


@pytest.mark.parametrize("forgets", [True, False])
def test_a_label_may_move_to_a_page_that_is_read_earlier(tmp_path, forgets):
    """Sphinx itself forgets a page just before it reads it: it would find the label on both."""
    (tmp_path / "index.rst").write_text(INDEX, "utf-8")
    for moved in (False, True):
        labels = ["b", "c"] if moved else ["a", "b"]
        for name, label in zip(["first", "second"], labels):
            (tmp_path / f"{name}.rst").write_text(PAGE.format(label), "utf-8")
        said = sphinx(tmp_path, "env-before-read-docs", "forget", forgets)
    assert ("duplicate label" in said) != forgets


SLOW_TO_LISTEN = """
import socket, sys, time
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
time.sleep(0.5)
server.listen()
server.accept()
"""


class SlowServer(katex.KaTeXServer):
    """A server whose socket is a file some time before it listens, as on a busy machine."""

    @classmethod
    def build_command(cls, socket=None, port=None):
        return [sys.executable, "-c", SLOW_TO_LISTEN, str(socket)]


def test_a_server_that_listens_late_is_waited_for(tmp_path):
    process, connection = typesetting.start_katex(SlowServer, tmp_path, 5.0)
    connection.close()
    assert process.wait(timeout=5) == 0


def test_a_kernels_traceback_does_not_hide_why_the_book_was_not_built():
    said = [
        "Traceback (most recent call last):\n",
        '  File "ipykernel/kernelbase.py", line 1\n',
        "KeyboardInterrupt\n",
        "The book was not built.\n",
        "book/a.md, code cell 1, line 9: A cell timed out\n",
        "Traceback (most recent call last):\n",
        '  File "jupyter_book/sphinx.py", line 114\n',
        "ExtensionError: the same again\n",
        "book/b.md: WARNING: a label is missing\n",
        "RuntimeError\n",
    ]
    printed = "".join(build.without_its_traceback(iter(said)))
    assert printed == "".join([*said[:5], said[8]])
