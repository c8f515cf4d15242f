"""Words that descriptions share."""


def plural(count: int, thing: str) -> str:
    """A count with its word, as `plural` of kit.js says it.

    >>> plural(1, "other pair"), plural(2, "other pair")
    ('1 other pair', '2 other pairs')
    """
    return f"{count} {thing}{'' if count == 1 else 's'}"
