"""The formulas that JavaScript repeats give the numbers of the Python package, which writes the vectors here and now."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from transformer_math import attention, position
from transformer_math.explorables import ScaledDotProductExplorable
from transformer_math.explorables import word_vectors as wv
from transformer_math.tokenization.units import words

HERE = Path(__file__).parent
FORMULAS = Path(wv.__file__).with_name("formulas.js")
TOLERANCE = 1e-12
SENTENCES = [
    "The method returns a value.",
    "Naïve cafés, 東京 2024 — x_1 “quoted”!",
    "zzz qqq",
    "Don't panic: constructor __proto__",
]


def plain(value):
    """NumPy as JSON; JSON has no infinity, so that becomes a string."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return "-Infinity" if isinstance(value, float) and value == -np.inf else value


def attention_cases(rng):
    for n, m, d in ((2, 3, 5), (5, 7, 4), (16, 16, 12)):
        Q, K = rng.normal(size=(n, d)), rng.normal(size=(m, d))
        S, mask = attention.scores(Q, K), rng.random((n, m)) < 0.5
        mask[0] = False
        yield "dot", [Q[0], K[0]], float(Q[0] @ K[0])
        yield "range", [n], np.arange(n)
        yield "scores", [Q, K], S
        yield "scores", [Q, K, False], Q @ K.T
        yield "causalMask", [n], attention.causal_mask(n)
        yield "applyMask", [S, mask], attention.apply_mask(S, mask)
        for row in (*attention.apply_mask(100 * S, mask), 1000 * S[0]):
            yield "softmax", [row], attention.softmax(row)
            yield (
                "entropy",
                [attention.softmax(row)],
                attention.entropy(attention.softmax(row)[None]).item(),
            )
        K = rng.normal(size=(n, d))
        for scaled, causal, temperature in (
            (True, True, 0.3),
            (True, False, 1.0),
            (False, True, 2.5),
            (False, False, 4.0),
        ):
            divided = (attention.scores(Q, K) if scaled else Q @ K.T) / temperature
            masked = (
                attention.apply_mask(divided, attention.causal_mask(n))
                if causal
                else divided
            )
            steps = {
                "raw": Q @ K.T,
                "divided": divided,
                "masked": masked,
                "weights": attention.softmax(masked),
            }
            yield (
                "attentionSteps",
                [
                    Q,
                    K,
                    {"scaled": scaled, "causal": causal, "temperature": temperature},
                ],
                steps,
            )


def position_cases(rng):
    for d, base in ((2, 10.0), (6, 100.0), (32, 10000.0), (128, 54321.0)):
        positions, x = rng.integers(-300, 300, size=7).astype(float), rng.normal(size=d)
        yield "frequencies", [d, base], position.frequencies(d, base)
        yield "wavelengths", [d, base], position.wavelengths(d, base)
        yield (
            "sinusoidal",
            [positions, d, base],
            position.sinusoidal_at(positions, d, base),
        )
        yield (
            "rotate",
            [x, positions[:1].repeat(d // 2)],
            position.rotate_pairs(x, positions[:1].repeat(d // 2)),
        )
        yield (
            "positionSimilarity",
            [positions, d, base],
            position.position_similarity(positions, d, base),
        )
        for p in positions:
            yield "rope", [x, p, base], position.rope(x[None], np.array([p]), base)[0]


def word_cases(_rng):
    vectors = wv.word_vectors()
    for sentence in SENTENCES:
        yield "tokenize", [sentence], words(sentence)
        for token in words(sentence):
            yield "trigrams", [token], sorted(wv.trigrams(token))
            yield "wordVector", [token, vectors], wv.word_vector(token, vectors)
            yield "lettersVector", [token, vectors], wv.letters_vector(token, vectors)
        for head in ("similar", "previous", "both"):
            explorable = ScaledDotProductExplorable(sentence=sentence, head=head)
            content = explorable.X[:, : wv.DIMENSIONS]
            yield (
                "headVectors",
                [head, content],
                {"Q": explorable.Q_in_use, "K": explorable.K_in_use},
            )


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder, rng = tmp_path_factory.mktemp("parity"), np.random.default_rng(7)
    cases = [
        case
        for make in (attention_cases, position_cases, word_cases)
        for case in make(rng)
    ]
    written = [
        {"name": name, "args": plain(args), "wanted": plain(wanted)}
        for name, args, wanted in cases
    ]
    (folder / "cases.json").write_text(json.dumps(written), encoding="utf-8")
    formulas = shutil.copy(
        FORMULAS, folder / "formulas.mjs"
    )  # Node takes a .js without a package for CommonJS
    command = ["node", HERE / "compare.mjs", formulas, folder / "cases.json"]
    return json.loads(
        subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=60
        ).stdout
    )


def test_every_exported_formula_is_compared(report):
    assert set(report["compared"]) == set(report["exported"])
    assert all(count > 0 for count in report["compared"].values())
    assert sum(report["compared"].values()) > 1000


def test_javascript_agrees_with_python(report):
    apart = {
        name: worst for name, worst in report["worst"].items() if worst > TOLERANCE
    }
    assert not apart


def test_the_comparison_can_fail(tmp_path):
    broken = FORMULAS.read_text(encoding="utf-8").replace("(-2 * i) / d", "(2 * i) / d")
    (tmp_path / "broken.mjs").write_text(broken, encoding="utf-8")
    case = {
        "name": "frequencies",
        "args": [6, 100.0],
        "wanted": plain(position.frequencies(6, 100.0)),
    }
    (tmp_path / "cases.json").write_text(json.dumps([case]), encoding="utf-8")
    command = [
        "node",
        HERE / "compare.mjs",
        tmp_path / "broken.mjs",
        tmp_path / "cases.json",
    ]
    result = json.loads(
        subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=60
        ).stdout
    )
    assert result["worst"]["frequencies"] > 0.1
