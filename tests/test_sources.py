"""What no source file may hold, whatever its kind."""

import re
import subprocess

from conftest import ROOT

MARK = re.compile(r"^(<{7} |>{7} |={7}$)", re.MULTILINE)


def test_no_file_holds_two_versions_of_itself():
    """Marks of a merge that nobody resolved: a picture that holds them is drawn twice, one upon the other."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    names = listed.stdout.decode().split("\0")[:-1]
    texts = {name: (ROOT / name).read_bytes() for name in names if (ROOT / name).is_file()}  # fmt: skip
    assert len(texts) > 200
    assert [n for n, t in texts.items() if MARK.search(t.decode(errors="ignore"))] == []
