"""How the formulas of the gradients around a codebook are read: they know which code each vector chose."""

from transformer_math.formulas.cases import pulled_back
from transformer_math.formulas.modalities.codebook import chosen
from transformer_math.formulas.reading import reading
from transformer_math.gradient import codebook


def read(label, twin, symbol):
    """The cases of a loss's gradient: what arrives is drawn anew, and both sides get theirs."""

    @reading(label)
    def one_list_of_vectors(a, outputs, arguments):
        _, arrived, (dZ, dC) = pulled_back(twin, arguments)
        yield chosen(**arguments) | {f"d{symbol}": arrived}, {"dZ": dZ, "dC": dC}


read("eq-codebook-loss-vjp", codebook.codebook_loss_vjp, "mathcal:L^code")
read("eq-commitment-loss-vjp", codebook.commitment_loss_vjp, "mathcal:L^commit")
