"""Make every room of a new idea: `make new IDEA=group/name`, and EXPLORABLE=1 for something to play with.

The rooms are those of an idea named `the_idea`, in `tools/idea`, under the new name. They run as they stand; the build
stops and names every line that is still to be written.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

from exports import MARK, write_exports

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = Path(__file__).with_name("idea")
PACKAGE = "src/transformer_math"
ROOMS = {
    "chapter.md": "book/the_group/the_idea.md",
    "module.py": f"{PACKAGE}/the_group/the_idea.py",
    "checks.py": f"{PACKAGE}/checks/the_group/the_idea.py",
    "test.py": "tests/the_group/test_the_idea.py",
    "about.py": "tests/the_group/about_the_idea.py",
}
EXPLORABLE = {
    "explorable.py": f"{PACKAGE}/explorables/the_group/the_idea.py",
    "explorable.js": f"{PACKAGE}/explorables/the_group/the_idea.js",
}
GROUPS = {  # the front doors of a new group's rooms
    f"{PACKAGE}/the_group/__init__.py": f'''"""TODO: the group in one line."""

{MARK}
''',
    f"{PACKAGE}/checks/the_group/__init__.py": '"""Checks of the ideas in `transformer_math.the_group`."""\n',
    f"{PACKAGE}/explorables/the_group/__init__.py": '"""Explorables of the group `the_group`."""\n',
}


def new(idea: str, explorable: bool = False, root: Path = ROOT) -> list[Path]:
    """Write the rooms of an idea, and its line in the table of contents; returns the files."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*/[a-z][a-z0-9_]*", idea):
        raise SystemExit(
            f"{idea!r} is no name for an idea. Fix: make new IDEA=position/xpos"
        )
    rooms = ROOMS | (EXPLORABLE if explorable else {})
    texts = {
        named(r, idea): (TEMPLATES / t).read_text("utf-8") for t, r in rooms.items()
    }
    there = [name for name in texts if (root / name).exists()]
    if there:
        raise SystemExit(f"{there[0]} is there already. Fix: another name.")
    doors = {
        named(name, idea): text
        for name, text in GROUPS.items()
        if explorable or "/explorables/" not in name
    }
    texts |= {name: text for name, text in doors.items() if not (root / name).exists()}
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(named(text, idea), "utf-8")
    tidy([root / name for name in texts if name.endswith(".py")])
    write_exports(root / PACKAGE)
    toc = root / "_toc.yml"
    toc.write_text(with_line(toc.read_text("utf-8"), idea), "utf-8")
    rules = root / "pyproject.toml"
    if named(f"{PACKAGE}/the_group/__init__.py", idea) in texts:
        rules.write_text(with_group(rules.read_text("utf-8"), idea), "utf-8")
        return [*(root / name for name in texts), toc, rules]
    return [*(root / name for name in texts), toc]


def tidy(files: list[Path]) -> None:
    """Sort imports and break lines, which both depend on the new name."""
    ruff = [sys.executable, "-m", "ruff"]
    subprocess.run([*ruff, "check", "--quiet", "--fix", "--select", "I", *files])
    subprocess.run([*ruff, "format", "--quiet", *files])


def named(text: str, idea: str) -> str:
    """A template's text, or the name of a room, for an idea of another name."""
    group, name = idea.split("/")
    words = name.replace("_", " ")
    for old, put in {
        "the_group": group,
        "the_idea": name,
        "the-idea": name.replace("_", "-"),
        "theIdea": name[0] + words.title().replace(" ", "")[1:],
        "TheIdea": words.title().replace(" ", ""),
        "theidea": words.replace(" ", r"\,"),
        "The idea": words.capitalize(),
    }.items():
        text = text.replace(old, put)
    return text


def with_line(toc: str, idea: str) -> str:
    """The table of contents with the new chapter after the last of its group; a new group ends the steps."""
    lines = toc.splitlines(keepends=True)
    group = [i for i, line in enumerate(lines) if f"book/{idea.split('/')[0]}/" in line]
    steps = [i for i, line in enumerate(lines) if "book/output/" in line]
    last = (group or steps)[-1]
    indent = lines[last][: lines[last].index("- file:")] if group else " " * 6
    lines.insert(last + 1, f"{indent}- file: book/{idea}\n")
    return "".join(lines)


def with_group(rules: str, idea: str) -> str:
    """The rules on imports with a new group beside that of the last step: none of it climbs, it needs NumPy alone."""
    group = idea.split("/")[0]
    beside = rules.replace(" : output", f" : output : {group}", 1)
    last = '"transformer_math.output",'
    return beside.replace(last, f'{last} "transformer_math.{group}",')


def main() -> None:
    """Make the rooms and say what comes next."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("idea", help="group/name, such as position/xpos")
    parser.add_argument("--explorable", action="store_true")
    options = parser.parse_args()
    for path in new(options.idea, options.explorable):
        print(path.relative_to(ROOT))
    print(
        "Next: `make book` names every line that is still to be written. New symbols go into book/notation.md, "
        "new sources into book/references.bib."
    )


if __name__ == "__main__":
    main()
