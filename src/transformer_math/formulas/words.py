"""Formulas in words: what they say is no computation with numbers, and why."""

WORDS = {
    "eq-words": "its pattern is a regular expression, which is compared with the one that runs",
    "eq-vocabulary": "it names the table, and computes nothing",
    "eq-unigram-train": "it tells the order of the steps; the formula of each step runs",
    "eq-dropout-sample": "it draws at random; the formula of the shares that it draws by runs",
    "eq-ngrams": "it cuts a text into pieces; the function's own check lists them in another way",
    "eq-hierarchical-contrast-vjp": "it tells the order of the steps; the formulas of both pullbacks that it takes run",
    "eq-fnv-1a": "it works on the bits of numbers",
}
