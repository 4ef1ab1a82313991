"""Exports: what other programs read in the files, and which files there are, whatever happens."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import darrow
import pytest
from corpus import DATA, LOGS, NO_LOGS
from exports import command, export_logs, run
from plain import read_plain, records

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pc = pytest.importorskip("pyarrow.compute")
pcsv = pytest.importorskip("pyarrow.csv")
pq = pytest.importorskip("pyarrow.parquet")
pl = pytest.importorskip("polars")
pd = pytest.importorskip("pandas")

LOG = DATA / "example.darshan"
DAMAGED = DATA / "px_short.darshan"
NO_LOG = DATA / "empty.darshan"
LARGE = LOGS / "large" / "posix-100k.darshan"
ALWAYS = {"jobs", "modules", "names", "mounts", "metadata", "problems", "metrics", "failures"}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("export") / "tables"
    export_logs([LOG], directory)
    return directory


# What is in the files -------------------------------------------------------------------------------------------------


def test_tables(tables: Path) -> None:
    """A file a table that has rows, and those that are always there."""
    named = {module.lower().replace("-", "").replace("/", "") for module in darrow.open(LOG)}
    extra = {"dxt_posix_records", "dxt_mpiio_records", "apmpi_header"}
    assert {path.name for path in tables.iterdir()} == {f"{name}.parquet" for name in named | extra | ALWAYS}


READERS: dict[str, Callable[[str], pa.Table]] = {
    "pyarrow": pq.read_table,
    "duckdb": lambda path: duckdb.sql(f"from '{path}'").to_arrow_table(),
    "polars": lambda path: pl.read_parquet(path).to_arrow(),
    "pandas": lambda path: pa.Table.from_pandas(pd.read_parquet(path, dtype_backend="pyarrow")),
}


@pytest.mark.parametrize("reader", READERS)
def test_readers(tables: Path, reader: str) -> None:
    """Every reader finds the counters that the plain reader finds in the log, and the columns in their order."""
    plain = read_plain(LOG)
    table = READERS[reader](str(tables / "posix.parquet"))
    assert table.column_names == ["log", "jobid", *darrow.open(LOG)["POSIX"].columns]
    assert set(table["log"].to_pylist()) == {str(LOG)}
    assert set(table["jobid"].to_pylist()) == {plain.job["jobid"]}
    for name, right in records(plain, "POSIX").items():
        ours = table[name].to_pylist()
        assert [a if a is not None else -1 for a in ours] == right.tolist(), name
    assert table["name"].to_pylist() == [plain.names[id].decode() for id in table["id"].to_pylist()]


def test_field_metadata(tables: Path) -> None:
    """Unit, meaning, rule, since; and what the file is."""
    schema = pq.read_schema(tables / "posix.parquet")
    field = schema.field("POSIX_F_READ_TIME")
    assert (field.metadata[b"unit"], field.metadata[b"rule"], field.metadata[b"since"]) == (b"seconds", b"sum", b"1")
    assert json.loads(schema.metadata[b"darrow"]) == {"format": 1, "table": "posix"}


def test_several_logs(tmp_path: Path) -> None:
    """Rows come in the order of the logs; what cannot be opened is in `failures`."""
    logs = [LOG, NO_LOG, DATA / "apmpi.darshan"]
    done = export_logs(logs, tmp_path / "tables")
    assert pq.read_table(tmp_path / "tables" / "jobs.parquet")["log"].to_pylist() == [str(LOG), str(logs[2])]
    failures = pq.read_table(tmp_path / "tables" / "failures.parquet").to_pylist()
    assert [row["log"] for row in failures] == [str(NO_LOG)]
    assert (done.logs, len(done.failures)) == (2, 1)


def test_some_tables(tmp_path: Path) -> None:
    export_logs([LOG], tmp_path / "tables", tables=["posix", "bgq"])
    assert sorted(os.listdir(tmp_path / "tables")) == ["bgq.parquet", "failures.parquet", "posix.parquet"]
    assert pq.read_metadata(tmp_path / "tables" / "bgq.parquet").num_rows == 0
    with pytest.raises(ValueError, match=r'no table "nonsense": there are .*posix, '):
        export_logs([LOG], tmp_path / "others", tables=["nonsense"])
    with pytest.raises(ValueError, match='no format "xml": there are parquet, csv, json, arrow'):
        export_logs([LOG], tmp_path / "others", format="xml")
    assert not (tmp_path / "others").exists()


@pytest.mark.skipif(not LARGE.exists(), reason=NO_LOGS)
def test_size(tmp_path: Path) -> None:
    """Smaller than the log: the table 0.70 of it at most, everything 0.90."""
    export_logs([LARGE], tmp_path / "tables")
    log = LARGE.stat().st_size
    sizes = {path.stem: path.stat().st_size / log for path in (tmp_path / "tables").iterdir()}
    assert sizes["posix"] <= 0.70
    assert sum(sizes.values()) <= 0.90


# Other formats --------------------------------------------------------------------------------------------------------


def test_csv(tmp_path: Path) -> None:
    """Whole numbers in all their digits, null as nothing, lists as JSON."""
    export_logs([LOG], tmp_path, format="csv")
    right = darrow.open(LOG)
    posix = pcsv.read_csv(tmp_path / "posix.csv", convert_options=ids_are_unsigned())
    for name in ("id", "name", "POSIX_READS", "POSIX_F_READ_TIME", "POSIX_FASTEST_RANK"):
        assert posix[name].to_pylist() == right["POSIX"].column(name), name
    heatmap = pcsv.read_csv(tmp_path / "heatmap.csv", convert_options=ids_are_unsigned())
    assert list(map(json.loads, heatmap["write"].to_pylist())) == right["HEATMAP"].column("write")
    lustre = pcsv.read_csv(tmp_path / "lustre.csv", convert_options=ids_are_unsigned())
    assert list(map(json.loads, lustre["components"].to_pylist())) == right["LUSTRE"].column("components")


def ids_are_unsigned() -> Any:
    return pcsv.ConvertOptions(column_types={"id": pa.uint64()}, strings_can_be_null=True)


def test_json(tmp_path: Path) -> None:
    """An object a line; ids are text."""
    export_logs([LOG], tmp_path, format="json")
    right = darrow.open(LOG)
    for table, module in (("posix", "POSIX"), ("heatmap", "HEATMAP"), ("lustre", "LUSTRE"), ("dxt_posix", "DXT_POSIX")):
        rows = [json.loads(line) for line in (tmp_path / f"{table}.ndjson").read_text().splitlines()]
        assert [int(row["id"]) for row in rows] == right[module].column("id")
        assert all(isinstance(row["id"], str) for row in rows)
        expected = right[module].to_pylist()
        for ours, theirs in zip(rows, expected, strict=True):
            unsigned = {name for name, value in ours.items() if isinstance(value, str) and name != "log"}
            kept = {name for name in theirs if name not in unsigned}
            assert {name: ours[name] for name in kept} == {name: theirs[name] for name in kept}


def test_json_without_numbers(tmp_path: Path) -> None:
    """NaN and infinities are null: JSON has no word for them."""
    from darrow._text_files import JsonFile

    file = JsonFile(tmp_path / "x.ndjson", pa.schema([("a", pa.float64()), ("b", pa.binary())]), "x")
    file.write(
        pa.table({"a": [float("nan"), float("inf"), 0.1 + 0.2], "b": pa.array([b"\xff", None, b""], pa.binary())})
    )
    file.finish()
    file.publish()
    assert [json.loads(line) for line in (tmp_path / "x.ndjson").read_text().splitlines()] == [
        {"a": None, "b": "/w=="},
        {"a": None, "b": None},
        {"a": 0.1 + 0.2, "b": ""},
    ]


def test_arrow(tmp_path: Path) -> None:
    export_logs([LOG], tmp_path, format="arrow")
    table = pa.ipc.open_file(tmp_path / "posix.arrow").read_all()
    assert table.drop_columns(["log", "jobid"]).equals(pa.table(darrow.open(LOG)["POSIX"]))


# Which files there are ------------------------------------------------------------------------------------------------


def test_directory_that_is_not_empty(tmp_path: Path) -> None:
    """It is refused; or the tables of an earlier export go, and other files stay."""
    export_logs([LOG], tmp_path, format="csv")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / ".posix.parquet.7.part").write_text("of a process that was killed")
    before = files(tmp_path)
    with pytest.raises(FileExistsError):
        export_logs([LOG], tmp_path)
    assert files(tmp_path) == before
    export_logs([DATA / "apmpi.darshan"], tmp_path, overwrite=True)
    assert {path.suffix for path in tmp_path.iterdir()} == {".parquet", ".txt"}
    assert not (tmp_path / "lustre.csv").exists()


def test_no_log_can_be_read(tmp_path: Path) -> None:
    with pytest.raises(darrow.DarrowError, match=r"empty\.darshan"):
        export_logs([NO_LOG], tmp_path / "tables")
    assert not (tmp_path / "tables").exists()


def files(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


@pytest.mark.slow
@pytest.mark.skipif(not LARGE.exists(), reason=NO_LOGS)
@pytest.mark.parametrize("kind", ["SIGKILL", "SIGTERM", "SIGINT"])
@pytest.mark.parametrize("moment", [0.0, 0.1, 0.3])
def test_interrupted(tmp_path: Path, kind: str, moment: float) -> None:
    """No half file is left, and an earlier export stays as it was."""
    export_logs([LOG], tmp_path)
    before = files(tmp_path)
    child = subprocess.Popen(command("export", LARGE, "-o", tmp_path, "--force"), stderr=subprocess.PIPE, text=True)
    while child.poll() is None and not writes_into(child.pid, tmp_path):
        time.sleep(0.005)
    time.sleep(moment)
    child.send_signal(getattr(signal, kind))
    _, messages = child.communicate()
    if child.returncode == 0:
        pytest.skip("was done before the signal")
    number = getattr(signal, kind)
    assert child.returncode in (-number, 128 + number)
    assert "Traceback" not in messages
    after = files(tmp_path)
    if moment and after != before:  # between two files that take their places: each is whole, old or new
        for path in tmp_path.glob("*.parquet"):
            pq.read_table(path)
    else:
        assert after == before


def writes_into(process: int, directory: Path) -> bool:
    """Whether a process has a file of the directory open."""
    for entry in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed since
            if os.readlink(entry).startswith(str(directory)):
                return True
    return False


def test_full_disk(tmp_path: Path) -> None:
    """No half file is left."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    for form in ("parquet", "csv", "json", "arrow"):
        arguments = command("export", LOG, "-o", tmp_path / "tables", "--format", form)
        done = subprocess.run(arguments, preexec_fn=limit, capture_output=True, text=True, check=False)
        assert done.returncode == 4
        assert "File too large" in done.stderr
        assert "Traceback" not in done.stderr
        assert not (tmp_path / "tables").exists()


# The command ----------------------------------------------------------------------------------------------------------


def test_command(tmp_path: Path) -> None:
    assert run("export", LOG, "-o", tmp_path / "tables") == (0, "", "")
    code, _, message = run("export", LOG, "-o", tmp_path / "tables")
    assert code == 4
    assert message.startswith(f"darrow: {tmp_path / 'tables'}: not empty; --force")
    assert run("export", LOG, "-o", tmp_path / "tables", "--force")[0] == 0


def test_a_table_by_the_name_of_its_module(tmp_path: Path) -> None:
    assert run("export", LOG, "-o", tmp_path / "tables", "--table", "POSIX", "--table", "MPI-IO,jobs") == (0, "", "")
    names = {path.stem for path in (tmp_path / "tables").iterdir()}
    assert {"posix", "mpiio", "jobs"} <= names
    assert "stdio" not in names


@pytest.mark.parametrize("name", ["MPI-IO", "mpi-io", "mpiio", "MPIIO"])
def test_a_table_by_any_spelling(tmp_path: Path, name: str) -> None:
    assert run("export", LOG, "-o", tmp_path / "tables", "--table", name)[0] == 0
    assert {path.stem for path in (tmp_path / "tables").iterdir()} == {"mpiio", "failures"}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([LOG], 2, "-o"),
        ([LOG, "-o", "x", "--format", "xml"], 2, "xml"),
        ([LOG, "-o", "x", "--table", "nonsense"], 2, "argument --table: no table nonsense; there are: posix, "),
        ([LOG, "-o", "x", "--rank", "3-1"], 2, 'argument --rank: "3-1" is no rank'),
        ([LOG, "-o", "x", "--rank", "0,,1"], 2, 'argument --rank: "" is no rank'),
        ([LOG, LOG, "-o", "x", "--profile", "dxt-explorer"], 2, "one log"),
        ([NO_LOG, "-o", "x"], 4, "empty.darshan"),
        (["nowhere.darshan", "-o", "x"], 4, "nowhere.darshan: No such file or directory"),
        ([LOG, NO_LOG, "-o", "x"], 3, "empty.darshan"),
        ([DAMAGED, "-o", "x"], 3, "x: "),
        ([LOG, "-o", "x", "--name", "("], 2, "argument --name: missing ): ("),
    ],
)
def test_exit_codes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[Any], code: int, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    got, out, messages = run("export", *arguments)
    assert (got, out) == (code, "")
    assert messages.startswith("darrow: ")
    assert message in messages
    assert "Traceback" not in messages


def test_help() -> None:
    code, out, _ = run("export", "--help")
    assert code == 0
    assert "Examples:" in out
    assert "--profile" in out


def test_records_of_a_name_or_rank(tmp_path: Path) -> None:
    run("export", LOG, "-o", tmp_path, "--name", r"\.out$", "--rank", "1", "--rank", "2")
    table = pq.read_table(tmp_path / "posix.parquet")
    assert [Path(name).name for name in table["name"].to_pylist()] == ["s1_rank1.out", "s1_rank2.out"]
    for ranks in (["--rank", "1,2"], ["--rank=1-2"], ["--rank", "-1,1,2"]):
        run("export", LOG, "-o", tmp_path, "--force", "--name", r"\.out$", *ranks)
        assert pq.read_table(tmp_path / "posix.parquet").equals(table)
    code, _, message = run("import", tmp_path, "-o", tmp_path / "part.darshan")
    assert code == 4
    assert message.endswith("; what an export left out (--name, --rank) is missing\n")


# Traces for DXT Explorer ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["csv", "arrow", "parquet"])
def test_dxt_explorer(tmp_path: Path, form: str) -> None:
    """The segments as the plain reader finds them, times with 4 digits, and where they lie."""
    run("export", LOG, "-o", tmp_path, "--profile", "dxt-explorer", "--format", form)
    path = tmp_path / f"dxt_explorer.{form}"
    if form == "csv":
        table = pcsv.read_csv(path, convert_options=pcsv.ConvertOptions(column_types={"file_id": pa.uint64()}))
    else:
        table = pq.read_table(path) if form == "parquet" else pa.ipc.open_file(path).read_all()
    assert table.column_names == [
        "file_id", "api", "rank", "operation", "segment", "offset", "size", "start", "end", "osts",
    ]  # fmt: skip
    plain = read_plain(LOG)
    for api, module in (("POSIX", "DXT_POSIX"), ("MPIIO", "DXT_MPIIO")):
        right = records(plain, module)
        rows = table.filter(pc.equal(table["api"], api))
        for ours, theirs in (
            ("file_id", "id"), ("rank", "rank"), ("operation", "op"), ("segment", "segment"), ("offset", "offset"),
            ("size", "length"),
        ):  # fmt: skip
            assert rows[ours].to_pylist() == list(right[theirs]), ours
        for name in ("start", "end"):
            assert rows[name].to_pylist() == [round(float(time), 4) for time in right[name]]
        osts = darrow.open(LOG)[module].with_osts()["osts"].to_pylist()  # type: ignore[attr-defined]
        if form == "csv":
            assert [json.loads(text) if text else None for text in rows["osts"].to_pylist()] == osts
        else:
            assert rows["osts"].to_pylist() == osts


# Memory ---------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(not LARGE.exists(), reason=NO_LOGS)
def test_memory(tmp_path: Path) -> None:
    """Once row groups are full, four times the rows take no more: 100,000 records with all columns would be 78 MB."""
    peaks = []
    for number in (4, 16):
        logs = [tmp_path / f"{number}-{at}.darshan" for at in range(number)]
        for log in logs:
            log.symlink_to(LARGE)
        peaks.append(peak(command("export", *logs, "-o", tmp_path / str(number), "--table", "posix")))
    assert peaks[1] < peaks[0] * 1.2


def peak(arguments: list[str]) -> int:
    """The most memory that a command used."""
    child = subprocess.Popen(arguments)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return usage.ru_maxrss
