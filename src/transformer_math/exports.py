"""What a group of ideas offers by name, derived from the modules in its folder: no list is kept by hand."""

import ast
from importlib import import_module
from pathlib import Path


def exports(package: str, folder: Path) -> dict[str, object]:
    """Import every module in a package's folder, and return what they define for all, by name.

    A function may bear its module's name; it is the function that the package then offers:
    `from transformer_math.position import rope`. Raises ValueError where two modules define one name.
    """
    names: dict[str, object] = {}
    for path in sorted(folder.glob("[!_]*.py")):
        defined = definitions(path.read_text("utf-8"))
        if twice := names.keys() & set(defined):
            raise ValueError(
                f"{package} has two definitions of {min(twice)!r}, one of them in {path.name}. "
                "Fix: another name, or a leading underscore for what is not for all."
            )
        module = import_module(f"{package}.{path.stem}")
        names |= {name: getattr(module, name) for name in defined}
    return names


def definitions(source: str) -> list[str]:
    """The functions, the classes and the constants in capitals that a module defines for all.

    >>> definitions("from math import pi\\nTAU = 2 * pi\\ndef turn(): ...\\ndef _half(): ...")
    ['TAU', 'turn']
    """
    found: list[str] = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign):
            names = (
                target.id for target in node.targets if isinstance(target, ast.Name)
            )
            found += (name for name in names if name.isupper())
    return [name for name in found if not name.startswith("_")]
