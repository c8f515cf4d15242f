"""What the tests of all ideas ask of `attention/cost`."""

from transformer_math.attention import projection_flops

RIGHT = [
    (projection_flops, lambda n, m, d: 2 * d * d * (2 * n + 2 * m)),
    (projection_flops, lambda n, m, d_model: 4 * (n + m) * d_model**2),
]

WRONG = [
    (
        projection_flops,
        lambda n, m, d_model: float(4 * (n + m) * d_model**2),
        "wanted whole ones (int)",
    ),
    (projection_flops, lambda n, m, d: 8 * n * d * d, "it gave"),
    (projection_flops, lambda n, m, d: 8 * n * m * d, "it gave"),
    (projection_flops, lambda n, m, d: 4 * (n + m) * d, "it gave"),
    (
        projection_flops,
        lambda n, m, d: 2 * (n + m) * d * d,
        "You count a multiply-add as one operation",
    ),
    (
        projection_flops,
        lambda n, m, d: 2 * n * d * d + 4 * m * d * d,
        "You count three projections",
    ),
]
