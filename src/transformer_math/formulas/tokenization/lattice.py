"""How the formulas of the lattice are read: the last place is n."""

from transformer_math.formulas.reading import reading
from transformer_math.tokenization.lattice import backward_sums, forward_sums

NAMES = {
    "eq-unigram-forward": "alpha",
    "eq-unigram-backward": "beta",
    "eq-unigram-viterbi": "delta",
}

for _label, _name in NAMES.items():

    @reading(_label)
    def scores_of_all_places(a, outputs, arguments, name=_name):
        """One for each place, from the first to the last."""
        yield a | {"n": len(a["L"]) - 1}, {name: outputs[0]}


@reading("eq-unigram-posterior")
def sums_from_both_ends(a, outputs, arguments):
    """α and β are the sums of the two formulas above."""
    L = a["L"]
    sums = {"alpha": forward_sums(L), "beta": backward_sums(L), "n": len(L) - 1}
    yield a | sums, {"gamma": outputs[0]}
