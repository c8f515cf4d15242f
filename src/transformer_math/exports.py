"""What a module defines for all, read from its source."""

import ast


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
