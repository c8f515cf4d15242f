"""What the tests of all ideas ask of `gradient/projections`."""

EQUIVALENT = {
    "project_vjp": {
        "Z.reshape(-1, Z.shape[-1]) → Z.reshape(-2, Z.shape[-1])": "NumPy takes any negative size for the one that it has to find out.",
        "gradient.reshape(-1, gradient.shape[-1]) → gradient.reshape(-2, gradient.shape[-1])": "NumPy takes any negative size for the one that it has to find out.",
    },
}
