"""What code depends on, read from its imports: the modules of the package that it uses, and those that they use.

`from transformer_math.position import rope` depends on the module that defines `rope`, not on its whole group.
`grade` depends on the checks of the ideas that a chapter imports, since it loads those alone. Scripts and style
sheets of explorables are no dependency: no output of a cell holds them.
"""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from contents import ROOT

from transformer_math.exports import definitions

NAME = "transformer_math"


class Package:
    """The package in a folder `src`, as a graph of files."""

    def __init__(self, root: Path = ROOT):
        self.folder = root / "src" / NAME
        self.used_by = cache(lambda file: set(self.imported(file.read_text("utf-8"))))
        self.defined_in = cache(lambda file: definitions(file.read_text("utf-8")))

    def dependencies(self, code: str) -> set[Path]:
        """All files of the package that a chapter's code depends on."""
        direct = set(self.imported(code))
        if self.folder / "checks" / "grading.py" in direct:
            direct |= set(self.checks_of(direct))
        return self.closure(direct)

    def checks_of(self, ideas: Iterable[Path]) -> Iterator[Path]:
        """The checks of some ideas, where they have any: `checks/position/rope.py` for `position/rope.py`."""
        for idea in ideas:
            checks = self.folder / "checks" / idea.relative_to(self.folder)
            if checks.exists() and idea.name != "__init__.py":
                yield checks

    def checks_of_label(self, label: str) -> set[Path]:
        """The files that the checks of one equation depend on."""
        quoted = f'"{label}"'
        files = self.files("checks")
        return self.closure(f for f in files if quoted in f.read_text("utf-8"))

    def all_checks(self) -> set[Path]:
        """The files that the checks of all equations depend on."""
        return self.closure(self.files("checks"))

    def closure(self, files: Iterable[Path]) -> set[Path]:
        """These files, those that they import, those that these import, and so on."""
        found: set[Path] = set()
        waiting = set(files)
        while waiting:
            file = waiting.pop()
            found.add(file)
            waiting |= self.used_by(file) - found
        return found

    def imported(self, code: str) -> Iterator[Path]:
        """The files behind the import statements of some code, wherever they stand in it."""
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield from self.resolve(alias.name, None)
            elif isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    yield from self.resolve(node.module, alias.name)

    def resolve(self, module: str, name: str | None) -> Iterator[Path]:
        """The files that stand behind `from module import name`, or behind `import module`."""
        first, *parts = module.split(".")
        if first != NAME:
            return
        folder = self.folder.joinpath(*parts)
        if folder.with_suffix(".py").exists():
            yield folder.with_suffix(".py")
        elif folder.is_dir():
            yield from self._in_package(folder, name)

    def _in_package(self, folder: Path, name: str | None) -> Iterator[Path]:
        for node in ast.parse((folder / "__init__.py").read_text("utf-8")).body:
            if isinstance(node, ast.ImportFrom) and name in {
                a.name for a in node.names
            }:
                yield from self._reexported(folder, node.module, name)
                return
        if definers := list(self._definers(name, folder.glob("*.py"))):
            yield from definers
        elif (folder / f"{name}.py").exists():
            yield folder / f"{name}.py"
        elif name in (None, "*"):
            yield from folder.rglob("*.py")
        elif (folder / name).is_dir():
            yield from (folder / name).rglob("*.py")
        else:  # an explorable, by its class alone
            yield from self._definers(name, folder.rglob("*.py"))

    def _definers(self, name: str, files: Iterable[Path]) -> Iterator[Path]:
        return (file for file in files if name in self.defined_in(file))

    def _reexported(self, folder: Path, module: str, name: str) -> Iterator[Path]:
        if folder.name == "checks" and name != "grade":
            yield from self.files("checks")  # it may ask for the checks of every idea
        yield from self.resolve(module, name)

    def files(self, part: str) -> list[Path]:
        """All modules of one part of the package."""
        return sorted((self.folder / part).rglob("*.py"))
