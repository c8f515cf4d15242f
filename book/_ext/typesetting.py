"""KaTeX's server in the build: strict, patient on a busy machine, asked once for each formula, stopped at the end."""

import atexit
import socket
import time
from functools import cache
from pathlib import Path
from subprocess import PIPE, Popen

from sphinx.application import Sphinx
from sphinxcontrib import katex

RENDER = katex.render_latex


def be_strict(app: Sphinx) -> None:
    """Let a formula that KaTeX cannot typeset stop the build instead of printing it in red."""
    katex.KATEX_DEFAULT_OPTIONS.update(throwOnError=True, strict="error")


def start_katex(cls, folder: Path, timeout: float) -> tuple[Popen, socket.socket]:
    """Start KaTeX's server and connect; its socket file is there before it listens, and a busy machine falls in between."""
    path, end = folder / "katex.sock", time.monotonic() + timeout
    process = Popen(cls.build_command(socket=path), stdin=PIPE, stdout=PIPE, cwd=folder)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    while True:
        try:
            connection.connect(str(path))
            return process, connection
        except (FileNotFoundError, ConnectionRefusedError):
            if time.monotonic() > end:
                process.kill()
                raise
            time.sleep(0.01)


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
    app.connect("build-finished", stop_katex)
    return {"parallel_read_safe": True}
