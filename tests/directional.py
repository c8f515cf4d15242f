"""The slope of a loss along a random direction, by its gradient and by a finite difference."""

from transformer_math.trees import leaves, map_leaves


def slopes(loss_and_gradient, parameters, rng, step):
    """Both slopes: what the gradient says, and what two losses a step to either side say."""
    direction = map_leaves(lambda x: rng.normal(size=x.shape), parameters)

    def loss_at(s):
        return loss_and_gradient(
            map_leaves(lambda p, d: p + s * d, parameters, direction)
        )[0]

    gradient = loss_and_gradient(parameters)[1]
    pairs = zip(leaves(gradient).values(), leaves(direction).values())
    by_gradient = sum(float((g * d).sum()) for g, d in pairs)
    return by_gradient, (loss_at(step) - loss_at(-step)) / (2 * step)
