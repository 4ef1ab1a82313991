"""Our own logs against what the programs that made them counted while they ran.

A facts file tells, for each file that a program touched through an API, what its calls did: the sums over ranks, and
the counts of single ranks. It is independent of any reader. Where Darshan is known to count otherwise than the program,
the facts say so in `differs`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import darrow
import numpy as np
import pytest
from corpus import DATA, LOGS, NO_LOGS, SPEC, Columns, cells, darrow_columns, facts, few, load, raw, shown

FOLDERS = (DATA, LOGS / "small", LOGS / "large")


def cases() -> Iterator[Any]:
    for folder in FOLDERS:
        known = facts(folder)
        if not known:
            yield pytest.param(None, id=folder.name, marks=pytest.mark.skip(reason=NO_LOGS))
        for name, file in known.items():
            if load(file).get("readable", True):
                slow = [pytest.mark.slow] if folder.name == "large" else []
                yield pytest.param(file, id=f"{folder.name}/{name}", marks=slow)


@pytest.fixture(scope="module", params=cases())
def file(request: pytest.FixtureRequest) -> Path:
    return request.param


@pytest.fixture(scope="module")
def fact(file: Path) -> dict[str, Any]:
    return load(file)


@pytest.fixture(scope="module")
def log(file: Path) -> Any:
    return darrow.open(file.with_name(file.name.replace(".facts.json", ".darshan")))


@cache
def rule(module: str, counter: str) -> str:
    """How the values of several records of a file combine: sum, max, or all the same."""
    known = {(entry["module"], entry["name"]): entry["combine"] for entry in load(DATA / "counters.json.gz")}
    found = known.get((module, counter), "sum")  # the names of APMPI are patterns; all its counters are sums
    return found if found in ("sum", "max", "or") else "same"


def combined(module: str, counter: str, values: Iterable[int]) -> int:
    """One value for the values of several records."""
    listed = [int(value) for value in values]
    match rule(module, counter):
        case "sum":
            return sum(listed)
        case "max" | "or":
            return max(listed)
    assert len(set(listed)) == 1, (module, counter, listed)
    return listed[0]


def name_of(entry: dict[str, Any]) -> bytes:
    return bytes.fromhex(entry["name_hex"]) if "name_hex" in entry else entry["name"].encode()


def ids(log: Any) -> dict[bytes, list[int]]:
    """Record ids by name."""
    out: dict[bytes, list[int]] = {}
    for key, name in log.names.items():
        out.setdefault(raw(name), []).append(key)
    return out


class Program:
    """What the program counted, corrected by what Darshan is known to count otherwise."""

    def __init__(self, fact: dict[str, Any]) -> None:
        self.fact = fact
        self.differs = [entry for entry in fact.get("differs", []) if "counter" in entry]
        self.missing = {
            (entry["module"], entry["name"].encode())
            for entry in fact.get("differs", [])
            if entry.get("what") == "missing record"
        }

    def counted(self, module: str, name: bytes, rank: int, counter: str, value: int) -> int:
        """The value the log should have for the program's `value` in a record of that rank."""
        for entry in self.differs:
            key = (entry["module"], entry["counter"], entry["rank"], entry["workload"])
            if key == (module, counter, rank, value) and name.endswith(entry["name_end"].encode()):
                return int(entry["log"])
        return value


def in_log(fact: dict[str, Any], log: Any, module: str) -> bool:
    """Whether the records of a module made it into the log under the names the program used."""
    return module in log.modules and not fact.get("obfuscated")


def test_files(file: Path, fact: dict[str, Any], log: Any) -> None:
    """Each counter of each file the program touched, by record and combined over the file's records."""
    program, by_name = Program(fact), ids(log)
    compared, wrong, absent = 0, [], []
    tables: dict[str, Columns] = {}
    for entry in fact.get("files", []):
        module, name = entry["module"], name_of(entry)
        rows = np.empty(0, int)
        if in_log(fact, log, module):
            table = tables.setdefault(module, darrow_columns(log[module].raw))
            mine = (
                np.isin(table["id"], np.array(by_name.get(name, []), "u8")) if name else np.ones(len(table["id"]), bool)
            )
            rows = np.flatnonzero(mine)
        if not len(rows):
            absent.append((module, name))
            continue
        if module == "APMPI" and "MPI-IO" in log.modules:
            continue  # MPI-IO calls MPI in its turn
        found, theirs = compare_file(program, entry, table, rows)
        if "file_rec_id" in table:
            found["file"] = {log.names[int(table["file_rec_id"][row])] for row in rows}
            theirs["file"] = {name.partition(b":")[0].decode()}
        wrong += [
            f"{module} {name!r} {key}: ours {found[key]}, theirs {theirs[key]}"
            for key in theirs
            if found[key] != theirs[key]
        ]
        compared += len(theirs)
    assert not wrong, few(wrong)
    unexpected = [key for key in absent if key not in program.missing]
    if not may_lack_records(fact, log):
        assert not unexpected, few(unexpected)
    if "files" in fact and len(fact["files"]) == fact["files_total"]:
        compared += 2 + 2 * len(fact.get("heatmap_in_log", ())) + 6 * len(fact.get("dxt", ()))  # in the tests below
        compared += sum(map(len, (fact.get("lustre", ()), fact.get("names_kept", ()), fact.get("names_excluded", ()))))
        assert compared >= fact["checked_values"], f"only {compared} of {fact['checked_values']} values compared"


Values = dict[Any, Any]


def compare_file(program: Program, entry: dict[str, Any], table: Columns, rows: np.ndarray) -> tuple[Values, Values]:
    """What the records of a file say, and what they should say."""
    module, name = entry["module"], name_of(entry)
    ranks = [int(rank) for rank in np.asarray(table["rank"])[rows]]
    by_rank = entry.get("per_rank", {})
    found: Values = {}
    theirs: Values = {}
    for counter, value in entry["counters"].items():
        values = [int(table[counter][row]) for row in rows]
        if len(ranks) == 1 and ranks[0] in (-1, *entry["ranks"]) and not (ranks[0] >= 0 and len(entry["ranks"]) > 1):
            found[counter] = values[0]
            theirs[counter] = program.counted(module, name, ranks[0], counter, value)
            continue
        single = {rank: by_rank[str(rank)][counter] for rank in ranks if counter in by_rank.get(str(rank), ())}
        for rank, ours in zip(ranks, values, strict=True):
            if rank in single:
                found[counter, rank] = ours
                theirs[counter, rank] = single[rank] = program.counted(module, name, rank, counter, single[rank])
        if set(ranks) == set(entry["ranks"]):
            found[counter] = combined(module, counter, values)
            theirs[counter] = combined(module, counter, single.values()) if set(single) == set(ranks) else value
    sizes = {
        int(size): count for size, count in entry.get("access_sizes", {}).items() if size != "0"
    }  # 0 is never recorded
    if module == "POSIX" and len(rows) == 1 and ranks[0] in (-1, *entry["ranks"]) and 0 < len(sizes) <= 4:
        keys = [(f"POSIX_ACCESS{k}_ACCESS", f"POSIX_ACCESS{k}_COUNT") for k in (1, 2, 3, 4)]
        pairs = [(int(table[size][rows[0]]), int(table[count][rows[0]])) for size, count in keys]
        found["access sizes"], theirs["access sizes"] = {size: count for size, count in pairs if count}, sizes
    return found, theirs


def may_lack_records(fact: dict[str, Any], log: Any) -> bool:
    """Whether files the program touched may have no record in the log."""
    return bool(
        fact.get("records_incomplete")
        or fact.get("name_rules_applied")
        or fact.get("obfuscated")
        or fact.get("only_file")
        or fact.get("uninstrumented_ranks")
        or {entry["module"] for entry in fact.get("files", [])} - set(log.modules)
    )


def test_totals(file: Path, fact: dict[str, Any], log: Any) -> None:
    """The same over all files of a module, where the log has all of them and nothing else ran through that API."""
    if may_lack_records(fact, log) or fact.get("differs"):
        return
    called = {entry["module"] for entry in fact.get("files", [])} or set(fact.get("totals", {}))
    layers = {
        "POSIX": {"MPI-IO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR"},
        "MPI-IO": {"H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR"},
    }
    known = {name for entry in fact.get("files", []) for name in [name_of(entry)]}
    for module, totals in fact.get("totals", {}).items():
        if module not in log.modules or layers.get(module, set()) & called:
            continue
        table = darrow_columns(log[module].raw)
        rows = np.arange(len(table["id"]))
        if known and module != "APMPI" and len(fact["files"]) == fact["files_total"]:
            by_name = ids(log)
            rows = np.flatnonzero(
                np.isin(table["id"], np.array([key for name in known for key in by_name.get(name, [])], "u8"))
            )
        for counter, value in totals.items():
            if counter not in ("files", "FILES") and rule(module, counter) in ("sum", "max"):
                assert combined(module, counter, np.asarray(table[counter])[rows]) == value, (module, counter)


def test_job(file: Path, fact: dict[str, Any], log: Any) -> None:
    job = fact.get("job")
    if job is None:
        return
    assert log.job.nprocs == job["nprocs"]
    if not fact.get("obfuscated"):
        assert log.job.jobid == job["jobid"]
        assert log.job.uid == job["uid"]
    assert abs(log.job.start_time_sec - job["start_time"]) <= job.get("start_time_tolerance_s", 4)
    text = bytes.fromhex(fact["header_text_hex"]) if "header_text_hex" in fact else None
    exe = raw(log.job.exe)
    if text is not None:
        assert exe == text.split(b"\n")[0]
    elif not fact.get("obfuscated"):
        argv = job.get("exe_argv", [job.get("exe")])
        assert exe.removesuffix(b" ") == b" ".join(
            raw(argument) for argument in argv
        )  # a program without MPI leaves a blank
    for line in fact.get("annotations", []):
        key, sign, value = line.partition("=")
        assert log.job.metadata.get(key) == (value if sign else None)


def test_mounts(file: Path, fact: dict[str, Any], log: Any) -> None:
    if "mounts" not in fact or "mounts-odd" in file.name:  # see test_expected
        return
    ours = [(raw(mount.path), raw(mount.fs_type)) for mount in log.mounts]
    there = [(raw(path), raw(kind)) for kind, path in fact["mounts"]]
    if "exe-odd" in file.name:
        ours = ours[1:]  # a part of the command line looks like a mount
    assert ours == there


def test_modules(file: Path, fact: dict[str, Any], log: Any) -> None:
    """Records, names, and which modules are incomplete."""
    for module, count in fact.get("records_in_log", {}).items():
        records = log[module].records if module.startswith("DXT_") else log[module]
        assert count is None or len(records) == count, module
    if "names_in_log" in fact:
        assert len(log.names) == fact["names_in_log"]
    partial = {name for name, module in log.modules.items() if module.partial}
    flags = [entry["log"] for entry in fact.get("differs", []) if entry.get("what") == "partial flag"]
    expected = flags[0] if flags else fact.get("partial_modules_expected", fact.get("partial_modules", []))
    assert partial == set(expected)
    present = {raw(name) for name in log.names.values()}
    for _module, name in fact.get("names_kept", []):
        assert name.encode() in present
    for _module, name in fact.get("names_excluded", []):
        assert name.encode() not in present


def test_heatmap(file: Path, fact: dict[str, Any], log: Any) -> None:
    known = fact.get("heatmap_in_log", {})
    if not known:
        return
    table = darrow_columns(log["HEATMAP"].raw)
    layers = np.array(table["layer"])
    assert {f"heatmap:{layer}" for layer in layers} == set(known)
    for name, there in known.items():
        rows = np.flatnonzero(layers == name.removeprefix("heatmap:"))
        assert len(rows) == there["ranks"]
        assert sorted({float(table["bin_width"][row]) for row in rows}) == there["bin_width_seconds"]
        assert sorted({int(table["nbins"][row]) for row in rows}) == there["nbins"]
        assert sum(sum(table["write"][row]) for row in rows) == there["write_bytes"]
        assert sum(sum(table["read"][row]) for row in rows) == there["read_bytes"]


def traces(log: Any, module: str) -> dict[str, Any]:
    """What a module of traces holds, summed up."""
    table = darrow_columns(log[module].raw, ("op", "length", "host"))
    write = np.array(table["op"]) == "write"
    length = np.asarray(table["length"])
    return {
        "version": log.modules[module].version,
        "write_segments": int(write.sum()),
        "read_segments": int((~write).sum()),
        "bytes_written": int(length[write].sum()),
        "bytes_read": int(length[~write].sum()),
        "hostnames": sorted(set(table["host"])),
        "records": len(log[module].records),
    }


def test_traces(file: Path, fact: dict[str, Any], log: Any) -> None:
    for module, there in fact.get("dxt", {}).items():
        assert traces(log, module).items() >= there.items()


def test_lustre(file: Path, fact: dict[str, Any], log: Any) -> None:
    """Layouts as they were made up for the run."""
    by_name = ids(log)
    for entry in fact.get("lustre", []):
        table = darrow_columns(log["LUSTRE"].raw)
        key = by_name[name_of(entry)][0]
        rows = np.flatnonzero(table["id"] == np.uint64(key))
        there = [
            {"stripe_pattern" if name == "pattern" else name: value for name, value in part.items()}
            for part in entry["components"]
        ]
        assert len(rows)
        for row in rows:
            assert table["components"][row] == there


def test_sums(file: Path, fact: dict[str, Any], log: Any) -> None:
    """Sums over all records, from the log by another reader."""
    for module, sums in fact.get("module_sums_in_log", {}).items():
        if module == "HEATMAP":
            table = darrow_columns(log[module].raw, ("write", "read"))
            ours = {f"{key}_bytes": sum(map(sum, table[op])) for key, op in (("write", "write"), ("read", "read"))}
        elif module.startswith("DXT_"):
            ours = traces(log, module)
        else:
            table = darrow_columns(log[module].raw, sums)
            ours = {name: int(np.asarray(values).sum()) for name, values in table.items()}
        assert {key: ours[key] for key in sums} == sums, module


BASES = {
    "POSIX": 1000,
    "MPI-IO": 2000,
    "H5F": 3000,
    "H5D": 4000,
    "PNETCDF_FILE": 5000,
    "PNETCDF_VAR": 6000,
    "BG/Q": 7000,
    "STDIO": 9000,
    "MDHIM": 10000,
    "DFS": 12000,
    "DAOS": 13000,
}


@pytest.mark.parametrize("folder", FOLDERS[:2], ids=lambda folder: folder.name)
def test_one_record_of_each_module(folder: Path) -> None:
    """The log whose integer counter i is BASE + i and whose float counter i is BASE + i + 0.5."""
    path = folder / "synth-all-modules.darshan"
    if not path.exists():
        pytest.skip(NO_LOGS)
    log, compared = darrow.open(path), 0
    for module, base in BASES.items():
        layout = SPEC.modules[module]
        theirs = {name: base + i for i, name in enumerate(layout["int_counters"])}
        theirs |= {name: base + i + 0.5 for i, name in enumerate(layout["float_counters"])}
        if module == "MDHIM":
            theirs["MDHIM_SERVERS"] = 1
        ours = darrow_columns(log[module].raw)
        assert {name: ours[name][0] for name in theirs} == theirs, module
        compared += cells({name: ours[name] for name in theirs})
    assert compared > 600
    assert darrow_columns(log["MDHIM"].raw)["servers"] == [[42]]
    assert darrow_columns(log["DAOS"].raw)["oid_hi"][0] == 0x1122334455667788
    assert darrow_columns(log["DAOS"].raw)["oid_lo"][0] == 0x99AABBCCDDEEFF00
    heatmap = darrow_columns(log["HEATMAP"].raw)
    assert float(heatmap["bin_width"][0]) == 2.5
    assert heatmap["write"][0] == [11000 + i for i in range(int(heatmap["nbins"][0]))]
    assert heatmap["read"][0] == [11100 + i for i in range(int(heatmap["nbins"][0]))]
    names = ("stripe_size", "stripe_count", "stripe_pattern", "flags", "ext_start", "ext_end", "mirror_id")
    components = darrow_columns(log["LUSTRE"].raw)["components"][0]
    for i, component in enumerate(components):
        there = {name: 8000 + 100 * i + k for k, name in enumerate(names)} | {"stripe_count": i + 1}
        assert {name: component[name] for name in names} == there
    assert [component["osts"] for component in components] == [[5], [17, 18]]
    assert [component["pool"] for component in components] == ["", "flash"]
    for module in ("DXT_POSIX", "DXT_MPIIO"):
        trace = darrow_columns(log[module].raw)
        rows = zip(trace["op"], trace["offset"], trace["length"], trace["start"], trace["end"], strict=True)
        assert list(rows) == [("write", 0, 100, 1.0, 1.5), ("read", 100, 50, 2.0, 2.25)]
    assert all(shown(name) == name for name in log.names.values())
