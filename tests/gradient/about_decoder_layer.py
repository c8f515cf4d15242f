"""What the tests of all ideas ask of `gradient/decoder_layer`."""

EQUIVALENT = {
    "decoder_layer_vjp": {
        "add_norm_vjp(Z, O, p.norm_1) → add_norm_vjp(O, Z, p.norm_1)": "A sum does not know its order.",
        "add_norm_vjp(Z_1, C, p.norm_2) → add_norm_vjp(C, Z_1, p.norm_2)": "A sum does not know its order.",
        "add_norm_vjp(Z_2, F, p.norm_3) → add_norm_vjp(F, Z_2, p.norm_3)": "A sum does not know its order.",
    },
}
