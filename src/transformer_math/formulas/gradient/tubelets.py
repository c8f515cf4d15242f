"""How the formula of the gradients of a film's input is read."""

from transformer_math.formulas.cases import pulled_back
from transformer_math.formulas.modalities.patches import first
from transformer_math.formulas.modalities.tubelets import by_time, known_of
from transformer_math.formulas.reading import reading
from transformer_math.gradient.tubelets import video_input_vjp
from transformer_math.modalities.tubelets import tubelets


@reading("eq-video-input-vjp")
def one_film(a, outputs, arguments):
    """The formula speaks of one film, and of its tubelets in place of its pixels."""
    X, U = first(arguments["X"], 4), arguments["P_time"]
    _, dZ, (dX, dE, dx, dS, dU) = pulled_back(video_input_vjp, {**arguments, "X": X})
    of_class, of_others = by_time(dZ, U)
    known = known_of(arguments) | {"dz^class": of_class, "dZ": of_others}
    dT = tubelets(dX, arguments["length"], arguments["patch_size"])
    wanted = {"dT": dT.reshape(known["T"].shape), "dE": dE, "dx^class": dx}
    yield known, wanted | {"dS": dS, "dU": dU}
