"""The modules on their way to a page: lean, and otherwise as they were written."""

import re

import pytest
from live_pages import CLASSES

from transformer_math.explorables._scripts import lean, source
from transformer_math.explorables.assets import scripts

MODULES = [*scripts(), "host.js"]
STRING = re.compile(r'"(?:\\.|[^"\\])*"')


@pytest.mark.parametrize("module", MODULES)
def test_a_lean_module_lacks_comments_and_indentation_alone(module):
    whole, short = source(module).split("\n"), lean(module).split("\n")
    assert len(whole) == len(short) > 1
    lost = [a.strip() for a, b in zip(whole, short, strict=True) if a.strip() != b]
    assert all(re.match(r"/\*\*|\*|//", line) for line in lost), lost
    assert not any(re.match(r"\s|/\*|//", line) for line in short if line)


@pytest.mark.parametrize("module", MODULES)
def test_no_template_runs_over_a_line(module):
    """A line of it would lose its indentation."""
    for line in source(module).split("\n"):
        assert STRING.sub("", line).count("`") % 2 == 0, line


def test_modules_are_lighter_for_it():
    assert sum(len(lean(m)) for m in MODULES) < 0.9 * sum(len(source(m)) for m in MODULES)  # fmt: skip


@pytest.mark.parametrize("figure", CLASSES.values(), ids=CLASSES)
def test_what_a_module_of_a_widget_imports_the_other_returns(figure):
    """In a notebook all modules are one script, in which a forgotten name would be undefined, not refused."""
    modules = re.split(r"^const (m\d+) = ", str(figure._esm), flags=re.MULTILINE)[1:]
    returned = {
        name: set(text.rsplit("return { ", 1)[1].split(" };")[0].split(", "))
        for name, text in zip(modules[::2], modules[1::2])
    }
    imports = re.findall(r"\bconst \{ ([^{}]*) \} = (m\d+);", figure._esm)
    assert len(imports) >= len(returned) - 1
    for names, module in imports:
        wanted = {name.split(":")[0].strip() for name in names.split(",")}
        assert wanted - {""} <= returned[module], (names, module)
