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
def lake(exported: Path, tmp_path: Path) -> Path:
    """The layout of a lake, of two parts where there are rows enough; without a file of traces."""
    for file in exported.glob("*.parquet"):
        table = pq.read_table(file)
        directory = tmp_path / file.stem
        directory.mkdir()
        half = table.num_rows // 2
        for number, part in ((2, table.slice(0, half)), (10, table.slice(half))):
            pq.write_table(part, directory / f"part-{number}.parquet")
    (tmp_path / "lake.json").write_text(json.dumps({"format": "darrow lake", "version": 1}))
    return tmp_path


@pytest.mark.parametrize("query", QUERIES)
def test_as_over_logs(query: str, exported: Path, lake: Path) -> None:
    expected = darrow.sql(query, LOGS).fetchall()
    assert expected
    assert darrow.sql(query, exported).fetchall() == expected
    assert darrow.sql(query, lake).fetchall() == expected


def test_a_lake_made_by_links(lake: Path) -> None:
    """Tables are links into the current version, which stays for queries that began before."""
    version = lake / ".versions" / "1"
    version.mkdir(parents=True)
    for directory in [path for path in lake.iterdir() if path.is_dir() and path.name[0] != "."]:
        directory.rename(version / directory.name)
        (lake / directory.name).symlink_to(f".current/{directory.name}")
    (lake / ".current").symlink_to(".versions/1")
    result = darrow.sql("select count(*) from posix", lake)
    (lake / ".current").unlink()
    assert result.fetchall() == darrow.sql("select count(*) from posix", LOGS).fetchall()


def test_files_that_are_no_tables_are_named(lake: Path) -> None:
    part = lake / "posix" / "part-10.parquet"
    whole = part.read_bytes()
    part.write_bytes(whole[:-100])
    with pytest.raises(darrow.DarrowError, match=r"posix/part-10\.parquet: no Parquet file, or not all of it"):
        darrow.sql("select count(*) from posix", lake)
    assert darrow.sql("select count(*) > 0 from stdio", lake).fetchall() == [(True,)]
    part.write_bytes((lake / "stdio" / "part-2.parquet").read_bytes())
    with pytest.raises(darrow.DarrowError, match=r"posix/part-10\.parquet"):
        darrow.sql("select count(*) from posix", lake)
    pq.write_table(pq.read_table(lake / "stdio" / "part-2.parquet").replace_schema_metadata({}), part)
    with pytest.raises(darrow.DarrowError, match=r"posix/part-10\.parquet"):
        darrow.sql("select count(*) from posix", lake)


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
