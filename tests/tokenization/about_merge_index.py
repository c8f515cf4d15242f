"""What the tests of all ideas ask of `tokenization/merge_index`."""

BORDER = "A bound at the very border lies below the largest value by more than ties do."
EQUIVALENT = {
    "MergeIndex.__init__": {
        "(1, 2) → (2, 2)": "One row more than there is room for is never read: both arrays grow when the other one is full.",
    },
    "MergeIndex.merge": {
        "for place, change in changes.items() if change → for place, change in changes.items()": "A pair whose count is what it was is looked at once more.",
    },
    "BoundedIndex.best": {
        "near = np.flatnonzero(bounds >= reach) → near = np.flatnonzero(bounds > reach)": BORDER,
        "candidates = np.flatnonzero(bounds >= reach) → candidates = np.flatnonzero(bounds > reach)": BORDER,
        ":len(self._slots) → :": "Where no pair stands yet the bound is −∞.",
        "np.append(near, stale[self._m[stale] > 0]) → np.append(stale[self._m[stale] > 0], near)": "Of pairs that tie, the one with the smallest ids is taken, wherever it stands.",
    },
    "_below": {
        "max(1.0, abs(value)) → max(2.0, abs(value))": "More pairs are looked at than need be.",
    },
}
