"""The tests hold the mathematics to its signatures, results included.

Not so what makes functions by the thousand while it runs, checks and pullbacks above all: to hold each of them anew would
take most of the time. (What gradients return is compared with their inputs in tests/gradient.)
"""

from pathlib import Path

from jaxtyping import install_import_hook

PACKAGE = Path(__file__).parent / "src" / "transformer_math"
FREE = {"checks", "explorables", "formulas", "gradient", "plots"}
HELD = sorted({path.stem for path in PACKAGE.glob("[!_.]*")} - FREE)

install_import_hook([f"{PACKAGE.name}.{room}" for room in HELD], "beartype.beartype")
