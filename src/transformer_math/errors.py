"""The one line with which bad input is refused where no signature can say what is wanted."""


def require(condition: bool, message: str) -> None:
    """Raise `ValueError(message)` unless the condition holds. The message says what came, what was wanted, the fix."""
    if not condition:
        raise ValueError(message)
