"""SQL over exports and lakes: the same queries give the same rows; files that are no tables are named."""

from __future__ import annotations

import json
from pathlib import Path

import darrow
import pytest
from corpus import DATA
from exports import export_logs

pytest.importorskip("duckdb")
pq = pytest.importorskip("pyarrow.parquet")

LOGS = [DATA / f"{name}.darshan" for name in ("example", "hdf5-parallel", "dxt-posix", "names-odd", "empty")]
QUERIES = [
    "select * from posix order by all",
    "select * from posix_files order by all",
    "select * exclude (log) from dxt order by all limit 50",
    "select uid, sum(bytes_read) from files join jobs using (log) group by uid order by uid",
    "select * from metrics order by all",
    "select log, code, message from failures",
    "select count(*) from dfs_files",
    "select id, name from posix where id = 4848770507025656462 and rank = -1",
    "select module, records, damaged from modules order by all",
]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("with [signs] and *") / "export"
    export_logs(LOGS, directory)
    return directory


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    """A lake of two parts of each table."""
    lake = darrow.Lake(tmp_path / "lake")
    lake.update(LOGS[:2])
    lake.update(LOGS)
    return tmp_path / "lake"


@pytest.mark.parametrize("query", QUERIES)
def test_as_over_logs(query: str, exported: Path, lake: Path) -> None:
    expected = darrow.sql(query, LOGS).fetchall()
    assert expected
    assert darrow.sql(query, exported).fetchall() == expected
    assert darrow.sql(query, lake).fetchall() == expected


def test_an_update_meanwhile(lake: Path) -> None:
    query = "select count(*) from posix"
    expected = darrow.sql(query, LOGS).fetchall()
    result = darrow.sql(query, lake)
    darrow.Lake(lake).update([DATA / "file-categories.darshan"])
    assert result.fetchall() == expected
    assert darrow.sql(query, darrow.Lake(lake)).fetchall() > expected


def test_files_that_are_no_tables_are_named(exported: Path, lake: Path, tmp_path: Path) -> None:
    (part,) = {Path(file) for file in darrow.Lake(lake).files("posix")[:1]}
    whole = part.read_bytes()
    other = exported / "stdio.parquet"
    bare = tmp_path / "bare.parquet"
    pq.write_table(pq.read_table(exported / "mounts.parquet").replace_schema_metadata({}), bare)
    for content in (whole[:-100], whole[:3], b"", other.read_bytes(), bare.read_bytes()):
        part.write_bytes(content)
        with pytest.raises(darrow.DarrowError, match=rf"posix/{part.name}"):
            darrow.sql("select count(*) from posix", lake)
        assert darrow.sql("select count(*) > 0 from stdio", lake).fetchall() == [(True,)]
    part.unlink()
    with pytest.raises((OSError, darrow.DarrowError)) as caught:
        darrow.sql("select count(*) from posix", lake)
    assert part.name in str(caught.value)


def test_newer_versions_are_refused(lake: Path) -> None:
    (lake / "lake.json").write_text(json.dumps({"format": "darrow lake", "version": 2}))
    with pytest.raises(darrow.UnsupportedVersionError, match=r"lake\.json: a newer version"):
        darrow.sql("select 1", lake)
    (lake / "lake.json").write_text("[]")
    with pytest.raises(darrow.DarrowError, match=r"lake\.json"):
        darrow.sql("select 1", lake)


def test_no_tables(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        darrow.sql("select 1", tmp_path / "nowhere")
    with pytest.raises((darrow.DarrowError, FileNotFoundError)):
        darrow.sql("select count(*) from jobs", tmp_path).fetchall()
