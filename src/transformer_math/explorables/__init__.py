"""Things to play with: each is a live widget in Jupyter, and a moving figure on the built page.

What is offered is derived from the folders: every explorable that a module of a group defines, and `Explorable`.
"""

# Written by `make exports` from what the modules define.
from transformer_math.explorables._base import Explorable
from transformer_math.explorables.attention.blockwise import BlockwiseExplorable
from transformer_math.explorables.attention.breaking import BreakingExplorable
from transformer_math.explorables.attention.geometry import GeometryExplorable
from transformer_math.explorables.attention.masks import MasksExplorable
from transformer_math.explorables.attention.product import ProductExplorable
from transformer_math.explorables.attention.scaled_dot_product import (
    ScaledDotProductExplorable,
)
from transformer_math.explorables.block.decoder_layer import DecoderLayerExplorable
from transformer_math.explorables.block.encoder_layer import EncoderLayerExplorable
from transformer_math.explorables.block.layer_norm import LayerNormExplorable
from transformer_math.explorables.editing.formula import FormulaExplorable
from transformer_math.explorables.editing.write import WriteExplorable
from transformer_math.explorables.embedding.contextual import ContextualExplorable
from transformer_math.explorables.embedding.pulls import PullsExplorable
from transformer_math.explorables.embedding.ways import WaysExplorable
from transformer_math.explorables.embedding.word2vec import Word2VecExplorable
from transformer_math.explorables.gradient.attention import GradientFlowExplorable
from transformer_math.explorables.modalities.codebook import CodebookExplorable
from transformer_math.explorables.modalities.divided_attention import (
    DividedAttentionExplorable,
)
from transformer_math.explorables.modalities.patches import PatchesExplorable
from transformer_math.explorables.modalities.point_clouds import PointCloudsExplorable
from transformer_math.explorables.model.continuation import ContinuationExplorable
from transformer_math.explorables.model.inspector import InspectorExplorable
from transformer_math.explorables.model.pipeline import PipelineExplorable
from transformer_math.explorables.model.translator import TranslatorExplorable
from transformer_math.explorables.output.decoding import DecodingExplorable
from transformer_math.explorables.output.temperature import TemperatureExplorable
from transformer_math.explorables.position.alibi import AlibiExplorable
from transformer_math.explorables.position.distance import DistanceExplorable
from transformer_math.explorables.position.equivariance import EquivarianceExplorable
from transformer_math.explorables.position.rope import RopeExplorable
from transformer_math.explorables.position.sinusoidal import SinusoidalExplorable
from transformer_math.explorables.tokenization.merges import MergesExplorable
from transformer_math.explorables.tokenization.playground import PlaygroundExplorable
from transformer_math.explorables.tokenization.unigram import UnigramExplorable
from transformer_math.explorables.tokenization.word_piece import WordPieceExplorable
from transformer_math.explorables.trained.head_sheet import HeadSheetExplorable
from transformer_math.explorables.trained.induction_heads import (
    InductionHeadsExplorable,
)
from transformer_math.explorables.trained.logit_parts import LogitPartsExplorable
from transformer_math.explorables.trained.senses import SensesExplorable
from transformer_math.explorables.training.experiment import ExperimentExplorable
from transformer_math.explorables.training.training import TrainingExplorable

__all__ = [
    "AlibiExplorable",
    "BlockwiseExplorable",
    "BreakingExplorable",
    "CodebookExplorable",
    "ContextualExplorable",
    "ContinuationExplorable",
    "DecoderLayerExplorable",
    "DecodingExplorable",
    "DistanceExplorable",
    "DividedAttentionExplorable",
    "EncoderLayerExplorable",
    "EquivarianceExplorable",
    "ExperimentExplorable",
    "Explorable",
    "FormulaExplorable",
    "GeometryExplorable",
    "GradientFlowExplorable",
    "HeadSheetExplorable",
    "InductionHeadsExplorable",
    "InspectorExplorable",
    "LayerNormExplorable",
    "LogitPartsExplorable",
    "MasksExplorable",
    "MergesExplorable",
    "PatchesExplorable",
    "PipelineExplorable",
    "PlaygroundExplorable",
    "PointCloudsExplorable",
    "ProductExplorable",
    "PullsExplorable",
    "RopeExplorable",
    "ScaledDotProductExplorable",
    "SensesExplorable",
    "SinusoidalExplorable",
    "TemperatureExplorable",
    "TrainingExplorable",
    "TranslatorExplorable",
    "UnigramExplorable",
    "WaysExplorable",
    "Word2VecExplorable",
    "WordPieceExplorable",
    "WriteExplorable",
]
