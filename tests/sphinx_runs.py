"""Runs of Sphinx that begin where imports end: one process imports what the book's extensions need, and becomes two for each run.

A run meets the same modules as one of its own, `python -m sphinx`, and its own environment.
"""

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

IMPORTED = (
    "sphinx.cmd.build",
    "sphinx.jinja2glue",
    "myst_parser.sphinx_ext.main",
    "sphinxcontrib.katex",
    "jupyter_cache.cache.db",
    "nbclient",
    "pydata_sphinx_theme",
    "torch._dynamo",
    "transformer_math.explorables",
    "transformer_math.formulas.answers",
    "transformer_math.formulas.identities",
    "transformer_math.formulas.verdict",
    "transformer_math.plots",
)


def run_sphinx(
    *arguments: object, seconds: int = 300, **environment: str
) -> subprocess.CompletedProcess:
    """Run Sphinx with these arguments, and this added to the environment; it is killed when its seconds are over.

    With a PYTHONPATH of its own it imports for itself.
    """
    if "PYTHONPATH" in environment:
        return _run_of_its_own(arguments, seconds, environment)
    with TemporaryDirectory() as folder:
        files = [str(Path(folder, name)) for name in ("stdout", "stderr")]
        asked = [*map(str, arguments)], dict(os.environ | environment), files, seconds
        process = _server()
        print(json.dumps(asked), file=process.stdin, flush=True)
        code = int(process.stdout.readline())
        said = [Path(file).read_text("utf-8") for file in files]
    return subprocess.CompletedProcess(asked[0], code, *said)


def _run_of_its_own(
    arguments: tuple, seconds: int, environment: dict
) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "sphinx", *map(str, arguments)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=seconds,
    )


@cache
def _server() -> subprocess.Popen:
    """The process that has imported everything; it ends with this one, whose pipe it reads."""
    return subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def serve() -> None:
    """The server: import, then run Sphinx for each line that comes in, and say with which code it ended."""
    from sphinx.application import builtin_extensions

    from transformer_math.checks import all_checks

    del sys.path[0]  # this folder: a run of its own would not see it
    for name in (*IMPORTED, *builtin_extensions):
        import_module(name)
    all_checks()
    gc.freeze()  # what all runs share is not gone through again in each
    for line in sys.stdin:
        if (pid := os.fork()) == 0:
            become_run(*json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


def become_run(arguments: list, environment: dict, files: list, seconds: int) -> None:
    """Be one run: its environment, its output into files, and an alarm."""
    from sphinx.cmd.build import main

    signal.alarm(seconds)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, file in enumerate(files, 1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600), number)
    code = main(arguments)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # to take apart all that was imported takes longer than a small book


if __name__ == "__main__":
    serve()
