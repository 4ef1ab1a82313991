"""`darrow parse` and `darrow dxt` without --compat: the values that an independent decoder reads of our own logs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import darrow as package
import numpy as np
import pytest
from corpus import LOGS, NO_LOGS, SPEC, Columns, Expected, expectations, few, load, mount_of, shown, text
from golden_text import ENVIRONMENT
from parser_lines import data_lines
from plain import perf_header, read_plain, records
from test_cli import DONE, GOOD, darrow
from test_expected import cases, mounts_of, stored
from test_facts import Program, in_log, name_of, rule
from test_summary_facts import counted
from test_summary_facts import logs as fact_logs

UNSIGNED = {"id", "file_rec_id", "POSIX_RENAMED_FROM", "oid_hi", "oid_lo"}


@pytest.fixture(scope="module", params=cases())
def expected(request: pytest.FixtureRequest) -> Expected:
    return request.param


def escaped(value: str) -> str:
    """Text as it stands in a line: control characters and bytes that are not UTF-8 as \\xNN."""
    return re.sub("[\\x00-\\x1f\\x7f]", lambda match: f"\\x{ord(match[0]):02x}", shown(value))


def component_mount(name: str, mounts: list[tuple[str, str]]) -> tuple[str, str]:
    path, kind = mount_of(name, mounts)
    return (escaped(path), escaped(kind)) if path is not None and kind is not None else ("UNKNOWN", "UNKNOWN")


def signed(module: str, columns: Columns) -> Columns:
    """Integers with the sign that lines show."""
    if SPEC.modules[module]["kind"] == "header+perf":
        return columns
    return {
        name: values.view("i8")
        if isinstance(values, np.ndarray) and values.dtype == "u8" and name not in UNSIGNED
        else values
        for name, values in columns.items()
    }


def lines_of(expected: Expected) -> Iterator[str]:
    """The data lines of all modules."""
    names = {int(key): text(value) for key, value in expected.entry["names"].items()}
    stored_name = {escaped(name): name for name in names.values()}
    mounts = mounts_of(expected)
    plain = read_plain(expected.path)
    for module in expected.entry["modules"]:
        if module.startswith("DXT_") or not expected.entry["modules"][module]["records"]:
            continue
        kind = SPEC.modules[module]["kind"]
        header = perf_header(plain, module) if kind == "header+perf" else None
        columns = signed(module, stored(expected, module))
        find = lambda name, _mounts: component_mount(stored_name[name], mounts)  # noqa: E731
        shown_names = {key: escaped(name) for key, name in names.items()}
        yield from data_lines(module, columns, header, shown_names, mounts, find)


def printed(*arguments: Any) -> list[str]:
    run = darrow(*arguments, env=ENVIRONMENT)
    assert run.returncode == DONE, run.stderr
    return run.stdout.decode().split("\n")


def test_data_lines(expected: Expected) -> None:
    ours = [line for line in printed("parse", expected.path) if line.count("\t") == 7 and not line.startswith("#")]
    theirs = list(lines_of(expected))
    wrong = [f"ours   {a}\ntheirs {b}" for a, b in zip(ours, theirs, strict=False) if a != b]
    assert not wrong, few(wrong)
    assert len(ours) == len(theirs)


# Slips that only --compat has -----------------------------------------------------------------------------------------


def head(*arguments: Any, key: str) -> list[str]:
    run = darrow("parse", "--perf", *arguments, env=ENVIRONMENT)
    assert run.returncode == DONE, run.stderr
    text = run.stdout.decode("utf-8", "surrogateescape")
    return [line.removeprefix(key) for line in text.split("\n") if line.startswith(key)]


def our_log(folder: str, name: str) -> Path:
    path = LOGS / folder / f"{name}.darshan"
    if not path.exists():
        pytest.skip(NO_LOGS)
    return path


def test_no_command_line_without_mounts() -> None:
    path = our_log("malformed", "nomnt")
    assert head(path, key="# exe: ") == ["/bin/app -x 1"]
    assert head("--compat", path, key="# exe: ") == [""]


def test_blanks_in_mounts() -> None:
    path = our_log("malformed", "mntspace")
    assert head(path, key="# mount entry:\t")[0] == "/mnt/my share\tcifs"
    assert head("--compat", path, key="# mount entry:\t")[0] == "/mnt/my\tcifs"


def test_lines_that_are_no_mounts() -> None:
    path = our_log("small", "mounts-odd")
    entries = head("--compat", path, key="# mount entry:\t")
    assert entries.count("/mnt/back\\slash\txfs") == 2
    assert head(path, key="# mount entry:\t").count("/mnt/back\\slash\txfs") == 1


def test_mounts_of_the_decoder() -> None:
    """The expectations split lines at blanks, as darshan-util does."""
    path = our_log("small", "exe-odd")
    mounts = expectations(path.parent)["exe-odd"].entry["mounts"]
    assert head("--compat", path, key="# mount entry:\t") == [f"{text(mount)}\t{text(kind)}" for mount, kind in mounts]


def test_times_beyond_calendars() -> None:
    path = our_log("malformed", "ctime")
    assert head(path, key="# start_time_asci: ") == ["unknown"]
    assert head("--compat", path, key="# start_time_asci: ")[0].startswith("(null)# end_time: ")


@pytest.mark.parametrize("order", ["le", "be"])
def test_heat_maps_of_other_lengths(order: str) -> None:
    """A bin more than the first record has is left out; one less is added, and reads move (as PyDarshan shows it)."""
    path = our_log("synthetic", f"heatmap_{order}")
    plain = records(read_plain(path), "HEATMAP")
    run = darrow("parse", "--compat", path, env=ENVIRONMENT)
    printed_bins: dict[str, list[list[int]]] = {"READ": [], "WRITE": []}
    for line in run.stdout.decode().split("\n"):
        if found := re.search(r"\tHEATMAP_(READ|WRITE)_BIN_(\d+)\t(-?\d+)\t", line):
            rows = printed_bins[found[1]]
            if found[2] == "0":
                rows.append([])
            rows[-1].append(int(found[3]))
    first = len(plain["write"][0])
    kinds = set()
    for row, (write, read) in enumerate(zip(plain["write"], plain["read"], strict=True)):
        write, read = list(write), list(read)
        difference = len(write) - first if plain["bin_width"][row] == plain["bin_width"][0] else 0
        if difference == 1:
            write, read = write[:-1], read[:-1]
        elif difference == -1:
            write, read = [*write, 0], [0, *read[:-1], 0]
        kinds.add(difference)
        assert printed_bins["WRITE"][row] == write
        assert printed_bins["READ"][row] == read
    assert {1, -1} <= kinds


def test_lists_of_files() -> None:
    """--compat=3.4: a line a file, in the order in which files are met."""
    run = darrow("parse", "--compat=3.4", "--file-list-detailed", "--perf", GOOD, env=ENVIRONMENT)
    posix = run.stdout.decode().split("# POSIX module data")[1].split(" module data")[0]
    rows = [line.split("\t") for line in posix.split("\n") if line[:1].isdigit()]
    log = package.open(GOOD)
    table = log["POSIX"].to_arrow().to_pylist()
    assert [int(row[0]) for row in rows] == list(dict.fromkeys(record["id"] for record in table))
    for row in rows:
        mine = [record for record in table if record["id"] == int(row[0])]
        shared = any(record["rank"] == -1 for record in mine)
        processes = log.job.nprocs if shared else len(mine)
        times = [sum(r[f"POSIX_F_{kind}_TIME"] for kind in ("META", "READ", "WRITE")) for r in mine]
        slowest = mine[0]["POSIX_F_SLOWEST_RANK_TIME"] if shared else max(times)
        assert row[1:5] == [mine[0]["name"], str(processes), f"{slowest:f}", f"{sum(times) / processes:f}"]
        assert len(row) == 5 + 8 + 1 + 20
        assert int(row[13]) == sum(record["POSIX_OPENS"] for record in mine)
    for label in ("shared files: time_by_cumul_io_only", "agg_perf_by_cumul", "agg_perf_by_open_lastio"):
        assert f"# {label}: " in posix


# Facts of the programs that made the logs -----------------------------------------------------------------------------


def test_facts_of_files() -> None:
    """Counters that add up, of each file that the log has all records of: what the program counted itself."""
    compared, wrong = 0, []
    for name, fact, log in fact_logs("small"):
        program = Program(fact)
        values: dict[tuple[str, str], dict[int, dict[str, str]]] = {}
        run = darrow("parse", LOGS / "small" / f"{name}.darshan", env=ENVIRONMENT)
        for line in run.stdout.decode().split("\n"):
            if line.count("\t") == 7 and not line.startswith("#"):
                module, rank, _, counter, value, file, _, _ = line.split("\t")
                values.setdefault((module, file), {}).setdefault(int(rank), {})[counter] = value
        for entry in fact.get("files", []):
            module, file = entry["module"], name_of(entry).decode("utf-8", "surrogateescape")
            if not file or not in_log(fact, log, module) or (module, escaped(file)) not in values:
                continue
            ranks = values[module, escaped(file)]
            for counter in entry["counters"]:
                if rule(module, counter) != "sum" or "ACCESS" in counter or "STRIDE" in counter:
                    continue
                theirs = counted(program, entry, sorted(ranks), counter)
                if theirs is None or theirs == -1:
                    continue
                ours = sum(int(lines[counter]) for lines in ranks.values())
                compared += 1
                if ours != theirs:
                    wrong.append(f"{name} {module} {file} {counter}: ours {ours}, theirs {theirs}")
    assert not wrong, few(wrong)
    assert compared > 4000


def test_facts_of_large_logs() -> None:
    """Sums over all records, and over all segments."""
    compared = 0
    for file in sorted((LOGS / "large").glob("*.facts.json")):
        sums = load(file).get("module_sums_in_log", {})
        path = file.with_name(file.name.replace(".facts.json", ".darshan"))
        totals = dict(line.split(": ", 1) for line in head("--total", path, key="total_"))
        for module, counters in sums.items():
            for counter, value in counters.items():
                if counter in totals and module != "HEATMAP":
                    assert totals[counter] == (f"{value:f}" if "." in totals[counter] else str(value)), (path, counter)
                    compared += 1
    if not compared:
        pytest.skip(NO_LOGS)
    assert compared > 40
