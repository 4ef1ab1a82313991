"""`darrow merge`: several logs into one.

What it writes is read back and compared with what went in, with what the programs counted (`facts.json`), and, where
records of all processes become one, with the plain implementation of the rules. `compat/test_golden_merge.py` compares
it with Darshan's own tool.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import random
import shutil
import subprocess
import sys
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import darrow
import logwriter as w
import pytest
from corpus import DATA, LOGS, NO_LOGS, SPEC, load
from made import combined_rows, pack, row
from made import heatmap as made_heatmap
from plain import read_plain
from plain_rules import COMBINING, NOT_ALONE, PREFIX, Combined, Row, differs
from test_cli import DONE, NO_LOG, NOTHING, SOME_LOST, USAGE, command, complaints
from test_cli import darrow as run
from test_facts import combined

EXAMPLE = DATA / "example.darshan"
CRASH = [LOGS / "large" / f"mmap-crash-rank{i}.darshan" for i in range(4)]
needs_logs = pytest.mark.skipif(not LOGS.exists(), reason=NO_LOGS)

# Asking ---------------------------------------------------------------------------------------------------------------


def merge(*arguments: str | Path, code: int = DONE, **options: Any) -> darrow.Log:
    """The merged log."""
    done = run("merge", *arguments, "-o", "-", **options)
    assert done.returncode == code, done.stderr
    return darrow.open(done.stdout)


def told(*arguments: str | Path, code: int = DONE) -> list[str]:
    """What stderr says."""
    done = run("merge", *arguments, "-o", "-")
    assert done.returncode == code, done.stderr
    return complaints(done)


def rows(log: darrow.Log, module: str) -> list[Row]:
    """The stored records of a module; what their names say is left out."""
    names = {"name", "mount", "fs_type"}
    return [{k: v for k, v in r.items() if k not in names} for r in log[module].raw.to_arrow().to_pylist()]


def multiset(records: Iterable[Row]) -> Counter[str]:
    return Counter(repr(sorted(record.items())) for record in records)


def write(path: Path, modules: dict[str, Sequence[bytes | Row]], **parts: Any) -> Path:
    """A log of records, by their bytes or as rows. `job`: what is not as usual of it."""
    versions = parts.pop("versions", {})
    job = parts.pop("job", {})
    names = parts.pop("names", ())
    numbers = {m: versions.get(m, SPEC.modules[m]["current_version"] if m in SPEC.modules else 1) for m in modules}
    packed = {
        m: (numbers[m], b"".join(r if isinstance(r, bytes) else pack(m, r, numbers[m]) for r in records))
        for m, records in modules.items()
    }
    built = w.Log(job=w.job(**job), names=w.names(names) or None, modules=packed, **parts).build()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(built)
    return path


def pieces(folder: Path, records: Iterable[tuple[str, Row]], nprocs: int, **parts: Any) -> list[Path]:
    """A log for each rank, as a crashed run leaves them: start times differ, and there is no end."""
    by_rank: list[dict[str, list[Row]]] = [{} for _ in range(nprocs)]
    for module, record in records:
        by_rank[record["rank"]].setdefault(module, []).append(record)
    return [
        write(folder / f"rank{i}.darshan", modules, job={"nprocs": nprocs, "end": 0, "start": 10**9 + i} | parts)
        for i, modules in enumerate(by_rank)
    ]


# Usage ----------------------------------------------------------------------------------------------------------------


def test_help():
    text = run("merge", "--help").stdout.decode()
    assert max(map(len, text.splitlines())) <= 80
    assert "\nExamples:\n  darrow merge " in text
    assert run("help", "merge").stdout.decode() == text
    for option in (
        *("-o, --output OUT", "-f, --force", "--shared-redux", "--job-end-time SECS", "--strict", "--max-region-bytes"),
        *("--compression", "--bzip2", "--level", "--byte-order", "--target"),
    ):
        assert f"  {option} " in text


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "LOG is missing"),
        ([EXAMPLE], "--output is missing"),
        ([EXAMPLE, "-o", "x", "--job-end-time", "soon"], '"soon" is no number of seconds'),
        ([EXAMPLE, "-o", "x", "--job-end-time", "-5"], '"-5" is no number of seconds'),
        ([EXAMPLE, "-o", "x", "--level", "13"], "13"),
        ([EXAMPLE, "-o", ""], '--output needs the name of a file, and "" is none'),
        ([EXAMPLE, "-o", "x", "--nonsense"], "--nonsense"),
    ],
)
def test_wrong_usage(arguments: list[str], word: str, tmp_path: Path):
    done = run("merge", *arguments, cwd=tmp_path)
    assert done.returncode == USAGE
    assert word in complaints(done)[0]
    assert not list(tmp_path.iterdir())


def test_output_is_a_file_that_is_complete(tmp_path: Path):
    out = tmp_path / "out.darshan"
    assert run("merge", EXAMPLE, "--output", out).returncode == DONE
    before = out.read_bytes()
    done = run("merge", EXAMPLE, "-o", out)
    assert (done.returncode, complaints(done)) == (
        NOTHING,
        [f"darrow: {out}: exists already: --force overwrites it"],
    )
    assert run("merge", "--bzip2", "-f", EXAMPLE, "-o", out).returncode == DONE
    assert darrow.open(out).compression == "bzip2"
    assert run("merge", NO_LOG, "-fo", out).returncode == NOTHING
    assert darrow.open(out).compression == "bzip2"
    assert run("merge", EXAMPLE, "-fo", out).returncode == DONE
    assert out.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["out.darshan"]


def test_output_is_no_input(tmp_path: Path):
    """Of a directory that has been merged into itself before."""
    shutil.copy(EXAMPLE, tmp_path / "a.darshan")
    out = tmp_path / "z.darshan"
    assert run("merge", tmp_path, "-o", out).returncode == DONE
    done = run("merge", tmp_path, "-fo", out)
    assert done.returncode == SOME_LOST
    assert complaints(done) == [f"darrow: {out}: left out: it is where the merged log is written"]
    assert darrow.open(out).job.nprocs == 3


@pytest.mark.parametrize("linked", [None, "log", "out"])
def test_output_is_a_log_that_is_named(linked: str | None, tmp_path: Path):
    """It is merged before it is overwritten; if it cannot be read nothing is written."""
    first, second = split(tmp_path / "parts")[:2]
    expected = multiset(rows(merge(first, second), "POSIX"))
    link = tmp_path / "link.darshan"
    link.symlink_to(first)
    log, out = link if linked == "log" else first, link if linked == "out" else first
    assert run("merge", "-f", log, second, "-o", out).returncode == DONE
    assert multiset(rows(darrow.open(first), "POSIX")) == expected
    assert link.is_symlink()
    assert run("merge", "-f", log, first.parent, "-o", out).returncode == DONE  # in the directory too: counts once
    first.write_bytes(b"none")
    done = run("merge", "-f", log, second, "-o", out)
    assert (done.returncode, first.read_bytes()) == (NOTHING, b"none")
    assert "would be overwritten" in complaints(done)[-1]


def test_inputs_are_those_of_other_commands(tmp_path: Path):
    """Directories, patterns, lists, the standard input."""
    parts = split(tmp_path / "parts")
    (tmp_path / "list").write_text("".join(f"{part}\n" for part in parts))
    whole = merge(*parts)
    for arguments in ([tmp_path / "parts"], [f"{tmp_path}/parts/*.darshan"], [f"@{tmp_path}/list"]):
        assert multiset(rows(merge(*arguments), "POSIX")) == multiset(rows(whole, "POSIX"))
    with parts[0].open("rb") as first:
        assert rows(merge("-", *parts[1:], stdin=first), "POSIX") == rows(whole, "POSIX")


# Logs of a crashed run ------------------------------------------------------------------------------------------------


@needs_logs
@pytest.mark.parametrize("options", [[], ["--shared-redux"]], ids=["plain", "reduced"])
def test_crashed_run(options: list[str]):
    """What the program counted, whatever the order of the logs."""
    fact = load(LOGS / "small" / "merge-mmap.facts.json")
    differs_as_told = {(d["name_end"], d["rank"], d["counter"]): d["log"] for d in fact["differs"] if "module" in d}
    for order in (CRASH, CRASH[::-1], [CRASH[i] for i in (2, 0, 3, 1)]):
        log = merge(*options, *order)
        assert log.job.nprocs == fact["job"]["nprocs"]
        assert log.job.jobid == fact["job"]["jobid"]
        assert log.problems == []
        assert not any(module.partial for module in log.modules.values())
        assert len(log.names) == fact["names_in_log"]
        ids = {name: key for key, name in log.names.items()}
        compared = 0
        for entry in fact["files"]:
            records = [r for r in rows(log, entry["module"]) if r["id"] == ids[entry["name"]]]
            shared = len(entry["ranks"]) == 4
            expected_ranks = [-1] if shared and options else entry["ranks"]
            assert sorted(r["rank"] for r in records) == expected_ranks
            for counter, value in entry["counters"].items():
                if counter.endswith("_MODE"):
                    continue
                known = {key for key in differs_as_told if entry["name"].endswith(key[0]) and key[2] == counter}
                ours = combined(entry["module"], counter, [r[counter] for r in records])
                more = sum(differs_as_told[key] - per_rank(entry, key[1], counter) for key in known)
                assert ours == value + more, (entry["name"], counter)
                compared += 1
        assert compared > 40


def per_rank(entry: dict[str, Any], rank: int, counter: str) -> int:
    of = entry.get("per_rank", {}).get(str(rank), entry["counters"])
    return of[counter]


@needs_logs
def test_times_of_a_crashed_run(tmp_path: Path):
    """From the earliest start to the last time in the records, and stderr tells; or as one says."""
    logs = [darrow.open(path) for path in CRASH]
    last = max(
        log.job.start_time_nsec / 1e9 + max((v for k, v in r.items() if k.endswith("_TIMESTAMP")), default=0)
        for log in logs
        for module in ("POSIX", "MPI-IO", "STDIO")
        for r in rows(log, module)
    )
    log = merge(*CRASH)
    assert (log.job.start_time_sec, log.job.start_time_nsec) == min(
        (each.job.start_time_sec, each.job.start_time_nsec) for each in logs
    )
    end = log.job.end_time_sec - logs[0].job.start_time_sec + log.job.end_time_nsec / 1e9
    assert 0 <= end - last < 2e-9
    assert log.job.run_time == pytest.approx(last - log.job.start_time_nsec / 1e9, abs=1e-6)
    (note,) = told(*CRASH)
    assert note.startswith("darrow: note: ")
    assert "no log tells when the run ended" in note
    done = run("merge", "--job-end-time", "1750399260", *CRASH, "-o", tmp_path / "out.darshan")
    assert (done.returncode, done.stderr) == (DONE, b"")
    job = darrow.open(tmp_path / "out.darshan").job
    assert (job.end_time_sec, job.end_time_nsec) == (1750399260, 0)


def test_an_end_that_one_log_tells(tmp_path: Path):
    """Of a run of which one process came to its end; what others did later counts too."""
    job = {"nprocs": 2, "start": 1000}
    a = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, 0)]}, job=job | {"end": 1010})
    late = row("POSIX", 2, 1, F_CLOSE_END_TIMESTAMP=20.5)
    b = write(tmp_path / "b", {"POSIX": [late]}, job=job | {"end": 0})
    assert merge(a, b).job.end_time_sec == 1020  # 0.25 s behind the second, as the start
    assert "20.500 s" in told(a, b)[0]
    early = row("POSIX", 2, 1, F_CLOSE_END_TIMESTAMP=2.0)
    b = write(tmp_path / "b", {"POSIX": [early]}, job=job | {"end": 0})
    assert (merge(a, b).job.end_time_sec, told(a, b)) == (1010, [])


@pytest.mark.parametrize("time", [0.0, -1.0, float("nan"), float("inf"), 1e300])
def test_times_that_tell_nothing(time: float, tmp_path: Path):
    """Then the run has no end, as before."""
    log = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, 0, F_CLOSE_END_TIMESTAMP=time)]}, job={"end": 0})
    job = merge(log).job
    assert (job.end_time_sec, job.end_time_nsec, job.run_time) == (0, 0, None)


def test_traces_tell_the_end(tmp_path: Path):
    log = write(tmp_path / "a", {"DXT_POSIX": [w.dxt(1, 0, 3, 2)]}, versions={"DXT_POSIX": 1}, job={"end": 0})
    assert merge(log).job.run_time == pytest.approx(2.25)


def test_an_end_before_the_start(tmp_path: Path):
    log = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, 0)]}, job={"start": 1000, "end": 0})
    (line,) = told("--job-end-time", "900", log)
    assert line.startswith("darrow: warning: ")
    assert "the end that is given, 900, is before the start of the run, 1000" in line
    assert told("--job-end-time", "1100", log) == []
    told("--strict", "--job-end-time", "900", log, code=NOTHING)


@pytest.mark.parametrize("version", ["3.00", "3.10", "3.21", "3.41"])
def test_run_times_stay(version: str, tmp_path: Path):
    """Formats before 3.41 count both ends."""
    job = w.job(version=version, start=1000, end=1005)
    path = tmp_path / "a"
    path.write_bytes(w.Log(job=job, version=version).build())
    assert merge(path).job.run_time == darrow.open(path).job.run_time
    other = tmp_path / "b"
    other.write_bytes(w.Log(job=w.job(version=version, start=1002, end=1007), version=version).build())
    assert merge(path, other).job.run_time == darrow.open(path).job.run_time + 2


# Parts of one log -----------------------------------------------------------------------------------------------------


def split(folder: Path, log: Path = EXAMPLE, by: str = "rank") -> list[Path]:
    """The log in parts, by an option of darrow convert."""
    folder.mkdir()
    source = darrow.open(log)
    values = {
        "rank": sorted({r for m in source for r in source[m].to_arrow().column("rank").to_pylist()}),
        "module": list(source),
        "id": sorted({i for m in source for i in source[m].to_arrow().column("id").to_pylist()}),
    }[by]
    parts = []
    for i, value in enumerate(values):
        parts.append(folder / f"{i:03}.darshan")
        assert run("convert", f"--{by}={value}", log, parts[-1]).returncode == DONE
    return parts


@pytest.mark.parametrize("by", ["rank", "module", "id"])
def test_parts_are_the_whole(by: str, tmp_path: Path):
    """Every record, name and mount, whatever the order; of the job everything."""
    parts = split(tmp_path / "parts", by=by)
    source = darrow.open(EXAMPLE)
    random.Random(by).shuffle(parts)
    log = merge(*parts)
    assert log.job == source.job
    assert log.mounts == source.mounts
    used = {r["id"] for module in source for r in rows(source, module)}  # convert keeps no other names
    assert dict(log.names) == {key: name for key, name in source.names.items() if key in used}
    assert set(log) == set(source)
    for module in source:
        assert multiset(rows(log, module)) == multiset(rows(source, module))
    assert not [line for line in told(*parts) if "warning" in line]


@pytest.mark.parametrize("name", ["posix-partial-shared", "hdf5-shapes", "many-shared-per-rank", "file-categories"])
def test_aggregates_of_parts_are_those_of_the_whole(name: str, tmp_path: Path):
    """Records as one, by file and all together; also if those of all processes became one before."""
    path = DATA / f"{name}.darshan"
    source = darrow.open(path)
    parts = split(tmp_path / "parts", path)
    merged = merge(*parts)
    reduced = merge("--shared-redux", *parts)
    for module in source:
        if SPEC.modules[module]["kind"] != "fixed":
            continue
        for log in (merged, reduced):
            for by in ("file", None):
                ours, theirs = (by_id(x[module].aggregate(by)) for x in (log, source))
                assert ours.keys() == theirs.keys()
                for key, record in theirs.items():
                    skipped = {"records", "rank"} | ({"n"} if log is reduced else set())
                    wrong = [
                        (k, v, ours[key][k])
                        for k, v in record.items()
                        if k not in skipped and differs(k, ours[key][k], v)
                    ]
                    assert not [x for x in wrong if not (log is reduced and by is None and "ACCESS" in x[0])], wrong


def by_id(aggregate: Any) -> dict[Any, Row]:
    table = aggregate.to_arrow() if hasattr(aggregate, "to_arrow") else None
    records = table.to_pylist() if table is not None else [dict(aggregate)]
    lists = ("accesses", "strides")
    return {r.get("id"): {k: v for k, v in r.items() if k not in lists} for r in records}


# Runs of their own ----------------------------------------------------------------------------------------------------


@needs_logs
def test_a_program_that_forks():
    """Parent and child are two processes, each with a rank of its own."""
    names = ("nonmpi-fork-parent", "nonmpi-fork-child1")
    paths = [LOGS / "small" / f"{name}.darshan" for name in names]
    log = merge(*paths)
    assert log.job.nprocs == 2
    assert [r["rank"] for r in rows(log, "POSIX")] == [0, 1]
    assert log.job.start_time_nsec == darrow.open(paths[0]).job.start_time_nsec
    (note,) = told(*paths)
    assert "logs of 2 runs: their 2 processes are numbered through" in note


def test_processes_are_numbered_in_the_order_of_logs(tmp_path: Path):
    """Of runs with 2, 1 and 3 processes; records of all ranks of several processes stay so."""
    a, b, c = (
        write(
            tmp_path / name,
            {
                "POSIX": [
                    row("POSIX", 1, -1, FASTEST_RANK=1, SLOWEST_RANK=0),
                    row("POSIX", 2, nprocs - 1, FASTEST_RANK=0),
                ]
            },
            job={"nprocs": nprocs, "jobid": 7, "start": start},
        )
        for name, nprocs, start in (("a", 2, 300), ("b", 1, 100), ("c", 3, 200))
    )
    log = merge(a, b, c)
    assert log.job.nprocs == 6
    found = [(r["rank"], r["POSIX_FASTEST_RANK"], r["POSIX_SLOWEST_RANK"]) for r in rows(log, "POSIX")]
    assert found == [(-1, 1, 0), (1, 0, 0), (2, 3, 2), (2, 0, 0), (-1, 4, 3), (5, 0, 0)]
    found = [(r["rank"], r["POSIX_FASTEST_RANK"]) for r in rows(merge(b, c, a), "POSIX")]
    assert found == [(0, 1), (0, 0), (-1, 2), (3, 0), (-1, 5), (5, 0)]


@pytest.mark.parametrize(
    ("change", "nprocs"),
    [
        ({}, 4),  # the same start: parts of one log
        ({"start": 1_700_000_001}, 4),  # no rank in two of them: pieces of one run
        ({"jobid": 1}, 8),
        ({"uid": 1}, 8),
        ({"nprocs": 5}, 9),
    ],
)
def test_what_makes_a_run(change: dict[str, int], nprocs: int, tmp_path: Path):
    a = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, 0)]})
    b = write(tmp_path / "b", {"POSIX": [row("POSIX", 2, 1)]}, job=change)
    log = merge(a, b)
    assert log.job.nprocs == nprocs
    assert [r["rank"] for r in rows(log, "POSIX")] == [0, 1 if nprocs == 4 else 5]


def test_steps_of_a_job(tmp_path: Path):
    """The same ranks later are other processes; pieces of both steps find together."""
    logs = [
        write(tmp_path / f"{step}{rank}", {"STDIO": [row("STDIO", 1, rank)]}, job={"nprocs": 2, "start": start})
        for step, start in ((0, 1000), (1, 2000))
        for rank, start in ((0, start), (1, start + 1))
    ]
    for order in (logs, [logs[i] for i in (3, 0, 1, 2)]):
        log = merge(*order)
        assert log.job.nprocs == 4
        assert sorted(r["rank"] for r in rows(log, "STDIO")) == [0, 1, 2, 3]


def test_single_processes_of_the_same_second(tmp_path: Path):
    """Programs without MPI that start together, in a format without nanoseconds."""
    paths = [tmp_path / f"{i}" for i in range(3)]
    for i, path in enumerate(paths):
        job = w.job(version="3.21", nprocs=1)
        log = w.Log(job=job, version="3.21", modules={"STDIO": (2, w.stdio(i, 0))})
        path.write_bytes(log.build())
    log = merge(*paths)
    assert (log.job.nprocs, [r["rank"] for r in rows(log, "STDIO")]) == (3, [0, 1, 2])


@pytest.mark.parametrize(("ranks", "nprocs"), [([0, 4], 5), ([-1], 1), ([], 1)])
def test_the_highest_rank_tells(ranks: list[int], nprocs: int, tmp_path: Path):
    """Where the job does not tell how many processes there are."""
    log = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, rank) for rank in ranks]}, job={"nprocs": 0})
    assert merge(log).job.nprocs == nprocs


# One record for all ---------------------------------------------------------------------------------------------------


def random_row(module: str, record_id: int, rank: int, rng: random.Random) -> Row:
    """A record of a process with plausible values in all counters."""
    layout = SPEC.modules[module]
    record: Row = {"id": record_id, "rank": rank}
    for name in [*layout["int_counters"], *(f["name"] for f in layout.get("pre_counter_fields", ()))]:
        record[name] = rng.choice((0, 1, 3, rng.randrange(10**6)))
    for name in layout["float_counters"]:
        record[name] = rng.choice((0.0, rng.random() * 100))
    for field in layout.get("tail_fields", ()):
        record[field["name"]] = uuid.UUID(int=record_id).bytes if field["type"] == "uuid" else record_id + 7
    if module == "MDHIM":
        record["MDHIM_SERVERS"] = 2
        record["servers"] = [rng.randrange(9), rng.randrange(9)]
    return record


def packable(module: str, record: Row) -> bytes:
    """As `made.pack`, with the fields of the tail."""
    layout = SPEC.modules[module]
    tails = {f["name"] for f in layout.get("tail_fields", ())}
    data = pack(module, {k: v for k, v in record.items() if k not in tails})
    end = b"".join(
        record[f["name"]] if f["type"] == "uuid" else record[f["name"]].to_bytes(8, "little")
        for f in layout.get("tail_fields", ())
    )
    return data[: len(data) - len(end)] + end


@pytest.mark.parametrize("module", [m for m in COMBINING if m != "NULL"])
def test_rules(module: str, tmp_path: Path):
    """Files of all 3 processes become one record each, by the rules; the others stay as they are."""
    rng = random.Random(module)
    everywhere, some = (11, 12, 13), {21: (0, 1), 22: (2,), 23: (1, 2)}
    records = [random_row(module, i, rank, rng) for i in everywhere for rank in range(3)]
    others = [random_row(module, i, rank, rng) for i, ranks in some.items() for rank in ranks]
    paths = [
        write(
            tmp_path / f"{rank}",
            {module: [packable(module, r) for r in others + records if r["rank"] == rank]},
            job={"nprocs": 3, "start": 1000 + rank},
        )
        for rank in (2, 0, 1)
    ]
    log = merge("--shared-redux", *paths)
    ours = rows(log, module)
    plain = {(r["id"], r["rank"]): r for path in paths for r in rows(darrow.open(path), module)}
    assert sorted((r["id"], r["rank"]) for r in ours) == sorted(
        [*((i, -1) for i in everywhere), *((i, rank) for i, ranks in some.items() for rank in ranks)]
    )
    for record in ours:
        if record["rank"] >= 0:
            assert record == plain[record["id"], record["rank"]]
            continue
        of_file = [plain[record["id"], rank] for rank in (2, 0, 1)]  # the order of the logs
        right = Combined(module, combined_rows(module, of_file))
        for name, value in right.values.items():
            if name == "records":
                continue
            stored = record[name]
            expected = value
            if value is None:
                told_ids = {r[name] for r in of_file if r[name]}
                is_id = name in ("file_rec_id", "POSIX_RENAMED_FROM")
                expected = (told_ids.pop() if len(told_ids) == 1 else 0) if is_id else type(stored)(-1)
            assert not differs(name, stored, expected), (name, stored, expected)
        if module == "MDHIM":
            assert record["servers"] == right.lists["servers"]
        for field in SPEC.modules[module].get("tail_fields", ()):
            assert record[field["name"]] == of_file[0][field["name"]]


@pytest.mark.parametrize(
    ("ids", "expected"), [((0, 7, 0), 7), ((7, 7, 0), 7), ((7, 8, 0), 0), ((0, 0, 0), 0), ((7, 7, 7), 7)]
)
def test_ids_that_not_each_rank_tells(ids: tuple[int, ...], expected: int, tmp_path: Path):
    """0 is none: it does not take away what others tell."""
    logs = pieces(tmp_path, [("POSIX", row("POSIX", 1, rank, RENAMED_FROM=i)) for rank, i in enumerate(ids)], 3)
    (record,) = rows(merge("--shared-redux", *logs), "POSIX")
    assert (record["rank"], record["POSIX_RENAMED_FROM"]) == (-1, expected)


def test_every_counter_has_a_value():
    """Those that no rule of its own names are compared above, too."""
    for module in COMBINING:
        if module == "NULL":
            continue
        names = SPEC.modules[module]["int_counters"] + SPEC.modules[module]["float_counters"]
        assert any(NOT_ALONE.fullmatch(name) for name in names) or PREFIX.get(module, module) in (
            *("H5F", "PNETCDF_FILE", "BGQ"),
        )


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_whichever_rank_is_first(order: tuple[int, ...], tmp_path: Path):
    """Of a file that rank 0 opens last, too (darshan-merge looks at the files of the first rank)."""
    logs = pieces(
        tmp_path, [("POSIX", row("POSIX", i, rank, OPENS=rank + 1)) for rank in range(3) for i in range(rank + 1)], 3
    )
    log = merge("--shared-redux", *(logs[i] for i in order))
    found = {(r["id"], r["rank"]): r["POSIX_OPENS"] for r in rows(log, "POSIX")}
    assert found == {(0, -1): 6, (1, 1): 2, (1, 2): 3, (2, 2): 3}


def test_nothing_is_shared_by_one_process(tmp_path: Path):
    log = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, 0), row("POSIX", 2, -1)]}, job={"nprocs": 1})
    assert [r["rank"] for r in rows(merge("--shared-redux", log), "POSIX")] == [0, -1]


@pytest.mark.parametrize(
    "ranks",
    [[0, 1, 1], [0, 0, 1], [0, 1, 2, 2], [-1, 0, 1, 2], [0, 1, 3], [0, 1, -2], [-1], [-1, -1], [0, 1]],
    ids=str,
)
def test_not_each_process_once(ranks: list[int], tmp_path: Path):
    """Records of which it is not clear that they are of each process one stay as they are."""
    log = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, rank) for rank in ranks]}, job={"nprocs": 3})
    merged = darrow.open(run("merge", "--shared-redux", log, "-o", "-").stdout, strict=False)
    assert [r["rank"] for r in rows(merged, "POSIX")] == ranks


def test_all_processes_of_several_runs(tmp_path: Path):
    """Two runs with a record for all of each, and one of single processes: 1 + 2 + 2 processes."""
    a = write(
        tmp_path / "a",
        {"STDIO": [row("STDIO", 1, -1, OPENS=10, SLOWEST_RANK=1, F_SLOWEST_RANK_TIME=3.0), row("STDIO", 2, -1)]},
        job={"nprocs": 2, "jobid": 1},
    )
    b = write(
        tmp_path / "b",
        {"STDIO": [row("STDIO", 1, rank, OPENS=1, F_WRITE_TIME=4.0 + rank) for rank in (0, 1)]},
        job={"nprocs": 2, "jobid": 2},
    )
    c = write(tmp_path / "c", {"STDIO": [row("STDIO", 1, -1, OPENS=5)]}, job={"nprocs": 1, "jobid": 3})
    log = merge("--shared-redux", a, b, c)
    shared, rest = rows(log, "STDIO")
    assert (shared["id"], shared["rank"], shared["STDIO_OPENS"]) == (1, -1, 17)
    assert (shared["STDIO_SLOWEST_RANK"], shared["STDIO_F_SLOWEST_RANK_TIME"]) == (3, 5.0)
    assert shared["STDIO_F_VARIANCE_RANK_TIME"] == -1.0  # cannot be told any more
    assert (rest["id"], rest["rank"]) == (2, -1)


def test_lustre_layouts(tmp_path: Path):
    """One for all if they are the same in everything."""
    logs = [
        write(
            tmp_path / f"{rank}",
            {
                "LUSTRE": [w.lustre(1, rank, [2], [4, 5]), w.lustre(2, rank, [1], [rank]), w.lustre(3, 0, [1], [1])][
                    : 3 - rank
                ]
            },
            job={"nprocs": 2, "start": 1000 + rank},
        )
        for rank in (0, 1)
    ]
    log = merge("--shared-redux", *logs)
    found = [(r["id"], r["rank"], [c["osts"] for c in r["components"]]) for r in rows(log, "LUSTRE")]
    assert found == [(1, -1, [[4, 5]]), (2, 0, [[0]]), (3, 0, [[1]]), (2, 1, [[1]])]
    assert merge(*logs)["LUSTRE"].to_arrow().num_rows == 5


def test_what_does_not_combine_stays(tmp_path: Path):
    """Heat maps, as long as they are, and traces."""
    logs = [
        write(
            tmp_path / f"{rank}",
            {"HEATMAP": [w.heatmap(1, rank, [1] * (3 + rank), [2] * (3 + rank))], "DXT_POSIX": [w.dxt(2, rank, 1, 1)]},
            versions={"DXT_POSIX": 1},
            job={"nprocs": 2, "start": 1000 + rank},
        )
        for rank in (0, 1)
    ]
    log = merge("--shared-redux", *logs)
    assert [(r["rank"], r["nbins"], r["write"]) for r in rows(log, "HEATMAP")] == [(0, 3, [1] * 3), (1, 4, [1] * 4)]
    assert {r["rank"] for r in rows(log, "DXT_POSIX")} == {0, 1}


def heat(rank: int, width: float, write: list[int], layer: int = 9) -> bytes:
    return made_heatmap(layer, rank, width, write, [2 * b for b in write])


def test_heat_maps_of_a_crashed_run(tmp_path: Path):
    """Processes that saw more time have wider bins: all are brought to the widest, as the run time does at the end."""
    maps = [heat(0, 0.1, [1, 2, 3, 4, 5]), heat(1, 0.4, [7, 0, 9]), heat(2, 0.2, [1, 1])]
    logs = [
        write(
            tmp_path / f"{i}",
            {"HEATMAP": [m, heat(i, 0.1, [i] * 2, layer=8)]},
            job={"nprocs": 3, "end": 0, "start": i + 9},
        )
        for i, m in enumerate(maps)
    ]
    log = merge(*logs)
    found = [(r["rank"], r["bin_width"], r["write"], r["read"]) for r in rows(log, "HEATMAP") if r["id"] == 9]
    assert found == [
        (0, 0.4, [10, 5, 0], [20, 10, 0]),
        (1, 0.4, [7, 0, 9], [14, 0, 18]),
        (2, 0.4, [2, 0, 0], [4, 0, 0]),
    ]
    assert [r["write"] for r in rows(log, "HEATMAP") if r["id"] == 8] == [[0, 0], [1, 1], [2, 2]]
    assert log.verify() == log.problems


@pytest.mark.parametrize(
    ("widths", "end"),
    [((0.1, 0.25), 0), ((0.1, 0.0), 0), ((0.1, float("nan")), 0), ((0.1, 0.2), 2000)],
    ids=["not a multiple", "no width", "nan", "a run that ended"],
)
def test_heat_maps_that_stay(widths: tuple[float, float], end: int, tmp_path: Path):
    logs = [
        write(
            tmp_path / f"{i}", {"HEATMAP": [heat(i, width, [1, 2, 3])]}, job={"nprocs": 2, "end": end, "start": i + 9}
        )
        for i, width in enumerate(widths)
    ]
    found = rows(darrow.open(run("merge", *logs, "-o", "-").stdout), "HEATMAP")
    assert [r["write"] for r in found] == [[1, 2, 3]] * 2
    assert repr([r["bin_width"] for r in found]) == repr(list(widths))


def test_sums_that_do_not_fit(tmp_path: Path):
    logs = pieces(tmp_path, [("POSIX", row("POSIX", 1, rank, BYTES_READ=2**62)) for rank in range(2)], 2)
    log = merge("--shared-redux", *logs)
    assert rows(log, "POSIX")[0]["POSIX_BYTES_READ"] == -1
    assert any("sums that do not fit 64 bits: 1 (POSIX_BYTES_READ 1)" in line for line in told("--shared-redux", *logs))


# Names, mounts, flags -------------------------------------------------------------------------------------------------


def test_partial_flags(tmp_path: Path):
    """Those of any log; not the mark of darshan-merge."""
    a = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, 0)]}, partial=("NULL", "H5F"))
    b = write(tmp_path / "b", {"POSIX": [row("POSIX", 1, 1)], "STDIO": [row("STDIO", 1, 1)]}, partial=("STDIO",))
    log = merge(a, b)
    assert {name for name, module in log.modules.items() if module.partial} == {"H5F", "STDIO"}
    assert "NULL" not in log.modules


def test_names_that_differ(tmp_path: Path):
    """The first one stays, as within a log."""
    a = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, 0)]}, names=[(1, b"/scratch/a"), (2, b"")])
    b = write(tmp_path / "b", {"POSIX": [row("POSIX", 1, 1)]}, names=[(1, b"/scratch/\xff"), (2, b"/b"), (3, b"/c")])
    assert dict(merge(a, b).names) == {1: "/scratch/a", 2: "/b", 3: "/c"}
    (line,) = told(a, b)
    assert line.startswith("darrow: warning: ")
    assert f'id 1 is "/scratch/a" and in {b} "/scratch/\\xff"' in line.replace("\\\\", "\\")
    done = run("merge", "--strict", a, b, "-o", tmp_path / "out")
    assert (done.returncode, (tmp_path / "out").exists()) == (NOTHING, False)


def test_names_that_no_log_can_hold(tmp_path: Path):
    """Too long for Darshan's reader: the records stay."""
    a = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, 0)]}, names=[(1, b"x" * (3 << 20)), (2, b"/b")])
    log = merge(a, code=SOME_LOST)
    assert dict(log.names) == {2: "/b"}
    assert len(rows(log, "POSIX")) == 1
    assert f"too long or with a NUL: 1, such as that of id 1 in {a}" in told(a, code=SOME_LOST)[0]


def test_mounts_of_all_logs(tmp_path: Path):
    a = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, 0)]}, job={"text": b"/bin/x\next4\t/\nlustre\t/scratch\0"})
    b = write(
        tmp_path / "b",
        {"POSIX": [row("POSIX", 2, 1)]},
        names=[(2, b"/local/f")],
        job={"text": b"/bin/x\ntmpfs\t/\nxfs\t/local\0"},
    )
    log = merge(a, b)
    assert [(m.path, m.fs_type) for m in log.mounts] == [("/", "ext4"), ("/scratch", "lustre"), ("/local", "xfs")]
    assert log["POSIX"].column("fs_type") == [None, "xfs"]


def test_mounts_without_room(tmp_path: Path):
    lines = [b"".join(b"\nnfs\t/mount-%d-%03d%s" % (k, i, b"x" * 60) for i in range(30)) for k in range(2)]
    a, b = (
        write(tmp_path / f"{k}", {"POSIX": [row("POSIX", 1, k)]}, job={"text": b"/bin/x" + lines[k] + b"\0"})
        for k in range(2)
    )
    assert 30 < len(merge(a, b).mounts) < 60
    (line,) = told(a, b)
    assert "the job record has no room: " in line


def test_jobs_that_differ(tmp_path: Path):
    """They are merged, but not without a word; with --strict they are not."""
    a = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, 0)]})
    b = write(tmp_path / "b", {"POSIX": [row("POSIX", 1, 0)]}, job={"jobid": 5, "text": b"/bin/other\0"})
    log = merge(a, b)
    assert (log.job.jobid, log.job.exe, log.job.nprocs) == (4242, "/bin/app -x", 8)
    lines = told(a, b)
    assert [line.split(": ")[1] for line in lines] == ["warning", "note", "note"]
    assert f"logs of another job or user than {a}: 1, such as {b}" in lines[0]
    done = run("merge", "--strict", a, b, "-o", tmp_path / "out")
    assert (done.returncode, (tmp_path / "out").exists()) == (NOTHING, False)
    assert "another job" in complaints(done)[0]


def test_a_log_twice(tmp_path: Path):
    """It counts once, whatever it is called."""
    copy = shutil.copy(EXAMPLE, tmp_path / "copy.darshan")
    log = merge(EXAMPLE, copy, EXAMPLE)
    for module in log:
        assert multiset(rows(log, module)) == multiset(rows(darrow.open(EXAMPLE), module))
    (line,) = told(EXAMPLE, copy, EXAMPLE)
    assert f"logs with the content of another one, taken once: 2, such as {copy}" in line


def test_records_that_two_logs_have(tmp_path: Path):
    """A log that was converted, or parts that overlap: told for each module, refused if strict."""
    a = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, 0), row("POSIX", 2, 1)], "STDIO": [row("STDIO", 3, 1)]})
    again = tmp_path / "again.darshan"
    assert run("convert", "--bzip2", a, again).returncode == DONE
    lines = told(a, again)
    for module, count in (("POSIX", 2), ("STDIO", 1)):
        (line,) = [line for line in lines if line.endswith(f"({module})")]
        assert line.startswith("darrow: warning: ")
        assert f"which count twice: {count}, such as id " in line
        assert f" in {again}" in line
    done = run("merge", "--strict", a, again, "-o", tmp_path / "out")
    assert (done.returncode, (tmp_path / "out").exists()) == (NOTHING, False)
    assert "which count twice" in complaints(done)[-1]
    part = tmp_path / "part.darshan"
    assert run("convert", "--rank", "1", a, part).returncode == DONE
    assert any("which count twice: 1, such as id 2 of rank 1 " in line for line in told(a, part))
    other = write(tmp_path / "b", {"POSIX": [row("POSIX", 1, 0)]}, job={"jobid": 5})
    assert not any("count twice" in line for line in told(a, other))  # a run of its own


# Damage ---------------------------------------------------------------------------------------------------------------


def test_damaged_logs(tmp_path: Path):
    """One that cannot be read is left out; of one that is damaged what is intact is taken."""
    good = write(tmp_path / "good", {"POSIX": [row("POSIX", 1, 0)]})
    cut = tmp_path / "cut"
    write(cut, {"POSIX": [row("POSIX", 1, 1), row("POSIX", 2, 1)]}, compression=w.NONE)
    cut.write_bytes(cut.read_bytes()[:-10])
    log = merge(good, NO_LOG, cut, tmp_path / "nothing", code=SOME_LOST)
    assert [(r["id"], r["rank"]) for r in rows(log, "POSIX")] == [(1, 0), (1, 1)]
    assert log.modules["POSIX"].partial
    lines = told(good, NO_LOG, cut, tmp_path / "nothing", code=SOME_LOST)
    assert [Path(line.split(": ")[1]).name for line in lines] == ["empty.darshan", "nothing", "cut", "cut"]
    for logs in ([NO_LOG], [tmp_path / "nothing"]):
        done = run("merge", *logs, "-o", tmp_path / "out")
        assert (done.returncode, (tmp_path / "out").exists()) == (NOTHING, False)
    for logs in ([good, NO_LOG], [good, cut]):
        done = run("merge", "--strict", *logs, "-o", tmp_path / "out")
        assert (done.returncode, (tmp_path / "out").exists()) == (NOTHING, False)


def test_logs_without_a_job(tmp_path: Path):
    good = write(tmp_path / "good", {"POSIX": [row("POSIX", 1, 0)]})
    bad = tmp_path / "bad"
    bad.write_bytes(w.Log(job=w.Stored(b"nothing"), modules={"POSIX": (4, w.posix(1, 1))}).build())
    lines = told(good, bad, code=SOME_LOST)
    assert lines == [f"darrow: {bad}: left out: its job cannot be read"]


@needs_logs
@pytest.mark.parametrize("options", [[], ["--shared-redux"]], ids=["plain", "reduced"])
def test_any_log_may_be_merged(options: list[str], tmp_path: Path):
    """Of all malformed ones with a good one: no crash, and what is written can be read."""
    out = tmp_path / "out.darshan"
    for path in sorted((LOGS / "malformed").glob("*.darshan")):
        if path.stat().st_size > 3_000_000:
            continue
        done = run("merge", *options, EXAMPLE, path, "-fo", out)
        assert done.returncode in (DONE, SOME_LOST, NOTHING), (path, done.stderr)
        if done.returncode != NOTHING:
            assert darrow.open(out, strict=False)["MPI-IO"].to_arrow().num_rows >= 1


# What is not known ----------------------------------------------------------------------------------------------------


def test_modules_that_are_not_known(tmp_path: Path):
    """They come along as the run time puts them together, if they are of one version and byte order."""
    a = write(tmp_path / "a", {"module 40": [b"abc"], "POSIX": [row("POSIX", 1, 0)]}, versions={"module 40": 3})
    b = write(tmp_path / "b", {"module 40": [b"def"], "POSIX": [row("POSIX", 1, 1)]}, versions={"module 40": 3})
    c = write(tmp_path / "c", {"module 40": [b"ghi"], "POSIX": [row("POSIX", 1, 2)]}, versions={"module 40": 4})
    log = merge(a, b)
    assert (log.modules["module 40"].version, log.modules["module 40"].bytes()) == (3, b"abcdef")
    log = merge(a, b, c, code=SOME_LOST)
    assert log.modules["module 40"].bytes() == b"abcdef"
    assert f"1 logs, such as {c}" in told(a, b, c, code=SOME_LOST)[0]
    assert len(rows(log, "POSIX")) == 3


def test_a_version_that_is_not_known(tmp_path: Path):
    """Beside versions that are, nothing can be done with it."""
    a = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, 0)]})
    b = write(tmp_path / "b", {"POSIX": [w.posix(1, 1)]}, versions={"POSIX": 9})
    log = merge(a, b, code=SOME_LOST)
    assert [r["rank"] for r in rows(log, "POSIX")] == [0]
    absurd = write(tmp_path / "c", {"STDIO": [b"x"]}, versions={"STDIO": 2**32 - 1})
    assert set(merge(a, absurd, code=SOME_LOST)) == {"POSIX"}


def test_traces_with_and_without_thread_ids(tmp_path: Path):
    """None has any then: 0 would be a thread."""
    write(tmp_path / "a", {"DXT_POSIX": [w.dxt(1, 0, 2, 1)]}, versions={"DXT_POSIX": 1})
    shutil.copy(DATA / "dxt-v2-posix.darshan", tmp_path / "b")
    for order in (("a", "b"), ("b", "a")):
        paths = [tmp_path / name for name in order]
        log = merge(*paths)
        assert log.modules["DXT_POSIX"].version == 1
        theirs = sum(darrow.open(path)["DXT_POSIX"].to_arrow().num_rows for path in paths)
        assert log["DXT_POSIX"].to_arrow().num_rows == theirs
        column = darrow.open(tmp_path / "b")["DXT_POSIX"].to_arrow().column("thread_id")
        lost = len(column) - column.null_count
        assert any(f"thread ids of {lost} segments are left out: version 1" in line for line in told(*paths))
    assert merge(tmp_path / "b").modules["DXT_POSIX"].version == 2


def test_the_record_that_opens_a_module(tmp_path: Path):
    """Of parts of a log it is the same; of several logs the first stays."""
    apmpi = DATA / "apmpi.darshan"
    parts = split(tmp_path / "parts", apmpi)
    log = merge(*parts)
    assert log["APMPI"].header == darrow.open(apmpi)["APMPI"].header
    assert multiset(rows(log, "APMPI")) == multiset(rows(darrow.open(apmpi), "APMPI"))
    lines = told(apmpi, DATA / "lustre-apmpi-all.darshan")
    assert any("stands for those of other logs, which differ: 1 (APMPI)" in line for line in lines)


def test_byte_order(tmp_path: Path):
    """Of each log its own; the merged one as asked for."""
    big = DATA / "fx_POSIX_v4_be_3.21.darshan"
    little = write(tmp_path / "a", {"POSIX": [row("POSIX", 1, 0, OPENS=3)]})
    for order in ("little", "big"):
        log = merge("--byte-order", order, big, little)
        assert log.byte_order == order
        assert [r["POSIX_OPENS"] for r in rows(log, "POSIX")] == [
            *(r["POSIX_OPENS"] for r in rows(darrow.open(big), "POSIX")),
            3,
        ]


# Others read it -------------------------------------------------------------------------------------------------------


@needs_logs
@pytest.mark.skipif(importlib.util.find_spec("darshan") is None, reason="needs PyDarshan (pip install darshan==3.5.0)")
def test_pydarshan_reads_it(tmp_path: Path):
    """The merged log of the crashed run, which it cannot read before: records, names, heat maps."""
    out = tmp_path / "out.darshan"
    assert run("merge", "--shared-redux", *CRASH, "-o", out).returncode == DONE
    script = (
        "import darshan, sys; r = darshan.DarshanReport(sys.argv[1], read_all=True);"
        "print({m: len(x) for m, x in r.records.items()}, len(r.name_records), r.metadata['job']['nprocs'],"
        " round(r.metadata['job']['run_time'], 3), sorted(r.heatmaps), r.modules['POSIX']['partial_flag'])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, out], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip().endswith(
        "{'POSIX': 6, 'MPI-IO': 1, 'STDIO': 7} 16 4 0.277 ['MPIIO', 'POSIX', 'STDIO'] False"
    ), done.stdout


def test_the_same_bytes_each_time():
    """Also on a machine with other numbers of processors, and read by another reader."""
    logs = [EXAMPLE, DATA / "apmpi.darshan", DATA / "posix-ops.darshan"]
    first = run("merge", *logs, "-o", "-").stdout
    assert first == run("merge", *logs, "-o", "-").stdout
    assert read_plain(first).job["nprocs"] == sum(darrow.open(log).job.nprocs for log in logs)


def test_pipes(tmp_path: Path):
    """An output that others read."""
    shell = f"{' '.join(command())} merge {EXAMPLE} -o - | {' '.join(command())} info --format csv -"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, check=True, cwd=tmp_path, env=os.environ)
    assert done.stdout.startswith(b"log,")
