"""Things to play with: each is a live widget in Jupyter, and a moving figure on the built page.

What is offered is derived from the folders: every explorable that a module of a group defines, and `Explorable`.
"""

from importlib import import_module
from pathlib import Path

from transformer_math.explorables._base import Explorable

for _path in sorted(Path(__file__).parent.glob("*/[!_]*.py")):
    import_module(f"{__name__}.{_path.parent.name}.{_path.stem}")
_offered = {cls.__name__: cls for cls in [Explorable, *Explorable.__subclasses__()]}
globals().update(_offered)
__all__ = sorted(_offered)
