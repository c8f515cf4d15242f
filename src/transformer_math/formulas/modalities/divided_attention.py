"""How the formulas of attention in space and time are read: patches are named by their frame and their place."""

from transformer_math.attention.multi_head import multi_head_attention
from transformer_math.block.layer_norm import layer_norm
from transformer_math.formulas.reading import reading
from transformer_math.modalities.divided_attention import space_mask, time_mask


def among_patches(mask, frames, places):
    """A mask without the class token, with two axes for the patch that looks and two for the one that is seen."""
    return mask[1:, 1:].reshape(frames, places, frames, places)


for _label in ("eq-space-mask", "eq-time-mask"):

    @reading(_label)
    def patches_by_name(a, outputs, arguments):
        """The formula speaks of patches; the class token sees all and is seen by all."""
        F, N = arguments["frames"], arguments["places"]
        yield {"F": F, "N": N}, {"M": among_patches(outputs[0], F, N)}


def by_frame(x, frames):
    """The rows of the patches, frame by frame."""
    return x[1:].reshape(frames, -1, x.shape[-1])


def by_place(x, frames):
    """The rows of the patches, place by place."""
    return by_frame(x, frames).swapaxes(0, 1)


def grouped(label, group, size):
    """Register the reading of attention in groups: what makes the groups, and what their number is called."""

    @reading(label)
    def groups_and_class(a, outputs, arguments):
        """Queries, keys and values of the class token, of the groups, and of all tokens."""
        Q, K, V, F = (arguments[name] for name in ("Q", "K", "V", "frames"))
        if min(Q.shape[-1], V.shape[-1]) == 1:
            return  # a matrix of one column is read as a vector
        known = {"q^class": Q[:1], "k^class": K[:1], "v^class": V[:1]}
        known |= {"d_k": Q.shape[-1]}
        known |= {"K^all": K, "V^all": V, size: len(group(Q, F))}
        known |= {name: group(x, F) for name, x in (("Q", Q), ("K", K), ("V", V))}
        wanted = {"o^class": outputs[0][:1], "O": group(outputs[0], F)}
        yield known, wanted


grouped("eq-space-attention", by_frame, "F")
grouped("eq-time-attention", by_place, "N")


@reading("eq-divided-layer")
def attentions_where_they_are_called(a, outputs, arguments):
    """The two attentions are multi-head attention under the two masks; they are known where they are called."""
    Z, p, H, F = (arguments[name] for name in ("Z", "parameters", "n_heads", "frames"))
    places = (len(Z) - 1) // F

    def attend(x, parameters, mask):
        return multi_head_attention(x, x, parameters, H, mask(F, places))[0]

    U = layer_norm(Z, p.norm_1)
    along_time = attend(U, p.time, time_mask)
    U_2 = layer_norm(Z + along_time, p.norm_2)
    tables = {
        "Time": {"table": [[U, along_time]]},
        "Space": {"table": [[U_2, attend(U_2, p.space, space_mask)]]},
    }
    yield a | tables, {"Z_out": outputs[0]}
