"""Every group imports by name what its modules define, and nothing is defined twice."""

import pytest
from conftest import ROOT

from exports import MARK, front_doors, offered, write_exports, written

PACKAGE = ROOT / "src" / "transformer_math"


@pytest.mark.parametrize("door", front_doors(PACKAGE), ids=lambda d: d.parent.name)
def test_a_group_imports_what_its_modules_define(door):
    assert door.read_text("utf-8") == written(door), "Fix: make exports"


def test_a_new_function_is_written_into_its_group(tmp_path):
    group = tmp_path / "transformer_math" / "group"
    group.mkdir(parents=True)
    door = group / "__init__.py"
    door.write_text(f'"""A group."""\n\n{MARK}\n', "utf-8")
    (group / "idea.py").write_text("def idea(): ...\ndef _own(): ...\n", "utf-8")
    assert write_exports(group.parent) == [door]
    assert "from transformer_math.group.idea import idea\n" in door.read_text("utf-8")
    assert write_exports(group.parent) == []


def test_one_name_for_two_things_is_refused(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text("def same(): ...\n", "utf-8")
    with pytest.raises(ValueError, match=r"same is defined in .*one and in .*two"):
        offered(tmp_path)
