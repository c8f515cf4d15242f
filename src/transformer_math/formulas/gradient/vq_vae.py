"""How the formula of a VQ-VAE's gradient is read."""

from transformer_math.formulas.cases import pulled_back
from transformer_math.formulas.modalities.vq_vae import letters
from transformer_math.formulas.reading import reading
from transformer_math.gradient.vq_vae import vq_vae_loss_vjp
from transformer_math.modalities.codebook import quantise
from transformer_math.modalities.vq_vae import encode


@reading("eq-vq-vae-loss-vjp")
def one_batch(a, outputs, arguments):
    """Vectors and codes of a frame stand side by side in a row of Y and of Q."""
    X, p, n = arguments["X"], arguments["parameters"], len(arguments["X"])
    _, dL, (found,) = pulled_back(vq_vae_loss_vjp, arguments)
    Z = encode(X, p)
    Y, Q = Z.reshape(n, -1), quantise(Z, p.C).reshape(n, -1)
    if X.shape[1] > 1 and Y.shape[1] > 1 and n > 1:
        own = {"X": X, "Y": Y, "Q": Q, "F": Q @ p.W_d + p.b_d, "dmathcal:L": dL, "n": n}
        gradients = {"dW^d": found.W_d, "db^d": found.b_d}
        gradients |= {"dW^e": found.W_e, "db^e": found.b_e}
        yield letters(p) | own | {"beta": arguments["beta"]}, gradients
