"""Kernels that begin where imports end: one process imports what chapters import, and becomes two for each chapter.

A kernel takes two to three seconds to import PyTorch, Matplotlib and the package, as much as many a chapter takes to run. On
Linux `forked` lets all kernels of a build start from one process that has done so; elsewhere every kernel imports for itself.
A chapter meets the same modules as in a kernel of its own, and an empty namespace; what would change another library by being
imported, as the style of the book's plots does, is not imported for it.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.metadata import EntryPoint
from threading import Lock

from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner
from processes import search_seldom

IMPORTED = (
    "ipykernel.kernelapp",
    "ipykernel.debugger",
    "IPython.display",
    "matplotlib.figure",
    "matplotlib.backends.backend_svg",
    "torch",
    "torch._dynamo",  # when the first optimiser or counter of operations is made
    "scipy.stats",
    "transformer_math.explorables",
)
NAME = "forked"


class KernelServer:
    """The process that has imported everything, and starts kernels when asked."""

    def __init__(self) -> None:
        self.lock = Lock()
        command = [sys.executable, __file__]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def start(self, arguments: list[str], cwd: str, env: dict[str, str]) -> int:
        """Start a kernel with these arguments; return the number of its process."""
        with self.lock:
            print(
                json.dumps([arguments, cwd, env]), file=self.process.stdin, flush=True
            )
            return int(self.process.stdout.readline())

    def close(self) -> None:
        """End the process; kernels that are left see it, and end too."""
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class ForkedProcess:
    """As much of a `Popen` as Jupyter asks of a kernel's process: nobody here is its parent."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """None while it runs."""
        try:
            return os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0

    def wait(self) -> int:
        """Jupyter waits by asking `poll`, and then here."""
        return 0

    def send_signal(self, number: int) -> None:
        """Send it a signal. Raises ProcessLookupError where it is gone, which Jupyter expects."""
        os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


class ForkedKernel(LocalProvisioner):
    """A kernel that the server of this build starts."""

    server: KernelServer | None = None

    async def launch_kernel(self, cmd: list[str], **kwargs) -> dict:
        """Start the kernel; where it listens."""
        arguments = cmd[cmd.index("ipykernel_launcher") + 1 :]
        pid = self.server.start(arguments, kwargs["cwd"], kwargs["env"])
        self.process = ForkedProcess(pid)
        self.pid = self.pgid = pid
        return self.connection_info


def begin() -> None:
    """Let the server import already, on Linux: it takes seconds, in which a build has other things to do."""
    if sys.platform == "linux" and ForkedKernel.server is None:
        ForkedKernel.server = KernelServer()


@contextmanager
def forked() -> Iterator[None]:
    """Let all kernels that are started meanwhile be forked from one process, on Linux."""
    if sys.platform != "linux":
        yield
        return
    factory = KernelProvisionerFactory.instance()
    entry = EntryPoint(NAME, f"{__name__}:ForkedKernel", factory.GROUP_NAME)
    factory.provisioners[NAME] = entry
    before, factory.default_provisioner_name = factory.default_provisioner_name, NAME
    begin()
    try:
        yield
    finally:
        factory.default_provisioner_name = before
        ForkedKernel.server.close()
        ForkedKernel.server = None


def serve() -> None:
    """The server: import, then for each line that comes in start a kernel, and say its number."""
    del sys.path[0]  # this folder: chapters do not see it
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    for name in IMPORTED:
        with suppress(Exception):  # the chapter that imports it will say why
            import_module(name)
    with suppress(Exception):  # likewise
        read_the_novel()
    search_seldom()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a kernel
    server = os.getpid()  # asked before the fork: where the server is killed soon after, a kernel would take another for it
    for line in sys.stdin:
        if (pid := os.fork()) == 0:
            become_kernel(server, *json.loads(line))
            return
        print(pid, flush=True)


def read_the_novel() -> None:
    """Let the package keep the language model and the novel in its tokens, which a good part of the chapters ask for."""
    from transformer_math.trained.language_model import language_model, novel_tokens

    language_model()
    for part in ("training", "validation"):
        novel_tokens(part)


def become_kernel(
    server: int, arguments: list[str], cwd: str, env: dict[str, str]
) -> None:
    """Be a kernel in a session and a folder of its own, until it is shut down or the server has ended."""
    from ipykernel.kernelapp import launch_new_instance

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(env)
    os.setsid()
    os.chdir(cwd)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # the server's answers are not a kernel's output
    launch_new_instance([*arguments, f"--IPKernelApp.parent_handle={server}"])


if __name__ == "__main__":
    serve()
