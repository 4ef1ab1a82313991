"""Lakes that are damaged, foreign, of another version, or none: an error that names the file, and nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import darrow
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpus import DATA
from lakes import ask, contents, make_log, make_logs, sums


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    make_logs(tmp_path / "logs", 4)
    return tmp_path / "logs"


@pytest.fixture
def lake(tmp_path: Path, logs: Path) -> darrow.Lake:
    lake = darrow.Lake(tmp_path / "lake")
    lake.update(logs)
    return lake


def refused(lake: darrow.Lake, logs: Path, name: Path | str, what: str, code: str) -> None:
    """An update fails with an error that names the file; what is in the lake stays."""
    make_logs(logs, 2, first=90)
    before = files_of(lake.directory)
    with pytest.raises(darrow.DarrowError, match=what) as caught:
        lake.update(logs)
    assert caught.value.code == code
    assert caught.value.file == str(name)
    assert str(caught.value).startswith(str(name))
    assert files_of(lake.directory) == before


def files_of(directory: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


def part_of(lake: darrow.Lake, table: str) -> Path:
    (name,) = os.listdir(lake.directory / table)
    return lake.directory / table / name


def test_truncated_part(lake: darrow.Lake, logs: Path) -> None:
    part = part_of(lake, "posix")
    part.write_bytes(part.read_bytes()[:-100])
    with pytest.raises(darrow.DarrowError, match=r"damaged: .* bytes, but"):
        lake.info()
    refused(lake, logs, part, r"damaged: .* bytes, but", "truncated")


def test_part_with_other_bytes(lake: darrow.Lake, logs: Path) -> None:
    part = part_of(lake, "posix")
    data = bytearray(part.read_bytes())
    for at in range(100, len(data) // 2):
        data[at] ^= 0x55
    part.write_bytes(data)
    make_logs(logs, 2, first=90)
    before = files_of(lake.directory)
    with pytest.raises(darrow.DarrowError, match="damaged") as caught:
        lake.update(logs)
    assert os.path.samefile(caught.value.file, part)
    assert files_of(lake.directory) == before


def test_missing_part(lake: darrow.Lake, logs: Path) -> None:
    part = part_of(lake, "posix")
    part.unlink()
    refused(lake, logs, part, "not there; the lake is damaged", "corrupt")


def test_foreign_file(lake: darrow.Lake, logs: Path) -> None:
    """A file that somebody put beside the parts would be lost with the next version."""
    foreign = lake.directory / "posix" / "mine.parquet"
    foreign.write_bytes(b"mine")
    refused(lake, logs, foreign, "not of this lake", "foreign")
    assert foreign.read_bytes() == b"mine"


def rewritten(lake: darrow.Lake, table: str, change) -> Path:
    """Replaces a part by a changed one, as if another program had written the lake so."""
    part = part_of(lake, table)
    rows = pq.read_table(part)
    metadata = rows.schema.metadata
    changed = change(rows)
    pq.write_table(changed.replace_schema_metadata(metadata if changed.schema.metadata is not None else None), part)
    manifest = lake.directory / ".current" / "manifest.json"
    about = json.loads(manifest.read_text())
    about["parts"][table][0][2] = part.stat().st_size
    manifest.write_text(json.dumps(about))
    return part


def test_foreign_schema(lake: darrow.Lake, logs: Path) -> None:
    def as_text(rows: pa.Table) -> pa.Table:
        at = rows.column_names.index("POSIX_OPENS")
        return rows.set_column(at, "POSIX_OPENS", rows["POSIX_OPENS"].cast(pa.string()))

    part = rewritten(lake, "posix", as_text)
    make_logs(logs, 2, first=90)
    before = files_of(lake.directory)
    with pytest.raises(darrow.DarrowError, match=r"column POSIX_OPENS is of type string, not int64") as caught:
        lake.update(logs)
    assert os.path.samefile(caught.value.file, part)
    assert files_of(lake.directory) == before


def test_part_of_another_table(lake: darrow.Lake, logs: Path) -> None:
    jobs = pq.read_table(part_of(lake, "jobs"))
    part = rewritten(lake, "posix", lambda rows: jobs)
    pq.write_table(jobs, part)
    rewritten(lake, "posix", lambda rows: rows)
    make_logs(logs, 2, first=90)
    with pytest.raises(darrow.DarrowError, match="posix") as caught:
        lake.update(logs)
    assert os.path.samefile(caught.value.file, part)


def test_older_lake_without_some_columns(lake: darrow.Lake, logs: Path) -> None:
    """A table of an older release that lacks columns is read, and gets them with the next new rows."""
    rewritten(lake, "posix", lambda rows: rows.drop_columns(["POSIX_FDSYNCS", "POSIX_MODE"]))
    rewritten(lake, "logs", lambda rows: rows.drop_columns(["added"]))
    assert lake.info().logs == 4
    assert lake.update(logs).unchanged == 4
    make_logs(logs, 2, first=90)
    assert lake.update(logs).added == 2
    columns = "count(*), count(POSIX_FDSYNCS), count(POSIX_OPENS)"
    assert ask(f"select {columns} from '{lake.path('posix')}'") == [(11, 3, 11)]
    assert len(sums(lake.directory)) == 6


def test_lake_of_a_newer_version(lake: darrow.Lake, logs: Path) -> None:
    about = lake.directory / "lake.json"
    about.write_text(json.dumps({"format": "darrow lake", "version": 2}))
    before = files_of(lake.directory)
    for action in (lake.info, lake.compact, lake.logs, lambda: lake.update(logs), lambda: darrow.Lake(lake.directory)):
        with pytest.raises(darrow.UnsupportedVersionError, match="a newer version of darrow made this lake") as caught:
            action()
        assert caught.value.file == str(about)
    assert files_of(lake.directory) == before


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": "other", "version": 1}', '{"format": "darrow lake"}'])
def test_other_descriptions(lake: darrow.Lake, logs: Path, text: str) -> None:
    about = lake.directory / "lake.json"
    about.write_text(text)
    refused(lake, logs, about, "does not say that this is a lake", "not_a_lake")


def test_no_lake(logs: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("text")
    for action in (lambda: darrow.Lake(other), lambda: darrow.Lake(other).update(logs)):
        with pytest.raises(darrow.DarrowError, match="lake") as caught:
            action()
        assert caught.value.file == str(other)
    assert [path.name for path in other.iterdir()] == ["thesis.tex"]
    with pytest.raises(FileNotFoundError):
        darrow.Lake(tmp_path / "nowhere").info()
    assert darrow.Lake(tmp_path / "nowhere").tables == []
    empty = tmp_path / "empty"
    empty.mkdir()
    assert darrow.Lake(empty).update(logs).added == 4


def test_file_instead_of_directory(logs: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        darrow.Lake(tmp_path / "file").update(logs)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only(lake: darrow.Lake, logs: Path) -> None:
    lake.directory.chmod(0o500)
    try:
        with pytest.raises(PermissionError, match=str(lake.directory)):
            lake.update(make_log(logs / "new.darshan", 50))
    finally:
        lake.directory.chmod(0o700)


def test_damaged_manifest(lake: darrow.Lake, logs: Path) -> None:
    path = lake.directory / os.readlink(lake.directory / ".current") / "manifest.json"
    path.write_text("{")
    refused(lake, logs, path, "damaged", "corrupt")


def test_lost_link(lake: darrow.Lake, logs: Path) -> None:
    """A copy that left the links out: no new lake is begun in its place."""
    (lake.directory / ".current").unlink()
    before = files_of(lake.directory)
    for act in (lambda: lake.update(logs), lake.compact, lake.info, lambda: darrow.sql("from jobs", lake.directory)):
        with pytest.raises(darrow.DarrowError, match=r"/\.current: not there; the lake is damaged") as caught:
            act()
        assert caught.value.code == "corrupt"
    assert files_of(lake.directory) == before


def test_copied_without_links(lake: darrow.Lake, logs: Path, tmp_path: Path) -> None:
    copy = darrow.Lake(shutil.copytree(lake.directory, tmp_path / "copy"))
    assert contents(copy.directory) == contents(lake.directory)
    make_logs(logs, 2, first=90)
    with pytest.raises(darrow.DarrowError, match="copy lakes with their links"):
        copy.update(logs)
    assert len(sums(copy.directory)) == 4
    kept = darrow.Lake(shutil.copytree(lake.directory, tmp_path / "kept", symlinks=True))
    kept.update(logs)
    assert len(sums(kept.directory)) == 6


def test_paths(lake: darrow.Lake, logs: Path, tmp_path: Path) -> None:
    for path in (lake.directory, lake.directory / "posix", os.fsencode(lake.directory) + b"/../lake/jobs"):
        with pytest.raises(darrow.DarrowError, match="lies in the lake itself"):
            lake.update([logs, path])
    with pytest.raises(ValueError, match="no paths"):
        lake.update([])
    with pytest.raises(ValueError, match="at least 1 thread"):
        lake.update(logs, threads=0)
    missing = tmp_path / "missing.darshan"
    report = lake.update([missing, logs])
    assert report.failures == ((str(missing), "No such file or directory"),)
    assert report.unchanged == 4
    os.mkfifo(tmp_path / "pipe.darshan")
    assert lake.update(tmp_path / "pipe.darshan").failures == ((str(tmp_path / "pipe.darshan"), "no regular file"),)
    with pytest.raises(KeyError, match=r"no table nothing in .*; there are failures, jobs"):
        lake.path("nothing")


def test_unreadable_log(lake: darrow.Lake, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One log that cannot be opened is a failure; it is tried again each time."""
    new = make_log(logs / "new.darshan", 60)
    real = os.open

    def denied(path, *arguments, **named):
        if os.fsencode(path) == os.fsencode(new):
            raise PermissionError(13, "Permission denied", path)
        return real(path, *arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", denied)
        assert lake.update(logs).failures == ((str(new), "Permission denied"),)
        assert lake.update(logs).failed == 1
    assert [row["code"] for row in lake.failures().to_pylist()] == ["io"]
    assert lake.update(logs).added == 1
    assert lake.failures().num_rows == 0


def test_the_place_of_what_is_wrong_is_told(tmp_path: Path) -> None:
    log = DATA / "comp9.darshan"
    told = darrow.Lake(tmp_path / "lake").update(log).failures
    assert [(path, reason.endswith("expected (header, byte 16)")) for path, reason in told] == [(str(log), True)]
