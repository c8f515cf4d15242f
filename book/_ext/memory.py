"""What the last builds did, in one file beside the book: what it was made from, and what each page was made from."""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

from contents import ROOT

MEMORY = ROOT / "_build" / "fresh.json"
ROOMS = ("book", "src", "images", ".cache/static", ".cache/data")
FILES = ("_config.yml", "_toc.yml", "requirements.txt")


@dataclass
class Memory:
    """What the last builds did: the files that the whole book was made from, none where there is no whole book; what
    each page was made from when it was last read without a warning; what their references led to; whether a build that
    began to read came to its end.
    """

    files: dict[str, str] | None = None
    pages: dict[str, str] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)
    ended: bool = True


def recall() -> Memory:
    """What is known of the last builds; nothing where it cannot be read."""
    with suppress(TypeError):
        return Memory(**read_json(MEMORY))
    return Memory()


def remember(memory: Memory) -> None:
    """Keep it for the next build."""
    write_json(MEMORY, asdict(memory))


def inputs(root: Path = ROOT) -> dict[str, str]:
    """Every file that the book is made from, and its hash."""
    found = [file for room in ROOMS for file in (root / room).rglob("*")]
    files = [file for file in found if file.is_file() and _is_source(file, root)]
    files += [root / name for name in FILES]
    return {f.relative_to(root).as_posix(): _hash(f) for f in sorted(files)}


def _is_source(file: Path, root: Path) -> bool:
    parts = file.relative_to(root).parts
    return not any(
        p == "__pycache__" or p.endswith((".egg-info", "_checkpoints")) for p in parts
    )


def _hash(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()[:16]


def changes(now: dict[str, str]) -> set[str] | None:
    """The files that are not what the book was made from; None where there is no whole book."""
    then = recall().files
    if then is None:
        return None
    return {
        name for name in then.keys() | now.keys() if then.get(name) != now.get(name)
    }


def placed(now: dict[str, str]) -> None:
    """Note that the book is whole again, after style sheets and scripts alone were put in place."""
    memory = recall()
    memory.files = now
    remember(memory)


def read_json(memory: Path) -> dict:
    """What was kept; nothing where there is none, or where its writing was cut short."""
    try:
        return json.loads(memory.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}


def write_json(memory: Path, found: dict) -> None:
    """Keep it, whole or not at all."""
    memory.parent.mkdir(parents=True, exist_ok=True)
    partial = memory.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps(found), "utf-8")
    os.replace(partial, memory)
