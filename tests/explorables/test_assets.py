"""The modules on their way to a page and to a notebook: smaller, and otherwise as they were written."""

import re

import pytest
from live_pages import CLASSES

from transformer_math.explorables._scripts import source
from transformer_math.explorables.assets import scripts

STRING = re.compile(r'"(?:\\.|[^"\\])*"')


@pytest.mark.parametrize("module", [*scripts(), "host.js"])
def test_no_template_runs_over_a_line(module):
    """Whoever reads it would take its lines for code."""
    for line in source(module).split("\n"):
        assert STRING.sub("", line).count("`") % 2 == 0, line


def test_modules_are_lighter_for_it():
    on_pages = scripts()
    assert sum(map(len, on_pages.values())) < 0.9 * sum(
        len(source(m)) for m in on_pages
    )


@pytest.mark.parametrize("figure", CLASSES.values(), ids=CLASSES)
def test_what_a_module_of_a_widget_imports_the_other_returns(figure):
    """In a notebook all modules are one script, in which a forgotten name would be undefined, not refused."""
    modules = re.split(r"\bconst (m\d+)=\(\(\)=>", str(figure._esm))[1:]
    returned = {
        name: set(re.findall(r"return\{([^{}]*)\};?\s*\}\)\(\)", text)[-1].split(","))
        for name, text in zip(modules[::2], modules[1::2])
    }
    imports = re.findall(r"\bconst\{([^{}]*)\}=(m\d+);", figure._esm)
    assert len(imports) >= len(returned) - 1
    for names, module in imports:
        wanted = {name.split(":")[0].strip() for name in names.split(",")}
        assert wanted - {""} <= returned[module], (names, module)
