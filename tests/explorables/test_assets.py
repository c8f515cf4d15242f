"""The modules on their way to a page: lean, and otherwise as they were written."""

import re

import pytest

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
