"""What the tests of all ideas ask of `trees`."""

EQUIVALENT = {
    "same": {
        "different_form(tree, other) → different_form(other, tree)": "Whether two forms differ does not depend on which comes first; only the words do, and nobody reads them here.",
        "zip(leaves(tree).values(), leaves(other).values()) → zip(leaves(other).values(), leaves(tree).values())": "Whether two arrays are identical does not depend on which comes first.",
    },
    "_stored": {
        "np.load(opened, allow_pickle=False) → np.load(opened)": "NumPy's default refuses pickles too; it is written out for whoever reads the code.",
    },
}
