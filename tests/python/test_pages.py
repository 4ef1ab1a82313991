"""The examples of pages of the documentation give what they say."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from corpus import DATA, ROOT
from exports import export_logs

# And how many examples each has at least.
PAGES = {"rules": 20, "grouping": 8, "sql": 12, "many-logs": 20, "writing": 12, "lake": 12, "parquet": 8}


@pytest.mark.parametrize("name", PAGES)
def test_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "docs" / f"{name}.md"
    if not page.exists():
        pytest.skip("needs the documentation")
    for package in ("polars", "duckdb", "pandas", "pyarrow"):
        pytest.importorskip(package)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "data").symlink_to(DATA)
    monkeypatch.chdir(tmp_path)
    if name == "parquet":  # whose examples read what the command has exported
        export_logs(["tests/data/example.darshan"], tmp_path / "tables")
    results = doctest.testfile(str(page), module_relative=False)
    assert results.attempted >= PAGES[name]
    assert results.failed == 0
