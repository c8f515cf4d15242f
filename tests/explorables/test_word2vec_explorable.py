"""Noise and scores, live: the loss that is shown is the mean of a pair's questions, and is called so."""

from live_pages import look, said

from transformer_math.explorables import Word2VecExplorable


def test_the_loss_is_pythons_and_per_question(show):
    wanted = Word2VecExplorable(score=1.5, k=3)
    figure = look(show(wanted))
    above = wanted.loss(wanted.score) - wanted.loss(wanted.best_score)
    assert said(figure).endswith(
        f"At 1.50 the loss is {wanted.loss(1.5):.2f} nats, {above:.2f} above the least."
    )
    assert figure.get_by_text("Loss per question, by score").is_visible()
