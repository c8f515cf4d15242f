"""What code depends on: the modules of the package that it uses, those that they use, and the data that all of them name.

Modules are found by the import statements: `from transformer_math.position import rope` depends on the module that
defines `rope`, not on its whole group. `grade` and `grade_written` depend on the checks of the ideas that a chapter
imports, since they load those alone. A formula that readers may edit depends on what its idea offers, which is found by its label.

Data are found by their names: whoever writes a data file's name in a string depends on it. In code that imports from
`trained`, a checkpoint's name without `.bin` stands for all that belongs to it, its history too:
`read_committed("senses", …)`; elsewhere "digits" is a word. The texts of the corpus are
pinned by a hash in `corpus.py`, so that this module's own text tells them apart. Scripts and style sheets of
explorables are no dependency: pages fetch them as they stand, and no output of a cell holds them. Code that runs printed
formulas depends on the scripts that run them, and on every formula of the book.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from hashlib import sha256
from itertools import chain
from pathlib import Path

from contents import ROOT

from transformer_math.exports import definitions
from transformer_math.formulas.book import displayed

NAME = "transformer_math"
LABEL = re.compile(r'"(eq-[\w-]+)"')
CODE = {".py", ".pyc", ".js", ".mjs", ".css", ".typed"}  # all other files are data


def hash_of(text: str) -> str:
    """A short hash of a text."""
    return sha256(text.encode()).hexdigest()[:16]


@cache
def nodes(code: str) -> list[ast.AST]:
    """All parts of some code; none where it is no Python: the kernel that runs it will say so, and where."""
    try:
        return list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return []


@cache
def imports(code: str) -> list[tuple[str, str | None]]:
    """What some code imports, wherever it says so: each module, with the name that is taken from it."""
    found: list[tuple[str, str | None]] = []
    for node in nodes(code):
        if isinstance(node, ast.Import):
            found += [(alias.name, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [(node.module, alias.name) for alias in node.names]
    return found


def uses_the_trained(code: str) -> bool:
    """Whether some code imports from the models that are committed."""
    taken = (module for module, name in imports(code) if name)
    return any(module.startswith(f"{NAME}.trained") for module in taken)


defined = cache(definitions)


@cache
def strings(code: str) -> set[str]:
    """All strings that some code writes out."""
    constants = (node.value for node in nodes(code) if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str)}


@cache
def reexports(code: str) -> dict[str, str]:
    """The names that a group's `__init__` takes from its modules, each with its module."""
    statements = (s for s in ast.parse(code).body if isinstance(s, ast.ImportFrom))
    return {alias.name: s.module for s in statements for alias in s.names if s.module}


class Package:
    """The package in a folder `src`, as a graph of files."""

    def __init__(self, root: Path = ROOT):
        self.root, self.folder = root, root / "src" / NAME
        self.imported = cache(self._imported)
        self.used_by = cache(lambda file: self.imported(file.read_text("utf-8")))
        self.defined_in = cache(lambda file: defined(file.read_text("utf-8")))
        self.named_in = cache(lambda file: set(self.named(file.read_text("utf-8"))))
        self.quoted_in = cache(self._quotations)
        self.hash_of = cache(lambda file: sha256(file.read_bytes()).hexdigest())
        self.scripts = set(self.folder.glob("formulas/*.*js"))
        self.data = {
            file
            for file in self.folder.rglob("*")
            if file.is_file()
            and file.suffix not in CODE
            and file.name != "package.json"
        }
        self.checkpoints = {file.stem for file in self.data if file.suffix == ".bin"}

    def runs_formulas(self, code: str) -> bool:
        """Whether some code itself uses what runs formulas, and does not only show an explorable that does."""
        formulas = self.folder / "formulas"
        return any(file.is_relative_to(formulas) for file in self.imported(code))

    @cached_property
    def printed(self) -> str:
        """All numbered formulas of the book: what the cells that run formulas depend on."""
        found = displayed(self.root, self.root.glob("book/**/*.md"))
        return repr([(one.label, one.tex) for one in found if one.label])

    def digest(self, text: str, files: Iterable[Path] = ()) -> str:
        """A hash of a text and of files: their names and what stands in them."""
        own = ((str(file.relative_to(self.root)), self.hash_of(file)) for file in sorted(files))  # fmt: skip
        return hash_of(repr([text, *own]))

    def dependencies(self, code: str) -> set[Path]:
        """All files of the package that a chapter's code depends on."""
        direct = self.imported(code)
        if self.folder / "checks" / "grading.py" in direct:
            direct = direct.union(self.checks_of(direct))
        return {*self.closure(direct | self.offers_in(code)), *self.named(code)}

    def offers_in(self, code: str) -> set[Path]:
        """What the formulas offer that some code lets readers edit."""
        offers = self.quoted_in("explorables/editing")
        return set().union(*(offers.get(label, ()) for label in LABEL.findall(code)))

    def checks_of(self, ideas: Iterable[Path]) -> Iterator[Path]:
        """The checks of some ideas, where they have any: `checks/position/rope.py` for `position/rope.py`."""
        for idea in ideas:
            checks = self.folder / "checks" / idea.relative_to(self.folder)
            if checks.exists() and idea.name != "__init__.py":
                yield checks

    def checks_of_label(self, label: str) -> set[Path]:
        """The files that the checks of one equation depend on."""
        return self.closure(self.quoted_in("checks").get(label, ()))

    def readings_of_label(self, label: str) -> set[Path]:
        """The files on which it depends how the printed formula of an equation is run: those of its checks, and its reading.

        A reading stands in `formulas` at the place of its idea, or quotes the label.
        """
        checks = self.quoted_in("checks").get(label, set())
        readings = self.quoted_in("formulas").get(label, set())
        rooms = (
            self.folder / "formulas" / file.relative_to(self.folder / "checks")
            for file in checks
        )
        beside = {file for file in rooms if file.exists()}
        return self.closure(checks | readings | beside)

    def labels(self, part: str) -> list[str]:
        """The labels of equations that the modules of one part of the package quote."""
        return sorted(self.quoted_in(part))

    def _quotations(self, part: str) -> dict[str, set[Path]]:
        found: dict[str, set[Path]] = {}
        for file in self.files(part):
            for label in LABEL.findall(file.read_text("utf-8")):
                found.setdefault(label, set()).add(file)
        return found

    def closure(self, files: Iterable[Path]) -> set[Path]:
        """These files, those that they import, those that these import, and so on; and the data that they name."""
        found: set[Path] = set()
        waiting = set(files)
        while waiting:
            file = waiting.pop()
            found.add(file)
            waiting |= self.used_by(file) - found
        return found.union(*map(self.named_in, found))

    def named(self, code: str) -> Iterator[Path]:
        """The data files that some code names in a string: by their whole name, or by that of their checkpoint."""
        written = strings(code)
        checkpoints = written & self.checkpoints if uses_the_trained(code) else ()
        for file in self.data:
            own = (file.stem == name or file.stem.startswith(f"{name}_") for name in checkpoints)  # fmt: skip
            if file.name in written or any(own):
                yield file

    def _imported(self, code: str) -> frozenset[Path]:
        """The files behind the import statements of some code, wherever they stand in it."""
        resolved = (self.resolve(*imported) for imported in imports(code))
        return frozenset(chain.from_iterable(resolved))

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
        module = reexports((folder / "__init__.py").read_text("utf-8")).get(name)
        if module is not None:
            yield from self._reexported(folder, module, name)
        elif definers := list(self._definers(name, folder.glob("*.py"))):
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
        if folder.name == "checks" and name not in ("grade", "grade_written"):
            yield from self.files("checks")  # it may ask for the checks of every idea
        yield from self.resolve(module, name)

    def files(self, part: str) -> list[Path]:
        """All modules of one part of the package."""
        return sorted((self.folder / part).rglob("*.py"))
