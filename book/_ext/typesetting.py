"""KaTeX's server in the build: strict, patient on a busy machine, asked once for each formula, stopped at the end.

One server answers all processes that write pages: it starts before the first of them, and each has a line of its own.
"""

import atexit
import os
import socket
import time
from functools import cache
from pathlib import Path
from subprocess import PIPE, Popen

from sphinx.application import Sphinx
from sphinxcontrib import katex

RENDER = katex.render_latex
SOCKET = "katex.sock"


def be_strict(app: Sphinx) -> None:
    """Let a formula that KaTeX cannot typeset stop the build instead of printing it in red."""
    katex.KATEX_DEFAULT_OPTIONS.update(throwOnError=True, strict="error")


def start_katex(cls, folder: Path, timeout: float) -> tuple[Popen, socket.socket]:
    """Start KaTeX's server and connect; its socket file is there before it listens, and a busy machine falls in between."""
    path, end = folder / SOCKET, time.monotonic() + timeout
    process = Popen(cls.build_command(socket=path), stdin=PIPE, stdout=PIPE, cwd=folder)
    while True:
        try:
            return process, connect(folder)
        except (FileNotFoundError, ConnectionRefusedError):
            if time.monotonic() > end:
                process.kill()
                raise
            time.sleep(0.01)


def connect(folder: Path) -> socket.socket:
    """A line to the server that runs in a folder."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(str(folder / SOCKET))
    return connection


def start_for_all(app: Sphinx, builder: object) -> None:
    """Start the server before processes part that write pages."""
    if app.builder.name == "html":
        katex.KaTeXServer.get()


def connect_again() -> None:
    """In a process that has just parted from its parent: two on one line would read each other's answers."""
    server = katex.KaTeXServer.katex_server
    if server is not None:
        server.sock = connect(server.rundir)


def be_patient_and_quick(app: Sphinx) -> None:
    """Let KaTeX start in its own time, and typeset a formula that comes again only once."""
    katex.KaTeXServer.start_server_process = classmethod(start_katex)
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = 60.0
    typeset = cache(lambda latex, display: RENDER(latex, {"displayMode": display}))
    katex.render_latex = lambda latex, options=None: typeset(latex, bool(options))


def stop_katex(app: Sphinx, exception: Exception | None) -> None:
    """Stop the server now: left to exit, a failed build would leave it running."""
    if katex.KaTeXServer.katex_server is not None:
        katex.KaTeXServer.katex_server.terminate()
        atexit.unregister(katex.KaTeXServer.terminate)
        katex.KaTeXServer.katex_server = None


def setup(app: Sphinx) -> dict:
    """Connect each to the moment at which it acts."""
    app.connect("builder-inited", be_strict)
    app.connect("builder-inited", be_patient_and_quick)
    app.connect("write-started", start_for_all)
    app.connect("build-finished", stop_katex)
    os.register_at_fork(after_in_child=connect_again)
    return {"parallel_read_safe": True}
