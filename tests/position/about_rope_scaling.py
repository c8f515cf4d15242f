"""What the tests of all ideas ask of `position/rope_scaling`."""

from transformer_math.position import (
    interpolated_frequencies,
    ntk_base,
    yarn_frequencies,
    yarn_scale,
)

_GIVEN = "made of sizes, a factor and a base, all of them given"
NO_TWIN = {
    interpolated_frequencies: _GIVEN,
    ntk_base: _GIVEN,
    yarn_frequencies: _GIVEN,
    yarn_scale: _GIVEN,
}
ACCEPTED = {
    interpolated_frequencies: {"factor": {"1.5"}},
    ntk_base: {"factor": {"1.5"}},
    yarn_frequencies: {"factor": {"1.5"}, "slow": {"1.5"}},
    yarn_scale: {"factor": {"1.5"}},
}
EXAMPLES = {
    interpolated_frequencies: {"d_k": 4, "factor": 2.5, "base": 100.0},
    ntk_base: {"d_k": 4, "factor": 2.5, "base": 100.0},
    yarn_frequencies: {
        "d_k": 8,
        "factor": 2.5,
        "trained": 100,
        "base": 100.0,
        "slow": 1.5,
        "fast": 8.0,
    },
    yarn_scale: {"factor": 2.5},
}

EQUIVALENT = {
    "ntk_base": {
        "d_k >= 4 → d_k >= 3": "An even number that is at least 3 is at least 4.",
    },
    "yarn_frequencies": {
        "np.clip((turns - slow) / (fast - slow), 0, 1) → np.clip(0, (turns - slow) / (fast - slow), 1)": "Both are the smaller of 1 and the larger of the two others.",
    },
}
