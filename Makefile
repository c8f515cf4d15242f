# The two commands that matter: `make book` and `make test`. Everything lives in .venv, .cache and _build.

PYTHON ?= python3
BIN := .venv/bin
export OMP_NUM_THREADS ?= 1
export RAYON_NUM_THREADS ?= 1
export TOKENIZERS_PARALLELISM := false
export PYTHONUNBUFFERED := 1
# Memory is kept for the next array, where glibc would give it back to the system and ask for it again.
export MALLOC_MMAP_THRESHOLD_ ?= 1000000000
export MALLOC_TRIM_THRESHOLD_ ?= 1000000000
# Every process imports the package: what Python has compiled is kept, also where the environment forbids it.
export PYTHONDONTWRITEBYTECODE :=
export PYDEVD_DISABLE_FILE_VALIDATION := 1

.PHONY: book test try new exports docstrings tasks train lab serve bench lint lock clean chromium other-browsers mutants

book: .venv/installed
	$(BIN)/python tools/build.py

# One more test at a time than there are processors: while one waits for a browser, another computes.
test: lint chromium other-browsers book
	$(BIN)/python -m pytest -n $$($(BIN)/python -c "import os; print(os.cpu_count() + 1)") --dist worksteal --durations 20

# One idea alone, for the daily loop: make try IDEA=position/rope
try: .venv/installed
	$(BIN)/python tools/try_idea.py $(IDEA)

# Every room of a new idea: make new IDEA=position/xpos, and EXPLORABLE=1 for something to play with.
new: .venv/installed
	$(BIN)/python tools/new.py $(IDEA) $(if $(EXPLORABLE),--explorable)

# The explicit imports of each group, from what its modules define.
exports: .venv/installed
	$(BIN)/python tools/exports.py

# The equations in docstrings, from the pages.
docstrings: .venv/installed
	$(BIN)/python tools/docstrings.py

# What the page “Write the formula” asks, from the formulas, their checks and the notation.
tasks: .venv/installed
	$(BIN)/python tools/tasks.py

# Train one of the models from nothing, or go on with a training that was interrupted: make train MODEL=language_model
train: .venv/installed
	$(BIN)/python -m transformer_math.trained.$(MODEL)

lab: .venv/installed
	$(BIN)/python tools/lab.py

serve: book
	@echo "The book is at http://localhost:8000"
	$(BIN)/python -m http.server 8000 --bind 127.0.0.1 --directory _build/html

bench: .venv/installed chromium book
	$(BIN)/python tools/bench.py

mutants: .venv/installed
	$(BIN)/python -m transformer_math.corpus
	$(BIN)/python -m transformer_math.signals
	$(BIN)/python tools/mutants.py

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy
	$(BIN)/python tools/tasks.py --words

chromium: .venv/installed
	@$(BIN)/python tools/chromium.py

# Firefox and WebKitGTK; where they cannot be installed, their tests are skipped.
other-browsers: .venv/installed
	@$(BIN)/python tools/other_browsers.py

# Pin what is installed now, after trying newer versions with `pip install -U -r requirements.in`.
lock: .venv/installed
	@(echo "# Pinned by \`make lock\` from requirements.in: the versions that were tested together."; \
	$(BIN)/pip freeze --exclude-editable | sed 's/+cpu$$//') > requirements.txt

.venv/installed: requirements.txt pyproject.toml
	@echo "Installing into .venv: a minute or more, most of it for PyTorch …"
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --disable-pip-version-check --progress-bar off -r requirements.txt
	$(BIN)/pip install --disable-pip-version-check --quiet --no-deps --editable .
	touch $@

clean:
	rm -rf _build .cache
