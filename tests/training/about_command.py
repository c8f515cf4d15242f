"""What the tests of all ideas ask of `training/command`."""

EQUIVALENT = {
    "with_progress": {
        "TimeRemainingColumn(elapsed_when_finished=True) → TimeRemainingColumn()": "How the bar shows time is for people to look at; no number depends on it.",
        "elapsed_when_finished=True → elapsed_when_finished=False": "How the bar shows time is for people to look at; no number depends on it.",
        "Progress(*columns, speed_estimate_period=120) → Progress(*columns)": "The time left on the bar is an estimate; how far back it looks decides how fast the estimate moves.",
        "speed_estimate_period=120 → speed_estimate_period=121": "The time left on the bar is an estimate; how far back it looks decides how fast the estimate moves.",
        "speed_estimate_period=120 → speed_estimate_period=119": "The time left on the bar is an estimate; how far back it looks decides how fast the estimate moves.",
    },
}
