"""Kernels that are forked do what kernels of their own do, and end with the build."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from execution import BEGINNINGS, UNBORN, run
from jupyter_client import connect
from kernels import ForkedKernel, ForkedProcess, KernelServer, begin, forked

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux forks kernels"
)

TELLING = """---
kernelspec: {display_name: Python 3, language: python, name: python3}
---

```{code-cell} ipython3
import os, sys
print(os.getcwd(), sys.path, sorted(globals()), os.environ["PATH"])
```

```{code-cell} ipython3
import matplotlib.pyplot as plt
plt.plot([1, 3, 2]);
```

```{code-cell} ipython3
import subprocess, threading
import torch
print(subprocess.run(["echo", "heard"], capture_output=True, text=True).stdout, input.__module__)
(torch.ones(300, 300) @ torch.ones(300, 300)).sum()
```
"""


def outputs(page, kernels):
    """What the cells of a page give, without the numbers of objects in memory."""
    with kernels:
        notebook, _, fault = run(page)
    assert fault == ""
    given = [
        output.get("text") or output["data"]
        for cell in notebook.cells
        for output in cell.get("outputs", ())
    ]
    assert any("image/png" in one for one in given), "the figure is shown"
    return given


def test_a_forked_kernel_does_what_a_kernel_of_its_own_does(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(TELLING, "utf-8")
    own, mine = outputs(page, nullcontext()), outputs(page, forked())
    for a, b in zip(own, mine, strict=True):
        assert a == b


@pytest.fixture(scope="class")
def one_server():
    """A server imports for seconds: once for several tests."""
    with forked():
        yield


@pytest.mark.usefixtures("one_server")
class TestOneServer:
    """What kernels of one server do."""

    def test_what_most_chapters_import_is_there_before_they_begin(self, tmp_path):
        page = tmp_path / "page.md"
        begun = (
            "import sys\nprint('torch' in sys.modules, 'transformer_math.explorables' in sys.modules)\n"
            "from transformer_math.trained.language_model import language_model, novel_tokens\n"
            "print(language_model.cache_info().currsize, novel_tokens.cache_info().currsize)"
        )
        page.write_text(TELLING.split("```")[0] + f"```{{code-cell}} ipython3\n{begun}\n```\n", "utf-8")  # fmt: skip
        notebook, _, fault = run(page)
        assert (fault, notebook.cells[0].outputs[0].text) == ("", "True True\n1 2\n")

    def test_a_chapter_that_fails_is_told_as_ever(self, tmp_path):
        page = tmp_path / "page.md"
        page.write_text(TELLING.replace("import torch", "1 / 0"), "utf-8")
        assert "ZeroDivisionError" in run(page)[2]

    def test_a_kernel_that_dies_is_noticed(self, tmp_path):
        page = tmp_path / "page.md"
        page.write_text(TELLING.replace("import torch", "os._exit(3)"), "utf-8")
        assert "died" in run(page)[2].lower()


@pytest.fixture
def page_of_one_cell(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(TELLING.split("```")[0] + "```{code-cell} ipython3\nprint(7)\n```\n", "utf-8")  # fmt: skip
    return page


@contextmanager
def taken_ports(monkeypatch, times):
    """The first kernels find that another process has taken the port that was chosen for them."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]
        write, left = connect.write_connection_file, [taken] * times

        def written(*given, **named):
            if left:
                named["shell_port"] = left.pop()
            return write(*given, **named)

        # at its end Python would let nbclient end these kernels once more
        monkeypatch.setattr("nbclient.client.atexit.register", lambda *_: None)
        monkeypatch.setattr(connect, "write_connection_file", written)
        yield


@pytest.mark.parametrize("times", [1, 2])
def test_a_kernel_whose_port_was_taken_is_started_again(
    page_of_one_cell, monkeypatch, times
):
    with taken_ports(monkeypatch, times):
        notebook, _, fault = run(page_of_one_cell)
    assert (fault, notebook.cells[0].outputs[0].text) == ("", "7\n")


def test_what_never_starts_is_told(page_of_one_cell, monkeypatch):
    with taken_ports(monkeypatch, BEGINNINGS):
        assert UNBORN in run(page_of_one_cell)[2]


def test_a_server_that_has_begun_is_the_one_that_is_used_and_the_next_build_has_its_own():
    begin()
    early = ForkedKernel.server
    with forked():
        assert ForkedKernel.server is early
    assert ForkedKernel.server is None and early.process.poll() is not None
    with forked():
        assert ForkedKernel.server not in (None, early)


def test_a_kernel_that_is_gone_can_be_ended_again():
    kernel = ForkedKernel()
    gone = subprocess.Popen(["true"])
    gone.wait()
    kernel.process = ForkedProcess(gone.pid)
    kernel.pgid = gone.pid
    with ThreadPoolExecutor() as pool:  # a browser of other tests may have a loop here
        for end in (kernel.terminate, kernel.kill):
            pool.submit(lambda end=end: asyncio.run(end())).result()
    assert kernel.process.poll() == 0


def test_kernels_end_when_the_build_is_killed(tmp_path):
    server = KernelServer()
    connection = ["-f", str(tmp_path / "connection.json"), "--log-level=ERROR"]
    pid = server.start(connection, str(tmp_path), dict(os.environ))
    os.kill(pid, 0)  # it runs
    server.process.kill()
    server.process.wait()
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if has_ended(pid):
            return
        time.sleep(0.1)
    pytest.fail("the kernel outlived the build")


def has_ended(pid):
    """Whether a process is gone, or waits to be taken note of by whoever has become its parent."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("utf-8")
    except FileNotFoundError:
        return True
    return "State:\tZ" in status
