"""One way to test refusals: a call, and words that its message must hold."""

import pytest


def refusals(*cases):
    """Parametrize a test over `(name, call, words)`; `assert_refused` runs each."""
    return pytest.mark.parametrize(
        ("call", "words"), [case[1:] for case in cases], ids=[case[0] for case in cases]
    )


def assert_refused(call, words):
    """The call raises ValueError, and the message says what came and how to fix it."""
    with pytest.raises(ValueError) as caught:
        call()
    message = str(caught.value)
    missing = [word for word in (*words, "Fix:") if word not in message]
    assert not missing, f"{missing} not in: {message}"
