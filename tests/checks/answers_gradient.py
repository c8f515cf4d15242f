"""Right answers and mistakes for the exercises on gradients: twins, which return a value and its pullback."""

import inspect

import numpy as np

from transformer_math.attention import attention, softmax, softmax_jacobian
from transformer_math.block import FeedForwardParameters, SwiGLUParameters
from transformer_math.embedding import embed, one_hot
from transformer_math.gradient import (
    add_norm_vjp,
    attention_vjp,
    cross_attention_vjp,
    embed_vjp,
    encoder_layer_vjp,
    encoder_vjp,
    feed_forward_vjp,
    layer_norm_vjp,
    log_softmax_vjp,
    probabilities_vjp,
    project_vjp,
    relu_vjp,
    rms_norm_vjp,
    rope_vjp,
    scores_vjp,
    softmax_vjp,
    swiglu_vjp,
)
from transformer_math.position import rope
from transformer_math.trees import map_leaves


def pulling(made, pull):
    """The twin with another pullback, a function of the gradient and of the twin's arguments."""
    signature = inspect.signature(made)

    def answer(*arguments):
        bound = signature.bind(*arguments)
        bound.apply_defaults()
        return made(*arguments)[0], lambda g: pull(g, *bound.arguments.values())

    answer.__signature__ = signature
    return answer


def changing(made, change):
    """The twin whose gradients are changed."""
    return pulling(made, lambda g, *arguments: change(*made(*arguments)[1](g)))


def value_alone(made):
    return pulling_nothing(made, lambda value, pullback: value)


def pulling_nothing(made, change):
    def answer(*arguments):
        return change(*made(*arguments))

    answer.__signature__ = inspect.signature(made)
    return answer


def in_place(made):
    """A pullback that writes over the gradient it is given."""

    def answer(*arguments):
        value, pullback = made(*arguments)

        def pull(gradient):
            found = pullback(gradient.copy())
            gradient *= 2
            return found

        return value, pull

    answer.__signature__ = inspect.signature(made)
    return answer


def softmax_by_jacobian(x):
    A = softmax(x)
    return A, lambda dA: ((softmax_jacobian(A) @ dA[..., None])[..., 0],)


def scores_by_loops(Q, K):
    scale = Q.shape[-1] ** -0.5
    columns = np.moveaxis(K, -2, 0)
    S = np.stack([(Q * k[..., None, :]).sum(-1) for k in columns], axis=-1) * scale

    def pullback(dS):
        dQ = sum(dS[..., [j]] * k[..., None, :] for j, k in enumerate(columns))
        dK = [(dS[..., [j]] * Q).sum(-2) for j in range(len(columns))]
        return dQ * scale, np.stack(dK, axis=-2) * scale

    return S, pullback


def attention_with_a_jacobian(Q, K, V, mask=None):
    O, A = attention(Q, K, V, mask)

    def pullback(dO):
        dS = ((dO @ V.mT)[..., None, :] @ softmax_jacobian(A))[..., 0, :]
        dS = dS / np.sqrt(Q.shape[-1])
        return dS @ K, dS.mT @ Q, A.mT @ dO

    return O, pullback


def norm_by_projection(x, gamma, beta, eps=1e-5):
    """The Jacobian of one token as a matrix."""
    d = x.shape[-1]
    c = x - x.mean(-1, keepdims=True)
    s = np.sqrt((c * c).mean(-1, keepdims=True) + eps)
    z = c / s

    def pullback(dy):
        inner = np.eye(d) - 1 / d - z[..., :, None] * z[..., None, :] / d
        dx = ((dy * gamma)[..., None, :] @ inner)[..., 0, :] / s
        rows = (-1, d)
        return dx, (dy * z).reshape(rows).sum(0), dy.reshape(rows).sum(0)

    return z * gamma + beta, pullback


def network_in_one(x, parameters, activation_vjp=relu_vjp):
    p, d = parameters, x.shape[-1]
    flat = x.reshape(-1, d)
    hidden, back = activation_vjp(flat @ p.W_1 + p.b_1)

    def pullback(dy):
        dy = dy.reshape(-1, d)
        (dwide,) = back(dy @ p.W_2.T)
        sums = dwide.sum(0), dy.sum(0)
        return (dwide @ p.W_1.T).reshape(x.shape), FeedForwardParameters(
            flat.T @ dwide, sums[0], hidden.T @ dy, sums[1]
        )

    return (hidden @ p.W_2 + p.b_2).reshape(x.shape), pullback


def network_without_slope(g, x, p, activation_vjp):
    always_on = lambda wide: (activation_vjp(wide)[0], lambda d: (d,))  # noqa: E731
    return feed_forward_vjp(x, p, always_on)[1](g)


def add_norm_of_the_sum(x, update, gamma, beta, eps=1e-5):
    y, norm = norm_by_projection(update + x, gamma, beta, eps)

    def pullback(dy):
        dx, *rest = norm(dy)
        return [dx, dx, *rest]

    return y, pullback


def rms_norm_as_a_product(x, gamma, eps=1e-5):
    d = x.shape[-1]
    r = ((x * x).mean(-1, keepdims=True) + eps) ** -0.5

    def pullback(dy):
        g = gamma * dy
        dr = (g * x).sum(-1, keepdims=True)
        dx = g * r - dr * r**3 * x / d
        return dx, (dy * x * r).reshape(-1, d).sum(0)

    return gamma * x * r, pullback


def rope_by_matrices(x, positions, base=10000.0):
    d = x.shape[-1]
    units = np.repeat(np.eye(d)[:, None, :], len(positions), axis=1)
    R = rope(units, positions, base)  # R[k, i] is where dimension k goes at position i
    return np.einsum("...ik,kij->...ij", x, R), lambda g: (
        np.einsum("...ij,kij->...ik", g, R),
    )


def log_softmax_by_jacobian(x):
    p = softmax(x)
    slopes = np.eye(x.shape[-1]) - p[..., None, :]
    return np.log(p), lambda g: ((g[..., None, :] @ slopes)[..., 0, :],)


def swiglu_from_one_matrix(x, parameters):
    """Gate and content side by side, one projection for both."""
    p, d_g = parameters, parameters.W_g.shape[1]
    both, back = project_vjp(x, np.hstack([p.W_g, p.W_1]))
    gate, content = both[..., :d_g], both[..., d_g:]
    s = 1 / (1 + np.exp(-gate))
    y, back_2 = project_vjp(gate * s * content, p.W_2)

    def pullback(dy):
        dh, dW_2, _ = back_2(dy)
        dgate = dh * content * s * (1 + gate * (1 - s))
        dx, dW, _ = back(np.concatenate([dgate, dh * gate * s], axis=-1))
        return dx, SwiGLUParameters(dW[:, :d_g], dW[:, d_g:], dW_2)

    return y, pullback


def embed_by_loop(ids, E):
    def pullback(dX):
        dE = np.zeros(E.shape)
        for place, token in np.ndenumerate(ids):
            dE[token] += dX[place]
        return (dE,)

    return E[ids], pullback


def embed_by_one_hot(ids, E):
    rows = one_hot(ids.ravel(), len(E))
    return embed(ids, E), lambda dX: (rows.T @ dX.reshape(-1, E.shape[-1]),)


def scattered(dX, ids, E):
    dE = np.zeros_like(E)
    dE[ids] = dX
    return (dE,)


def scattered_once(dX, ids, E):
    dE = np.zeros_like(E)
    dE[ids] += dX
    return (dE,)


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


def same_value(made):
    """The same, as somebody writes it who returns a list of gradients."""

    def answer(*arguments):
        value, pullback = made(*arguments)
        return value, lambda g: list(pullback(g))

    answer.__signature__ = inspect.signature(made)
    return answer


def bare_gradient(made):
    """A pullback that forgets the comma of `(dx,)`."""
    return pulling_nothing(made, lambda value, pull: (value, lambda g: pull(g)[0]))


def silent(made):
    """A pullback without a return."""
    return pulling_nothing(made, lambda value, pull: (value, lambda g: None))


def naive_softmax(x):
    A = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
    return A, lambda g: (A * (g - (A * g).sum(-1, keepdims=True)),)


def in_nested_lists(x):
    A, pullback = softmax_vjp(x)
    return A.tolist(), lambda g: [pullback(g)[0].tolist()]


def filled_with_minus_a_billion(Q, K, V, mask=None):
    S = Q @ K.mT / np.sqrt(Q.shape[-1])
    A, through = softmax_vjp(S if mask is None else np.where(mask, S, -1e9))

    def pullback(dO):
        (dS,) = through(dO @ V.mT)
        return (
            dS @ K / np.sqrt(Q.shape[-1]),
            dS.mT @ Q / np.sqrt(Q.shape[-1]),
            A.mT @ dO,
        )

    return A @ V, pullback


def truth_of_a_mask(Q, K, V, mask=None):
    return attention_vjp(Q, K, V, mask if mask else None)


def collecting(ids, E):
    """The gradients of all calls in one array."""
    dE = np.zeros_like(E)

    def pullback(dX):
        np.add.at(dE, ids, dX)
        return (dE,)

    return E[ids], pullback


def rows_of_each_token(g, x, gamma, beta, eps):
    dx, *_ = layer_norm_vjp(x, gamma, beta, eps)[1](g)
    z = layer_norm_vjp(x, np.ones_like(gamma), np.zeros_like(beta), eps)[0]
    return dx, g * z, g


def exchanged_terms(g, x, gamma, eps):
    """The power of r forgotten: r for r³."""
    r = ((x * x).mean(-1, keepdims=True) + eps) ** -0.5
    g_x = (gamma * g * x).mean(-1, keepdims=True)
    return gamma * g * r - g_x * r * x, rms_norm_vjp(x, gamma, eps)[1](g)[1]


def in_a_row(x, parameters, activation_vjp=relu_vjp):
    y, pullback = feed_forward_vjp(x, parameters, activation_vjp)

    def pull(dy):
        dx, d = pullback(dy)
        return dx, d.W_1, d.b_1, d.W_2, d.b_2

    return y, pull


RIGHT = [
    (softmax_vjp, in_nested_lists),
    (softmax_vjp, softmax_by_jacobian),
    (scores_vjp, scores_by_loops),
    (attention_vjp, attention_with_a_jacobian),
    (layer_norm_vjp, norm_by_projection),
    (feed_forward_vjp, network_in_one),
    (add_norm_vjp, add_norm_of_the_sum),
    (embed_vjp, embed_by_loop),
    (embed_vjp, embed_by_one_hot),
    (encoder_vjp, stack_by_recursion),
    (encoder_vjp, stack_by_loop(last_layer_first)),
    (rms_norm_vjp, rms_norm_as_a_product),
    (rms_norm_vjp, same_value(rms_norm_vjp)),
    (rope_vjp, rope_by_matrices),
    (log_softmax_vjp, log_softmax_by_jacobian),
    (swiglu_vjp, swiglu_from_one_matrix),
    *(
        (made, same_value(made))
        for made in (
            *(softmax_vjp, scores_vjp, attention_vjp, layer_norm_vjp),
            *(feed_forward_vjp, add_norm_vjp, encoder_vjp),
        )
    ),
]

WRONG = [
    (softmax_vjp, bare_gradient(softmax_vjp), "`return (dx,)`, with its comma"),
    (softmax_vjp, silent(softmax_vjp), "Your pullback returns nothing"),
    (softmax_vjp, naive_softmax, "Your exponentials overflow"),
    (softmax_vjp, lambda x: softmax_vjp(x)[::-1], "the value first, then the pullback"),
    (
        softmax_vjp,
        pulling(softmax_vjp, lambda g, x: (softmax(x) @ g,)),
        "its pullback raised ValueError: matmul",
    ),
    (scores_vjp, changing(scores_vjp, lambda dQ, dK: (dK, dQ)), "in another order"),
    (scores_vjp, changing(scores_vjp, lambda dQ, dK: (dQ,)), "returns 1 gradient;"),
    (
        scores_vjp,
        changing(scores_vjp, lambda dQ, dK: (dQ, dK.mT)),
        "Your gradient of `K` has shape",
    ),
    (
        scores_vjp,
        lambda Q, K: (Q @ K.mT, lambda g: (g @ K, g.mT @ Q)),
        "The value, your first result, is not right yet",
    ),
    (attention_vjp, filled_with_minus_a_billion, "a large negative number"),
    (attention_vjp, truth_of_a_mask, "write `if mask is not None:`"),
    (
        layer_norm_vjp,
        pulling(layer_norm_vjp, rows_of_each_token),
        "It served every token",
    ),
    (
        layer_norm_vjp,
        changing(layer_norm_vjp, lambda dx, dgamma, dbeta: (dx, dgamma, dgamma)),
        "Right are the value and the gradient of `x`, `gamma`; wrong is that of `beta`",
    ),
    (rms_norm_vjp, pulling(rms_norm_vjp, exchanged_terms), "The power of r is wrong"),
    (feed_forward_vjp, in_a_row, "returns 5 gradients; wanted 2, of `x`, `parameters`"),
    (
        feed_forward_vjp,
        changing(feed_forward_vjp, lambda dx, dp: (dx, tuple(vars(dp).values()))),
        "wanted FeedForwardParameters, the form of `parameters` itself",
    ),
    (
        add_norm_vjp,
        changing(add_norm_vjp, lambda dx, du, *rest: (dx / 2, du / 2, *rest)),
        "a sum hands each of them the whole of it",
    ),
    (embed_vjp, bare_gradient(embed_vjp), "`return (dx,)`, with its comma"),
    (embed_vjp, collecting, "when it is called a second time"),
    (
        embed_vjp,
        changing(embed_vjp, lambda dE: (None,)),
        "Your gradient of `E` is None",
    ),
    (softmax_vjp, value_alone(softmax_vjp), "value, pullback"),
    (softmax_vjp, in_place(softmax_vjp), "changes the gradient that it is given"),
    (
        softmax_vjp,
        pulling(softmax_vjp, lambda g, x: (softmax(x) * g,)),
        "The sum is missing",
    ),
    (
        softmax_vjp,
        pulling(softmax_vjp, lambda g, x: (softmax(x) * (g - g.mean(-1)[..., None]),)),
        "plain mean",
    ),
    (softmax_vjp, changing(softmax_vjp, lambda dx: (-dx,)), "wrong sign"),
    (scores_vjp, value_alone(scores_vjp), "value, pullback"),
    (
        scores_vjp,
        pulling(scores_vjp, lambda g, Q, K: (g @ K, g.mT @ Q)),
        "scale is lost",
    ),
    (
        scores_vjp,
        changing(scores_vjp, lambda dQ, dK: (dQ, 0 * dK)),
        "with respect to K is missing",
    ),
    (
        scores_vjp,
        changing(scores_vjp, lambda dQ, dK: (0 * dQ, dK)),
        "with respect to Q is missing",
    ),
    (scores_vjp, changing(scores_vjp, lambda dQ, dK: (2 * dQ, 2 * dK)), "twice"),
    (attention_vjp, value_alone(attention_vjp), "value, pullback"),
    (
        attention_vjp,
        changing(attention_vjp, lambda dQ, dK, dV: (dQ, dK, 0 * dV)),
        "with respect to V is missing",
    ),
    (
        attention_vjp,
        pulling(
            attention_vjp,
            lambda g, Q, K, V, mask: attention_vjp(
                Q * np.sqrt(np.sqrt(Q.shape[-1])), K, V, mask
            )[1](g),
        ),
        "it gave",
    ),
    (
        attention_vjp,
        pulling_nothing(
            lambda Q, K, V, mask=None: attention_vjp(Q, K, V), lambda *twin: twin
        ),
        "mask",
    ),
    (attention_vjp, in_place(attention_vjp), "changes the gradient"),
    (layer_norm_vjp, value_alone(layer_norm_vjp), "value, pullback"),
    (
        layer_norm_vjp,
        changing(layer_norm_vjp, lambda dx, dgamma, dbeta: (dx, 0 * dgamma, dbeta)),
        "gamma is missing",
    ),
    (
        layer_norm_vjp,
        changing(layer_norm_vjp, lambda dx, dgamma, dbeta: (dx, dgamma, 0 * dbeta)),
        "beta is missing",
    ),
    (
        layer_norm_vjp,
        pulling(
            layer_norm_vjp,
            lambda g, x, gamma, beta, eps: (
                gamma * g / np.sqrt(x.var(-1, keepdims=True) + eps),
                *layer_norm_vjp(x, gamma, beta, eps)[1](g)[1:],
            ),
        ),
        "the gradient of `",
    ),
    (
        layer_norm_vjp,
        changing(layer_norm_vjp, lambda dx, dgamma, dbeta: (-dx, -dgamma, -dbeta)),
        "wrong sign",
    ),
    (feed_forward_vjp, value_alone(feed_forward_vjp), "value, pullback"),
    (
        feed_forward_vjp,
        pulling(feed_forward_vjp, network_without_slope),
        "activation is skipped",
    ),
    (
        feed_forward_vjp,
        changing(feed_forward_vjp, lambda dx, dp: (0 * dx, dp)),
        "with respect to x is missing",
    ),
    (
        feed_forward_vjp,
        changing(feed_forward_vjp, lambda dx, dp: (dx, map_leaves(np.zeros_like, dp))),
        "with respect to parameters is missing",
    ),
    (
        feed_forward_vjp,
        lambda x, parameters, activation_vjp=relu_vjp: feed_forward_vjp(x, parameters),
        "always use ReLU",
    ),
    (add_norm_vjp, value_alone(add_norm_vjp), "value, pullback"),
    (
        add_norm_vjp,
        pulling(
            add_norm_vjp,
            lambda g, x, u, gamma, beta, eps: (lambda dx, *rest: (g + dx, dx, *rest))(
                *layer_norm_vjp(x + u, gamma, beta, eps)[1](g)
            ),
        ),
        "goes around the normalisation",
    ),
    (
        add_norm_vjp,
        changing(add_norm_vjp, lambda dx, du, *rest: (dx, 0 * du, *rest)),
        "update is missing",
    ),
    (
        add_norm_vjp,
        changing(add_norm_vjp, lambda dx, du, *rest: (0 * dx, du, *rest)),
        "x is missing",
    ),
    (
        add_norm_vjp,
        lambda x, update, gamma, beta, eps=1e-5: add_norm_vjp(x, update, gamma, beta),
        "ignore ε",
    ),
    (rms_norm_vjp, value_alone(rms_norm_vjp), "value, pullback"),
    (
        rms_norm_vjp,
        pulling(
            rms_norm_vjp,
            lambda g, x, gamma, eps: (
                gamma * g / np.sqrt((x**2).mean(-1, keepdims=True) + eps),
                rms_norm_vjp(x, gamma, eps)[1](g)[1],
            ),
        ),
        "treat the root as a constant",
    ),
    (
        rms_norm_vjp,
        changing(rms_norm_vjp, lambda dx, dgamma: (dx, 0 * dgamma)),
        "gamma is missing",
    ),
    (
        rms_norm_vjp,
        changing(rms_norm_vjp, lambda dx, dgamma: (0 * dx, dgamma)),
        "with respect to x is missing",
    ),
    (
        rms_norm_vjp,
        lambda x, gamma, eps=1e-5: rms_norm_vjp(x, gamma),
        "ignore ε",
    ),
    (
        rms_norm_vjp,
        changing(rms_norm_vjp, lambda dx, dgamma: (-dx, -dgamma)),
        "wrong sign",
    ),
    (
        rope_vjp,
        pulling(rope_vjp, lambda g, x, positions, base: (rope(g, positions, base),)),
        "You turn the gradient on",
    ),
    (
        rope_vjp,
        pulling(rope_vjp, lambda g, x, positions, base: (rope(g, -positions),)),
        "the gradient of `",
    ),
    (
        log_softmax_vjp,
        pulling(log_softmax_vjp, lambda g, x: (g - softmax(x) * g,)),
        "the gradient of `",
    ),
    (
        probabilities_vjp,
        changing(probabilities_vjp, lambda dlogits: (dlogits / 2,)),
        "the gradient of `",
    ),
    (
        swiglu_vjp,
        changing(swiglu_vjp, lambda dx, dp: (dx, map_leaves(np.zeros_like, dp))),
        "with respect to parameters is missing",
    ),
    (
        cross_attention_vjp,
        changing(cross_attention_vjp, lambda dZ, dY, *dW: (dZ, 0 * dY, *dW)),
        "with respect to memory is missing",
    ),
    (embed_vjp, value_alone(embed_vjp), "value, pullback"),
    (embed_vjp, pulling(embed_vjp, scattered), "Where a token stands twice"),
    (embed_vjp, pulling(embed_vjp, scattered_once), "so does `dE[ids] += dX`"),
    (embed_vjp, changing(embed_vjp, lambda dE: (2 * dE,)), "twice the one wanted"),
    (embed_vjp, changing(embed_vjp, lambda dE: (-dE,)), "wrong sign"),
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
        lambda Z, layers, n_heads, mask=None, activation_vjp=relu_vjp: encoder_vjp(
            Z, layers, n_heads, None, activation_vjp
        ),
        "ignore the mask",
    ),
    (
        encoder_vjp,
        lambda Z, layers, n_heads, mask=None, activation_vjp=relu_vjp: encoder_vjp(
            Z, layers, n_heads, mask
        ),
        "always use ReLU",
    ),
]
