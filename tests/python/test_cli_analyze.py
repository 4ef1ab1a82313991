"""`darrow analyze`: what kinds of logs there are. Facts by hand, by the programs of the fleet, and damaged logs.

`compat/test_golden_analyze.py` compares `--compat` with what Darshan's own tool printed.
"""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import darrow
import logwriter as w
import pytest
from corpus import DATA, LOGS, NO_LOGS, load
from made import pack, row
from test_cli import DONE, NO_LOG, NOTHING, SOME_LOST, USAGE, complaints, in_terminal, refuse_constant
from test_cli import darrow as run

EXAMPLE = DATA / "example.darshan"
FLEET = LOGS / "fleet"
BAD = LOGS / "fleet-bad"
KINDS = ("shared", "partly_shared", "unique", "mpiio", "pnetcdf", "hdf5")
needs_fleet = pytest.mark.skipif(not FLEET.exists(), reason=NO_LOGS)


def told(*arguments: str | Path, code: int = DONE) -> dict[str, Any]:
    done = run("analyze", "--format", "json", *arguments)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout.decode(), parse_constant=refuse_constant)


def write(path: Path, modules: dict[str, list[Any]], **of_job: Any) -> Path:
    job = {"nprocs": 4, "start": 1000, "end": 1010} | of_job
    numbers = {"POSIX": 4, "STDIO": 2, "MPI-IO": 3, "H5F": 3, "H5D": 2, "PNETCDF_FILE": 3, "PNETCDF_VAR": 1, "DFS": 1}
    packed = {m: (numbers[m], b"".join(pack(m, r) for r in rows)) for m, rows in modules.items()}
    path.write_bytes(w.Log(job=w.job(**job), modules=packed).build())
    return path


def kinds(log: Path) -> set[str]:
    (each,) = told(log)["each"]
    return {kind for kind in KINDS if each[kind]}


# What is counted ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("modules", "nprocs", "expected"),
    [
        ({"POSIX": [row("POSIX", 1, -1)]}, 4, {"shared"}),
        ({"POSIX": [row("POSIX", 1, -1)]}, 1, {"unique"}),  # all processes are one
        ({"POSIX": [row("POSIX", 1, 0), row("POSIX", 1, 2)]}, 4, {"partly_shared"}),
        ({"POSIX": [row("POSIX", 1, r) for r in range(4)]}, 4, {"shared"}),
        ({"POSIX": [row("POSIX", 1, 0), row("POSIX", 2, 1)]}, 4, {"unique"}),
        ({"POSIX": [row("POSIX", 1, 0)], "STDIO": [row("STDIO", 1, 1)]}, 4, {"partly_shared"}),
        ({"STDIO": [row("STDIO", 1, -1)]}, 4, {"shared"}),
        ({"DFS": [row("DFS", 1, 3)]}, 4, {"unique"}),
        ({"STDIO": [row("STDIO", darrow.record_id("<STDOUT>"), -1)]}, 4, set()),  # no file
        ({"MPI-IO": [row("MPI-IO", 1, -1)]}, 4, {"mpiio"}),
        ({"H5D": [row("H5D", 1, -1)]}, 4, {"hdf5"}),
        ({"H5F": [row("H5F", 1, -1)]}, 4, {"hdf5"}),
        ({"PNETCDF_FILE": [row("PNETCDF_FILE", 1, -1)]}, 4, {"pnetcdf"}),
        ({"PNETCDF_VAR": [row("PNETCDF_VAR", 1, -1)]}, 4, {"pnetcdf"}),
        ({}, 4, set()),
    ],
)
def test_kinds(modules: dict[str, list[Any]], nprocs: int, expected: set[str], tmp_path: Path):
    assert kinds(write(tmp_path / "a", modules, nprocs=nprocs)) == expected


@pytest.mark.parametrize(
    ("times", "nprocs", "share", "upstream"),
    [
        ((1.0, 1.0, 0.1), 4, 2.1 / 42, "0.00-0.20"),
        ((10.0, 10.0, 1.0), 4, 21 / 42, "0.80-1.00"),  # twice the run time of one process
        ((2.1, 0.0, 0.0), 1, 0.2, "0.00-0.20"),
        ((2.2, 0.0, 0.0), 1, 2.2 / 10.5, "0.20-0.40"),
        ((0.0, 0.0, 0.0), 4, 0.0, "0.00-0.20"),
        ((50.0, 0.0, 0.0), 1, 50 / 10.5, "0.80-1.00"),  # threads
    ],
)
def test_io_share(times: tuple[float, ...], nprocs: int, share: float, upstream: str, tmp_path: Path):
    """Of the time of all processes; darshan-analyzer has that of one."""
    records = [
        row("POSIX", 1, 0, F_READ_TIME=times[0], F_WRITE_TIME=times[1]),
        row("POSIX", 2, 1, F_META_TIME=times[2]),
    ]
    log = write(tmp_path / "a", {"POSIX": records}, nprocs=nprocs)
    everything = told(log)
    (each,) = everything["each"]
    assert each["io_time"] == pytest.approx(sum(times))
    assert each["io_share"] == pytest.approx(share)
    bucket = next(
        i for i, b in enumerate(everything["io_shares"]) if b["up_to"] is None or each["io_share"] <= b["up_to"]
    )
    assert [b["logs"] for b in everything["io_shares"]] == [int(i == bucket) for i in range(5)]
    text = run("analyze", "--compat", log).stdout.decode()
    assert f"\n{upstream}: 1\n" in text


def test_io_share_of_all_bottom_modules(tmp_path: Path):
    """POSIX, STDIO and DFS, streams included; what lies above goes through them."""
    modules = {
        "POSIX": [row("POSIX", 1, 0, F_READ_TIME=1.0)],
        "STDIO": [row("STDIO", darrow.record_id("<STDOUT>"), -1, F_WRITE_TIME=2.0)],
        "DFS": [row("DFS", 3, 1, F_META_TIME=4.0)],
        "MPI-IO": [row("MPI-IO", 1, 0, F_READ_TIME=8.0)],
    }
    (each,) = told(write(tmp_path / "a", modules))["each"]
    assert each["io_time"] == pytest.approx(7)


@pytest.mark.parametrize(
    "job", [{"end": 0}, {"end": 1000, "start": 1000, "version": "3.41"}, {"nprocs": 0}, {"end": 900}]
)
def test_io_share_that_is_not_known(job: dict[str, Any], tmp_path: Path):
    """Of aborted runs, without processes, or if the clock went back."""
    job = {k: v for k, v in job.items() if k != "version"}
    log = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, 0, F_READ_TIME=1.0)]}, **job)
    everything = told(log)
    known = job.get("end") == 1000  # half a second
    assert everything["io_share_unknown"] == int(not known)
    assert (everything["each"][0]["io_share"] is None) == (not known)
    assert ("not known" in run("analyze", log).stdout.decode()) == (not known)


@needs_fleet
def test_fleet():
    """What the programs say of themselves, and what the summaries of the logs say."""
    everything = told(FLEET)
    assert everything["logs"] == load(FLEET / "facts.json")["n_logs"] == sum(b["logs"] for b in everything["io_shares"])
    assert everything["damaged"] == everything["not_logs"] == everything["repeated"] == []
    for kind in KINDS:
        assert everything["access"][kind] == sum(each[kind] for each in everything["each"])
    for each in everything["each"][::20]:
        log = darrow.open(each["file"])
        summary = log.summary(layer="bottom")
        if "bottom" not in summary:
            continue
        layer = summary["bottom"]
        total = layer.read_time + layer.write_time + layer.meta_time
        assert each["io_time"] == pytest.approx(total)
        assert each["io_share"] == pytest.approx(total / log.job.run_time / log.job.nprocs)
        assert each["mpiio"] == ("MPI-IO" in log)
    for kind, program in (("hdf5", "hydro_h5"), ("pnetcdf", "ocean_nc")):  # who else would
        assert all((program in Path(each["file"]).name) == each[kind] for each in everything["each"])


@needs_fleet
@pytest.mark.parametrize("threads", ["1", "3", "16"])
def test_threads_change_nothing(threads: str):
    assert told("--threads", threads, FLEET) == told(FLEET)


# Damage and what is no log --------------------------------------------------------------------------------------------


@needs_fleet
def test_bad_logs():
    """Damaged ones count apart, each with its reason; what is no log does not count."""
    bad = [path for path in sorted(BAD.glob("*.darshan")) if path.name != "truncated-module.darshan"]
    everything = told(FLEET / "2025" / "7", *bad, code=SOME_LOST)
    alone = told(FLEET / "2025" / "7")
    assert {k: everything[k] for k in ("logs", "access", "io_shares")} == {
        k: alone[k] for k in ("logs", "access", "io_shares")
    }
    reasons = {Path(entry["file"]).name: entry for entry in everything["damaged"]}
    assert set(reasons) == {
        *("corrupt-job-stream.darshan", "future-version.darshan", "short-header.darshan"),
        "unknown-compression.darshan",
    }
    assert all(entry["reason"] and entry["code"] for entry in reasons.values())
    others = {Path(entry["file"]).name for entry in everything["not_logs"]}
    assert others == {"empty.darshan", "not-a-log.darshan", "wrong-magic.darshan"}
    lines = complaints(run("analyze", FLEET / "2025" / "7", *bad))
    assert [Path(line.split(": ")[1]).name for line in lines] == sorted(reasons)
    assert run("analyze", *bad).returncode == NOTHING
    assert told(BAD, code=SOME_LOST)["logs"] == 1  # its heat maps are cut, which are not looked at


@pytest.mark.parametrize("module", ["HEATMAP", "BG/Q"])
def test_damage_in_modules_that_are_not_looked_at(module: str, tmp_path: Path):
    """Versions that are not known, regions that are cut: only those of POSIX, STDIO and DFS count, and --strict."""
    records = [pack("POSIX", row("POSIX", 1, -1))]
    for name, version, data in (("version", 9, bytes(64)), ("cut", 1, bytes(7))):
        log = tmp_path / name
        modules = {"POSIX": (4, records[0]), module: (version, data)}
        log.write_bytes(w.Log(job=w.job(nprocs=4), modules=modules).build())
        assert kinds(log) == {"shared"}
        assert run("analyze", "--strict", log).returncode == NOTHING
    for version, data in ((9, records[0]), (4, records[0][:-1])):
        log.write_bytes(w.Log(job=w.job(nprocs=4), modules={"POSIX": (version, data)}).build())
        (damaged,) = told(log, code=NOTHING)["damaged"]
        assert damaged["region"] == "POSIX"


def test_nothing_but_what_is_no_log(tmp_path: Path):
    done = run("analyze", NO_LOG)
    assert (done.returncode, len(complaints(done))) == (NOTHING, 1)
    (tmp_path / "empty").mkdir()
    done = run("analyze", tmp_path / "empty")
    assert (done.returncode, complaints(done)) == (
        NOTHING,
        [f"darrow: {tmp_path}/empty: no log (*.darshan) below this directory"],
    )
    assert run("analyze", EXAMPLE, NO_LOG).returncode == DONE
    assert run("analyze", EXAMPLE, tmp_path / "nowhere").returncode == SOME_LOST


def test_paths_that_cannot_be_read(tmp_path: Path):
    """They are no damaged logs."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "link.darshan").symlink_to(tmp_path / "gone")
    paths = [tmp_path / name for name in ("empty", "link.darshan", "nowhere")]
    everything = told(EXAMPLE, *paths, code=SOME_LOST)
    assert (everything["logs"], everything["damaged"]) == (1, [])
    assert [entry["file"] for entry in everything["unreadable"]] == list(map(str, paths))
    done = run("analyze", EXAMPLE, *paths)
    assert done.stdout.decode().splitlines()[0] == "1 log, 3 that cannot be read"
    assert [line.split(": ")[1] for line in complaints(done)] == list(map(str, paths))
    assert told(*paths, code=NOTHING)["logs"] == 0
    table = run("analyze", "--format", "csv", EXAMPLE, *paths).stdout.decode()
    assert [entry["log"] for entry in csv.DictReader(io.StringIO(table))] == list(map(str, [EXAMPLE, *paths]))


@pytest.mark.skipif(not LOGS.exists(), reason=NO_LOGS)
def test_every_malformed_log():
    """Each is counted, or in one of the lists."""
    logs = [path for path in sorted((LOGS / "malformed").glob("*.darshan")) if path.stat().st_size < 3_000_000]
    everything = told(*logs, code=SOME_LOST)
    lists = [everything[key] for key in ("each", "damaged", "not_logs", "unreadable", "repeated")]
    assert sorted(entry["file"] for entries in lists for entry in entries) == sorted(map(str, logs))
    assert run("analyze", "--compat", LOGS / "malformed").returncode == DONE


def test_strict(tmp_path: Path):
    log = DATA / "names_trunc.darshan"  # damage in a region that is not looked at
    assert run("analyze", EXAMPLE, log).returncode == DONE
    assert run("analyze", "--strict", EXAMPLE, log).returncode == SOME_LOST


def test_copies_count_once(tmp_path: Path):
    copy = shutil.copy(EXAMPLE, tmp_path / "copy.darshan")
    everything = told(EXAMPLE, copy)
    assert everything["logs"] == 1
    assert everything["repeated"] == [{"file": str(copy), "same_as": str(EXAMPLE)}]


# Forms ----------------------------------------------------------------------------------------------------------------


def test_help():
    text = run("analyze", "--help").stdout.decode()
    assert max(map(len, text.splitlines())) <= 80
    assert "\nExamples:\n  darrow analyze " in text
    for option in ("--format FORMAT", "--threads N", "--compat", "--strict", "--max-region-bytes SIZE"):
        assert f"  {option} " in text


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "PATH is missing"),
        (["--compat", "a", "b"], "one directory"),
        (["--compat", "--format", "json", "a"], "--format"),
        (["--threads", "many", "a"], "many"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_wrong_usage(arguments: list[str], word: str):
    done = run("analyze", *arguments)
    assert (done.returncode, done.stdout) == (USAGE, b"")
    assert word in complaints(done)[0]


def test_csv_holds_what_json_does():
    logs = [EXAMPLE, DATA / "posix-ops.darshan", DATA / "px_short.darshan"]
    done = run("analyze", "--format", "csv", *logs)
    assert done.returncode == SOME_LOST
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    everything = told(*logs, code=SOME_LOST)
    assert [r["log"] for r in rows] == [str(log) for log in logs]
    for ours, theirs in zip(rows, everything["each"], strict=False):
        assert float(ours["io_share"]) == theirs["io_share"]
        assert float(ours["io_time"]) == theirs["io_time"]
        assert int(ours["jobid"]) == theirs["job"]["jobid"]
        assert {kind: ours[kind] == "true" for kind in KINDS} == {kind: theirs[kind] for kind in KINDS}
        assert ours["status"] == "read"
    assert rows[2]["status"] == everything["damaged"][0]["reason"]
    assert rows[2]["io_share"] == rows[2]["nprocs"] == ""


def test_text(tmp_path: Path):
    """Counts and their parts of all logs."""
    a = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, -1)]})
    b = write(tmp_path / "b", {"POSIX": [row("POSIX", 1, 0, F_READ_TIME=30.0)]}, jobid=2)
    lines = run("analyze", a, b, NO_LOG, DATA / "px_short.darshan").stdout.decode().splitlines()
    assert lines[0] == "2 logs, 1 more damaged, 1 file that is none"
    cells = [re.split(r"  +", line.strip()) for line in lines if line]
    assert ["a file that all processes use", "1", "50.0%"] in cells
    assert ["a file of one process", "1", "50.0%"] in cells
    assert ["60% to 80%", "1", "50.0%"] in cells
    assert ["up to 20%", "1", "50.0%"] in cells


@pytest.mark.parametrize("width", [40, 60, 80, 132])
def test_tables_fit_the_terminal(width: int):
    lines = in_terminal("analyze", EXAMPLE, width=width).splitlines()
    assert len(lines) > 10
    assert max(len(re.sub("\x1b\\[[0-9;]*m", "", line)) for line in lines) <= width


# As darshan-analyzer --------------------------------------------------------------------------------------------------


def test_compat_counts_every_file(tmp_path: Path):
    """Also those that are no logs, whatever they are called, and copies."""
    tree = tmp_path / "tree"
    (tree / "deep" / "er").mkdir(parents=True)
    for path in (tree / "a.darshan", tree / "deep" / "copy.darshan", tree / "deep" / "er" / "no-ending"):
        shutil.copy(EXAMPLE, path)
    (tree / "README").write_text("no log")
    (tree / "deep" / "empty").write_bytes(b"")
    done = run("analyze", "--compat", "tree", cwd=tmp_path)
    assert done.returncode == DONE
    assert done.stdout.decode() == (
        "log dir: tree\n"
        "total logs: 5\n"
        "      shared file access: 0.600000 [3]\n"
        "file-per-proccess access: 0.600000 [3]\n"
        "             mpio access: 0.600000 [3]\n"
        "          pnetcdf access: 0.000000 [0]\n"
        "             hdf5 access: 0.000000 [0]\n"
        "\n"
        "I/O percentage of runtime:\n"
        "0.00-0.20: 5\n"
        "0.20-0.40: 0\n"
        "0.40-0.60: 0\n"
        "0.60-0.80: 0\n"
        "0.80-1.00: 0\n"
    )
    assert len(complaints(done)) == 2


def test_compat_of_nothing(tmp_path: Path):
    (tmp_path / "empty").mkdir()
    text = run("analyze", "--compat", tmp_path / "empty")
    assert text.returncode == DONE
    assert "total logs: 0\n      shared file access: -nan [0]\n" in text.stdout.decode()
    assert run("analyze", "--compat", tmp_path / "nowhere").returncode == NOTHING
    assert "total logs: 1\n" in run("analyze", "--compat", NO_LOG).stdout.decode()
