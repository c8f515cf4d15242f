"""What the tests of all ideas ask of `attention/multi_head`."""

import numpy as np

from transformer_math.attention import concat_heads, multi_head_attention

ACCEPTED = {
    concat_heads: {"O": {"longer"}},
}

NO_TWIN = {
    concat_heads: "moves numbers and changes none; the other one of the two is its pullback",
}

RIGHT = [
    (concat_heads, lambda O: np.concatenate(list(np.moveaxis(O, -3, 0)), axis=-1)),
    (
        concat_heads,
        lambda O: np.moveaxis(O, -3, -2).reshape(*O.shape[:-3], O.shape[-2], -1),
    ),
    (
        multi_head_attention,
        lambda Z, source, p, n_heads, mask=None: list(
            multi_head_attention(Z, source, p, n_heads, mask)
        ),
    ),
    (
        multi_head_attention,
        lambda Z, Y, p, H, mask: multi_head_attention(Z, Y, p, H, mask),
    ),
]

WRONG = [
    (concat_heads, lambda O: O[..., 0, :, :], "it gave"),
    (concat_heads, lambda O: np.concatenate(list(O), axis=-1), "Your result has shape"),
    (concat_heads, lambda O: concat_heads(O[..., ::-1, :, :]), "it gave"),
    (concat_heads, lambda O: O.mean(-3), "it gave"),
    (
        concat_heads,
        lambda O: np.concatenate(np.moveaxis(O, -3, 0), axis=-2),
        "Your result has shape",
    ),
    (
        multi_head_attention,
        lambda Z, s, p, H, mask=None: multi_head_attention(Z, s, p, H, mask)[0],
        "You return only the first of two results",
    ),
    (
        multi_head_attention,
        lambda Z, s, p, H, mask=None: multi_head_attention(Z, s, p, H),
        "You ignore the mask",
    ),
    (
        multi_head_attention,
        lambda Z, s, p, H: multi_head_attention(Z, s, p, H),
        "Your function takes 4 of 5 arguments",
    ),
    (
        multi_head_attention,
        lambda Z, s, p, H, mask=None: multi_head_attention(Z, s, p, 1, mask),
        "it gave",
    ),
    (
        multi_head_attention,
        lambda Z, s, p, H, mask=None: multi_head_attention(s, Z, p, H, None),
        "it gave",
    ),
    (
        multi_head_attention,
        lambda Z, s, p, H, mask=None: (lambda o, A: (o - p.b_O, A))(
            *multi_head_attention(Z, s, p, H, mask)
        ),
        "it gave",
    ),
]

EQUIVALENT_FORMULAS = {
    "eq-multi-head": {
        "K_h &= Y W^K_h -": "what the keys' bias adds is the same for all scores of a query, and softmax takes it away",
        "K_h &= Y W^K_h \\\\": "the same: no bias of the keys changes a weight",
    },
    "eq-masked-multi-head": {
        "K_h &= Z W^K_h -": "what the keys' bias adds is the same for all scores of a query, and softmax takes it away",
        "K_h &= Z W^K_h \\\\": "the same: no bias of the keys changes a weight",
        "\\sqrt{d_v}": "the heads of a layer have d_k = d_v = d_model / H",
    },
}
