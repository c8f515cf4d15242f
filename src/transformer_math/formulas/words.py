"""Formulas in words: what they say is no computation with numbers, and why."""

WORDS = {
    "eq-words": "its pattern is a regular expression, which is compared with the one that runs",
    "eq-vocabulary": "it names the table, and computes nothing",
    "eq-unigram-train": "it tells the order of steps; eq-unigram-counts, eq-unigram-em and eq-unigram-loss run",
    "eq-dropout-sample": "it draws at random; the shares that it draws by, eq-bpe-dropout, run",
    "eq-ngrams": "it cuts a text into pieces; the function's own check lists them in another way",
    "eq-hierarchical-contrast-vjp": "it tells the order of steps; eq-dual-contrast-vjp and eq-halve-time-vjp, which it takes, run",
    "eq-fnv-1a": "it works on the bits of numbers",
}
