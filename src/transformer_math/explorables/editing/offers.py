"""The formulas that a reader may edit, by label: those of an idea stand in `editing/<group>/<idea>.py`, found by its place."""

from importlib import import_module
from pathlib import Path

from transformer_math.explorables.editing.offer import Offer


def of_all_ideas() -> dict[str, Offer]:
    """What the ideas offer, each under `OFFERS`."""
    found: dict[str, Offer] = {}
    for path in sorted(Path(__file__).parent.glob("*/[!_]*.py")):
        idea = f"{path.parent.name}.{path.stem}"
        found |= import_module(f"{__package__}.{idea}").OFFERS
    return found


OFFERS = of_all_ideas()
