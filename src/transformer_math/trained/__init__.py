"""Models that learned something: each module trains one by one command and reads its checkpoint.

`from transformer_math.trained.language_model import language_model`; `python -m transformer_math.trained.language_model`.
"""
