"""What the tests of all ideas ask of `tokenization/merge_index`."""

EQUIVALENT = {
    "MergeIndex.__init__": {
        "(1, 2) → (2, 2)": "One row more than there is room for is never read: both arrays grow when the other one is full.",
    },
    "BoundedIndex.best": {
        "bounds >= reach → bounds > reach": "A bound at the very border lies below the largest value by more than ties do.",
    },
}
