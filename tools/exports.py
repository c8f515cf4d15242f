"""What each group offers, as explicit imports in its `__init__.py`: `make exports` writes them from what the modules define.

Editors and type checkers read them, so that `from transformer_math.attention import …` completes and shows its shapes.
A test fails where they are not what this command writes.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from transformer_math.exports import definitions

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "transformer_math"
MARK = "# Written by `make exports` from what the modules define."


def front_doors(package: Path = PACKAGE) -> list[Path]:
    """The `__init__.py` of every group whose imports are written by this command."""
    doors = sorted(package.glob("*/__init__.py"))
    return [door for door in doors if MARK in door.read_text("utf-8")]


def offered(folder: Path) -> dict[str, list[str]]:
    """What a group offers: names by the module that defines them.

    Of explorables only the classes that a chapter shows. Raises ValueError where two modules define one name.
    """
    modules = _explorables(folder) if folder.name == "explorables" else _modules(folder)
    found: dict[str, list[str]] = {}
    known: dict[str, str] = {}
    for module, names in modules:
        for name in names:
            if (other := known.setdefault(name, module)) != module:
                raise ValueError(
                    f"{name} is defined in {other} and in {module}. Fix: another name for one of them, or a leading "
                    "underscore for what is not for all."
                )
        if names:
            found[module] = names
    return found


def _modules(folder: Path) -> Iterator[tuple[str, list[str]]]:
    for path in sorted(folder.glob("[!_]*.py")):
        module = f"{PACKAGE.name}.{folder.name}.{path.stem}"
        yield module, sorted(definitions(path.read_text("utf-8")))


def _explorables(folder: Path) -> Iterator[tuple[str, list[str]]]:
    yield f"{PACKAGE.name}.{folder.name}._base", ["Explorable"]
    for path in sorted(folder.glob("*/[!_]*.py")):
        module = f"{PACKAGE.name}.{folder.name}.{path.parent.name}.{path.stem}"
        names = definitions(path.read_text("utf-8"))
        yield module, [name for name in names if name.endswith("Explorable")]


def written(door: Path) -> str:
    """The text of a group's `__init__.py`: what stands above the mark, the imports, and `__all__`."""
    above = door.read_text("utf-8").split(MARK)[0].rstrip()
    modules = offered(door.parent)
    imports = "\n".join(
        f"from {module} import {', '.join(names)}" for module, names in modules.items()
    )
    names = sorted(name for names in modules.values() for name in names)
    listed = "".join(f'    "{name}",\n' for name in names)
    text = f"{above}\n\n{MARK}\n{imports}\n\n__all__ = [\n{listed}]\n"
    return tidy(text, door)


def tidy(text: str, door: Path) -> str:
    """Imports in order, lines broken as everywhere."""
    ruff = [sys.executable, "-m", "ruff"]
    name = f"--stdin-filename={door}"
    for command in (["check", "--fix", "--quiet", "--select=I,RUF022"], ["format"]):
        text = subprocess.run(
            [*ruff, *command, name, "-"],
            input=text, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
    return text


def write_exports(package: Path = PACKAGE) -> list[Path]:
    """Write every front door that is not as it should be; returns them."""
    stale = [
        door
        for door in front_doors(package)
        if written(door) != door.read_text("utf-8")
    ]
    for door in stale:
        door.write_text(written(door), "utf-8")
    return stale


if __name__ == "__main__":
    for door in write_exports():
        print(door.relative_to(ROOT))
