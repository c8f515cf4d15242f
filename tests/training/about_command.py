"""What the tests of all ideas ask of `training/command`."""

EQUIVALENT = {
    "with_progress": {
        "bar_width=10 → bar_width=9": "How wide the bar is, is for people to look at; that eighty columns hold its line is tested.",
        "bar_width=10 → bar_width=11": "How wide the bar is, is for people to look at; that eighty columns hold its line is tested.",
        "TimeRemainingColumn(elapsed_when_finished=True) → TimeRemainingColumn()": "How the bar shows time is for people to look at; no number depends on it.",
        "elapsed_when_finished=True → elapsed_when_finished=False": "How the bar shows time is for people to look at; no number depends on it.",
        "Progress(*columns, speed_estimate_period=120) → Progress(*columns)": "The time left on the bar is an estimate; how far back it looks decides how fast the estimate moves.",
        "speed_estimate_period=120 → speed_estimate_period=121": "The time left on the bar is an estimate; how far back it looks decides how fast the estimate moves.",
        "speed_estimate_period=120 → speed_estimate_period=119": "The time left on the bar is an estimate; how far back it looks decides how fast the estimate moves.",
    },
}
