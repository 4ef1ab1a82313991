"""Summaries of our own logs against what the programs that made them counted while they ran (see `test_facts.py`).

Files are taken one by one: records of one file are selected and measured, so that everything goes through the same code
as a summary. Modules as a whole are compared where the log has all that the program did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import darrow
import pytest
from corpus import DATA, LOGS, NO_LOGS, SPEC, facts, few, load
from plain_rules import COMBINING, PREFIX
from test_facts import Program, combined, ids, in_log, may_lack_records, name_of, rule

# Counters that make up a metric, without the module's prefix.
OPERATIONS = {
    "bytes_read": ("BYTES_READ",),
    "bytes_written": ("BYTES_WRITTEN",),
    "reads": ("READS", "INDEP_READS", "COLL_READS", "SPLIT_READS", "NB_READS", "READXS"),
    "writes": ("WRITES", "INDEP_WRITES", "COLL_WRITES", "SPLIT_WRITES", "NB_WRITES", "WRITEXS"),
}
OPENS = {
    "POSIX": ("OPENS",),
    "STDIO": ("OPENS",),
    "H5F": ("OPENS",),
    "H5D": ("OPENS",),
    "MPI-IO": ("INDEP_OPENS", "COLL_OPENS"),
}
LEAST = {"data": 3000, "small": 9000}


def logs(folder: str) -> Iterator[tuple[str, dict[str, Any], darrow.Log]]:
    found = facts({"data": DATA, "small": LOGS / "small"}[folder])
    if not found:
        pytest.skip(NO_LOGS)
    for name, file in found.items():
        fact = load(Path(file))
        if fact.get("readable", True):
            yield name, fact, darrow.open(file.with_name(f"{name}.darshan"))


def counted(program: Program, entry: dict[str, Any], ranks: list[int], counter: str) -> int | None:
    """What the records of a file, of those ranks, should come to; None if the log does not have all of them."""
    module, name, value = entry["module"], name_of(entry), entry["counters"].get(counter, 0)
    if len(ranks) == 1 and (ranks == [-1] or ranks == entry["ranks"]):
        return program.counted(module, name, ranks[0], counter, value)
    if sorted(ranks) != sorted(entry["ranks"]):
        return None
    single = {rank: entry.get("per_rank", {}).get(str(rank), {}).get(counter) for rank in ranks}
    if counter not in entry["counters"] or None in single.values():
        return value
    return combined(module, counter, (program.counted(module, name, r, counter, v) for r, v in single.items()))


def expected(program: Program, entry: dict[str, Any], ranks: list[int]) -> dict[str, int | None]:
    """The metrics of a file."""
    prefix = PREFIX.get(entry["module"], entry["module"])
    out = {}
    for metric, names in (*OPERATIONS.items(), ("opens", OPENS.get(entry["module"], ()))):
        there = [f"{prefix}_{name}" for name in names if f"{prefix}_{name}" in entry["counters"]]
        if there:
            values = [counted(program, entry, ranks, counter) for counter in there]
            out[metric] = None if None in values else sum(v for v in values if v is not None)
    return out


def sharing(entry: dict[str, Any], nprocs: int) -> str:
    if len(entry["ranks"]) == nprocs > 1:
        return "shared"
    return "unique" if len(entry["ranks"]) == 1 else "partially_shared"


@pytest.mark.parametrize("folder", LEAST)
def test_files(folder: str) -> None:
    """Bytes, calls, ranks, and every counter that adds up or is a maximum, of each file."""
    compared: Counter[str] = Counter()
    wrong = []
    for log_name, fact, log in logs(folder):
        program, by_name = Program(fact), ids(log)
        for entry in fact.get("files", []):
            module, name = entry["module"], name_of(entry)
            if not in_log(fact, log, module) or module not in COMBINING or not name:
                continue
            records = log[module].select(["rank"], ids=by_name.get(name, []))
            ranks = records.column("rank")
            theirs: dict[str, Any] = expected(program, entry, ranks) if ranks else {}
            if not theirs or None in theirs.values():
                continue
            metrics = darrow.metrics(records)
            ours: dict[str, Any] = {metric: metrics[metric] for metric in theirs}
            for counter in entry["counters"]:
                if (
                    rule(module, counter) in ("sum", "max", "or")
                    and "ACCESS" not in counter
                    and "STRIDE" not in counter
                ):
                    value = counted(program, entry, ranks, counter)
                    missing = value == -1 and (module, counter) in SPEC.minus_one_is_null
                    ours[counter], theirs[counter] = metrics.record[counter], None if missing else value
            if len(by_name[name]) == 1 and (ranks == [-1] or log.job.nprocs == fact["job"]["nprocs"]):
                of_all = ranks == [-1] and log.job.nprocs > 1
                category = "shared" if of_all else sharing(entry, log.job.nprocs)
                ours["files"], theirs["files"] = metrics.categories[category].files, 1
                processes = log.job.nprocs if ranks == [-1] else len(entry["ranks"])
                ours["processes"], theirs["processes"] = metrics.categories["all"].processes, processes
            wrong += [
                f"{log_name} {module} {name!r} {k}: ours {ours[k]}, theirs {v}"
                for k, v in theirs.items()
                if ours[k] != v
            ]
            compared.update(theirs.keys())
    assert not wrong, few(wrong)
    assert compared.total() >= LEAST[folder], compared
    for metric in ("bytes_read", "bytes_written", "reads", "writes", "opens", "files"):
        assert compared[metric] >= LEAST[folder] // 150, (metric, compared)


@pytest.mark.parametrize("folder", LEAST)
def test_modules(folder: str) -> None:
    """Bytes and calls of a module, where the program called it directly and the log has everything."""
    under = {"POSIX": {"MPI-IO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR"}, "MPI-IO": {"H5F", "H5D", "PNETCDF_VAR"}}
    compared = 0
    for name, fact, log in logs(folder):
        if may_lack_records(fact, log) or fact.get("differs") or fact.get("partial_modules"):
            continue
        called = {entry["module"] for entry in fact.get("files", [])} or set(fact.get("totals", {}))
        listed = len(fact.get("files", [])) == fact.get("files_total")
        known = {key for entry in fact.get("files", []) for key in ids(log).get(name_of(entry), [])}
        for module, totals in fact.get("totals", {}).items():
            if module not in COMBINING or module not in log or under.get(module, set()) & called:
                continue
            if not listed or set(log[module].column("id")) != known:  # other files too: of the program's own output
                continue
            metrics, prefix = log.summary(module)[module], PREFIX.get(module, module)
            for metric, names in OPERATIONS.items():
                there = [totals[f"{prefix}_{n}"] for n in names if f"{prefix}_{n}" in totals]
                if there:
                    assert metrics[metric] == sum(there), (name, module, metric)
                    compared += 1
            assert metrics.files == len(known)
            compared += 1
    assert compared >= (20 if folder == "data" else 140), compared
