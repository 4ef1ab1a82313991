"""Few, large files: how parts are merged, and when the next one begins."""

from __future__ import annotations

import os
import random
from pathlib import Path

import darrow
import pyarrow as pa
import pytest
from darrow._lake_commit import Commit
from darrow._lake_parts import PART_BYTES, SMALL_BYTES, tail_to_merge
from darrow._lake_state import DAMAGED, FAILED, LOGS, OK, Entry, State
from darrow._parquet import TableFile, batches, open_file
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


def test_known_logs_are_not_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the table `logs` a commit writes what is new, and what stands behind the first log that has changed."""
    monkeypatch.setattr("darrow._lake_parts.SMALL_BYTES", 1)
    paths = make_logs(tmp_path / "logs", 40)
    lake = darrow.Lake(tmp_path / "lake")

    def parts(update: list[Path]) -> list[str]:
        lake.update(update)
        return [Path(name).name for name in lake.files("logs")]

    (first,) = parts(paths[:30])
    assert parts(paths[30:31])[0] == first
    last = parts(paths[31:])
    os.utime(paths[35])
    after = parts(paths)
    assert after[:-1] == last[:-1]
    assert after[-1] != last[-1]
    assert (after[0], len(after)) == (first, 3)
    paths[33].unlink()
    lake.update(tmp_path / "logs")
    assert ask(f"select count(*), count(vanished) from '{lake.path('logs')}'") == [(40, 1)]
    os.utime(paths[3])
    assert first not in parts(paths[:5])
    other = darrow.Lake(tmp_path / "other")
    other.update(tmp_path / "logs")
    query = "select log, digest, size, mtime_ns, status from '{}' where vanished is null order by log"
    assert ask(query.format(lake.path("logs"))) == ask(query.format(other.path("logs")))
    assert lake.update(tmp_path / "logs").unchanged == 39


def test_holders_of_contents() -> None:
    """After any changes those that hold a content are found: as a plain dictionary has it."""
    rng = random.Random(3)
    state, model = State.of_table(LOGS.empty_table()), dict[int, bytes | None]()
    # Contents that begin alike, and few, so that they come back.
    contents = [rng.choice([b"a" * 8, b"b" * 8]) + bytes([n]) * 8 for n in range(100)]
    for _ in range(200):
        free = [content for content in contents if content not in model.values()]
        entries = []
        for row in rng.sample(range(len(model) + 1), min(3, len(model) + 1)):
            status = rng.choice([OK, DAMAGED, FAILED])
            content = free.pop(rng.randrange(len(free))) if len(free) > 20 else None
            status = FAILED if content is None else status
            entries.append(Entry(-1 if row == len(model) else row, b"%d" % row, content or b"", 1, 1, status))
        for entry in entries:
            model[len(model) if entry.row < 0 else entry.row] = entry.digest if entry.status <= DAMAGED else None
        state.take(entries, 1)
        holders = {content: row for row, content in model.items() if content is not None}
        assert state.holders(contents) == [holders.get(content, -1) for content in contents]


def test_reading_holds_one_row_group(tmp_path: Path) -> None:
    """What was read of a part does not stay in memory until its end."""
    schema = pa.schema([("noise", pa.binary())])
    with TableFile(tmp_path / "noise.parquet", schema, "noise") as file:
        for number in range(16):
            file.write(pa.table([[random.Random(number).randbytes(MB)]], schema=schema))
            file.flush()
    before = most = pa.total_allocated_bytes()
    with open_file(tmp_path / "noise.parquet", "noise") as opened:
        for _ in batches(opened, "noise"):
            most = max(most, pa.total_allocated_bytes())
    assert most - before < 6 * MB
