"""Readings are found by their place: one in another room is there only if somebody else has asked for that room before."""

import re

import pytest
from conftest import ROOT

from transformer_math.checks import all_checks
from transformer_math.checks.proof import checks_of

FORMULAS = ROOT / "src" / "transformer_math" / "formulas"
ROOMS = sorted(FORMULAS.glob("*/[!_]*.py"))


@pytest.mark.parametrize(
    "room", ROOMS, ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_a_reading_stands_in_the_room_of_its_formula(room):
    all_checks()
    idea = f"transformer_math.{room.parent.name}.{room.stem}"
    for label in set(re.findall(r'"(eq-[\w-]+)"', room.read_text("utf-8"))):
        assert idea in {check.target.__module__ for check in checks_of(label)}, label
