"""What the tests of all ideas ask of `gradient/encoder_layer`."""

from answer_helpers import changing, same_value, value_alone

from transformer_math.checks.wrong import ignoring
from transformer_math.gradient import encoder_layer_vjp, encoder_vjp, relu_vjp


def stack_by_recursion(Z, layers, n_heads, mask=None, activation_vjp=relu_vjp):
    if not layers:
        return Z, lambda dZ: (dZ, type(layers)())
    rest = n_heads, mask, activation_vjp
    Z, first = encoder_layer_vjp(Z, layers[0], *rest)
    Z, others = stack_by_recursion(Z, layers[1:], *rest)

    def pullback(dZ):
        dZ, dothers = others(dZ)
        dZ, dfirst = first(dZ)
        return dZ, type(layers)([dfirst, *dothers])

    return Z, pullback


def stack_by_loop(through):
    """The stack as a loop writes it; `through` goes back through a list of pullbacks."""

    def answer(Z, layers, n_heads, mask=None, activation_vjp=relu_vjp):
        pullbacks = []
        for p in layers:
            Z, pullback = encoder_layer_vjp(Z, p, n_heads, mask, activation_vjp)
            pullbacks.append(pullback)
        return Z, lambda dZ: through(dZ, pullbacks, type(layers))

    return answer


def in_order(dZ, pullbacks, form):
    found = []
    for pullback in pullbacks:
        dZ, dlayer = pullback(dZ)
        found.append(dlayer)
    return dZ, form(found)


def unchained(dZ, pullbacks, form):
    found = [pullback(dZ) for pullback in pullbacks]
    return (found[0][0] if found else dZ), form(dlayer for _, dlayer in found)


def last_bound(dZ, pullbacks, form):
    return last_layer_first(dZ, [lambda g: pullbacks[-1](g) for _ in pullbacks], form)


def used_up(dZ, pullbacks, form):
    found = []
    while pullbacks:
        dZ, dlayer = pullbacks.pop()(dZ)
        found.insert(0, dlayer)
    return dZ, form(found)


def around_once_more(dZ, pullbacks, form):
    found = []
    for pullback in reversed(pullbacks):
        below, dlayer = pullback(dZ)
        dZ = dZ + below
        found.insert(0, dlayer)
    return dZ, form(found)


def last_layer_first(dZ, pullbacks, form):
    found = []
    for pullback in reversed(pullbacks):
        dZ, dlayer = pullback(dZ)
        found.insert(0, dlayer)
    return [dZ, form(found)]


def first_and_others(Z, layers, n_heads, masks, activation_vjp):
    """The first layer, then the package's stack of the others, each with a mask of its own."""
    Z, first = encoder_layer_vjp(Z, layers[0], n_heads, masks[0], activation_vjp)
    Z, others = encoder_vjp(Z, layers[1:], n_heads, masks[1], activation_vjp)

    def pullback(dZ):
        dZ, dothers = others(dZ)
        dZ, dfirst = first(dZ)
        return dZ, type(layers)([dfirst, *dothers])

    return Z, pullback


def deaf_recursion(Z, layers, n_heads, mask=None, activation_vjp=relu_vjp):
    if not layers:
        return Z, lambda dZ: (dZ, type(layers)())
    return first_and_others(Z, layers, n_heads, (mask, None), activation_vjp)


def never_none(Z, layers, n_heads, mask=None, activation_vjp=relu_vjp):
    return first_and_others(Z, layers, n_heads, (mask, mask), activation_vjp)


RIGHT = [
    (encoder_vjp, stack_by_recursion),
    (encoder_vjp, stack_by_loop(last_layer_first)),
    (encoder_vjp, same_value(encoder_vjp)),
]

WRONG = [
    (encoder_vjp, value_alone(encoder_vjp), "value, pullback"),
    (encoder_vjp, stack_by_loop(in_order), "through the first layer first"),
    (encoder_vjp, stack_by_loop(unchained), "what the layer above it leaves"),
    (encoder_vjp, stack_by_loop(last_bound), "through the last layer again and again"),
    (encoder_vjp, stack_by_loop(used_up), "when it is called a second time"),
    (encoder_vjp, stack_by_loop(around_once_more), "residuals are inside the layer"),
    (encoder_vjp, deaf_recursion, "Only your first layer gets the mask"),
    (encoder_vjp, never_none, "it raised IndexError"),
    (
        encoder_vjp,
        changing(encoder_vjp, lambda dZ, dlayers: (dZ, dlayers[::-1])),
        "wrong order",
    ),
    (
        encoder_vjp,
        changing(encoder_vjp, lambda dZ, dlayers: (0 * dZ, dlayers)),
        "with respect to Z is missing",
    ),
    (
        encoder_vjp,
        ignoring(encoder_vjp, "mask"),
        "ignore the mask",
    ),
    (
        encoder_vjp,
        ignoring(encoder_vjp, "activation_vjp"),
        "always use ReLU",
    ),
]
