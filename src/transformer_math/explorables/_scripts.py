"""The explorables' modules and style: whole for a widget, file by file for a built page."""

import re
from functools import cache
from pathlib import Path, PurePosixPath

from transformer_math import palette

HERE = Path(__file__).parent
FORMULAS = HERE.parent / "formulas"  # its modules run formulas, as in the build


@cache
def source(file: str) -> str:
    """What stands in a file, named from this folder: "position/rope.js"; in "formulas/" stand those of that package."""
    here = HERE.parent if file.startswith("formulas/") else HERE
    return (here / file).read_text("utf-8")


_COMMENT = re.compile(
    r"^ *(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)$", re.MULTILINE | re.DOTALL
)
_INDENT = re.compile("^ +", re.MULTILINE)
_LINE_END = re.compile(r"(?<=[{;,])\n")  # where code goes on in any case
_REMARK = re.compile(r"(?<=[;,{}]) +// .*$", re.MULTILINE)  # at the end of a line


@cache
def lean(file: str) -> str:
    """A module for a page: without the comments that have lines of their own, and not indented; each line is where it was."""
    text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source(file))
    return _INDENT.sub("", text)


def imported(file: str, path: str) -> str:
    """The file that `path` means in another file.

    >>> imported("attention/formulas.js", "../position/formulas.js")
    'position/formulas.js'
    >>> imported("editing/book.js", "../../formulas/reader.js")  # above this folder, as a browser reads a path
    'formulas/reader.js'
    """
    parts: list[str] = []
    for part in (*PurePosixPath(file).parent.parts, *path.split("/")):
        if part == "..":
            del parts[-1:]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


# host.js looks for the same paths behind `from`
STATEMENT = re.compile(
    r'^import \{([^}]*)\} from "(\.{1,2}/[\w./]+\.js)";$', re.MULTILINE
)
EXPORTED = re.compile(
    r"^export (?:async )?(?:function\*?|const|class) (\w+)", re.MULTILINE
)


@cache
def whole_module(file: str) -> str:
    """One self-contained ES module: the file after all that it imports, each module once, in a function of its own."""
    order: dict[str, None] = {}
    _collect(file, order)
    numbered = {name: f"m{number}" for number, name in enumerate(order)}
    parts = [
        f"const {numbered[name]} = {_LINE_END.sub('', _as_function(name, numbered))};"
        for name in order
    ]
    return "\n".join([*parts, f"export default {numbered[file]}.theDefault;\n"])


def _collect(file: str, order: dict[str, None]) -> None:
    """Name a file after those that it imports."""
    for _, path in STATEMENT.findall(source(file)):
        if imported(file, path) not in order:
            _collect(imported(file, path), order)
    order[file] = None


def _as_function(file: str, numbered: dict[str, str]) -> str:
    """A module as a function that is called once and returns what the module exports."""
    text = re.sub(r"\n{2,}", "\n", _REMARK.sub("", lean(file)))
    names = EXPORTED.findall(text)
    for listed in re.findall(r"^export \{ ([\w, ]+) \};", text, re.MULTILINE):
        names += listed.split(", ")
    names += ["theDefault"] * ("\nexport default " in text)

    def from_the_other(found: re.Match) -> str:
        wanted = " ".join(found[1].split()).replace(" as ", ": ")
        return f"const {{ {wanted} }} = {numbered[imported(file, found[2])]};"

    text = STATEMENT.sub(from_the_other, text)
    text = re.sub(r"^export \{.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^export default ", "const theDefault = ", text, flags=re.MULTILINE)
    text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
    return f"(() => {{\n{text}\nreturn {{ {', '.join(names)} }};\n}})()"


@cache
def stylesheet() -> str:
    """The palette as CSS variables, then explorable.css."""
    inks = {
        "plus": palette.PLUS,
        "minus": palette.MINUS,
        "dark-gain": palette.DARK_GAIN,
    }
    variables = palette.ROLES | inks
    lines = "".join(f"--xp-{name}:{value};" for name, value in variables.items())
    return f".xp, figure.explorable {{{lines}}}\n{source('explorable.css')}"
