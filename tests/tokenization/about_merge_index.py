"""What the tests of all ideas ask of `tokenization/merge_index`."""

BORDER = "A bound at the very border lies below the largest value by more than ties do."
SOONER = "The arrays grow sooner than they must."
MORE = "More pairs are looked at than need be."
GONE = "A pair that stands nowhere any more is remembered, and left out where values are looked at."
NEW = "Whatever bound a new pair begins with, it is looked at before the bound is."
EQUIVALENT = {
    "MergeIndex.__init__": {
        "np.zeros(1, int) → np.zeros(2, int)": SOONER,
        "(1, 2) → (2, 2)": "One row more than there is room for is never read: both arrays grow when the other one is full.",
    },
    "MergeIndex.merge": {
        "continue → pass": "A word without the pair is taken out of the counts and put in again, as it is.",
        "for place, change in changes.items() if change → for place, change in changes.items()": "A pair whose count is what it was is looked at once more.",
    },
    "MergeIndex._apply": {
        "len(self._slots) > len(self._m) → len(self._slots) >= len(self._m)": SOONER,
    },
    "BoundedIndex.__init__": {
        "np.empty(0) → np.empty(1)": NEW,
    },
    "BoundedIndex.best": {
        "bounds.max → bounds.min": MORE,
        "values.max → values.min": MORE,
        "near = np.flatnonzero(bounds >= reach) → near = np.flatnonzero(bounds > reach)": BORDER,
        "candidates = np.flatnonzero(bounds >= reach) → candidates = np.flatnonzero(bounds > reach)": BORDER,
        ":len(self._slots) → :": "Where no pair stands yet the bound is −∞.",
        "np.append(near, stale[self._m[stale] > 0]) → np.append(stale[self._m[stale] > 0], near)": "Of pairs that tie, the one with the smallest ids is taken, wherever it stands.",
    },
    "BoundedIndex.merge": {
        "self._m[slots] > 0 → self._m[slots] >= 0": GONE,
        "self._m[slots] > 0 → self._m[slots] > -1": GONE,
    },
    "BoundedIndex._apply": {
        "np.full(more, -np.inf) → np.full(more, np.inf)": NEW,
    },
    "_below": {
        "max(1.0, abs(value)) → max(2.0, abs(value))": MORE,
    },
}
