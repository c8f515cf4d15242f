"""What the book in `_build/html` was made from: the hash of every file, so that `make book` can do no more than it must."""

import json
from hashlib import sha256
from pathlib import Path

from contents import ROOT
from sphinx.application import Sphinx

ROOMS = ("book", "src", "images", ".cache/static", ".cache/data")
FILES = ("_config.yml", "_toc.yml", "requirements.txt")
MEMORY = ROOT / "_build" / "built.json"


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
    try:
        then = json.loads(MEMORY.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return {
        name for name in then.keys() | now.keys() if then.get(name) != now.get(name)
    }


def remember(made_from: dict[str, str]) -> None:
    """Note what the book was made from, once it is whole."""
    MEMORY.write_text(json.dumps(made_from, indent=0), "utf-8")


def begin(app: Sphinx) -> None:
    """Take down what this build begins with; until it ends well, there is no whole book."""
    app.made_from = inputs()
    MEMORY.unlink(missing_ok=True)


def end(app: Sphinx, exception: Exception | None) -> None:
    """Remember a build that ended well."""
    if exception is None and app.builder.name == "html" and not app._warncount:
        remember(app.made_from)


def setup(app: Sphinx) -> dict:
    """Act first and last."""
    app.connect("builder-inited", begin, priority=0)
    app.connect("build-finished", end, priority=999)
    return {"parallel_read_safe": True}
