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


def broken(formulas, label, right, wrong):
    """The formulas, with a part of one of them replaced, which must hold it."""
    [one] = [formula for formula in formulas if formula.label == label]
    assert right in one.tex
    changed = replace(one, tex=one.tex.replace(right, wrong))
    return [changed if formula is one else formula for formula in formulas]
