"""Compatible mode against darshan-util's accumulator: stored results of the C library, the text of darshan-parser, and
PyDarshan, side by side. Every number in every digit, in all logs and without exceptions: records are read with
`upstream_values`, whose slips `test_upstream_values.py` tests one by one.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import darrow
import pytest
from compatible import ACCUMULATING, accumulate, open_log, signed
from corpus import DATA, LOGS, NO_UPSTREAM, SPEC, UPSTREAM, few, load
from peer import answers
from pitfalls import partial_bits, slot_bits, slot_id
from plain import read_plain
from test_pydarshan import CANNOT

GOLDEN = UPSTREAM / "golden"
needs_golden = pytest.mark.skipif(not GOLDEN.exists(), reason=NO_UPSTREAM)
needs_pydarshan = pytest.mark.skipif(
    importlib.util.find_spec("darshan") is None, reason="needs PyDarshan (pip install darshan==3.5.0)"
)


def flat(values: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The numbers in nested dictionaries, with their paths."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def same(ours: Any, theirs: Any) -> bool:
    """Equal in every digit; NaN like NaN. Either side may show an integral double as an integer."""
    if isinstance(ours, float) or isinstance(theirs, float):
        return float(ours).hex() == float(theirs).hex()
    return bool(ours == theirs)


def differences(log: Any, module: str, record: dict[str, Any], metrics: dict[str, Any], ids: Any = None) -> list[str]:
    """Numbers of another accumulator that ours does not have."""
    our_record, our_metrics = accumulate(log, module, ids)
    assert set(record) <= set(our_record)
    assert set(dict(flat(metrics))) == set(dict(flat(our_metrics)))
    ours = dict(flat(our_metrics)) | {
        k: v if k == "id" else signed(v) if isinstance(v, int) else v for k, v in our_record.items()
    }
    return [f"{k}: ours {ours[k]!r}, theirs {v!r}" for k, v in flat(record | metrics) if not same(ours[k], v)]


# The accumulator of the C library -------------------------------------------------------------------------------------


def dumps() -> list[Path]:
    return sorted(GOLDEN.glob("*/acc/*.jsonl.gz"))


@needs_golden
@pytest.mark.parametrize("dump", dumps(), ids=lambda dump: dump.parent.parent.name)
def test_c_accumulator(dump: Path) -> None:
    """Aggregate record and metrics of all modules that have them."""
    log = open_log(UPSTREAM / "logs" / f"{dump.parent.parent.name}.darshan")
    for line in gzip.decompress(dump.read_bytes()).splitlines():
        there = json.loads(line)
        record = there["summary_record"]
        numbers = {"id": record["id"], "rank": record["rank"], **record["counters"], **record["fcounters"]}
        layout = SPEC.modules[there["module"]]
        assert [*numbers][2:] == [*layout["int_counters"], *layout["float_counters"]]
        found = differences(log, there["module"], numbers, there["derived_metrics"])
        assert not found, f"{there['module']}\n{few(found)}"


# The text of darshan-parser -------------------------------------------------------------------------------------------

VARIANTS = ("r350", "r350ap", "main", "mainap")
OPTIONS = {
    "total": ("total",),
    "total+show-incomplete": ("total",),
    "file": ("file",),
    "file+show-incomplete": ("file",),
    "perf": ("perf",),
    "perf+show-incomplete": ("perf",),
    "total+perf+file": ("total", "file", "perf"),
    "all": ("total", "file", "perf"),
}
"""Runs of darshan-parser, and the blocks that each prints."""

MODULE = re.compile(r"^# (\S+) module data$", re.MULTILINE)
NUMBERS = re.compile(
    r"^(total_\S+: .*"
    r"|# (?:total|read_only|write_only|read_write|unique|shared): -?\d+ -?\d+ -?\d+"
    r"|# (?:total_bytes|(?:unique|shared) files: \w+|agg_\w+): .*)$",
    re.MULTILINE,
)


def lines_of(log: Any, module: str, blocks: tuple[str, ...]) -> list[str]:
    """What darshan-parser prints of our numbers."""
    record, metrics = accumulate(log, module)
    files = metrics["category_counters"]
    lines = []
    if "total" in blocks:
        for name in [*SPEC.modules[module]["int_counters"], *SPEC.modules[module]["float_counters"]]:
            value = record[name]
            lines.append(f"total_{name}: {value:f}" if isinstance(value, float) else f"total_{name}: {signed(value)}")
    if "file" in blocks:
        for label in ("all", "read_only", "write_only", "read_write", "unique", "shared"):
            parts = [files["shared"], files["part_shared"]] if label == "shared" else [files[label]]
            count = sum(part["count"] for part in parts)
            volume = sum(part["total_read_volume_bytes"] + part["total_write_volume_bytes"] for part in parts)
            offset = sum(part["max_offset_bytes"] for part in parts)
            lines.append(f"# {'total' if label == 'all' else label}: {count} {volume} {offset}")
    if "perf" in blocks:
        lines += [
            f"# total_bytes: {metrics['total_bytes']}",
            f"# unique files: slowest_rank_io_time: {metrics['unique_io_total_time_by_slowest']:f}",
            f"# unique files: slowest_rank_meta_only_time: {metrics['unique_md_only_time_by_slowest']:f}",
            f"# unique files: slowest_rank_rw_only_time: {metrics['unique_rw_only_time_by_slowest']:f}",
            f"# unique files: slowest_rank: {metrics['unique_io_slowest_rank']}",
            f"# shared files: time_by_slowest: {metrics['shared_io_total_time_by_slowest']:f}",
            f"# agg_time_by_slowest: {metrics['agg_time_by_slowest']:f} # seconds",
            f"# agg_perf_by_slowest: {metrics['agg_perf_by_slowest']:f} # MiB/s",
        ]
    return lines


def texts(name: str) -> Iterator[tuple[str, tuple[str, ...], int, str]]:
    """Distinct outputs of a log: run, blocks, exit code, text."""
    entries, seen = load(GOLDEN / name / "manifest.json")["entries"], set()
    for variant in VARIANTS:
        for option, blocks in OPTIONS.items():
            entry = entries.get(f"{variant}/parser-{option}")
            if entry and (file := entry["stdout"].get("file")) and (file, blocks) not in seen:
                seen.add((file, blocks))
                yield (
                    f"{variant}/{option}",
                    blocks,
                    entry["rc"],
                    gzip.decompress((GOLDEN / name / file).read_bytes()).decode(),
                )


def logs_with_text() -> list[str]:
    return sorted(path.parent.name for path in GOLDEN.glob("*/manifest.json") if not path.parent.name.startswith("_"))


@cache
def partial_modules(path: Path) -> frozenset[int]:
    """Ids of the modules that darshan-parser takes for incomplete (A3)."""
    plain = read_plain(path)
    return frozenset(slot_id(plain, slot) for slot in partial_bits(plain, slot_bits(plain)))


@needs_golden
@pytest.mark.parametrize("name", logs_with_text())
def test_parser_text(name: str) -> None:
    """Every number of --total, --file and --perf, of every build of darshan-parser."""
    path = UPSTREAM / "logs" / f"{name}.darshan"
    log, modules = open_log(path), darrow.open(path).modules
    here = [module for module in ACCUMULATING if module in modules and modules[module].length]
    compared = 0
    for run, blocks, code, text in texts(name):
        parts = MODULE.split(text)
        printed = dict(zip(parts[1::2], parts[2::2], strict=True))
        last = [*printed][-1] if printed else None
        for module, body in printed.items():
            there = [match[0] for match in NUMBERS.finditer(body)]
            ours = lines_of(log, module, blocks) if module in ACCUMULATING else []
            if code < 0 and module == last:  # it crashed (B7): the text ends somewhere
                assert "\n".join(ours).startswith("\n".join(there)), (run, module)
            elif code > 0 and module == last:  # it stopped: the module is incomplete
                assert modules[module].id in partial_modules(path), (run, module)
                assert not there, (run, module)
            else:
                assert there == ours, (run, module)
            compared += len(there)
        assert code or not set(here) - set(printed), run
    assert compared or not here


# The records of darshan-merge --shared-redux --------------------------------------------------------------------------

MERGED = {
    "main.merge-single-dxt": "mpi_io_test_with_dxt/treddy_mpi-io-test_id4373053_6-2-60198-9815401321915095332_1",
    "main.merge-single-hdf5-1byte": "hdf5_diagonal_write_only/hdf5_diagonal_write_1_byte_dxt",
    "r350ap.merge-single-nonmpi-dxt": "nonmpi_dxt_anonymized/nonmpi_dxt_anonymized",
}
"""Stored results in which files became shared, and the log that each was made of."""


@needs_golden
@pytest.mark.parametrize("run", MERGED)
def test_merged_records(run: str) -> None:
    """Files of all ranks become one record: the aggregate of their records."""
    text = gzip.decompress(
        (GOLDEN / "_multi" / "merge" / f"{run}-shared-redux.parser-all.txt.gz").read_bytes()
    ).decode()
    log = open_log(UPSTREAM / "logs" / f"{MERGED[run].replace('/', '__')}.darshan")
    merged: dict[tuple[str, int], dict[str, str]] = {}
    for line in text.splitlines():
        if line.count("\t") == 7 and not line.startswith("#"):
            module, rank, key, counter, value = line.split("\t")[:5]
            if rank == "-1" and SPEC.modules[module]["kind"] == "fixed":
                merged.setdefault((module, int(key)), {})[counter] = value
    assert merged
    for (module, key), printed in merged.items():
        record, _ = accumulate(log, module, [key])
        ours = {name: f"{record[name]:f}" if isinstance(record[name], float) else str(record[name]) for name in printed}
        assert ours == printed, (module, key)


# PyDarshan ------------------------------------------------------------------------------------------------------------

READER = Path(__file__).with_name("pydarshan_accumulator.py")
ABORTING = ("rank_ge_nprocs", "nprocs_0")
BATCH = 40


@cache
def groups() -> list[list[Path]]:
    """Logs by child process: all small and generated ones, and every fourth of a fleet of jobs."""
    if LOGS.exists():
        some = [*sorted((LOGS / "small").glob("*.darshan")), *sorted((LOGS / "synthetic").glob("*.darshan"))]
        some += sorted((LOGS / "fleet").rglob("*.darshan"))[::4]
    else:
        some = sorted(DATA.glob("fx_*.darshan")) + [
            DATA / f"{path.name.split('.')[0]}.darshan" for path in sorted(DATA.glob("*.facts.json"))
        ]
    some = [path for path in some if path.stem != "incomplete-no-header"] + [DATA / "px_rankneg2.darshan"]
    return [some[i : i + BATCH] for i in range(0, len(some), BATCH)]


@cache
def ask(number: int) -> dict[Path, Any]:
    """What PyDarshan makes of each log of a group: a dictionary, or text if it fails."""
    return answers(READER, groups()[number])


@pytest.mark.compat
@needs_pydarshan
@pytest.mark.parametrize("number", range(len(groups())))
def test_pydarshan_accumulator(number: int) -> None:
    """Aggregate record and metrics of the records that PyDarshan keeps: those with a name (B42)."""
    for path, answer in ask(number).items():
        reasons = [reason for reason, holds in CANNOT.items() if holds(read_plain(path))]
        if isinstance(answer, str):
            assert reasons, f"{path}: {answer}"
            continue
        log, names = open_log(path), list(darrow.open(path).names)
        for module, (rows, record, metrics) in answer.items():
            # It shows the counters of records with large ids as doubles, the smaller ones of which are exact.
            rounded = {name for name in SPEC.modules[module]["int_counters"] if isinstance(record[name], float)}
            assert not rounded or record["id"] >= 1 << 63
            found = differences(log, module, record, metrics, names)
            assert rows, (path, module)
            assert not found, f"{path} {module}\n{few(found)}"


@pytest.mark.compat
@needs_pydarshan
def test_pydarshan_covers_all_modules() -> None:
    """There are logs of each module and of both byte orders."""
    seen: Counter[tuple[str, str]] = Counter()
    for number in range(len(groups())):
        for path, answer in ask(number).items():
            if not isinstance(answer, str):
                seen.update((module, read_plain(path).order) for module in answer)
    assert set(seen) == {(module, order) for module in ACCUMULATING for order in "<>"}


@pytest.mark.compat
@needs_pydarshan
@pytest.mark.parametrize("name", ABORTING)
def test_what_aborts_upstream_is_an_error(name: str) -> None:
    """A record of a rank that the job does not have (B5)."""
    path = DATA / f"{name}.darshan"
    assert answers(READER, [path])[path] == "it died (-6)"
    with pytest.raises(ValueError, match="processes"):
        accumulate(open_log(path), "POSIX")
