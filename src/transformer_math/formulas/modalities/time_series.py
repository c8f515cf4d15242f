"""How the formulas of time series are read."""

from transformer_math.formulas.reading import reading


@reading("eq-windows")
def windows_by_place(a, outputs, arguments):
    """A window's vector has an index for the moment in it and one for the channel."""
    X, p = a["X"], arguments["width"]
    T = outputs[0].reshape(len(outputs[0]), p, X.shape[1])
    sizes = {"p": p, "s": arguments["stride"], "N": len(T), "C": X.shape[1]}
    yield {"X": X, **sizes}, {"T": T}


@reading("eq-conv-block")
def one_block(a, outputs, arguments):
    """The block's own parameters stand in its formula."""
    p = arguments["parameters"]
    own = {name: getattr(p, name) for name in ("W_1", "b_1", "W_2", "b_2")}
    H, r = arguments["H"], arguments["dilation"]
    sizes = {"n": len(H), "K": len(p.W_1), "r": r}
    yield {"H": H, **sizes, **own}, {"result": outputs[0]}


@reading("eq-timestamp-vectors")
def block_by_block(a, outputs, arguments):
    """Each block has parameters of its own; all of them get their dilation."""
    p = arguments["parameters"]
    blocks = {
        f"ConvBlock_{l}": {
            "parameters": {
                **{name: getattr(block, name) for name in ("W_1", "b_1", "W_2", "b_2")},
                "r": 2 ** (l - 1),
                "K": len(block.W_1),
            }
        }
        for l, block in enumerate(p.blocks, 1)
    }
    X = arguments["X"]
    known = {"X": X, "W": p.W, "b": p.b, "m": arguments["keep"], "n": len(X)}
    yield known | blocks | {"L": len(p.blocks)}, {"result": outputs[0]}
