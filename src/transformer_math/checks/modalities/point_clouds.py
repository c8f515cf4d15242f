"""Checks of point clouds, against SciPy's trees of points, PyTorch's convolution and pooling, and loops over all points."""

import numpy as np
import torch
from scipy.spatial import KDTree
from scipy.stats import gumbel_r

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import (
    few,
    longest,
    or_edge,
    size,
    small_batch,
    smallest,
)
from transformer_math.modalities.point_clouds import (
    PointNetParameters,
    chamfer_distance,
    farthest_points,
    gumbel_noise,
    gumbel_softmax,
    local_groups,
    nearest_neighbours,
    point_net,
)


def cloud(rng, n, d):
    """Points: mostly anywhere, sometimes on a coarse grid, where distances are equal and points lie on each other."""
    if rng.random() < 0.4 and not smallest():
        return rng.integers(-1, 2, size=(n, d)).astype(float)
    return rng.normal(size=(n, d)) * 10 ** rng.uniform(-1, 1)


def square(x, y):
    """The squared distance of two points."""
    return sum((float(a) - float(b)) ** 2 for a, b in zip(x, y, strict=True))


def lie_on_each_other(X):
    return len(np.unique(X, axis=0)) < len(X)


@check(
    farthest_points,
    equation="eq-farthest-points",
    symbols={"number": "g", "start": "a", "return": "s"},
    oracle="all distances of all points to all chosen ones, in Python",
)
def farthest_by_all_distances(farthest_points, rng):
    X = cloud(rng, size(rng), few(rng))
    number = int(rng.integers(1, len(X) + 1))
    start = int(rng.integers(len(X)))
    given = (start,) if start or rng.random() < 0.5 else ()
    chosen = [start]
    while len(chosen) < number:
        left = [i for i in range(len(X)) if i not in chosen]
        chosen.append(max(left, key=lambda i: min(square(X[i], X[s]) for s in chosen)))
    return difference(farthest_points(X, number, *given), np.array(chosen))


farthest_by_all_distances.visits(
    "points that lie on each other", lambda X, number, start=0: lie_on_each_other(X)
)
farthest_by_all_distances.visits(
    "every point is chosen", lambda X, number, start=0: number == len(X) > 1
)


def greedy(X, number, start, score, ahead=min):
    """Choose one point after the other: the first that has the largest score, made of its distances to the chosen ones."""
    chosen = [start]
    while len(chosen) < number:
        left = [i for i in range(len(X)) if i not in chosen]
        chosen.append(
            max(left, key=lambda i: score([square(X[i], X[s]) for s in chosen]))
        )
    return np.array(chosen)


@farthest_by_all_distances.rejects(
    "You take the nearest point each time; wanted the one that is farthest from its nearest chosen point."
)
def nearest_each_time(X, number, start=0):
    return greedy(X, number, start, lambda distances: -min(distances))


@farthest_by_all_distances.rejects(
    "The start is counted twice: it is the first of the points, and its distance to the chosen ones is 0."
)
def start_twice(X, number, start=0):
    return np.append(start, farthest_points(X, number, start))[:number]


@farthest_by_all_distances.rejects(
    "Where points lie on each other you choose one index twice. A chosen point has the distance 0, and so have those on it: keep it out."
)
def indices_twice(X, number, start=0):
    chosen, distances = [start], ((X - X[start]) ** 2).sum(axis=1)
    while len(chosen) < number:
        chosen.append(int(distances.argmax()))
        new = ((X - X[chosen[-1]]) ** 2).sum(axis=1)
        distances = np.minimum(distances, new)
    return np.array(chosen)


@farthest_by_all_distances.rejects(
    "You ask for the distance to the last chosen point alone, and jump between two ends: the nearest of all chosen ones counts."
)
def far_from_the_last(X, number, start=0):
    return greedy(X, number, start, lambda distances: distances[-1])


@farthest_by_all_distances.rejects(
    "You add the distances to all chosen points; the nearest of them alone counts."
)
def far_from_all(X, number, start=0):
    return greedy(X, number, start, sum)


@farthest_by_all_distances.rejects(
    "You compare with the farthest of the chosen points; wanted the nearest: a minimum inside, a maximum outside."
)
def far_from_the_farthest(X, number, start=0):
    return greedy(X, number, start, max)


@farthest_by_all_distances.rejects(
    "You begin at point 0 whatever `start` says: the first of the points is the start."
)
def begins_at_zero(X, number, start=0):
    return farthest_points(X, number)


@farthest_by_all_distances.rejects(
    "You sort the indices: they come in the order in which they were chosen, so that the first few are a sample, too."
)
def sorted_indices(X, number, start=0):
    return np.sort(farthest_points(X, number, start))


@farthest_by_all_distances.rejects(
    "You leave the start out; it is the first of the points."
)
def without_start(X, number, start=0):
    found = greedy(X, min(number + 1, len(X)), start, min)
    return found[1:] if len(found) > number else found


def centres_and_points(rng, ties=True):
    """Some centres, which need not be among the points, the points, and how many are asked for."""
    d, n = few(rng), size(rng)
    X = cloud(rng, n, d) if ties else rng.normal(size=(n, d))
    C = X[rng.integers(n, size=size(rng))] if rng.random() < 0.6 else None
    C = rng.normal(size=(size(rng), d)) if C is None else C
    return C, X, int(rng.integers(1, n + 1))


@check(
    nearest_neighbours,
    equation="eq-nearest-neighbours",
    symbols={"return": "N"},
    oracle="scipy.spatial.KDTree",
)
def neighbours_equal_tree(nearest_neighbours, rng):
    C, X, k = centres_and_points(rng, ties=False)
    _, found = KDTree(X).query(C, k=[*range(1, k + 1)])
    return difference(nearest_neighbours(C, X, k), found)


@check(
    nearest_neighbours,
    equation="eq-nearest-neighbours",
    symbols={"return": "N"},
    oracle="Python’s sorted, points at the same distance among them",
)
def neighbours_equal_sorted(nearest_neighbours, rng):
    C, X, k = centres_and_points(rng)
    found = [sorted(range(len(X)), key=lambda i: square(X[i], c))[:k] for c in C]
    return difference(nearest_neighbours(C, X, k), np.array(found))


neighbours_equal_sorted.visits(
    "points that lie on each other", lambda C, X, k: lie_on_each_other(X)
)
neighbours_equal_sorted.visits("all points", lambda C, X, k: k == len(X) > 1)


def by_distance(C, X):
    return ((C[:, None] - X) ** 2).sum(axis=-1)


@neighbours_equal_tree.rejects("You take the farthest points; wanted the nearest.")
def farthest_neighbours(C, X, k):
    return (-by_distance(C, X)).argsort(axis=1, kind="stable")[:, :k]


@neighbours_equal_tree.rejects(
    "You leave the nearest point out. A centre that is one of the points is a member of its own group, at the distance 0."
)
def without_the_nearest(C, X, k):
    order = by_distance(C, X).argsort(axis=1, kind="stable")
    return np.roll(order, -1, axis=1)[:, :k]


@neighbours_equal_tree.rejects(
    "Your neighbours come in the order of their numbers; wanted the nearest first."
)
def in_order_of_numbers(C, X, k):
    return np.sort(nearest_neighbours(C, X, k), axis=1)


@neighbours_equal_tree.rejects(
    "You add up the differences of the coordinates; wanted the sum of their squares."
)
def along_the_axes(C, X, k):
    D = np.abs(C[:, None] - X).sum(axis=-1)
    return D.argsort(axis=1, kind="stable")[:, :k]


@neighbours_equal_tree.rejects(
    "You sort by dot products: the largest belongs to the nearest point only where all vectors have the same length."
)
def by_dot_products(C, X, k):
    return (-C @ X.T).argsort(axis=1, kind="stable")[:, :k]


@neighbours_equal_sorted.rejects(
    "Of points at the same distance you take the last first; wanted the one with the smaller number (a stable sort)."
)
def last_of_equals(C, X, k):
    D = by_distance(C, X)[:, ::-1]
    return len(X) - 1 - D.argsort(axis=1, kind="stable")[:, :k]


@check(
    local_groups,
    equation="eq-local-groups",
    symbols={"neighbours": "N", "return": "G"},
    oracle="one coordinate after the other, in Python",
)
def groups_one_by_one(local_groups, rng):
    d, n, g, k = few(rng), size(rng), size(rng), size(rng)
    X, C = cloud(rng, n, d), rng.normal(size=(g, d))
    N = rng.integers(n, size=(g, k))
    wanted = [[[X[i][a] - C[j][a] for a in range(d)] for i in N[j]] for j in range(g)]
    return difference(local_groups(X, C, N), np.array(wanted))


@groups_one_by_one.rejects(
    "You do not subtract the centre: the same corner at another place would be another group."
)
def not_centred(X, C, neighbours):
    return X[neighbours]


@groups_one_by_one.rejects(
    "You subtract the mean of the group; wanted its centre, which is a point of its own and need not be the mean."
)
def mean_subtracted(X, C, neighbours):
    return X[neighbours] - X[neighbours].mean(axis=1, keepdims=True)


@groups_one_by_one.rejects(
    "You subtract the points from the centre: all groups are mirrored."
)
def mirrored(X, C, neighbours):
    return C[:, None] - X[neighbours]


@groups_one_by_one.rejects(
    "Every group loses the first centre in your version; wanted its own."
)
def one_centre_for_all(X, C, neighbours):
    return X[neighbours] - C[0]


@groups_one_by_one.rejects(
    "You divide each group by its size, so that small and large ones look alike; wanted the centre subtracted, and no more."
)
def scaled(X, C, neighbours):
    G = local_groups(X, C, neighbours)
    return G / np.maximum(1e-12, np.abs(G).max(axis=(1, 2), keepdims=True))


def random_network(rng, d):
    """Parameters of a PointNet for points of d coordinates."""
    d_ff, d_model = size(rng), size(rng)
    return PointNetParameters(
        rng.normal(size=(d, d_ff)),
        rng.normal(size=d_ff),
        rng.normal(size=(d_ff, d_model)),
        rng.normal(size=d_model),
    )


def groups_and_network(rng):
    d = few(rng)
    return rng.normal(size=(*small_batch(rng), size(rng), d)), random_network(rng, d)


def convolved(X, p):
    """PyTorch's convolution with a kernel of one point, twice, and its pooling."""
    points = X.reshape(-1, *X.shape[-2:]).mT
    layer = torch.nn.functional.conv1d
    hidden = torch.relu(layer(points, p.W_1.mT[..., None], p.b_1))
    pooled = torch.nn.functional.adaptive_max_pool1d(
        layer(hidden, p.W_2.mT[..., None], p.b_2), 1
    )
    return pooled.reshape(*X.shape[:-2], p.W_2.shape[1])


def as_tensors(p):
    return PointNetTensors(*(torch.from_numpy(w) for w in vars(p).values()))


class PointNetTensors:
    """The same parameters as tensors."""

    def __init__(self, W_1, b_1, W_2, b_2):
        self.W_1, self.b_1, self.W_2, self.b_2 = W_1, b_1, W_2, b_2


@check(
    point_net,
    equation="eq-point-net",
    oracle="torch.nn.functional.conv1d and adaptive_max_pool1d",
)
def point_net_equals_convolution(point_net, rng):
    X, parameters = groups_and_network(rng)
    wanted = convolved(torch.from_numpy(X), as_tensors(parameters))
    return difference(point_net(X, parameters), wanted)


def every_point(X, p, bend=lambda x: np.maximum(x, 0)):
    return bend(X @ p.W_1 + p.b_1) @ p.W_2 + p.b_2


@point_net_equals_convolution.rejects(
    "You take the mean over the points; wanted the maximum of each entry."
)
def mean_for_max(X, parameters):
    return every_point(X, parameters).mean(axis=-2)


@point_net_equals_convolution.rejects(
    "You take the sum over the points; wanted the maximum of each entry."
)
def sum_for_max(X, parameters):
    return every_point(X, parameters).sum(axis=-2)


@point_net_equals_convolution.rejects(
    "You take the minimum over the points; wanted the maximum."
)
def min_for_max(X, parameters):
    return every_point(X, parameters).min(axis=-2)


@point_net_equals_convolution.rejects(
    "You pool before the second matrix; wanted both layers for every point, and then the maximum."
)
def pooled_too_early(X, parameters):
    p = parameters
    return np.maximum(X @ p.W_1 + p.b_1, 0).max(axis=-2) @ p.W_2 + p.b_2


@point_net_equals_convolution.rejects(
    "There is no ReLU between your matrices: two of them in a row are one matrix."
)
def without_relu(X, parameters):
    return every_point(X, parameters, lambda x: x).max(axis=-2)


@point_net_equals_convolution.rejects(
    "Your vector is cut at 0: after the second matrix stands no ReLU."
)
def relu_at_the_end(X, parameters):
    return np.maximum(point_net(X, parameters), 0)


@point_net_equals_convolution.rejects(
    "You return the vector of the last point alone; wanted the maximum over all points."
)
def last_point_alone(X, parameters):
    return every_point(X, parameters)[..., -1, :]


def two_clouds(rng):
    """Two sets of points, of different sizes, some of them on a grid."""
    lead, d = small_batch(rng), few(rng)
    X, Y = (
        cloud(rng, int(np.prod(lead, dtype=int)) * n, d).reshape(*lead, n, d)
        for n in (size(rng), size(rng))
    )
    return X, Y


@check(
    chamfer_distance,
    equation="eq-chamfer",
    oracle="scipy.spatial.KDTree, from each cloud to the other",
)
def chamfer_equals_trees(chamfer_distance, rng):
    X, Y = two_clouds(rng)
    wanted = np.empty(X.shape[:-2])
    for place in np.ndindex(wanted.shape):
        there, back = KDTree(Y[place]).query(X[place]), KDTree(X[place]).query(Y[place])
        wanted[place] = np.mean(there[0] ** 2) + np.mean(back[0] ** 2)
    return difference(chamfer_distance(X, Y), wanted)


def all_squares(X, Y):
    return ((X[..., :, None, :] - Y[..., None, :, :]) ** 2).sum(axis=-1)


@chamfer_equals_trees.rejects(
    "You go from the first cloud to the second, and not back: one point that lies right would please all of the first."
)
def one_way(X, Y):
    return all_squares(X, Y).min(axis=-1).mean(axis=-1)


@chamfer_equals_trees.rejects(
    "You come back from the second cloud to the first, and never go there: wanted both."
)
def other_way(X, Y):
    return all_squares(X, Y).min(axis=-2).mean(axis=-1)


@chamfer_equals_trees.rejects("You take the distances; wanted their squares.")
def not_squared(X, Y):
    D = np.sqrt(all_squares(X, Y))
    return D.min(axis=-1).mean(axis=-1) + D.min(axis=-2).mean(axis=-1)


@chamfer_equals_trees.rejects(
    "You add over the points; wanted a mean for each cloud, or a larger one counts more."
)
def summed(X, Y):
    D = all_squares(X, Y)
    return D.min(axis=-1).sum(axis=-1) + D.min(axis=-2).sum(axis=-1)


@chamfer_equals_trees.rejects(
    "You take the worst point, which is the Hausdorff distance; wanted the mean over all points."
)
def hausdorff(X, Y):
    D = all_squares(X, Y)
    return np.maximum(D.min(axis=-1).max(axis=-1), D.min(axis=-2).max(axis=-1))


@chamfer_equals_trees.rejects(
    "You average over all pairs; wanted for each point its nearest one."
)
def all_pairs(X, Y):
    return 2 * all_squares(X, Y).mean(axis=(-1, -2))


@chamfer_equals_trees.rejects("You take half of it: the two means are added.")
def halved(X, Y):
    return chamfer_distance(X, Y) / 2


@check(
    gumbel_noise,
    equation="eq-gumbel-noise",
    symbols={"return": "g"},
    oracle="scipy.stats.gumbel_r.ppf",
)
def noise_equals_scipy(gumbel_noise, rng):
    shape = (*small_batch(rng), size(rng)) if rng.random() < 0.9 else ()
    u = np.asarray(rng.uniform(1e-12, 1, size=() if smallest() else shape))
    return difference(np.asarray(gumbel_noise(u)), gumbel_r.ppf(u))


@noise_equals_scipy.rejects("One logarithm is missing: −ln(−ln u).")
def one_logarithm(u):
    return -np.log(u)


@noise_equals_scipy.rejects("The sign in front is missing: −ln(−ln u).")
def sign_in_front(u):
    return np.log(-np.log(u))


@noise_equals_scipy.rejects("You take logarithms to base 2; wanted natural ones.")
def base_two(u):
    return -np.log2(-np.log2(u))


@noise_equals_scipy.rejects(
    "You put 1 − u for u: that has a distribution of the same kind only after the first logarithm, not after both."
)
def other_end(u):
    return np.log(-np.log1p(-u))


def scores_and_noise(rng):
    shape = (*small_batch(rng), size(rng))
    temperature = or_edge(rng, 0.01, 10 ** rng.uniform(-1, 1))
    if longest():  # exp of these is beyond all floats, or 0 in the rows of others
        shape, temperature = (5, 3), 1e-4
    return rng.normal(size=shape), rng.gumbel(size=shape), temperature


@check(
    gumbel_softmax,
    equation="eq-gumbel-softmax",
    symbols={"logits": "z", "noise": "g", "temperature": "tau", "return": "y"},
    oracle="torch.softmax",
)
def gumbel_equals_torch(gumbel_softmax, rng):
    z, g, temperature = scores_and_noise(rng)
    sums = torch.from_numpy(z) + torch.from_numpy(g)
    return difference(
        gumbel_softmax(z, g, temperature), torch.softmax(sums / temperature, -1)
    )


def softened(x):
    shares = np.exp(x - x.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)


@gumbel_equals_torch.rejects(
    "Your exp overflows at low temperatures: take the largest number of the row away first."
)
def without_the_maximum(logits, noise, temperature):
    powers = np.exp((logits + noise) / temperature)
    return powers / powers.sum(axis=-1, keepdims=True)


@gumbel_equals_torch.rejects(
    "You take the largest number of all rows away; take each row's own, axis=-1: far below it every power is 0, and 0/0 is NaN."
)
def one_maximum_for_all(logits, noise, temperature):
    x = (logits + noise) / temperature
    powers = np.exp(x - x.max())
    return powers / powers.sum(axis=-1, keepdims=True)


@gumbel_equals_torch.rejects("You add no noise: this is softmax, and draws nothing.")
def without_noise(logits, noise, temperature):
    return softened(logits / temperature)


@gumbel_equals_torch.rejects(
    "You divide the logits by the temperature, and not the noise: wanted both, in one bracket."
)
def noise_outside(logits, noise, temperature):
    return softened(logits / temperature + noise)


@gumbel_equals_torch.rejects("You multiply by the temperature; wanted to divide by it.")
def times_temperature(logits, noise, temperature):
    return softened((logits + noise) * temperature)


@gumbel_equals_torch.rejects(
    "You subtract the noise; it is added. Gumbel’s distribution is not symmetric, so this draws other codes."
)
def noise_subtracted(logits, noise, temperature):
    return softened((logits - noise) / temperature)


@gumbel_equals_torch.rejects(
    "Your result is 1 for one code and 0 for the others: that is what it comes to as the temperature goes to 0, and has no gradient."
)
def hard(logits, noise, temperature):
    sums = logits + noise
    return (sums == sums.max(axis=-1, keepdims=True)).astype(float)
