"""Chapters are run side by side; none runs alone in the end."""

import execution

PAGE = "{}\n\n```{{code-cell}} ipython3\n{}\n```\n"


def test_those_with_most_code_begin(tmp_path, monkeypatch):
    pages = [tmp_path / f"{size}.md" for size in (3, 900, 20, 5000, 1)]
    for page in pages:
        size = int(page.stem)
        page.write_text(PAGE.format("word " * (6000 - size), "x" * size), "utf-8")
    begun = []

    def run(page):
        begun.append(page.stem)
        return None, 0.0, "nothing was run"

    class AtOnce(execution.ThreadPoolExecutor):
        def __init__(self, max_workers):
            super().__init__(1)

    monkeypatch.setattr(execution, "run", run)
    monkeypatch.setattr(execution, "forked", execution.nullcontext)
    monkeypatch.setattr(execution, "ThreadPoolExecutor", AtOnce)
    monkeypatch.setattr(execution, "page_id", lambda page, root: page.stem)
    failures = execution.run_all(pages, {}, tmp_path, say=lambda _: None)
    assert begun == ["5000", "900", "20", "3", "1"]
    assert len(failures) == 5
