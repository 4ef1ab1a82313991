"""The examples of docs/sql.md give what they say."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from corpus import DATA, ROOT

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

PAGE = ROOT / "docs" / "sql.md"


@pytest.mark.skipif(not PAGE.exists(), reason="needs the documentation")
def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "data").symlink_to(DATA)
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted >= 12
    assert results.failed == 0
