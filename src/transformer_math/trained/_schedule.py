"""The learning rate of trainings that warm up in a tenth of their steps."""

from transformer_math.training.schedule import cosine_schedule


class WarmUpInATenth:
    """What a task with a peak and a number of steps learns with."""

    steps: int
    peak: float

    def learning_rate(self, step: int) -> float:
        """Up to the peak in a tenth of the steps, then down to nothing along half a cosine wave."""
        return cosine_schedule(step, self.peak, self.steps // 10, self.steps)
