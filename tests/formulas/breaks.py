"""Printed formulas broken on purpose, one at a time."""

from dataclasses import replace

SHARED = {  # what the model of the ten steps and the whole Transformer both call
    "eq-encoder": (r"EncoderLayer}_\ell", r"EncoderLayer}_1"),
    "eq-encoder-layer": (r"Z' + \operatorname{FFN}", r"Z + \operatorname{FFN}"),
    "eq-multi-head": ("Y W^K_h", "Y W^Q_h"),
    "eq-attention": (r"\sqrt{d_k}", "d_k"),
    "eq-softmax": (r"\frac{e^{x_j - \max x}}", r"\frac{e^{x_j}}"),
    "eq-layer-norm": (r"\sqrt{\sigma^2 + \varepsilon}", r"\sqrt{\sigma^2} + \varepsilon"),
    "eq-feed-forward": (r"\max(0,", r"\max(1,"),
    "eq-sinusoidal": (r"\sin(pos", r"\cos(pos"),
    "eq-frequencies": ("-2i", "2i"),
}  # fmt: skip

DECODER = {  # what the whole Transformer calls besides
    "eq-encoder-decoder": ("Y &= ", "Y &= 2 "),
    "eq-embed-at-positions": (r"\sqrt{d_\text{model}}\,", ""),
    "eq-decoder": (r"DecoderLayer}_\ell", r"DecoderLayer}_1"),
    "eq-decoder-layer": (r"\operatorname{MultiHead}(Z', Y)", r"\operatorname{MultiHead}(Z, Y)"),
    "eq-masked-multi-head": (r"j \le i", "i \\le j"),
}  # fmt: skip

STEP = {  # the loss, the way back through what both models share, and the step itself
    "eq-logits": ("= Z", "= 2 Z"),
    "eq-cross-entropy": (r"\ln p_{iv}", "p_{iv}"),
    "eq-cross-entropy-vjp": ("p_{iv} - y_{iv}", "y_{iv} - p_{iv}"),
    "eq-encoder-vjp": (r"Z^{(\ell-1)};\, \mathrm{d}Z^{(\ell)}", r"Z^{(\ell)};\, \mathrm{d}Z^{(\ell)}"),
    "eq-encoder-layer-vjp": ("D_1 + D + D'", "D_1 + D"),
    "eq-multi-head-vjp": (r"\mathrm{d}W^V_h &= Y^\top", r"\mathrm{d}W^V_h &= 2 Y^\top"),
    "eq-attention-vjp": (r"\sum_k A_{ik}\, \mathrm{d}A_{ik}", r"\sum_k \mathrm{d}A_{ik}"),
    "eq-layer-norm-vjp": (r"\sum_{k=0}^{d-1} g_{ik} - z_{ij}", r"\sum_{k=0}^{d-1} g_{ik} + z_{ij}"),
    "eq-feed-forward-vjp": ("_{ij} > 0", "_{ij} < 0"),
    "eq-relu": (r"\max(0", r"\max(1"),
    "eq-embed-at-positions-vjp": (r"\sqrt{d_{\text{model}}}", "d_{\\text{model}}"),
    "eq-clipping": (r"\min\!", r"\max\!"),
    "eq-global-norm": ("g_j^2", "g_j^4"),
    "eq-inverse-root-schedule": (r"w \sqrt{w}", r"\sqrt{w}"),
    "eq-adam": (r"1 - \beta_2^t", r"1 - \beta_2"),
}  # fmt: skip

BACKWARD = SHARED | DECODER | STEP | {
    "eq-encoder-decoder-vjp": ("D' &= ", "D' &= 2 "),
    "eq-decoder-vjp": (r"\sum_{\ell=1}^{N}", r"\sum_{\ell=2}^{N}"),
    "eq-decoder-layer-vjp": ("D_2 + D", "D_2"),
    "eq-masked-multi-head-vjp": (r"\mathrm{d}S_h^\top\, Q_h", r"\mathrm{d}S_h\, Q_h"),
}  # fmt: skip

TEN_STEPS = {
    "eq-transformer": (r"+ P", ""),
    "eq-transformer-vjp": (r"\mathrm{d}W^{\text{out}} &= ", r"\mathrm{d}W^{\text{out}} &= -"),
}  # fmt: skip


def broken(formulas, label, right, wrong):
    """The formulas, with a part of one of them replaced, which must hold it."""
    [one] = [formula for formula in formulas if formula.label == label]
    assert right in one.tex
    changed = replace(one, tex=one.tex.replace(right, wrong))
    return [changed if formula is one else formula for formula in formulas]
