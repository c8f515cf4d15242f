"""Checks of decoding: every set of tokens, every sequence of tokens, one by one."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, longest, size, sometimes
from transformer_math.output.decoding import Hypothesis, beam, greedy, nucleus, top_k
from transformer_math.output.probabilities import log_softmax

MOST = 7  # tokens in a vocabulary all of whose sets are tried


def random_distribution(rng):
    """Rows that sum to 1; every second one in sixteenths, among which there are ties, exactly as floats have them."""
    V = min(size(rng), MOST)
    if rng.random() < 0.5:
        return rng.dirichlet(np.ones(V), size=batch(rng))
    return rng.multinomial(16, np.ones(V) / V, size=batch(rng)) / 16


def row_by_row(p, chosen):
    """The distribution over the tokens that are chosen from each row."""
    out = np.zeros(p.shape)
    for place in np.ndindex(p.shape[:-1]):
        kept = list(chosen(p[place]))
        out[place][kept] = p[place][kept] / math.fsum(p[place][kept])
    return out


@check(
    top_k,
    equation="eq-top-k",
    axes={"p": "V", "return": "V"},
    oracle="Python’s sort by probability and id",
    cases=60,
)
def top_k_equals_sorting(top_k, rng):
    p, k = random_distribution(rng), size(rng)

    def likeliest(row):
        return sorted(range(len(row)), key=lambda v: (-row[v], v))[:k]

    return difference(top_k(p, k), row_by_row(p, likeliest))


def renormalised(p):
    return p / p.sum(axis=-1, keepdims=True)


@top_k_equals_sorting.rejects(
    "You keep every token that is as likely as the k-th: where several are equally likely that is more than k."
)
def ties_kept(p, k):
    least = np.sort(p, axis=-1)[..., -min(k, p.shape[-1]), None]
    return renormalised(np.where(p >= least, p, 0))


@top_k_equals_sorting.rejects(
    "Of equally likely tokens you keep those with the largest ids; the smallest ids come first."
)
def last_ones_first(p, k):
    return top_k(p[..., ::-1], k)[..., ::-1]


@top_k_equals_sorting.rejects(
    "`argpartition` keeps any of several equally likely tokens; wanted those with the smallest ids: a stable sort of −p does it."
)
def partitioned(p, k):
    k, kept = min(k, p.shape[-1]), np.zeros_like(p)
    largest = np.argpartition(p, -k, axis=-1)[..., -k:]
    np.put_along_axis(kept, largest, np.take_along_axis(p, largest, -1), -1)
    return renormalised(kept)


@top_k_equals_sorting.rejects(
    "`argpartition` of −p keeps any of several equally likely tokens, too; wanted those with the smallest ids: sort −p, kind='stable'."
)
def partitioned_from_the_front(p, k):
    k, kept = min(k, p.shape[-1]), np.zeros_like(p)
    largest = np.argpartition(-p, k - 1, axis=-1)[..., :k]
    np.put_along_axis(kept, largest, np.take_along_axis(p, largest, -1), -1)
    return renormalised(kept)


@top_k_equals_sorting.rejects(
    "What you keep does not sum to 1: divide by the sum of what is left."
)
def top_k_not_renormalised(p, k):
    return np.where(top_k(p, k) > 0, p, 0)


@top_k_equals_sorting.rejects(
    "You take the softmax of what is left; these are probabilities already: divide by their sum."
)
def softmax_again(p, k):
    kept = top_k(p, k) > 0
    return renormalised(np.where(kept, np.exp(p), 0))


@top_k_equals_sorting.rejects("You keep the least likely tokens.")
def unlikeliest(p, k):
    order = np.argsort(p, axis=-1, kind="stable")
    ranks = np.argsort(order, axis=-1)
    return renormalised(np.where(ranks < k, p, 1e-300))


@check(
    nucleus,
    equation="eq-nucleus",
    axes={"p": "V", "return": "V"},
    oracle="every set of tokens, its probability summed in fractions",
    cases=60,
)
def nucleus_equals_smallest_set(nucleus, rng):
    p = random_distribution(rng)
    mass = 1.0 if rng.random() < 0.2 else int(rng.integers(1, 17)) / 16

    def smallest(row):
        parts = [Fraction(x) for x in row]
        possible = [v for v, x in enumerate(row) if x > 0]
        for n in range(1, len(possible)):
            found = [
                (-sum(parts[v] for v in some), some)
                for some in combinations(possible, n)
            ]
            best, some = min(found)
            if -best >= Fraction(mass):
                return some
        return possible

    return difference(nucleus(p, mass), row_by_row(p, smallest))


def by_what_is_before(p, kept):
    """Renormalised, with those tokens kept before which the sum of the likelier ones passes the test."""
    order = np.argsort(-p, axis=-1, kind="stable")
    ordered = np.take_along_axis(p, order, axis=-1)
    before = ordered.cumsum(axis=-1) - ordered
    chosen = np.take_along_axis(kept(before, ordered), order.argsort(axis=-1), axis=-1)
    return renormalised(np.where(chosen, p, 0))


@nucleus_equals_smallest_set.rejects(
    "You leave out the token with which the mass is reached: it belongs to the set."
)
def one_too_few(p, mass):
    def kept(before, own):
        return (before + own <= mass) | (before == 0)

    return by_what_is_before(p, kept)


@nucleus_equals_smallest_set.rejects(
    "You leave out the token with which the mass is reached, and where that is the first one nothing is left: what counts is the sum of what came before a token."
)
def nothing_left(p, mass):
    order = np.argsort(-p, axis=-1, kind="stable")
    sums = np.take_along_axis(p, order, axis=-1).cumsum(axis=-1)
    chosen = np.take_along_axis(sums <= mass, order.argsort(axis=-1), axis=-1)
    kept = np.where(chosen, p, 0)
    return kept / np.maximum(kept.sum(axis=-1, keepdims=True), 1e-300)


@nucleus_equals_smallest_set.rejects(
    "You keep one token too many where the mass is reached exactly."
)
def one_too_many(p, mass):
    return by_what_is_before(p, lambda before, own: before <= mass)


@nucleus_equals_smallest_set.rejects(
    "You always keep one token more than the mass needs: the set ends with the token that reaches it."
)
def one_more(p, mass):
    def kept(before, ordered):
        reached = before < mass
        one_later = np.roll(reached, 1, axis=-1)
        return reached | one_later

    return by_what_is_before(p, kept)


@nucleus_equals_smallest_set.rejects(
    "What you keep does not sum to 1: divide by the sum of what is left."
)
def nucleus_not_renormalised(p, mass):
    return np.where(nucleus(p, mass) > 0, p, 0)


@nucleus_equals_smallest_set.rejects(
    "You keep each token whose own probability is large enough; it is the sum, from the likeliest on, that counts."
)
def each_by_itself(p, mass):
    kept = p >= np.minimum(1 - mass, p.max(axis=-1, keepdims=True))
    return renormalised(np.where(kept, p, 0))


@nucleus_equals_smallest_set.rejects(
    "You add up the tokens in the order of their ids; the likeliest comes first."
)
def in_order_of_ids(p, mass):
    before = p.cumsum(axis=-1) - p
    return renormalised(np.where(before < mass, p, 0))


def random_model(rng, V, ties=False):
    """A function from ids to logits that looks at the last token, at all of them and at their number; now and then a token is impossible."""
    by_last, by_sum = rng.normal(size=(V, V)), rng.normal(size=(5, V))
    if ties:
        by_last, by_sum = by_last.round(), by_sum.round()
    if V > 2 and rng.random() < 0.3:
        by_last[0, 1] = -np.inf
    if longest():
        by_last += 1000  # beyond exp, and the same probabilities

    def next_logits(ids):
        return by_last[ids[-1]] + by_sum[(sum(ids) + len(ids)) % 5]

    return next_logits


def random_search(rng, ties=False):
    """A model, a start and a length; the end token as it is passed on, and as it holds."""
    V = int(rng.integers(2, 4))
    start = rng.integers(V, size=int(rng.integers(1, 4)))
    given, end = sometimes(rng, int(rng.integers(V)), None)
    return random_model(rng, V, ties), V, start, int(rng.integers(1, 5)), given, end


def grow(next_logits, start, length, end, V, keep):
    """Every sequence that `keep` lets live, with its log-probability: the search in plain Python."""
    alive = [((), 0.0)]
    for _ in range(length):
        grown = []
        for added, log_p in alive:
            if added and added[-1] == end:
                grown.append((added, log_p))
                continue
            logits = next_logits(np.array([*start, *added]))
            x = (logits - logits.max()).tolist()
            total = math.log(math.fsum(map(math.exp, x)))
            grown += [
                ((*added, v), log_p + x[v] - total) for v in range(V) if x[v] > -np.inf
            ]
        alive = keep(grown)
    return alive


@check(greedy, equation="eq-greedy", oracle="Python’s max, token by token", cases=60)
def greedy_equals_max(greedy, rng):
    next_logits, V, start, length, given, end = random_search(rng, ties=True)
    ids = start.tolist()
    for _ in range(length):
        x = next_logits(np.array(ids))
        ids.append(max(range(V), key=lambda v: (x[v], -v)))
        if ids[-1] == end:
            break
    return difference(greedy(next_logits, start, length, *given), np.array(ids))


@greedy_equals_max.rejects(
    "You ask the model about the last token alone: it must see everything that has been written."
)
def forgetful(next_logits, start, length, end=None):
    return greedy(lambda ids: next_logits(ids[-1:]), start, length, end)


@greedy_equals_max.rejects(
    "You write on after the end token: stop when it has been chosen."
)
def endless(next_logits, start, length, end=None):
    return greedy(next_logits, start, length)


@greedy_equals_max.rejects(
    "You return what was added; the start belongs to the result too."
)
def without_the_start(next_logits, start, length, end=None):
    return greedy(next_logits, start, length, end)[len(start) :]


@greedy_equals_max.rejects("You choose the least likely token.")
def smallest_logit(next_logits, start, length, end=None):
    return greedy(lambda ids: -next_logits(ids), start, length, end)


@greedy_equals_max.rejects(
    "You leave the end token out: it is chosen, so it is written, and then the text ends."
)
def end_not_written(next_logits, start, length, end=None):
    ids = greedy(next_logits, start, length, end)
    return ids[:-1] if ids[-1] == end else ids


@greedy_equals_max.rejects("You add one token only; wanted `length` of them.")
def a_single_step(next_logits, start, length, end=None):
    return greedy(next_logits, start, 1, end)


def beam_error(beam, rng, width_of):
    """The difference from the search in plain Python, with a width that depends on vocabulary and length."""
    next_logits, V, start, length, given, end = random_search(rng)
    width = width_of(V, length)
    power = 0.0
    if given and rng.random() < 0.6:
        power = float(rng.choice([0.5, 1.0, 2.0]))
        given = (*given, power)

    def score(one):
        return one[1] / len(one[0]) ** power

    def best(grown):
        return sorted(grown, key=score, reverse=True)[:width]

    found = grow(next_logits, start, length, end, V, best)
    wanted = [[np.array([*start, *one[0]]), score(one)] for one in found]
    got = beam(next_logits, start, length, width, *given)
    return difference([list(one) for one in got], wanted)


@check(
    beam,
    equation="eq-sequence-score",
    oracle="the same search in plain Python, every continuation sorted",
)
def beam_equals_search(beam, rng):
    return beam_error(beam, rng, lambda V, length: int(rng.integers(1, 6)))


@check(
    beam,
    equation="eq-sequence-score",
    oracle="every sequence of tokens, where the beam is as wide as they are many",
)
def widest_beam_equals_enumeration(beam, rng):
    next_logits, V, start, length, given, end = random_search(rng)

    def log_probability(added):
        steps = [np.array([*start, *added[:i]]) for i in range(len(added))]
        with np.errstate(divide="ignore"):
            return sum(
                float(np.log(np.exp(x[v] - x.max()) / np.exp(x - x.max()).sum()))
                for x, v in zip(map(next_logits, steps), added)
            )

    every = {
        added[: added.index(end) + 1] if end in added else added
        for added in product(range(V), repeat=length)
    }
    scored = sorted(((log_probability(added), added) for added in every), reverse=True)
    wanted = [
        [np.array([*start, *added]), score]
        for score, added in scored
        if score > -np.inf
    ]
    got = beam(next_logits, start, length, V**length, *given)
    return difference([list(one) for one in got], wanted)


@check(
    beam,
    equation="eq-sequence-score",
    oracle="greedy choice, where the beam has a width of 1",
)
def narrowest_beam_is_greedy(beam, rng):
    next_logits, V, start, length, given, end = random_search(rng, ties=True)

    def likeliest(grown):
        return [max(grown, key=lambda one: one[1])]

    [(added, log_p)] = grow(next_logits, start, length, end, V, likeliest)
    [(ids, score)] = beam(next_logits, start, length, 1, *given)
    return difference([ids, score], [np.array([*start, *added]), log_p])


@beam_equals_search.rejects(
    "You ask the model about the last token alone: it must see everything that has been written."
)
def forgetful_beam(next_logits, start, length, width, end=None, power=0.0):
    return beam(lambda ids: next_logits(ids[-1:]), start, length, width, end, power)


def search(next_logits, start, length, width, end, step, score):
    """A beam search with another gain of a step, or another score of what was added with its gains' sum."""
    alive = [((), 0.0)]
    for _ in range(length):
        grown = []
        for added, total in alive:
            if added and added[-1] == end:
                grown.append((added, total))
                continue
            logits = next_logits(np.array([*start, *added]))
            gains = step(logits)
            possible = [v for v in range(len(logits)) if logits[v] > -np.inf]
            grown += [((*added, v), total + float(gains[v])) for v in possible]
        alive = sorted(grown, key=lambda one: -score(*one))[:width]
    return [Hypothesis(np.array([*start, *one[0]]), score(*one)) for one in alive]


@beam_equals_search.rejects(
    "You multiply by the length; the score is divided by its power."
)
def length_multiplied(next_logits, start, length, width, end=None, power=0.0):
    def score(added, total):
        return total * len(added) ** power

    return search(next_logits, start, length, width, end, log_softmax, score)


@beam_equals_search.rejects(
    "You leave the length out: the sum is divided by the length to the power of `power`."
)
def undivided(next_logits, start, length, width, end=None, power=0.0):
    return beam(next_logits, start, length, width, end)


@beam_equals_search.rejects(
    "Your length counts the start; only what was added has been scored."
)
def start_counted(next_logits, start, length, width, end=None, power=0.0):
    def score(added, total):
        return total / (len(start) + len(added)) ** power

    return search(next_logits, start, length, width, end, log_softmax, score)


@beam_equals_search.rejects(
    "You add up logits; the score is made of log-probabilities, so each step's logits pass log_softmax first."
)
def logits_summed(next_logits, start, length, width, end=None, power=0.0):
    def score(added, total):
        return total / len(added) ** power

    return search(next_logits, start, length, width, end, lambda x: x, score)


@beam_equals_search.rejects(
    "You add a small number to the probabilities before the logarithm, which changes every score: take log_softmax of the logits."
)
def small_number_added(next_logits, start, length, width, end=None, power=0.0):
    def step(logits):
        return np.log(np.exp(log_softmax(logits)) + 1e-9)

    def score(added, total):
        return total / len(added) ** power

    return search(next_logits, start, length, width, end, step, score)


@beam_equals_search.rejects(
    "Your exp overflows for large logits: log_softmax takes the largest away first."
)
def naive_logarithm(next_logits, start, length, width, end=None, power=0.0):
    def step(logits):
        return logits - np.log(np.exp(logits).sum())

    def score(added, total):
        return total / len(added) ** power

    return search(next_logits, start, length, width, end, step, score)


@beam_equals_search.rejects(
    "You divide by the length at the end alone: the beam keeps the best scores at every step, so each step compares what is divided already."
)
def divided_at_the_end(next_logits, start, length, width, end=None, power=0.0):
    found = beam(next_logits, start, length, width, end)
    rescored = [
        Hypothesis(one.ids, one.score / (len(one.ids) - len(start)) ** power)
        for one in found
    ]
    return sorted(rescored, key=lambda one: -one.score)


@beam_equals_search.rejects(
    "You return the best sequence alone; wanted all that the beam holds, the best one first."
)
def best_alone(next_logits, start, length, width, end=None, power=0.0):
    return beam(next_logits, start, length, width, end, power)[:1]


@beam_equals_search.rejects(
    "Your sequences grow on after the end token; they stay as they are, and keep their place in the beam."
)
def grown_beyond_the_end(next_logits, start, length, width, end=None, power=0.0):
    return beam(next_logits, start, length, width, None, power)


@beam_equals_search.rejects(
    "Your beam holds eight sequences, whatever `width` is, and what you return is cut to `width` at the end: keep `width` of them at every step."
)
def eight_until_the_end(next_logits, start, length, width, end=None, power=0.0):
    return beam(next_logits, start, length, 8, end, power)[:width]


@beam_equals_search.rejects(
    "You always divide by the length; it is the length to the power of `power`, and where `power` is 0 nothing is divided."
)
def always_the_mean(next_logits, start, length, width, end=None, power=0.0):
    return beam(next_logits, start, length, width, end, 1.0)


@beam_equals_search.rejects("The best sequence comes first; yours comes last.")
def worst_first(next_logits, start, length, width, end=None, power=0.0):
    return beam(next_logits, start, length, width, end, power)[::-1]


@widest_beam_equals_enumeration.rejects(
    "You keep one sequence only: a beam of width 1 is greedy choice."
)
def greedy_instead(next_logits, start, length, width, end=None, power=0.0):
    return beam(next_logits, start, length, 1, end, power)


@narrowest_beam_is_greedy.rejects(
    "Of a width of 1 you make 2: the beam keeps `width` sequences."
)
def one_wider(next_logits, start, length, width, end=None, power=0.0):
    return beam(next_logits, start, length, width + 1, end, power)[:width]


@top_k_equals_sorting.rejects(
    "You compare the order with k; `argsort` gives the ids by rank. The ranks of the ids are the argsort of that."
)
def order_for_ranks(p, k):
    order = np.argsort(-p, axis=-1, kind="stable")
    kept = np.where(order < k, p, 0)
    return kept / np.maximum(kept.sum(axis=-1, keepdims=True), 1e-300)


@top_k_equals_sorting.rejects(
    "You keep one token too many: ranks count from 0, so rank < k."
)
def one_too_many_kept(p, k):
    return top_k(p, k + 1)


@top_k_equals_sorting.rejects(
    "You divide by the sum of the whole array: each row sums to 1 by itself, axis=-1, keepdims=True."
)
def divided_by_everything(p, k):
    kept = np.where(top_k(p, k) > 0, p, 0)
    return kept / kept.sum()


@top_k_equals_sorting.rejects(
    "You return the ids of the tokens; wanted their probabilities, each at its place, and 0 elsewhere."
)
def ids_of_the_likeliest(p, k):
    return np.argsort(-p, axis=-1, kind="stable")[..., :k]


@top_k_equals_sorting.rejects(
    "You return the probabilities in order; each stays at the place of its token, and the others are 0."
)
def in_order_of_size(p, k):
    return renormalised(-np.sort(-p, axis=-1)[..., :k])


@top_k_equals_sorting.rejects(
    "All that you keep is equally likely: keep the probabilities, and divide them by their sum."
)
def equally_likely(p, k):
    return renormalised((top_k(p, k) > 0).astype(float))


@top_k_equals_sorting.rejects(
    "You rank each token among the rows; ranks run along the last axis."
)
def ranked_down_the_rows(p, k):
    ranks = np.argsort(np.argsort(-p, axis=0, kind="stable"), axis=0)
    kept = np.where(ranks < k, p, 0)
    return kept / np.maximum(kept.sum(axis=-1, keepdims=True), 1e-300)


@nucleus_equals_smallest_set.rejects(
    "You leave out the token with which the mass is reached, or passed: keep each whose likelier ones sum to less than the mass."
)
def stopped_before(p, mass):
    def kept(before, ordered):
        return before + ordered < mass

    with np.errstate(invalid="ignore"):
        return np.nan_to_num(by_what_is_before(p, kept))


@nucleus_equals_smallest_set.rejects(
    "You add up from the least likely token; the likeliest comes first."
)
def from_the_unlikeliest(p, mass):
    order = np.argsort(p, axis=-1, kind="stable")
    ordered = np.take_along_axis(p, order, axis=-1)
    kept = ordered.cumsum(axis=-1) - ordered < mass
    chosen = np.take_along_axis(kept, order.argsort(axis=-1), axis=-1)
    return renormalised(np.where(chosen, p, 0))


@nucleus_equals_smallest_set.rejects(
    "Your probabilities are in order, and not at the places of their tokens: put them back by the argsort of the order."
)
def left_in_order(p, mass):
    return -np.sort(-nucleus(p, mass), axis=-1)


@nucleus_equals_smallest_set.rejects(
    "You put back by the order itself; what undoes it is its own argsort."
)
def put_back_by_the_order(p, mass):
    order = np.argsort(-p, axis=-1, kind="stable")
    ordered = np.take_along_axis(p, order, axis=-1)
    kept = ordered.cumsum(axis=-1) - ordered < mass
    kept = np.where(np.take_along_axis(kept, order, axis=-1), p, 0)
    return kept / np.maximum(kept.sum(axis=-1, keepdims=True), 1e-300)


@nucleus_equals_smallest_set.rejects(
    "Of equally likely tokens you keep those with the largest ids; the smallest ids come first."
)
def last_of_equals(p, mass):
    return nucleus(p[..., ::-1], mass)[..., ::-1]


@greedy_equals_max.rejects(
    "You stop when start and added tokens together are `length` long; `length` tokens are added."
)
def until_so_long(next_logits, start, length, end=None):
    return greedy(next_logits, start, max(length - len(start), 0), end)


@greedy_equals_max.rejects(
    "You do not begin where the start holds the end token: the text ends with one that is chosen."
)
def end_in_the_start(next_logits, start, length, end=None):
    return start if start[-1] == end else greedy(next_logits, start, length, end)


@greedy_equals_max.rejects(
    "You ask the model once, and take its best tokens in order: ask anew after each token."
)
def asked_once(next_logits, start, length, end=None):
    order = np.argsort(-next_logits(start), kind="stable")
    return np.append(start, np.resize(order, length))


@greedy_equals_max.rejects(
    "`if end` is false for the token 0: ask `if end is not None`, or compare at once, ids[-1] == end."
)
def token_zero_never_ends(next_logits, start, length, end=None):
    return greedy(next_logits, start, length, end or None)


@greedy_equals_max.rejects("You add one token too few: wanted `length` of them.")
def one_too_few_added(next_logits, start, length, end=None):
    return greedy(next_logits, start, length - 1, end)
