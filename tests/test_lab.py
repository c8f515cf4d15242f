"""The live form: a real JupyterLab runs a notebook, and Python and the page change each other's state."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from conftest import ROOT

from lab import configure

CELLS = [
    "from transformer_math.explorables import RopeExplorable, ScaledDotProductExplorable, SinusoidalExplorable\n"
    "rope, wave, attention = RopeExplorable(), SinusoidalExplorable(), ScaledDotProductExplorable()\n"
    "display(rope, rope, wave, attention)",
    "rope.i, wave.dimension, attention.sentence = 11, 9, 'the whale and the sea'",
    "print('READ', rope.j, wave.position, attention.head, attention.weights.shape)",
    "attention.Q = 10 * attention.Q_in_use\nrope.close()",
    "from transformer_math.explorables import InspectorExplorable, TranslatorExplorable\n"
    "inspector, translator = InspectorExplorable(text='The whale'), TranslatorExplorable()\n"
    "display(inspector, translator)",
    "translator.date = '2 November 1851'\n"
    "print('WROTE', inspector.tokens[-1], inspector.distribution.argmax(), translator.iso)",
    "from transformer_math.explorables import FormulaExplorable\n"
    "formula = FormulaExplorable('eq-softmax')\n"
    "formula",
    "print('EDITED', formula.latex.count('2^{'))\n"
    "formula.equation, formula.latex = 'eq-gelu', r'\\operatorname{gelu}(x) = x\\,\\Phi(F)'",
]


def notebook(folder):
    cells = [
        {
            "cell_type": "code",
            "id": f"c{i}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": source,
        }
        for i, source in enumerate(CELLS)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    content = {
        "cells": cells,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (folder / "play.ipynb").write_text(json.dumps(content))


def keep_every_cell(config):
    """JupyterLab takes cells out of the page that are out of sight; the test wants to see them all."""
    tracker = (
        config
        / "lab"
        / "user-settings"
        / "@jupyterlab"
        / "notebook-extension"
        / "tracker.jupyterlab-settings"
    )
    tracker.parent.mkdir(parents=True)
    tracker.write_text(json.dumps({"windowingMode": "none"}))


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """JupyterLab on a free port, with settings of its own; yields its address."""
    folder = tmp_path_factory.mktemp("lab")
    notebook(folder)
    shutil.copy(ROOT / "book" / "position" / "rope.md", folder)
    configure()
    keep_every_cell(folder / "config")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    homes = {
        f"JUPYTER_{kind}_DIR": str(folder / kind.lower())
        for kind in ("CONFIG", "DATA", "RUNTIME")
    }
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    env = (
        os.environ
        | homes
        | {
            "PYTHONPATH": path,
            "IPYTHONDIR": str(folder / "ipython"),
            "OMP_NUM_THREADS": "1",
        }
    )
    options = [
        "--no-browser",
        "--allow-root",
        "--ServerApp.token=",
        f"--port={port}",
        f"--ServerApp.root_dir={folder}",
    ]
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        *options,
        "--LabApp.extension_manager=readonly",
        "--LabApp.news_url=None",
    ]
    log = (folder / "log.txt").open("w")
    server = subprocess.Popen(command, env=env, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{address}/api/status", server, folder / "log.txt")
        yield address
    finally:
        server.terminate()
        server.wait(timeout=20)
        log.close()
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(url, server, log):
    for _ in range(120):
        assert server.poll() is None, log.read_text()
        try:
            return urllib.request.urlopen(url, timeout=2).read()
        except OSError:
            time.sleep(0.5)
    raise AssertionError(f"JupyterLab did not answer: {log.read_text()}")


@pytest.fixture
def tab(browser, lab):
    """An empty JupyterLab in a browser that reaches no other host."""
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    context.route(lambda url: not url.startswith(lab), lambda route: route.abort())
    page = context.new_page()
    page.set_default_timeout(240_000)
    # a slow machine makes JupyterLab ask things (which kernel? wait for the server?): its own proposal will do
    page.add_locator_handler(
        page.locator("dialog.jp-Dialog"),
        lambda box: box.locator(".jp-mod-accept").first.click(),
        no_wait_after=True,  # one may follow another, or not hear the first click
    )
    yield page
    context.close()


@pytest.fixture
def page(tab, lab):
    """The notebook with the explorables."""
    tab.goto(f"{lab}/lab/tree/play.ipynb?reset")
    return tab


def kernel_listens(page):
    """Wait for the kernel; a cell that is run before is one more dialog, and each accepted one starts a new kernel.

    The notebook's own indicator is no witness: it says "idle" before there is a kernel.
    """
    page.locator("#jp-main-statusbar").filter(has_text="| Idle").wait_for()


def run(page, cell):
    """Run a cell and wait until it has its number; a notebook that is still loading may miss the keys."""
    here = page.locator(".jp-CodeCell").nth(cell)
    prompt = here.locator(".jp-InputPrompt").first
    for _ in range(20):
        here.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        page.wait_for_timeout(500)
        if re.search(r"\[[*\d]+\]", prompt.inner_text()):
            break
    prompt.filter(has_text=re.compile(r"\[\d+\]")).wait_for()
    return here


def test_python_and_the_page_share_one_state(page):
    kernel_listens(page)
    shown = run(page, 0).locator("section.xp")
    shown.nth(3).locator(".xp-says").filter(has_text="13 tokens").wait_for()
    assert shown.count() == 4

    run(page, 1)  # Python sets, the page follows: both views of one widget
    for view in (0, 1):
        shown.nth(view).get_by_text("q at position 11").first.wait_for()
    shown.nth(2).get_by_text("Dimension 9 is cos").first.wait_for()
    shown.nth(3).get_by_text("5 tokens").first.wait_for()

    shown.nth(0).get_by_label("Key’s position j").press(
        "ArrowRight"
    )  # the page sets, Python reads
    shown.nth(1).get_by_text("k at position 4").first.wait_for()
    shown.nth(2).get_by_role("slider", name="Position p").focus()
    page.keyboard.press("ArrowDown")  # a key that JupyterLab would take for itself
    shown.nth(3).get_by_role("radio", name="previous token").check()
    output = run(page, 2).locator(".jp-OutputArea-output").inner_text()
    assert "READ 4 19 previous (5, 5)" in output

    run(page, 3)
    shown.nth(1).get_by_text(
        "Q or K was edited"
    ).wait_for()  # the two views of the closed widget are gone
    assert page.locator("section.xp").count() == 2


def test_trained_models_run_in_the_notebook(page):
    """Their weights arrive in binary; what the page writes Python knows, and what Python sets the page translates."""
    kernel_listens(page)
    shown = run(page, 4).locator("section.xp")
    shown.nth(0).locator(".xp-says").filter(has_text="“␣whale” (position 1)").wait_for()
    first = shown.nth(0).locator(".xp-next button").first
    likeliest = first.inner_text()
    first.click()
    shown.nth(0).locator(".xp-says").filter(has_text="(position 2)").wait_for()
    cell = run(page, 5)
    shown.nth(1).locator(".xp-says").filter(has_text="becomes “1851-11-02”").wait_for()
    output = cell.locator(".jp-OutputArea-output").inner_text()
    assert output.startswith(f"WROTE {likeliest} ") and output.strip().endswith(
        " 1851-11-02"
    )


def test_a_formula_is_edited_in_the_notebook(page):
    """Python sends KaTeX when the page asks, and knows what was written; the page runs what Python writes."""
    kernel_listens(page)
    shown = run(page, 6).locator("section.xp")
    shown.get_by_role("button", name="Powers of 2").click()
    shown.locator(".xp-says").filter(has_text="You take powers of 2").wait_for()
    assert shown.locator(".xp-typeset math").count() == 1
    assert "EDITED 4" in run(page, 7).locator(".jp-OutputArea-output").inner_text()
    problem = "At “F”: nothing says what F is."
    shown.locator(".xp-says").filter(has_text=problem).wait_for()
    assert shown.locator("mark").inner_text() == "F"


def run_all(tab):
    tab.get_by_role("menuitem", name="Run", exact=True).click()
    tab.get_by_text("Run All Cells", exact=True).click()


def test_a_chapter_opens_as_a_notebook_with_a_double_click_and_runs(tab, lab):
    tab.goto(f"{lab}/lab?reset")
    tab.locator(".jp-DirListing-item", has_text="rope.md").dblclick()
    kernel_listens(tab)
    run_all(tab)
    tab.locator("section.xp").first.wait_for(state="attached")
    tab.locator(".grade.right").nth(2).wait_for(state="attached")
    failures = ".jp-OutputArea-output[data-mime-type*='error'], .jp-OutputArea-output[data-mime-type*='stderr']"
    assert tab.locator(failures).count() == 0
