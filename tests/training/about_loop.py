"""What the tests of all ideas ask of `training/loop`."""

EQUIVALENT = {
    "write_checkpoint": {
        "indent=0 → indent=-1": "No indentation and a negative one are the same to json.",
    },
}
