"""`darrow diff`: equal logs, one changed value of each module, tolerances, what is ignored, formats, exit codes."""

from __future__ import annotations

import copy
import json
import math
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import darrow as package
import pyarrow as pa
import pytest
from corpus import NO_UPSTREAM, UPSTREAM
from made import log_bytes, row
from test_cli import DONE, GOOD, LOGS, LOST, NO_LOG, NOTHING, PARTIAL, SOME_LOST, USAGE, command, complaints, darrow

DIFFERENT = 1
UTIL_FAILURE = 255
Row = dict[str, Any]


def differences(*arguments: str | Path, code: int = DIFFERENT) -> list[Row]:
    """The objects of --format json."""
    run = darrow("diff", "--format", "json", *arguments)
    assert run.returncode == code, run.stderr
    return json.loads(run.stdout)["differences"]


def counters(*arguments: str | Path, code: int = DIFFERENT) -> list[str]:
    return [difference["counter"] for difference in differences(*arguments, code=code)]


def made(path: Path, *records: Row, module: str = "POSIX", **options: Any) -> Path:
    path.write_bytes(log_bytes({module: records}, **options))
    return path


# Equal logs -----------------------------------------------------------------------------------------------------------


def readable() -> Iterator[Path]:
    return (log for log in LOGS if darrow("info", log).returncode != NOTHING)


def test_a_log_equals_itself_and_its_re_encoding(tmp_path: Path) -> None:
    """Whatever the format, module versions, byte order. Damaged modules differ: convert marks them partial."""
    compared = 0
    for number, log in enumerate(readable()):
        run = darrow("diff", log, log)
        assert run.stdout == b"", log
        assert run.returncode in (DONE, SOME_LOST), log
        again = tmp_path / log.name
        order = ("little", "big")[number % 2]
        converted = darrow("convert", "--byte-order", order, log, again)
        if converted.returncode != DONE:
            continue
        run = darrow("diff", log, again)
        assert (run.returncode, run.stdout) == (DONE, b""), log
        compared += 1
    assert compared > 60


# Changed values -------------------------------------------------------------------------------------------------------


def bump(value: Any) -> Any:
    """Another value of the same kind, or None if there is none at hand."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str) and value:  # text, or a UUID
        return ("b" if value[0] == "a" else "a") + value[1:]
    if isinstance(value, list) and value:
        first = bump(value[0])
        return None if first is None else [first, *value[1:]]
    if isinstance(value, dict):
        return value | {"stripe_size": value["stripe_size"] + 1}
    return None


def log_with() -> dict[str, Path]:
    """A sound log of each module, with records."""
    found: dict[str, Path] = {}
    for path in readable():
        if darrow("info", "--strict", path).returncode != DONE:
            continue
        log = package.open(path)
        for module in log:
            if module not in found and len(log[module]) and log.job and log.job.nprocs > 0:
                found[module] = path
    return found


WITH = log_with()
IDENTITY = ("id", "rank", "name", "mount", "fs_type", "op", "operation", "segment", "record", "layer", "host")


def changed(path: Path, module: str, column: str, out: Path) -> tuple[Path, Path]:
    """The log and one with another value in the first record that has one."""
    log = package.open(path)
    tables: dict[str, Any] = {name: log[name] for name in log}
    source = log[module].raw.to_arrow()
    rows = source.to_pylist()
    at = next(i for i, one in enumerate(rows) if bump(one[column]) is not None)
    rows[at] = copy.deepcopy(rows[at]) | {column: bump(rows[at][column])}
    tables[module] = pa.Table.from_pylist(rows, schema=source.schema)
    options: Row = {"job": log.job, "names": log.names, "mounts": log.mounts, "strict": False}
    options["headers"] = {name: log[name].header for name in log if log[name].header is not None}
    options["partial"] = [name for name, info in log.modules.items() if info.partial]
    before, after = out / "before.darshan", out / "after.darshan"
    package.write(before, {name: log[name] for name in log}, **options)
    package.write(after, tables, **options)
    return before, after


def columns_of(module: str) -> list[str]:
    """Columns of its table whose values can be changed: counters of each kind, and all that are none."""
    table = package.open(WITH[module])[module].raw.to_arrow()
    kinds: dict[Any, str] = {}  # by type; what is no counter by its name
    for name in table.column_names:
        known = name not in IDENTITY and any(bump(value) is not None for value in table[name].to_pylist()[:100])
        if known and name not in ("thread_id", "component_count", "nbins"):
            kinds.setdefault(table.schema.field(name).type if name[0].isupper() else name, name)
    return list(kinds.values())


@pytest.mark.parametrize(("module", "column"), [(m, c) for m in sorted(WITH) for c in columns_of(m)])
def test_one_changed_value_of_each_module(module: str, column: str, tmp_path: Path) -> None:
    before, after = changed(WITH[module], module, column, tmp_path)
    found = differences(before, after)
    assert [difference["module"] for difference in found] == [module]
    difference = found[0]
    assert difference["a"] != difference["b"]
    if not isinstance(difference["a"], str) and difference["a"] < 1e15:
        assert math.isclose(difference["b"] - difference["a"], 1, rel_tol=1e-6)
    assert difference["id"] is not None
    text = darrow("diff", before, after).stdout.decode().splitlines()
    assert [line[:2] for line in text] == ["- ", "+ "]
    assert all(f"{module}\t" in line for line in text)
    assert differences(before, after, "--ignore", module, code=DONE) == []


def test_the_record_that_opens_a_region(tmp_path: Path) -> None:
    path = WITH["APMPI"]
    log = package.open(path)
    known: Row = {"job": log.job, "names": log.names, "mounts": log.mounts, "strict": False}
    tables = {"APMPI": log["APMPI"]}
    header = dict(log["APMPI"].header)
    after = tmp_path / "after"
    for name, value in (("sync_flag", 1 - header["sync_flag"]), ("variance_total_mpitime", 7.5)):
        package.write(tmp_path / "before", tables, headers={"APMPI": header}, overwrite=True, **known)
        package.write(after, tables, headers={"APMPI": header | {name: value}}, overwrite=True, **known)
        assert [(d["module"], d["b"]) for d in differences(tmp_path / "before", after)] == [("APMPI", value)]


def test_most_modules_were_tried() -> None:
    assert len(WITH) >= 17


# Records --------------------------------------------------------------------------------------------------------------


def test_records_go_together_by_id_and_rank(tmp_path: Path) -> None:
    a = made(tmp_path / "a", row("POSIX", 1, 0, READS=1), row("POSIX", 1, 0, READS=2), row("POSIX", 2, 1, READS=3))
    b = made(tmp_path / "b", row("POSIX", 2, 1, READS=3), row("POSIX", 1, 0, READS=1), row("POSIX", 1, 0, READS=5))
    assert [(d["id"], d["rank"], d["a"], d["b"]) for d in differences(a, b)] == [("1", 0, 2, 5)]


def test_records_of_one_log_only_are_told_whole(tmp_path: Path) -> None:
    a = made(tmp_path / "a", row("STDIO", 1, 0), module="STDIO")
    b = made(tmp_path / "b", row("STDIO", 1, 0), row("STDIO", 1, 1), module="STDIO")
    found = differences(a, b)
    fields = [f for f in package.open(b)["STDIO"].raw.to_arrow().column_names if f.startswith("STDIO_")]
    assert [d["counter"] for d in found] == fields
    assert {(d["rank"], d["a"]) for d in found} == {(1, None)}
    assert all(line.startswith("- STDIO\t1\t") for line in darrow("diff", b, a).stdout.decode().splitlines())


def test_nan_equals_nan_but_not_for_darshan_diff(tmp_path: Path) -> None:
    a = made(tmp_path / "a", row("POSIX", 1, 0, F_READ_TIME=math.nan))
    assert differences(a, a, code=DONE) == []
    text = darrow("diff", "--compat", a, a).stdout.decode().splitlines()
    assert text[0] == ""
    assert [line.split("\t")[3] for line in text[1:]] == ["POSIX_F_READ_TIME"] * 2


def test_names_mounts_and_metadata(tmp_path: Path) -> None:
    tables = {"POSIX": pa.table({"id": pa.array([7], pa.uint64()), "rank": [0], "POSIX_READS": [1]})}
    a, b = tmp_path / "a", tmp_path / "b"
    job = {"nprocs": 1, "jobid": 1, "uid": 5}
    package.write(a, tables, job=job | {"metadata": {"k": "1", "x": "y"}}, names={7: "/a/x"}, mounts=[("/a", "nfs")])
    package.write(b, tables, job=job | {"metadata": {"k": "2"}, "jobid": 2}, names={7: "/a/y"}, mounts=[("/a", "ext4")])
    told = {(d["kind"], d["counter"]): (d["a"], d["b"]) for d in differences(a, b)}
    assert told == {
        ("job", "jobid"): (1, 2),
        ("metadata", "k"): ("1", "2"),
        ("metadata", "x"): ("y", None),
        ("mount", "/a"): ("nfs", "ext4"),
        ("name", "name"): ("/a/x", "/a/y"),
    }
    assert darrow("diff", "--ignore", "metadata,names", a, b).stdout.decode().splitlines() == [
        "- # jobid: 1",
        "+ # jobid: 2",
        "- # mount entry: /a nfs",
        "+ # mount entry: /a ext4",
    ]
    assert counters(a, b, "--ignore", "job", "--ignore", "names", code=DONE) == []


def test_keys_of_metadata_and_starts_of_names(tmp_path: Path) -> None:
    """A key goes by its name behind metadata:, and a start of names is never a module."""
    one, two = tmp_path / "one.darshan", tmp_path / "two.darshan"
    for path, note in ((one, "x"), (two, "y")):
        assert darrow("convert", "--annotate", f"offset={note}", GOOD, path).returncode == DONE
    assert counters("--ignore", "offset", one, two) == ["offset"]  # that of traces
    assert counters("--ignore", "metadata:offset", one, two, code=DONE) == []
    changed = [made(tmp_path / f"{n}.darshan", row("POSIX", 1, 0, OPENS=n, READS=n)) for n in (1, 2)]
    assert counters(*changed) == ["POSIX_OPENS", "POSIX_READS"]
    assert counters("--ignore", "POSIX_O*", *changed) == ["POSIX_READS"]
    assert counters("--ignore", "POSIX_*", *changed, code=DONE) == []
    assert counters("--ignore", "POSIX_*", "--only-metrics", *changed) == ["reads", "opens"]


def test_counters_that_only_one_version_has_are_not_compared(tmp_path: Path) -> None:
    a = made(tmp_path / "a", row("STDIO", 1, 0, READS=1), module="STDIO", versions={"STDIO": 1})
    b = made(tmp_path / "b", row("STDIO", 1, 0, READS=1, FDOPENS=3), module="STDIO")
    run = darrow("diff", a, b)
    assert (run.returncode, run.stdout) == (DONE, b"")
    assert "versions 1 and 2: 1 values not compared" in complaints(run)[0]


# What is asked for ----------------------------------------------------------------------------------------------------


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Times 4 % apart, calls 10 %."""
    a = made(tmp_path / "a", row("POSIX", 1, 0, READS=100, F_READ_TIME=1.0, SLOWEST_RANK=1))
    b = made(tmp_path / "b", row("POSIX", 1, 0, READS=110, F_READ_TIME=1.04, SLOWEST_RANK=2))
    return a, b


READS, READ_TIME, SLOWEST = "POSIX_READS", "POSIX_F_READ_TIME", "POSIX_SLOWEST_RANK"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], [READS, SLOWEST, READ_TIME]),
        (["--tolerance", "0.05"], [READS, SLOWEST]),
        (["--tolerance", "3%"], [READS, SLOWEST, READ_TIME]),
        (["--tolerance", f"5%,{READS}=10%"], [SLOWEST]),
        (["--tolerance", f"5%,{READ_TIME}=0"], [READS, SLOWEST, READ_TIME]),
        (["--ignore", "times"], [READS]),
        (["--ignore", READS], [SLOWEST, READ_TIME]),
        (["--ignore", "POSIX_F_*,POSIX_S*"], [READS]),
        (["--ignore", "posix"], []),
        (["--ignore", "mpi-io,nodes,job"], [READS, SLOWEST, READ_TIME]),
    ],
)
def test_tolerance_and_ignore(options: list[str], told: list[str], pair: tuple[Path, Path]) -> None:
    assert counters(*pair, *options, code=DIFFERENT if told else DONE) == told


def test_heat_maps_and_headers_go_with_the_clock(tmp_path: Path) -> None:
    for column in ("write", "read", "bin_width"):
        before, after = changed(WITH["HEATMAP"], "HEATMAP", column, tmp_path)
        assert len(counters(before, after)) == 1
        assert counters(before, after, "--ignore", "times", code=DONE) == []
        (before.unlink(), after.unlink())
    log = package.open(WITH["APMPI"])
    known: Row = {"job": log.job, "names": log.names, "mounts": log.mounts, "strict": False}
    for name, factor in (("a", 1), ("b", 2)):
        header = dict(log["APMPI"].header)
        header["variance_total_mpitime"] *= factor
        package.write(tmp_path / name, {"APMPI": log["APMPI"]}, headers={"APMPI": header}, **known)
    assert len(counters(tmp_path / "a", tmp_path / "b")) == 1
    assert counters(tmp_path / "a", tmp_path / "b", "--ignore", "times", code=DONE) == []


@pytest.mark.skipif(not UPSTREAM.exists(), reason=NO_UPSTREAM)
@pytest.mark.parametrize("releases", [("3.1.3", "3.1.4"), ("3.1.7", "3.1.8"), ("3.4.0-pre1", "3.4.0")])
def test_two_runs_of_one_program(releases: tuple[str, str]) -> None:
    """Whatever another release of Darshan changed in it is left out."""
    logs = [UPSTREAM / "logs" / f"release_logs__mpi-io-test-x86_64-{release}.darshan" for release in releases]
    assert len(counters(*logs)) > 30
    assert counters(*logs, "--ignore", "times,job,nodes,MPI_BCAST_TOTAL_BYTES", code=DONE) == []


def traces(path: Path, **changes: Any) -> Path:
    segment = {"id": 1, "rank": 0, "host": "n1", "op": "write", "offset": 0, "length": 5, "start": 1.0, "end": 2.0}
    second = segment | {"offset": 5}
    rows = [segment, second | changes]
    names = package.open(WITH["DXT_POSIX"])["DXT_POSIX"].raw.to_arrow().column_names
    rows = [{("op" if "op" in names else "operation") if k == "op" else k: v for k, v in r.items()} for r in rows]
    columns = {k: [r[k] for r in rows] for k in rows[0]}
    package.write(path, {"DXT_POSIX": pa.table(columns)}, job={"nprocs": 1})
    return path


def test_traces(tmp_path: Path) -> None:
    a = traces(tmp_path / "a")
    b = traces(tmp_path / "b", start=1.5, length=6)
    assert counters(a, b) == ["write[1].length", "write[1].start"]
    assert counters(a, b, "--ignore", "times") == ["write[1].length"]
    assert counters(a, b, "--ignore", "times,length", code=DONE) == []
    read = traces(tmp_path / "read", op="read")
    assert counters(a, read) == ["writes", "reads"]


def test_metrics(pair: tuple[Path, Path], tmp_path: Path) -> None:
    assert counters("--only-metrics", *pair, code=DONE) == []
    assert counters("--only-metrics", "--tolerance", "5%", *pair) == ["reads"]
    assert counters("--only-metrics", "--tolerance", "50%,reads=1%", *pair) == ["reads"]
    assert counters("--only-metrics", "--tolerance", "1%", "--ignore", "reads,times", *pair, code=DONE) == []
    text = darrow("diff", "--only-metrics", "--tolerance", "5%", *pair).stdout.decode()
    assert text == "POSIX reads: 100 -> 110 (+10.0 %)\n"
    other = made(tmp_path / "other", row("STDIO", 1, 0, READS=1), module="STDIO")
    modules = {d["module"] for d in differences("--only-metrics", pair[0], other)}
    assert modules == {"POSIX", "STDIO"}


def test_csv(pair: tuple[Path, Path]) -> None:
    text = darrow("diff", "--format", "csv", "--ignore", "times", *pair).stdout.decode().splitlines()
    assert text == ["kind,module,rank,id,name,counter,a,b", f"record,POSIX,0,1,(null),{READS},100,110"]


# Exit codes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([GOOD, GOOD], DONE),
        ([GOOD, PARTIAL], DIFFERENT),
        ([GOOD, NO_LOG], NOTHING),
        ([NO_LOG, GOOD], NOTHING),
        ([LOST, LOST], SOME_LOST),
        ([GOOD, LOST], SOME_LOST),
        (["--strict", LOST, LOST], NOTHING),
        (["--fail-partial", PARTIAL, PARTIAL], SOME_LOST),
        (["--compat", GOOD, PARTIAL], DONE),
        (["--compat", GOOD, LOST], DONE),
        (["--compat", GOOD, NO_LOG], UTIL_FAILURE),
        ([GOOD], USAGE),
        ([GOOD, GOOD, GOOD], USAGE),
        (["-", "-"], USAGE),
        (["--ignore", "nonsense", GOOD, PARTIAL], USAGE),
        (["--tolerance", "READS=1", GOOD, PARTIAL], USAGE),
        (["--tolerance", "-1", GOOD, PARTIAL], USAGE),
        (["--tolerance", "1", GOOD, PARTIAL], USAGE),
        (["--tolerance", "POSIX_OPENS=100%", GOOD, PARTIAL], USAGE),
        (["--ignore", "DXT_NOTHING*", GOOD, PARTIAL], USAGE),
        (["--tolerance", "nan", GOOD, PARTIAL], USAGE),
        (["--compat", "--only-metrics", GOOD, PARTIAL], USAGE),
    ],
)
def test_exit_codes(arguments: list[Any], code: int) -> None:
    run = darrow("diff", *arguments)
    assert run.returncode == code
    if code in (USAGE, NOTHING, UTIL_FAILURE):
        assert run.stdout == b""
        assert complaints(run)


def test_damage_is_told_and_the_rest_is_compared() -> None:
    run = darrow("diff", LOST, GOOD)
    assert run.returncode == SOME_LOST
    assert b"POSIX\t" in run.stdout
    assert any(str(LOST) in line for line in complaints(run))


def test_standard_input() -> None:
    with GOOD.open("rb") as file:
        assert darrow("diff", "-", GOOD, stdin=file).returncode == DONE


@pytest.mark.parametrize("option", [(), ("--only-metrics",), ("--compat",)], ids=["all", "metrics", "compat"])
def test_any_two_logs_can_be_compared(option: tuple[str, ...]) -> None:
    """Damaged or not, of whatever modules."""
    logs = list(readable())
    for a, b in zip(logs, logs[1:] + logs[:1], strict=True):
        run = darrow("diff", *option, a, b)
        assert run.returncode in (DONE, DIFFERENT, SOME_LOST, NOTHING, UTIL_FAILURE), (a, b, run.stderr)
        if run.returncode in (DIFFERENT, DONE) and not option:
            assert bool(run.stdout) == (run.returncode == DIFFERENT)


# Called by old names --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    folder = tmp_path_factory.mktemp("bin")

    def call(name: str, *arguments: Any) -> subprocess.CompletedProcess[bytes]:
        if not (folder / name).exists():
            (folder / name).symlink_to(command()[0])
        return subprocess.run([folder / name, *map(str, arguments)], capture_output=True, check=False, timeout=60)

    return call


def test_darshan_diff(old: Callable[..., Any]) -> None:
    run = old("darshan-diff", GOOD, PARTIAL)
    assert (run.returncode, run.stdout) == (DONE, darrow("diff", "--compat", GOOD, PARTIAL).stdout)
    for wrong in ([GOOD], [GOOD, GOOD, GOOD], ["--ignore", "times", GOOD, GOOD], []):
        assert old("darshan-diff", *wrong).returncode == UTIL_FAILURE
    assert old("darshan-diff", GOOD, NO_LOG).returncode == UTIL_FAILURE
    assert old("darshan-diff", "--vers").stdout == b"3.5.0\n"


def test_darshan_merge(old: Callable[..., Any], tmp_path: Path) -> None:
    out, again = tmp_path / "out", tmp_path / "again"
    assert old("darshan-merge", "--out", out, "--shared", "--job-end-time=2000000000", GOOD).returncode == DONE
    darrow("merge", "-o", again, "--shared-redux", "--job-end-time", "2000000000", GOOD)
    assert out.read_bytes() == again.read_bytes()
    assert old("darshan-merge", GOOD).returncode == 1
    assert old("darshan-merge", "--output", tmp_path / "x", NO_LOG).returncode == UTIL_FAILURE


def test_darshan_analyzer(old: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "a.darshan").write_bytes(GOOD.read_bytes())
    run = old("darshan-analyzer", tmp_path)
    assert (run.returncode, run.stdout) == (DONE, darrow("analyze", "--compat", tmp_path).stdout)
    assert old("darshan-analyzer").returncode == 1


def test_darshan_convert(old: Callable[..., Any], tmp_path: Path) -> None:
    out, again = tmp_path / "out", tmp_path / "again"
    assert old("darshan-convert", "--obfuscate_n", "--key", "7", "--annotate", "-a=b", GOOD, out).returncode == DONE
    darrow("convert", "--obfuscate-names", "--key=7", "--annotate=-a=b", GOOD, again)
    assert out.read_bytes() == again.read_bytes()
    assert old("darshan-convert", "--level", "1", GOOD, tmp_path / "x").returncode == 1
    assert old("darshan-convert", GOOD).returncode == 1
