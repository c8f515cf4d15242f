"""Turn a query and a key by their positions, and see that their dot product knows only the offset."""

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.errors import require
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable, module
from transformer_math.position import frequencies, rope

MAX_D = 16
