"""`darrow summary --by`: many logs in one table, added up by keys. What its arguments may be: `test_cli_inputs.py`.

Numbers come from what the programs counted (`facts.json`), from plain readers, and from what must hold between answers:
groups that share out all records add up to the whole, and a group is what a selection of its records gives.
"""

from __future__ import annotations

import csv
import io
import json
import math
import random
import resource
import shutil
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import logwriter as w
import pytest
from corpus import DATA, LOGS, NO_LOGS, facts, few, load, mount_of, shown
from plain import read_plain
from plain_metrics import layer
from plain_rules import COMBINING, PREFIX, rows_of
from test_cli import DONE, NOTHING, SOME_LOST, USAGE, command, complaints, darrow, in_terminal, refuse_constant
from test_cli_summary import posix, write_log
from test_facts import Program, name_of
from test_summary_facts import OPENS, OPERATIONS

FLEET = LOGS / "fleet"
BAD = LOGS / "fleet-bad"
ADDITIVE = ("records", "bytes_read", "bytes_written", "bytes", "reads", "writes", "opens", "meta_ops")
TIMES = ("read_time", "write_time", "meta_time", "wait_time")

Group = dict[str, Any]

needs_fleet = pytest.mark.skipif(not FLEET.exists(), reason=NO_LOGS)

# Asking ---------------------------------------------------------------------------------------------------------------


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len(dict(pairs)) == len(pairs), f"a member twice: {[key for key, _ in pairs]}"
    return dict(pairs)


def read_json(run: subprocess.CompletedProcess[bytes], code: int | None = DONE) -> dict[str, Any]:
    """What --format json says; the exit code has to be as told."""
    assert code in (None, run.returncode), (run.returncode, run.stderr)
    return json.loads(run.stdout.decode(), parse_constant=refuse_constant, object_pairs_hook=unique_keys)


def told(*arguments: str | Path, code: int | None = DONE, **options: Any) -> dict[str, Any]:
    return read_json(darrow("summary", "--format", "json", *arguments, **options), code)


def groups(*arguments: str | Path, code: int | None = DONE, **options: Any) -> list[Group]:
    return told(*arguments, code=code, **options)["groups"]


def table(*arguments: str | Path, code: int | None = DONE) -> list[dict[str, str]]:
    """What --format csv says."""
    run = darrow("summary", "--format", "csv", *arguments)
    assert code in (None, run.returncode), (run.returncode, run.stderr)
    return list(csv.DictReader(io.StringIO(run.stdout.decode(), newline=""), strict=True))


def total(values: Iterable[Any]) -> Any:
    """The sum of what is known; None if nothing is."""
    known = [value for value in values if value is not None]
    return math.fsum(known) if any(isinstance(v, float) for v in known) else sum(known) if known else None


def same(ours: Any, theirs: Any) -> bool:
    """Equal; sums of times up to their rounding."""
    if isinstance(ours, float) or isinstance(theirs, float):
        return None not in (ours, theirs) and math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-18)
    return ours == theirs


@cache
def fleet() -> dict[str, Any]:
    if not FLEET.exists():
        pytest.skip(NO_LOGS)
    return load(FLEET / "facts.json")


def fleet_logs(module: str | None = None) -> list[Path]:
    """Logs of the fleet; those whose program called a module itself."""
    return [FLEET / log["path"] for log in fleet()["logs"] if module is None or module in log["totals"]]


def made(path: Path, size: int, *, time: float = 0.5, names: bytes = b"/scratch/a", **of_job: Any) -> Path:
    """A log of one record that wrote `size` bytes."""
    record = posix(1, 0, {"OPENS": 1, "WRITES": 1, "BYTES_WRITTEN": size, "F_WRITE_TIME": time})
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_log(path, record, job=w.job(**of_job), names=w.names([(1, names)]))


# What programs counted ------------------------------------------------------------------------------------------------

OF_FLEET = {
    "uid": lambda log: log["uid"],
    "exe": lambda log: log["exe"].split()[0],
    "job": lambda log: log["path"],
    "day": lambda log: log["path"].split("/")[1],  # the month: facts have no days
}


def fleet_key(key: str, group: Group) -> Any:
    match key:
        case "job":
            return Path(group["log"]).relative_to(FLEET).as_posix()
        case "day":
            year, month, _ = group["day"].split("-")
            assert year == "2025"
            return str(int(month))
    return group[key]


@pytest.mark.parametrize("key", OF_FLEET)
@pytest.mark.parametrize("module", ["POSIX", "STDIO", "MPI-IO", "H5F", "H5D", "PNETCDF_VAR"])
def test_fleet_is_what_the_programs_counted(key: str, module: str):
    """Logs, bytes, calls of each user, program and month, of logs whose program called the module itself."""
    prefix = PREFIX.get(module, module)
    counters = OPERATIONS | {"opens": OPENS[module]} if module in OPENS else dict(OPERATIONS)
    if module == "PNETCDF_VAR":
        del counters["bytes_written"]  # 8 more in each of these logs than the program wrote, says the plain reader too
    theirs: defaultdict[Any, Counter[str]] = defaultdict(Counter)
    for log in fleet()["logs"]:
        if module in log["totals"]:
            sums = theirs[OF_FLEET[key](log)]
            sums["jobs"] += 1
            for metric, names in counters.items():
                sums[metric] += sum(log["totals"][module].get(f"{prefix}_{name}", 0) for name in names)
    ours: defaultdict[Any, Counter[str]] = defaultdict(Counter)
    for group in groups("--by", key, "--module", module, *fleet_logs(module)):
        for metric in ("jobs", *counters):
            ours[fleet_key(key, group)][metric] += group[metric] or 0
    assert ours == theirs


@pytest.mark.parametrize(
    ("totals", "key"), [("by_user", "uid"), ("by_app", "exe"), ("by_month", "day")], ids=lambda value: value
)
def test_totals_of_the_fleet(totals: str, key: str):
    """Bytes by user, program (its base name) and month, as facts.json adds them up."""
    users = {log["uid"]: log["user"] for log in fleet()["logs"]}
    name = {
        "uid": lambda group: users[group["uid"]],
        "exe": lambda group: group["exe"].rsplit("/", 1)[-1],
        "day": lambda group: fleet_key("day", group),
    }[key]
    ours = {group: Counter(bytes_written=0, bytes_read=0) for group in fleet()[totals]}
    for module in ("POSIX", "STDIO"):
        for group in groups("--by", key, "--module", module, *fleet_logs(module)):
            ours[name(group)].update({metric: group[metric] for metric in ("bytes_written", "bytes_read")})
    theirs = {group: {k: v for k, v in sums.items() if k != "logs"} for group, sums in fleet()[totals].items()}
    assert ours == theirs


@needs_fleet
def test_logs_of_the_fleet():
    """All are read, also those of programs without I/O, and jobs tell who they were."""
    everything = told("--by", "job", FLEET)
    assert everything["logs"] == fleet()["n_logs"]
    assert everything["repeated"] == everything["failures"] == []
    known = {log["path"]: log for log in fleet()["logs"]}
    for group in everything["groups"]:
        log = known[fleet_key("job", group)]
        theirs = {key: log[key] for key in ("jobid", "uid", "nprocs", "start_time")} | {"exe": log["exe"].split()[0]}
        assert {key: group[key] for key in theirs} == theirs
        assert group["run_time"] == pytest.approx(log["run_time_in_log"], abs=1e-6)
    assert {fleet_key("job", group) for group in everything["groups"]} == {
        p for p, log in known.items() if log["files"]
    }


def small_facts() -> list[tuple[Path, dict[str, Any]]]:
    found = [(file, load(file)) for folder in (DATA, LOGS / "small") for file in facts(folder).values()]
    return [(file, fact) for file, fact in found if fact.get("readable", True) and not fact.get("obfuscated")]


def test_files_and_ranks_are_what_the_programs_counted():
    """Of each file and rank with a record of its own: what the program counted on that rank."""
    compared, wrong = 0, []
    for file, fact in small_facts():
        single = [entry for entry in fact.get("files", []) if "per_rank" in entry or len(entry["ranks"]) == 1]
        if not single:
            continue
        log = file.with_name(file.name.replace(".facts.json", ".darshan"))
        ours: defaultdict[tuple[str, str | None, int], list[Group]] = defaultdict(list)
        for group in groups("--by", "file,rank", log, code=None):
            ours[group["module"], group["name"], group["rank"]].append(group)
        program = Program(fact)
        for entry in single:
            module, name, prefix = entry["module"], name_of(entry), PREFIX.get(entry["module"], entry["module"])
            for rank in entry["ranks"]:
                found = ours[module, shown(name.decode("utf-8", "surrogateescape")), rank]
                for metric, names in OPERATIONS.items():
                    counters = entry["counters"]
                    if len(entry["ranks"]) > 1:
                        counters = entry["per_rank"].get(str(rank), {})
                    there = [f"{prefix}_{n}" for n in names if f"{prefix}_{n}" in counters]
                    if len(found) != 1 or not there:
                        continue  # reduced to a record of all ranks, or not in the log
                    value = sum(program.counted(module, name, rank, c, counters[c]) for c in there)
                    compared += 1
                    if found[0][metric] != value:
                        wrong.append(f"{log.stem} {module} {name!r} {rank}: {metric} {found[0][metric]}, not {value}")
    assert not wrong, few(wrong)
    assert compared >= (1500 if (LOGS / "small").exists() else 150), compared


# What plain readers find ----------------------------------------------------------------------------------------------


def directory(name: str, depth: int) -> str | None:
    parts = name.split("/")[:-1]
    return "/".join(parts[: depth + 1]) or "/" if name.startswith("/") else None


def plain_groups(key: str) -> dict[tuple[str, Any], dict[str, Any]]:
    """Groups of the fleet: each job's metrics by a plain reader, then counts and times added, rates from both."""
    found: dict[tuple[str, Any], dict[str, list[Any]]] = {}
    for path in fleet_logs():
        log = read_plain(path)
        mounts = [tuple(line.decode().split("\t")[::-1]) for line in log.mount_lines]

        def of(row: dict[str, Any], log: Any = log, mounts: Any = mounts) -> Any:
            name = log.names[row["id"]].decode()
            match key:
                case "file":
                    return name
                case "rank":
                    return row["rank"]
                case "dir:3":
                    return directory(name, 3)
                case "mount":
                    return mount_of(name, mounts)[0]
                case "uid":
                    return log.job["uid"]
                case "module":
                    return None
            raise ValueError(key)

        for module in log.modules:
            if module not in COMBINING:
                continue
            parts: defaultdict[Any, list[dict[str, Any]]] = defaultdict(list)
            for row in rows_of(log, module):
                parts[of(row)].append(row)
            for value, rows in parts.items():
                sums = found.setdefault((module, value), defaultdict(list))
                for metric, number in layer(module, rows, log.job["nprocs"]).items():
                    sums[metric].append(number)
                sums["jobs"].append(1)
    return {group: {metric: total(values) for metric, values in sums.items()} for group, sums in found.items()}


@pytest.mark.parametrize("key", ["file", "rank", "dir:3", "mount", "uid", "module"])
@needs_fleet
def test_times_and_rates_by_a_plain_reader(key: str):
    """Of each job along its slowest ranks, then added up; a rate is all bytes over all of the time."""
    theirs = plain_groups(key)
    columns = {"file": "name", "dir:3": "dir"}
    ours = {(group["module"], group.get(columns.get(key, key)) if key != "module" else None): group
            for group in groups("--by", key, FLEET)}  # fmt: skip
    assert set(ours) == set(theirs)
    wrong = []
    summed = ("jobs", *ADDITIVE[:4], *TIMES[:3], "time_by_slowest", "unique_time_by_slowest", "shared_time_by_slowest")
    for group, sums in theirs.items():
        expected = {metric: sums[metric] for metric in summed if metric in sums}
        expected["files"] = 1 if key == "file" else sums["files"]
        if "rate" in sums:
            time = sums["time_by_slowest"]
            expected["rate"] = sums["bytes"] / time if time else None
        wrong += [f"{group} {k}: {ours[group][k]}, {v} expected" for k, v in expected.items()
                  if not same(ours[group][k], v)]  # fmt: skip
    assert not wrong, few(wrong)


def test_a_rate_over_jobs(tmp_path: Path):
    """1000 bytes in 1 s and 1000 in 4 s: 400 bytes/s, neither 1250 nor their mean."""
    made(tmp_path / "a.darshan", 1000, time=1.0, jobid=1)
    made(tmp_path / "b.darshan", 1000, time=4.0, jobid=2)
    for key in ("module", "uid", "file", "exe", "mount"):
        (group,) = groups("--by", key, tmp_path)
        assert (group["jobs"], group["bytes"], group["time_by_slowest"], group["rate"]) == (2, 2000, 5.0, 400.0)
    assert sorted(group["rate"] for group in groups("--by", "job", tmp_path)) == [250.0, 1000.0]
    made(tmp_path / "c.darshan", 7, time=0.0, jobid=3)
    assert [g["rate"] for g in groups("--by", "job", tmp_path) if g["jobid"] == 3] == [None]


# Groups share out the records -----------------------------------------------------------------------------------------

KEYS = ["file", "rank", "mount", "fs", "dir:1", "dir:4", "ext", "job", "exe", "uid", "day", "host"]
COMBINED = ["file,rank", "job,rank", "dir:2,ext", "uid,day,exe", "exe,file", "mount,fs,uid", "job,file,rank"]


def partition(parts: Iterable[list[Group]], whole: list[Group], metrics: Iterable[str]) -> list[str]:
    """Metrics whose sums over all groups are not those of the whole."""
    found: defaultdict[str, list[Group]] = defaultdict(list)
    for part in parts:
        for group in part:
            found[group["module"]].append(group)
    wrong = [f"modules {set(found)}"] if set(found) != {group["module"] for group in whole} else []
    for module in whole:
        for metric in metrics:
            sums = total(group[metric] for group in found[module["module"]])
            overflow = module[metric] is None and sums is not None and abs(sums) >= 2**63
            if not same(module[metric], sums) and not overflow:
                wrong.append(f"{module['module']} {metric}: {sums} in groups, {module[metric]} in all")
    return wrong


def corpora() -> dict[str, list[Path]]:
    return {"data": [DATA], "fleet": [FLEET]} if FLEET.exists() else {"data": [DATA]}


@pytest.mark.parametrize("key", KEYS + COMBINED)
def test_sums_over_groups_are_the_whole(key: str):
    """Odd and damaged logs too; nothing is lost and nothing counted twice."""
    for logs in corpora().values():
        wrong = partition(
            [groups("--by", key, *logs, code=None)],
            groups("--by", "module", *logs, code=None),
            (*ADDITIVE, *TIMES, *(["jobs"] if key in ("job", "exe", "uid", "day", "host") else [])),
        )
        assert not wrong, few(wrong)


def test_module_is_implied():
    for keys in ("file,module", "module,file", "file"):
        assert groups("--by", keys, DATA, code=None) == groups("--by", "file", DATA, code=None)


@needs_fleet
def test_groups_are_what_selections_give():
    """All metrics of a group, also those that do not add up, from its records alone."""
    whole = groups("--by", "rank", *fleet_logs())
    ids = groups("--by", "file", *fleet_logs())
    for group in random.Random(3).sample(ids, 8):
        chosen = groups("--by", "file", f"--id={group['id']}", "--module", group["module"], *fleet_logs())
        assert chosen == [group]
    for rank in (-1, 0, 3, 7):
        assert groups("--by", "rank", f"--rank={rank}", FLEET) == [g for g in whole if g["rank"] == rank]
    for uid in (41001, 41009):
        logs = [FLEET / log["path"] for log in fleet()["logs"] if log["uid"] == uid]
        assert groups("--by", "uid", *logs) == [g for g in groups("--by", "uid", FLEET) if g["uid"] == uid]


@pytest.mark.parametrize("folder", ["data", "fleet"])
def test_ranges_of_ranks(folder: str):
    if folder not in corpora():
        pytest.skip(NO_LOGS)
    logs = corpora()[folder]
    ranges = ["-1", "0", "1-3", "4-5000"]
    parts = [groups(f"--rank={ranks}", *logs, code=None) for ranks in ranges]
    odd = groups("--by", "rank", *logs, code=None)
    rest = [group for group in odd if group["rank"] is None or not -1 <= group["rank"] <= 5000]
    assert not partition([*parts, rest], groups("--by", "module", *logs, code=None), ADDITIVE)
    both = groups("--rank", "0,1-3", *logs, code=None)
    assert both == groups("--rank", "0-3", *logs, code=None) == groups("--rank=0", "--rank=1-3", *logs, code=None)


@needs_fleet
def test_wide_ranges_of_ranks_cost_nothing():
    """A range is two numbers, however many ranks lie between them."""

    def three_seconds() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (3, 3))  # of work: for 200 small logs

    wide = [*command(), "summary", "--rank", "0-1000000", "--format", "json", str(FLEET)]
    run = subprocess.run(wide, capture_output=True, check=False, timeout=60, preexec_fn=three_seconds)
    assert read_json(run)["groups"] == groups("--rank", "0-1000", FLEET)


def test_ids(tmp_path: Path):
    records = b"".join(posix(i, 0, {"WRITES": i, "BYTES_WRITTEN": 10**i}) for i in (1, 2, 3)) + posix(2**64 - 1, 0, {})
    log = write_log(tmp_path / "a.darshan", records)
    assert [g["bytes"] for g in groups("--by", "file", "--id", "1,3", log)] == [1000, 10]
    (group,) = groups("--id=2", "--id=3", log)
    assert (group["records"], group["bytes"], group["files"]) == (2, 1100, 2)
    (group,) = groups("--by", "file", f"--id={2**64 - 1}", log)
    assert (group["id"], group["name"]) == (str(2**64 - 1), None)
    assert groups("--id=77", log) == []
    assert [row["id"] for row in table("--by", "file", "--id=3", log)] == ["3"]


# Names and patterns ---------------------------------------------------------------------------------------------------


def test_patterns_that_share_out_all_names():
    """Each name ends in an even digit or does not: nothing is in both, and null is for records without a name."""
    patterns = ["--pattern", "even=[02468]$", "--pattern", "other=[^02468]$"]
    for logs in corpora().values():
        parts = groups(*patterns, *logs, code=None)
        assert {group["pattern"] for group in parts} <= {"even", "other", None}
        assert not partition([parts], groups("--by", "module", *logs, code=None), (*ADDITIVE, *TIMES))
        assert parts == groups("--by", "pattern", *patterns, *logs, code=None)


@needs_fleet
def test_patterns_that_overlap():
    """A file is in the group of each pattern that is in its name: the same as what --name selects."""
    patterns = {"user": "/user0[12]/", "seismic": "seismic", "one": r"1$", "none of them": "no such name"}
    given = [f"--pattern={name}={regex}" for name, regex in patterns.items()]
    parts = groups(*given, FLEET)
    for name, regex in patterns.items():
        ours = [{k: v for k, v in g.items() if k != "pattern"} for g in parts if g["pattern"] == name]
        assert ours == groups("--name", regex, FLEET)
    ours = [{k: v for k, v in g.items() if k != "pattern"} for g in parts if g["pattern"] is None]
    assert ours == groups(*(f"--exclude={regex}" for regex in patterns.values()), FLEET)
    by_user = groups("--by", "uid,pattern", *given, FLEET)
    assert by_user
    assert set(by_user[0]) == {*parts[0], "uid"}


@pytest.mark.parametrize("regex", [r"1$", "^/scratch", "(?i)NO SUCH", ""])
def test_a_name_and_its_complement_are_all(regex: str):
    """Records without a name have none of any pattern: --exclude keeps them."""
    for logs in corpora().values():
        whole = groups("--by", "module", *logs, code=None)
        parts = [groups(option, regex, *logs, code=None) for option in ("--name", "--exclude")]
        wrong = partition(parts, whole, ADDITIVE)
        assert not wrong, few(wrong)


def test_names_and_exclusions_together(tmp_path: Path):
    names = [b"/a/x.h5", b"/a/x.tmp", b"/b/y.h5", b"/b/z"]
    records = b"".join(posix(i, 0, {"WRITES": 1, "BYTES_WRITTEN": 10**i}) for i in range(4))
    log = write_log(tmp_path / "a.darshan", records, names=w.names(list(enumerate(names))))
    for options, size in [
        (["--name", "^/a/"], 11),
        (["--name", "x", "--name", "y"], 111),
        (["--exclude", "tmp", "--exclude", "z$"], 101),
        (["--name", "^/a/", "--exclude", "tmp"], 1),
        (["--name", r"\.h5$", "--id", "2,3"], 100),
        (["--exclude", "/"], None),
    ]:
        found = groups(*options, log)
        assert (found[0]["bytes"] if found else None) == size, options
    assert {g["ext"]: g["bytes"] for g in groups("--by", "ext", log)} == {"h5": 101, "tmp": 10, None: 1000}
    assert {g["dir"]: g["bytes"] for g in groups("--by", "dir:1", log)} == {"/a": 11, "/b": 1100}


def test_bottom_layer():
    """POSIX, STDIO and DFS as one: the sum of the three, and nothing of MPI-IO or HDF5."""
    for key in ("uid", "job", "rank", "exe,day"):
        for logs in corpora().values():
            whole = groups("--by", key, "--module", "posix,stdio,dfs", *logs, code=None)
            bottom = groups("--by", key, "--layer", "bottom", *logs, code=None)
            assert {group["module"] for group in bottom} == {"bottom"}
            merged: defaultdict[str, list[Group]] = defaultdict(list)
            names = [name for name in whole[0] if name not in ("module",)][: list(whole[0]).index("jobs") - 1]
            for group in whole:
                merged[json.dumps([group[name] for name in names])].append(group)
            ours = {json.dumps([group[name] for name in names]): group for group in bottom}
            assert set(ours) == set(merged)
            for value, parts in merged.items():
                for metric in (*ADDITIVE[:6], *TIMES[:3]):
                    assert same(ours[value][metric], total(part[metric] for part in parts)), (value, metric)


def test_a_module_that_is_not_of_the_bottom_layer():
    """As without --by: asking for both is a mistake, not an empty answer."""
    log = DATA / "example.darshan"
    for options in ([], ["--by", "uid"]):
        run = darrow("summary", *options, "--layer", "bottom", "--module", "mpiio", log)
        assert (run.returncode, run.stdout) == (USAGE, b"")
        assert "MPI-IO is not of the bottom layer" in complaints(run)[0]


# Bad logs -------------------------------------------------------------------------------------------------------------


@cache
def bad_logs() -> list[Path]:
    if not BAD.exists():
        pytest.skip(NO_LOGS)
    return sorted(BAD.glob("*.darshan"))


INTACT_MODULES = {"corrupt-job-stream.darshan", "truncated-module.darshan"}  # of which the records can be read


@pytest.mark.parametrize("options", [["--strict"], []], ids=["strict", "lenient"])
@needs_fleet
def test_bad_logs_among_good_ones(options: list[str]):
    """They change no number of the others. Unless --strict is given, what is intact of a bad log is told as well."""
    good, mixed = told("--by", "job", FLEET), told("--by", "job", *options, FLEET, *bad_logs(), code=SOME_LOST)
    assert [g for g in mixed["groups"] if not g["log"].startswith(str(BAD))] == good["groups"]
    counted = INTACT_MODULES if not options else set()
    assert mixed["logs"] == good["logs"] + len(counted)
    assert {Path(g["log"]).name for g in mixed["groups"] if g["log"].startswith(str(BAD))} == counted
    assert {Path(f["file"]).name for f in mixed["failures"] if f["counted"]} == counted
    if options:
        assert groups("--by", "uid", "--strict", FLEET, BAD, code=SOME_LOST) == groups("--by", "uid", FLEET)


@needs_fleet
def test_one_failure_a_bad_log():
    """One row each, with the path, where in the log, and why."""
    for options in (["--strict"], []):
        failures = told("--by", "uid", *options, FLEET, BAD, code=SOME_LOST)["failures"]
        assert {failure["file"] for failure in failures} == set(map(str, bad_logs()))
        assert all(failure["region"] and failure["reason"] and failure["code"] for failure in failures)
        assert [n for n in Counter(failure["file"] for failure in failures).items() if n[1] > 1] == []


@needs_fleet
def test_reasons():
    found = {Path(f["file"]).stem: f for f in told("--by", "uid", "--strict", BAD, code=NOTHING)["failures"]}
    for name, region, reason in [
        ("empty", "header", "empty"),
        ("short-header", "header", "700 bytes"),
        ("truncated-module", "HEATMAP", "end of the file"),
        ("corrupt-job-stream", "job", "damaged"),
        ("wrong-magic", "header", "magic"),
        ("future-version", "header", "9.99"),
        ("unknown-compression", "header", "7"),
        ("not-a-log", "header", "not a Darshan log"),
    ]:
        assert found[name]["region"] == region
        assert reason in found[name]["reason"]


@pytest.mark.parametrize("key", ["uid", "job", "file", "file,rank", "module"])
def test_only_bad_logs(key: str, tmp_path: Path):
    """Nothing could be read: 4, and machines still get a table, with the columns that there would be."""
    bad = [log for log in bad_logs() if log.name not in INTACT_MODULES]
    nothing = told("--by", key, *bad, code=NOTHING)
    assert (nothing["logs"], nothing["groups"], len(nothing["failures"])) == (0, [], len(bad))
    run = darrow("summary", "--by", key, "--format", "csv", *bad)
    assert run.returncode == NOTHING
    assert len(complaints(run)) == len(bad)
    good = darrow("summary", "--by", key, "--format", "csv", made(tmp_path / "a.darshan", 1))
    assert run.stdout.splitlines() == good.stdout.splitlines()[:1]
    assert darrow("summary", "--by", key, *bad).returncode == NOTHING


@pytest.mark.parametrize("key", ["uid", "job", "file"])
def test_sorting_nothing(key: str):
    """A key is a key, whether a log could be read or not."""
    column = {"job": "jobid", "file": "name"}.get(key, key)
    empty = DATA / "empty.darshan"
    assert told("--by", key, "--sort", column, empty, code=NOTHING)["groups"] == []


def test_a_log_that_is_bad_and_given_twice():
    empty = DATA / "empty.darshan"
    nothing = told("--by", "uid", empty, empty, code=NOTHING)
    assert {failure["file"] for failure in nothing["failures"]} == {str(empty)}
    assert nothing["repeated"] == []


def test_partial_modules():
    log = DATA / "partial-posix.darshan"
    assert any(group["partial"] for group in groups("--by", "uid", log))
    (failure,) = told("--by", "uid", "--fail-partial", log, code=SOME_LOST)["failures"]
    assert (failure["region"], failure["counted"]) == ("POSIX", True)


# The same log again ---------------------------------------------------------------------------------------------------


def test_copies_are_counted_once(tmp_path: Path):
    """Whatever they are called and wherever they lie; the order of arguments says which one is the first."""
    first = made(tmp_path / "a.darshan", 1000)
    copies = [tmp_path / "b.darshan", tmp_path / "below" / "a.darshan"]
    for copy in copies:
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(first, copy)
    for logs in ([tmp_path], [first, *copies], [first, first, first], [tmp_path / "*.darshan", copies[1]]):
        once = told("--by", "uid", "--threads=1", *logs)
        assert once["logs"] == 1
        assert (once["groups"][0]["jobs"], once["groups"][0]["bytes"]) == (1, 1000)
        assert [entry["same_as"] for entry in once["repeated"]] == [str(first)] * 2
    assert {entry["file"] for entry in told("--by", "uid", "--threads=1", tmp_path)["repeated"]} == set(
        map(str, copies)
    )
    text = darrow("summary", "--by", "uid", tmp_path).stdout.decode()
    assert text.startswith("1 log, 2 more that are the same as another\n")


def test_logs_of_one_name_are_two(tmp_path: Path):
    """A base name says nothing: jobs are what their logs hold."""
    made(tmp_path / "a" / "log.darshan", 1000, jobid=1)
    made(tmp_path / "b" / "log.darshan", 10, jobid=2)
    both = told("--by", "module", tmp_path)
    assert (both["logs"], both["repeated"]) == (2, [])
    assert (both["groups"][0]["jobs"], both["groups"][0]["bytes"]) == (2, 1010)
    assert len(groups("--by", "job", tmp_path)) == 2


def test_logs_of_one_job_are_two(tmp_path: Path):
    """Steps of a job: id, user and start alike, contents not."""
    made(tmp_path / "a.darshan", 1000)
    made(tmp_path / "b.darshan", 10)
    both = told("--by", "job", tmp_path)
    assert (both["logs"], both["repeated"], len(both["groups"])) == (2, [], 2)


@pytest.mark.parametrize("threads", [2, 8])
def test_which_of_two_copies_counts_does_not_depend_on_threads(threads: int, tmp_path: Path):
    for folder in ("a", "b"):
        for log in fleet_logs()[:60]:
            copy = tmp_path / folder / log.name
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(log, copy)
    alone = told("--by", "job", "--threads=1", tmp_path)
    assert {entry["same_as"].split("/")[-2] for entry in alone["repeated"]} == {"a"}
    for _ in range(5):
        assert told("--by", "job", f"--threads={threads}", tmp_path) == alone


# Threads and order ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["exe,day", "file", "job", "rank"])
def test_threads_and_order_change_nothing(key: str):
    """Not a byte: sums are exact, and rows have an order of their own."""
    logs = [*fleet_logs(), *(sorted(BAD.glob("*.darshan")))]
    orders = [logs, logs[::-1], *(random.Random(seed).sample(logs, len(logs)) for seed in range(2))]
    for format in ("json", "csv"):
        seen = set()
        for threads, order in [*((n, logs) for n in (1, 2, 8, 8)), *zip((1, 2, 8), orders[1:], strict=True)]:
            run = darrow("summary", "--by", key, "--format", format, f"--threads={threads}", *order)
            assert run.returncode == SOME_LOST
            seen.add((run.stdout, run.stderr))
        assert len(seen) == 1


@pytest.mark.parametrize("threads", ["0", "3", "255", "100000"])
def test_numbers_of_threads(threads: str, tmp_path: Path):
    log = made(tmp_path / "a.darshan", 5)
    assert groups("--by", "uid", "--threads", threads, log) == groups("--by", "uid", log)


def test_fewer_threads_than_asked_for(tmp_path: Path):
    """Where the system gives no more of them, those that there are do the work."""
    log = made(tmp_path / "a.darshan", 5)

    def few_resources() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))

    run = darrow("summary", "--by", "uid", "--threads", "200", "--format", "json", log, preexec_fn=few_resources)
    if b"Sanitizer" in run.stderr:
        pytest.skip("sanitizers need more memory")
    assert read_json(run, DONE)["logs"] == 1


# Rows and columns -----------------------------------------------------------------------------------------------------


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """Three users: 10 bytes in 1 s, 1000 in 1000 s, 100 in no time."""
    made(tmp_path / "a.darshan", 10, time=1.0, uid=1, jobid=1)
    made(tmp_path / "b.darshan", 1000, time=1000.0, uid=2, jobid=2)
    made(tmp_path / "c.darshan", 100, time=0.0, uid=3, jobid=3)
    return tmp_path


@pytest.mark.parametrize(
    ("options", "uids"),
    [
        ([], [2, 3, 1]),
        (["--sort", "bytes"], [2, 3, 1]),
        (["--sort", "rate"], [1, 2, 3]),  # null last
        (["--sort", "time_by_slowest"], [2, 1, 3]),
        (["--sort", "uid"], [1, 2, 3]),
        (["--sort", "jobs"], [1, 2, 3]),  # equal: in the order of the keys
        (["--sort", "wait_time"], [1, 2, 3]),
        (["--limit", "1"], [2]),
        (["--limit", "2", "--sort", "rate"], [1, 2]),
        (["--limit", "0"], []),
        (["--limit", "3"], [2, 3, 1]),
        (["--limit", "18446744073709551615"], [2, 3, 1]),
        (["--limit", "4294967296"], [2, 3, 1]),
    ],
    ids=str,
)
def test_sort_and_limit(options: list[str], uids: list[int], three: Path):
    assert [group["uid"] for group in groups("--by", "uid", *options, three)] == uids
    assert [int(row["uid"]) for row in table("--by", "uid", *options, three)] == uids


def test_sort_by_texts(three: Path):
    """From a to z, unlike numbers."""
    made(three / "d.darshan", 5, start=1, end=2, jobid=4)
    days = [group["day"] for group in groups("--by", "day", "--sort", "day", three)]
    assert days == ["1970-01-01", "2023-11-14"]
    logs = [Path(group["log"]).name for group in groups("--by", "job", "--sort", "log", three)]
    assert logs == ["a.darshan", "b.darshan", "c.darshan", "d.darshan"]


@needs_fleet
def test_limit_is_of_each_module():
    found = groups("--by", "file", "--limit", "2", FLEET)
    whole = groups("--by", "file", FLEET)
    for module in ("POSIX", "STDIO", "MPI-IO"):
        both = [[group for group in table if group["module"] == module] for table in (found, whole)]
        assert both[0] == both[1][:2]


@pytest.mark.parametrize("limit", ["-1", "x", "1.5", "", "1e3", "99999999999999999999"])
def test_limits_that_are_none(limit: str, three: Path):
    run = darrow("summary", "--by", "uid", f"--limit={limit}", three)
    assert (run.returncode, run.stdout) == (USAGE, b"")
    assert "--limit" in complaints(run)[0]


def test_no_rows_are_not_no_records(three: Path):
    text = darrow("summary", "--by", "uid", "--limit", "0", three).stdout.decode()
    assert "no records" not in text


@pytest.mark.parametrize("key", ["uid", "file", "job", "day,exe", "rank,ext", "mount,fs"])
def test_csv_holds_what_json_does(key: str):
    """A row a group; what is null in JSON is empty, ids are digits."""
    rows, found = table("--by", key, DATA, code=None), groups("--by", key, DATA, code=None)
    assert len(rows) == len(found)
    for row, group in zip(rows, found, strict=True):
        assert list(row) == list(group)
        for name, value in group.items():
            if value is None:
                assert row[name] == ""
            elif isinstance(value, bool):
                assert row[name] == str(value).lower()
            else:
                assert type(value)(row[name]) == value


def test_columns_of_keys(tmp_path: Path):
    """Keys stand behind the module in the order given, then `jobs`."""
    log = made(tmp_path / "a.darshan", 5, metadata=b"lib_ver=3.5.0\nhostname=node7\n", names=b"/scratch/d/e/a.h5")
    job = {
        "log": str(log),
        "jobid": 4242,
        "uid": 1000,
        "exe": "/bin/app",
        "nprocs": 4,
        "start_time": 1_700_000_000,
        "end_time": 1_700_000_010,
        "run_time": 10.5,
    }
    for key, columns in {
        "file": {"id": "1", "name": "/scratch/d/e/a.h5"},
        "rank": {"rank": 0},
        "mount": {"mount": "/scratch"},
        "fs": {"fs_type": "lustre"},
        "dir:1": {"dir": "/scratch"},
        "dir:2": {"dir": "/scratch/d"},
        "dir:9": {"dir": "/scratch/d/e"},
        "ext": {"ext": "h5"},
        "job": job,
        "exe": {"exe": "/bin/app"},
        "uid": {"uid": 1000},
        "day": {"day": "2023-11-14"},
        "host": {"host": "node7"},
        "day,rank": {"day": "2023-11-14", "rank": 0},
        "rank,day": {"rank": 0, "day": "2023-11-14"},
    }.items():
        (group,) = groups("--by", key, log)
        told_of = dict(list(group.items())[: len(columns) + 2])
        assert list(told_of.items()) == list(({"module": "POSIX"} | columns | {"jobs": 1}).items()), key


@pytest.mark.parametrize(
    ("start", "day"),
    [(1, "1970-01-01"), (86399, "1970-01-01"), (86400, "1970-01-02"), (0, None), (-1, None), (1709251199, "2024-02-29"),
     (4102444800, "2100-01-01")],
)  # fmt: skip
def test_days(start: int, day: str | None, tmp_path: Path):
    """In UTC; a start that is not after 1970 began is not known."""
    (group,) = groups("--by", "day", made(tmp_path / "a.darshan", 5, start=start, end=start + 1))
    assert group["day"] == day


def test_days_that_no_calendar_has(tmp_path: Path):
    """Such a log counts as any other."""
    for i, start in enumerate((2**62, -(2**62), 2**63 - 1, -(2**63))):
        made(tmp_path / f"{i}.darshan", 10**i, start=start, end=start)
    found = told("--by", "day", tmp_path, code=None)
    assert found["logs"] == 4
    assert sum(group["bytes"] for group in found["groups"]) == 1111


def test_keys_that_are_not_known(tmp_path: Path):
    """A record without a name, on no mount, of a job that does not tell its host: null, also as text."""
    log = write_log(tmp_path / "a.darshan", posix(9, 0, {"WRITES": 1, "BYTES_WRITTEN": 3}), names=w.names([]),
                    job=w.job(text=b"/bin/app\0"))  # fmt: skip
    (group,) = groups("--by", "file,mount,fs,dir:1,ext,host", log)
    assert [group[key] for key in ("id", "name", "mount", "fs_type", "dir", "ext", "host")] == ["9", *[None] * 6]
    assert group["bytes"] == 3
    text = darrow("summary", "--by", "file,mount,host", log).stdout.decode()
    assert "(id 9)" in text
    assert "null" not in text


def test_names_that_are_not_utf8(tmp_path: Path):
    log = made(tmp_path / "a.darshan", 5, names=b'/d\xff,"q"\n\x1b[31m/f.\xfe')
    (group,) = groups("--by", "file,dir:1,ext", log)
    assert (group["name"], group["dir"]) == ('/d\\xff,"q"\n\x1b[31m/f.\\xfe', '/d\\xff,"q"\n\x1b[31m')
    assert group["ext"] == "\\xfe"
    (row,) = table("--by", "file", log)
    assert row["name"] == group["name"]
    assert "\x1b" not in darrow("summary", "--by", "file,dir:1", log).stdout.decode()
    assert len(groups("--by", "uid", "--name", r"\\xff", log)) == 1


def test_metrics_that_are_asked_for(three: Path):
    (first, *_) = groups("--by", "uid", "--metric", "rate,bytes", "--metric", "opens", three)
    assert list(first) == ["module", "uid", "jobs", "bytes", "opens", "rate", "partial", "damaged"]
    assert list(table("--by", "uid", "--metric", "rate", three)[0]) == [
        *("module", "uid", "jobs", "rate", "partial", "damaged")
    ]
    assert groups("--by", "uid", "--metric", "layers", three) == groups("--by", "uid", three)
    assert [g["uid"] for g in groups("--by", "uid", "--metric", "rate", "--sort", "bytes", three)] == [2, 3, 1]


def test_metrics_that_people_ask_for(three: Path):
    """A table shows them too."""
    text = darrow("summary", "--by", "uid", "--metric", "write_time", three).stdout.decode()
    assert "write_time" in text or "write time" in text
    assert "I/O time" not in text


@pytest.mark.parametrize("name", ["mounts", "categories", "access_sizes", "common_accesses", "rate,mounts"])
def test_tables_that_groups_do_not_have(name: str, three: Path):
    """Rather an error than other numbers than those asked for."""
    run = darrow("summary", "--by", "uid", "--format", "csv", "--metric", name, three)
    assert (run.returncode, run.stdout) == (USAGE, b"")


def test_a_key_twice(three: Path):
    """Once in the columns, or refused."""
    run = darrow("summary", "--by", "uid,uid", "--format", "json", three)
    if run.returncode != USAGE:
        assert read_json(run)["groups"] == groups("--by", "uid", three)


# Usage ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--by", "nonsense"], "nonsense"),
        (["--by", "dir"], "dir"),
        (["--by", "dir:0"], "dir:0"),
        (["--by", "dir:-1"], "dir:-1"),
        (["--by", "dir:x"], "dir:x"),
        (["--by", "POSIX_OPENS"], "POSIX_OPENS"),
        (["--by", "pattern"], "--pattern"),
        (["--pattern", "x"], "NAME=REGEX"),
        (["--pattern", "=x"], "NAME=REGEX"),
        (["--pattern", "x=("], "("),
        (["--name", "["], "["),
        (["--exclude", "*"], "*"),
        (["--by", "uid", "--sort", "nonsense"], "nonsense"),
        (["--by", "uid", "--sort", "rank"], "rank"),
        (["--by", "uid", "--threads", "-1"], "--threads"),
        (["--by", "uid", "--threads", "x"], "--threads"),
        (["--by", "uid", "--metric", "nonsense"], "nonsense"),
        (["--by", "uid", "--module", "nonsense"], "nonsense"),
        (["--by", "uid", "--module", "lustre"], "LUSTRE"),
        (["--by", "uid", "--layer", "top"], "top"),
        (["--by", "uid", "--format", "xml"], "xml"),
        (["--id", "-1"], "-1"),
        (["--id", "18446744073709551616"], "18446744073709551616"),
        (["--id", "0x1"], "0x1"),
        (["--rank", "x"], "x"),
        (["--rank", "3-1"], "3-1"),
    ],
    ids=str,
)
def test_wrong_usage(options: list[str], word: str):
    """One line that says what is wrong, maybe a hint where to look; nothing on stdout."""
    run = darrow("summary", *options, DATA / "example.darshan")
    assert (run.returncode, run.stdout) == (USAGE, b"")
    first, *more = complaints(run)
    assert first.startswith("darrow: summary: ")
    assert word in first
    assert more in ([], ["darrow: see darrow summary --help"])


@pytest.mark.parametrize("options", [["--sort", "nonsense"], ["--limit", "x"], ["--metric", "nonsense"]], ids=str)
def test_wrong_usage_is_told_before_logs_are_read(options: list[str]):
    """Not after hours, nor together with what is wrong with logs."""
    run = darrow("summary", "--by", "uid", *options, DATA / "empty.darshan")
    assert run.returncode == USAGE
    assert "empty.darshan" not in run.stderr.decode()


def test_help_tells_of_groups():
    text = darrow("summary", "--help").stdout.decode()
    for option in ("--by", "--pattern", "--name", "--exclude", "--id", "--rank", "--sort", "--limit", "--threads"):
        assert option in text


# For people -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key", ["file", "job", "exe", "uid", "dir:3", "mount,fs,ext", "file,rank", "module", "job,file"]
)
@pytest.mark.parametrize("width", [40, 80, 200])
@needs_fleet
def test_tables_fit_the_terminal(key: str, width: int):
    text = in_terminal("summary", "--by", key, FLEET, width=120, NO_COLOR="1", COLUMNS=str(width))
    lines = text.splitlines()
    assert max(map(len, lines)) <= max(width, 80)  # below, columns that are not shortened may pass
    assert not any(line != line.rstrip() for line in lines)
    assert "\x1b" not in text
    assert lines[0] == "200 logs"


def test_tables_are_bold_in_color():
    assert "\x1b[1m" in in_terminal("summary", "--by", "uid", DATA / "example.darshan", DATA / "dxt-posix.darshan")


def test_wide_terminals_show_more():
    narrow, wide = (
        in_terminal("summary", "--by", "uid", DATA / "example.darshan", width=n, NO_COLOR="1") for n in (80, 160)
    )
    assert " reads " not in narrow
    assert " reads " in wide


@needs_fleet
def test_people_see_twenty_rows_and_how_many_more():
    text = darrow("summary", "--by", "file", "--module", "posix", FLEET).stdout.decode()
    files = len(groups("--by", "file", "--module", "posix", FLEET))
    lines = text.splitlines()
    assert lines[-1] == f"  and {files - 20} more: --limit shows them"
    assert len([line for line in lines if line.startswith("  /scratch")]) == 20
    all_of_them = darrow("summary", "--by", "file", "--module", "posix", "--limit", "9999", FLEET).stdout.decode()
    assert len([line for line in all_of_them.splitlines() if line.startswith("  /scratch")]) == files


def test_programs_of_one_name_can_be_told_apart(tmp_path: Path):
    """Two rows that look alike would be two rows nobody can use."""
    for user in (b"ann", b"bob"):
        made(tmp_path / f"{user.decode()}.darshan", 1000, text=b"/home/" + user + b"/app -x\next4\t/\0")
    rows = [line for line in darrow("summary", "--by", "exe", tmp_path).stdout.decode().splitlines() if "app" in line]
    assert len({row.split()[0] for row in rows}) == len(rows)
