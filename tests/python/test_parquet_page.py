"""The examples of docs/parquet.md give what they say."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from corpus import DATA, ROOT
from exports import export_logs

PAGE = ROOT / "docs" / "parquet.md"


@pytest.mark.skipif(not PAGE.exists(), reason="needs the documentation")
def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export_logs([DATA / "example.darshan"], tmp_path / "tables")
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted >= 8
    assert results.failed == 0
