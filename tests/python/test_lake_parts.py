"""Few, large files: how parts are merged, and when the next one begins."""

from __future__ import annotations

import random
from pathlib import Path

import darrow
import pytest
from darrow._lake_commit import Commit
from darrow._lake_parts import PART_BYTES, SMALL_BYTES, tail_to_merge
from lakes import ask, contents, make_logs, whole

MB = 1 << 20


@pytest.mark.parametrize("largest", [MB // 10, MB, 40 * MB])
def test_many_updates_leave_few_parts(largest: int) -> None:
    """However many updates there are, few parts are not full, and each byte is rewritten a few times only."""
    rng = random.Random(largest)
    parts: list[int] = []
    written = taken = 0
    for _ in range(2000):
        new = rng.randint(1000, largest)
        taken += new
        parts.sort(reverse=True)
        count = tail_to_merge(parts, new)
        new += sum(parts[len(parts) - count :])
        parts = [*parts[: len(parts) - count], new]
        written += new
        assert new < 2 * PART_BYTES
        assert sum(part < PART_BYTES // 2 for part in parts) <= 6
    assert sum(parts) == taken
    assert written <= taken * 6 + 2000 * 2 * SMALL_BYTES


def test_one_log_at_a_time(tmp_path: Path) -> None:
    lake = darrow.Lake(tmp_path / "lake")
    for path in make_logs(tmp_path / "logs", 12):
        lake.update(path)
    info = lake.info()
    assert info.files == len(info.tables)
    darrow.Lake(tmp_path / "other").update(tmp_path / "logs")
    assert contents(tmp_path / "lake") == contents(tmp_path / "other")


def test_full_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part ends when it is full; full ones are left alone."""
    make_logs(tmp_path / "logs", 40)
    darrow.Lake(tmp_path / "one").update(tmp_path / "logs")
    monkeypatch.setattr(Commit.__init__, "__defaults__", (4096,))
    monkeypatch.setattr("darrow._lake_parts.SMALL_BYTES", 1)
    monkeypatch.setattr("darrow._parquet.GROUP_ROWS", 10)
    monkeypatch.setattr("darrow._lake_read.SLICE_LOGS", 5)
    lake = darrow.Lake(tmp_path / "lake")
    lake.update(tmp_path / "logs" / "0")
    full = lake.files("posix")
    lake.update(tmp_path / "logs")
    assert len(lake.files("posix")) > 4
    assert {Path(name).name for name in full} <= {Path(name).name for name in lake.files("posix")}
    assert contents(tmp_path / "lake") == contents(tmp_path / "one")
    whole(lake.directory)
    lake.compact()
    assert contents(tmp_path / "lake") == contents(tmp_path / "one")
    monkeypatch.undo()
    lake.compact()
    assert lake.info().files == len(lake.tables)
    assert contents(tmp_path / "lake") == contents(tmp_path / "one")
    assert ask(f"select count(*) from '{lake.path('jobs')}'") == [(40,)]
