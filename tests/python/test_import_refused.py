"""Imports of what is no export, or a damaged one, or one of several logs: one line each that names the file."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import darrow
import logwriter
import pytest
from corpus import DATA
from darrow._export_reader import Export
from exports import export_logs, run

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

LOG = DATA / "example.darshan"
OTHER = DATA / "apmpi.darshan"
DAMAGED = DATA / "px_short.darshan"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("export") / "tables"
    export_logs([LOG], directory)
    return directory


@pytest.fixture
def tables(original: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    shutil.copytree(original, tmp_path / "tables")
    return tmp_path / "tables"


def rewrite(path: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    pq.write_table(change(pq.read_table(path)), path)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1000])


def spoil(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[60:80] = bytes(20)
    path.write_bytes(data)


def newer(path: Path) -> None:
    about = json.dumps({"format": 2, "table": path.stem})
    rewrite(path, lambda table: table.replace_schema_metadata({"darrow": about}))


def of_another_table(path: Path) -> None:
    shutil.copy(path.with_name("stdio.parquet"), path)


def backwards(table: pa.Table) -> pa.Table:
    return table.take(pa.array(range(len(table) - 1, -1, -1)))


def other_ranks(table: pa.Table) -> pa.Table:
    ranks = [rank + 1 for rank in table["rank"].to_pylist()]
    return table.set_column(table.column_names.index("rank"), table.schema.field("rank"), pa.array(ranks, pa.int64()))


def of_no_log(table: pa.Table) -> pa.Table:
    field = table.schema.field("log")
    return table.set_column(table.column_names.index("log"), field, pa.nulls(len(table), field.type))


def texts(table: pa.Table) -> pa.Table:
    return table.set_column(
        table.column_names.index("POSIX_READS"), "POSIX_READS", table["POSIX_READS"].cast(pa.string())
    )


def negative(table: pa.Table) -> pa.Table:
    counts = table["write_count"].to_pylist()
    counts[:2] = [-1, counts[0] + counts[1] + 1]
    return table.set_column(table.column_names.index("write_count"), "write_count", pa.array(counts, pa.int64()))


@pytest.mark.parametrize(
    ("file", "damage", "message"),
    [
        ("posix", cut, "no Parquet file, or not all of it"),
        ("posix", lambda path: path.write_bytes(b""), "no Parquet file, or not all of it"),
        ("posix", lambda path: path.write_text("log,id\n"), "no Parquet file, or not all of it"),
        ("posix", spoil, "damaged: "),
        ("names", spoil, "damaged: "),
        ("posix", newer, "a newer version of darrow wrote it (format 2, this one knows 1)"),
        ("posix", of_another_table, "holds the table stdio, not posix"),
        ("posix", lambda path: rewrite(path, lambda t: t.drop_columns(["POSIX_READS"])), "no column POSIX_READS"),
        ("posix", lambda path: rewrite(path, texts), "column POSIX_READS is of type string, not int64"),
        ("posix", lambda path: rewrite(path, lambda t: t.slice(1)), "15 records of "),
        ("dxt_posix", lambda path: rewrite(path, lambda t: t.slice(1)), "fewer segments of "),
        (
            "dxt_posix_records",
            lambda path: rewrite(path, lambda t: t.slice(0, 3)),
            "dxt_posix.parquet: more segments of ",
        ),
        (
            "dxt_posix_records",
            lambda path: rewrite(path, negative),
            "dxt_posix_records.parquet: a record of ",
        ),
        ("jobs", lambda path: rewrite(path, lambda t: t.slice(1)), "no log whose job could be read"),
        ("dxt_posix", lambda path: rewrite(path, backwards), "segments of "),
        ("dxt_posix", lambda path: rewrite(path, other_ranks), "segments of "),
        ("names", lambda path: rewrite(path, of_no_log), "rows that tell no log"),
    ],
)
def test_damaged_file(tables: Path, tmp_path: Path, file: str, damage: Callable[[Path], None], message: str) -> None:
    damage(tables / f"{file}.parquet")
    code, out, messages = run("import", tables, "-o", tmp_path / "log.darshan")
    assert (code, out) == (4, "")
    assert messages.count("\n") == 1
    assert message in messages
    assert str(tables) in messages
    assert f"{file}.parquet: " in messages or file in ("jobs", "dxt_posix_records")
    assert not (tmp_path / "log.darshan").exists()


@pytest.mark.parametrize("table", ["posix", "dxt_posix", "dxt_posix_records", "jobs", "names", "mounts"])
def test_missing_table(tables: Path, tmp_path: Path, table: str) -> None:
    (tables / f"{table}.parquet").unlink()
    code, _, messages = run("import", tables, "-o", tmp_path / "log.darshan")
    assert code == 4
    # Without segments there is no table of them.
    assert ("fewer segments of " if table == "dxt_posix" else f"there is no table {table}") in messages
    assert str(tables) in messages


def test_module_that_is_not_told(tables: Path, tmp_path: Path) -> None:
    """Records of a module that `modules` lacks are not left out in silence."""
    rewrite(tables / "modules.parquet", lambda t: t.filter([module != "POSIX" for module in t["module"].to_pylist()]))
    code, _, messages = run("import", tables, "-o", tmp_path / "log.darshan")
    assert code == 4
    assert messages.startswith(
        f"darrow: {tables / 'posix.parquet'}: rows of {LOG}, but no such module of it in modules.parquet; or "
    )
    assert messages.count("\n") == 1
    assert not (tmp_path / "log.darshan").exists()


def test_job_that_no_log_can_hold(tables: Path, tmp_path: Path) -> None:
    kind = pq.read_schema(tables / "mounts.parquet").field("path").type
    rewrite(
        tables / "mounts.parquet",
        lambda t: t.set_column(t.column_names.index("path"), "path", pa.array([""] * len(t)).cast(kind)),
    )
    code, _, messages = run("import", tables, "-o", tmp_path / "log.darshan")
    assert (code, messages) == (4, f"darrow: {tables}: {LOG}: job: the path of a mount must not be empty\n")


def test_footer_of_an_arrow_file(tmp_path: Path) -> None:
    """However it is damaged, one line names the file."""
    tables = tmp_path / "tables"
    export_logs([LOG], tables, format="arrow")
    good = (tables / "posix.arrow").read_bytes()
    told = []
    for at in range(len(good) - 600, len(good) - 10, 7):
        (tables / "posix.arrow").write_bytes(good[:at] + bytes([good[at] ^ 255]) + good[at + 1 :])
        try:
            Export(tables)
        except darrow.DarrowError as error:
            told.append(str(error))
    assert told
    assert all(message.startswith(f"{tables / 'posix.arrow'}: ") for message in told)


def test_version_of_an_absurd_size(tmp_path: Path) -> None:
    """A damaged header tells the version 2969567233 of a module without data, which ran out of memory."""
    data = bytearray(LOG.read_bytes())
    header = logwriter.read_header(bytes(data))
    id = logwriter.module_id("PNETCDF_VAR")
    assert "PNETCDF_VAR" not in header.modules
    struct.pack_into("<I", data, header.layout.version(id), 2969567233)
    struct.pack_into("<Q", data, header.layout.partial, header.partial | 1 << id)
    (tmp_path / "odd.darshan").write_bytes(data)
    before = darrow.open(tmp_path / "odd.darshan").modules["PNETCDF_VAR"]
    assert (before.version, before.partial) == (2969567233, True)
    export_logs([tmp_path / "odd.darshan"], tmp_path / "tables")
    assert run("import", tmp_path / "tables", "-o", tmp_path / "copy.darshan") == (0, "", "")
    after = darrow.open(tmp_path / "copy.darshan").modules["PNETCDF_VAR"]
    assert (after.version, after.partial) == (2969567233, True)


def test_unknown_module_that_is_lost(tmp_path: Path) -> None:
    """All else comes back where nothing of a module could be read."""
    data = bytearray(LOG.read_bytes())
    header = logwriter.read_header(bytes(data))
    id = logwriter.module_id("POSIX")
    struct.pack_into("<I", data, header.layout.version(id), 99)
    struct.pack_into("<Q", data, header.layout.map + 16 * id, 0)  # where no region can be
    (tmp_path / "odd.darshan").write_bytes(data)
    export_logs([tmp_path / "odd.darshan"], tmp_path / "tables")
    code, out, messages = run("import", tmp_path / "tables", "-o", tmp_path / "copy.darshan")
    assert (code, out) == (3, "")
    assert messages.endswith("odd.darshan: damaged before the export, marked as partial: POSIX\n")
    copy, source = darrow.open(tmp_path / "copy.darshan", strict=False), darrow.open(LOG)
    assert copy.modules["POSIX"].partial
    assert copy["STDIO"].to_pylist() == source["STDIO"].to_pylist()


def test_no_export(tmp_path: Path) -> None:
    code, _, messages = run("import", tmp_path, "-o", tmp_path / "log.darshan")
    assert (code, messages) == (4, f"darrow: {tmp_path}: no export in Parquet or Arrow: there is no table jobs\n")
    code, _, messages = run("import", tmp_path / "nowhere", "-o", tmp_path / "log.darshan")
    assert (code, messages) == (4, f"darrow: {tmp_path / 'nowhere'}: No such file or directory\n")


def test_rewritten_by_others(tables: Path, tmp_path: Path) -> None:
    """A table that another program has written anew is as good, if it has the columns."""
    pl = pytest.importorskip("polars")
    duckdb = pytest.importorskip("duckdb")
    pl.read_parquet(tables / "posix.parquet").write_parquet(tables / "posix.parquet")
    pl.read_parquet(tables / "heatmap.parquet").write_parquet(tables / "heatmap.parquet")
    duckdb.sql(f"copy (from '{tables / 'names.parquet'}') to '{tmp_path / 'names'}' (format parquet)")
    shutil.copy(tmp_path / "names", tables / "names.parquet")
    assert run("import", tables, "-o", tmp_path / "log.darshan") == (0, "", "")
    log, source = darrow.open(tmp_path / "log.darshan"), darrow.open(LOG)
    assert log["POSIX"].to_pylist() == source["POSIX"].to_pylist()
    assert list(log.names.items()) == list(source.names.items())


# Several logs, logs that are there ------------------------------------------------------------------------------------


def test_several_logs(tmp_path: Path) -> None:
    logs = [LOG, OTHER]
    export_logs(logs, tmp_path / "tables")
    code, _, messages = run("import", tmp_path / "tables", "-o", tmp_path / "log.darshan")
    assert code == 2
    assert "2 logs: --log NAME" in messages
    code, _, messages = run("import", tmp_path / "tables", "-o", tmp_path / "log.darshan", "--log", "nowhere")
    assert code == 4
    assert f"no log nowhere; there are: {LOG}, {OTHER}" in messages
    assert run("import", tmp_path / "tables", "-o", tmp_path / "log.darshan", "--log", OTHER) == (0, "", "")
    assert same(tmp_path / "log.darshan", OTHER)
    assert run("import", tmp_path / "tables", "-o", f"{tmp_path / 'copies'}/") == (0, "", "")
    for log in logs:
        assert same(tmp_path / "copies" / log.name, log)


def same(ours: Path, theirs: Path) -> bool:
    a, b = darrow.open(ours), darrow.open(theirs)
    return list(a) == list(b) and all(a[module].raw.to_pylist() == b[module].raw.to_pylist() for module in a)


def test_logs_without_a_job(tmp_path: Path) -> None:
    """They are passed over, and the others come back."""
    logs = [OTHER, LOG]
    export_logs(logs, tmp_path / "tables")
    rewrite(tmp_path / "tables" / "jobs.parquet", lambda table: table.slice(1))
    assert run("import", tmp_path / "tables", "-o", tmp_path / "log.darshan") == (0, "", "")
    assert same(tmp_path / "log.darshan", LOG)


def test_logs_in_another_order(tmp_path: Path) -> None:
    """Logs are not mixed up: all at once is refused, one by one they come back."""
    export_logs([LOG, OTHER], tmp_path / "tables")
    for table in ("names", "modules"):
        path = tmp_path / "tables" / f"{table}.parquet"
        rewrite(path, turned)
    code, _, messages = run("import", tmp_path / "tables", "-o", f"{tmp_path / 'copies'}/")
    assert code == 4
    assert "do not stand together" in messages
    for log in (LOG, OTHER):
        assert run("import", tmp_path / "tables", "-o", tmp_path / log.name, "--log", log) == (0, "", "")
        assert same(tmp_path / log.name, log)


def turned(table: pa.Table) -> pa.Table:
    """The rows of the second log before those of the first."""
    first = table["log"].to_pylist().count(str(LOG))
    return pa.concat_tables([table.slice(first), table.slice(0, first)])


def test_log_that_is_there(tables: Path, tmp_path: Path) -> None:
    (tmp_path / "log.darshan").write_text("mine")
    code, _, messages = run("import", tables, "-o", tmp_path / "log.darshan")
    assert code == 4
    assert messages == f"darrow: {tmp_path / 'log.darshan'}: is there already; --force replaces it\n"
    assert (tmp_path / "log.darshan").read_text() == "mine"
    assert run("import", tables, "-o", tmp_path / "log.darshan", "--force")[0] == 0
    assert same(tmp_path / "log.darshan", LOG)


def test_two_logs_of_one_name(tmp_path: Path) -> None:
    for folder, log in (("a", LOG), ("b", OTHER)):
        (tmp_path / folder).mkdir()
        shutil.copy(log, tmp_path / folder / "job.darshan")
    export_logs([tmp_path / "a" / "job.darshan", tmp_path / "b" / "job.darshan"], tmp_path / "tables")
    code, _, messages = run("import", tmp_path / "tables", "-o", f"{tmp_path / 'copies'}/")
    assert code == 2
    assert "would both become" in messages


def test_arrow(tmp_path: Path) -> None:
    export_logs([LOG], tmp_path / "tables", format="arrow")
    assert run("import", tmp_path / "tables", "-o", tmp_path / "log.darshan") == (0, "", "")
    assert same(tmp_path / "log.darshan", LOG)
    cut(tmp_path / "tables" / "posix.arrow")
    code, _, messages = run("import", tmp_path / "tables", "-o", tmp_path / "log.darshan", "--force")
    assert code == 4
    assert str(tmp_path / "tables" / "posix.arrow") in messages


def test_damaged_log(tmp_path: Path) -> None:
    """What is intact comes back, and the module is marked."""
    export_logs([DAMAGED], tmp_path / "tables")
    code, _, messages = run("import", tmp_path / "tables", "-o", tmp_path / "log.darshan")
    assert code == 3
    assert messages == f"darrow: {DAMAGED}: damaged before the export, marked as partial: POSIX\n"
    log, source = darrow.open(tmp_path / "log.darshan"), darrow.open(DAMAGED, strict=False)
    assert log.modules["POSIX"].partial
    assert len(source["POSIX"]) == 0 == log.modules["POSIX"].length
    assert log["HEATMAP"].raw.to_pylist() == source["HEATMAP"].raw.to_pylist()


def test_lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One log of a lake, and all of one whose tables are in two parts."""
    monkeypatch.setattr("darrow._lake_commit.tail_to_merge", lambda *_: 0)
    lake = darrow.Lake(tmp_path / "lake")
    lake.update(LOG)
    lake.update(OTHER)
    assert len(lake.files("modules")) == 2
    assert run("import", tmp_path / "lake", "-o", tmp_path / "one", "--log", OTHER) == (0, "", "")
    assert same(tmp_path / "one", OTHER)
    assert run("import", tmp_path / "lake", "-o", f"{tmp_path / 'copies'}/") == (0, "", "")
    for log in (LOG, OTHER):
        assert same(tmp_path / "copies" / log.name, log)
