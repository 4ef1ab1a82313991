"""`darrow summary` against plain arithmetic on the stored records; its JSON and CSV; the dictionary of metrics."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import logwriter as w
import numpy as np
import pytest
from corpus import DATA, ROOT, SPEC, mount_of
from plain import PlainLog, read_plain, records
from test_cli import JOB_COLUMNS, LOGS, NOTHING, SOME_LOST, USAGE, command, complaints, darrow, logs_of, rows_of

PREFIX = {"POSIX": "POSIX", "MPI-IO": "MPIIO", "STDIO": "STDIO", "H5D": "H5D"}
READS = {"MPI-IO": ["INDEP_READS", "COLL_READS", "SPLIT_READS", "NB_READS"]}
WRITES = {"MPI-IO": ["INDEP_WRITES", "COLL_WRITES", "SPLIT_WRITES", "NB_WRITES"]}
TABLES = ["layers", "categories", "access_sizes", "common_accesses", "mounts"]
BUCKETS = ["0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M", "1M_4M", "4M_10M", "10M_100M", "100M_1G", "1G_PLUS"]
# Real runs of many kinds: records of single ranks, of all ranks, and several of one file.
CHOSEN = [
    "example",
    "file-categories",
    "many-shared-per-rank",
    "posix-ops",
    "posix-partial-shared",
    "stdio-streams",
    "hdf5-parallel",
    "hdf5-shapes",
    "merge-fork",
]


class Stored:
    """What the records of a module hold, added up by hand."""

    def __init__(self, log: PlainLog, module: str):
        self.module, self.prefix, self.nprocs = module, PREFIX[module], log.job["nprocs"]
        self.columns = records(log, module)
        self.id, self.rank = self.columns["id"], self.columns["rank"]

    def column(self, name: str) -> np.ndarray:
        values = np.array(self.columns[f"{self.prefix}_{name}"])
        missing = (self.module, f"{self.prefix}_{name}") in SPEC.minus_one_is_null
        return np.where(values == -1, 0, values) if missing else values

    def sum(self, *names: str) -> Any:
        return sum(self.column(name).sum().item() for name in names)

    def reads(self) -> int:
        return self.sum(*READS.get(self.module, ["READS"]))

    def writes(self) -> int:
        return self.sum(*WRITES.get(self.module, ["WRITES"]))

    def times(self) -> np.ndarray:
        return sum(self.column(f"F_{kind}_TIME") for kind in ("READ", "WRITE", "META"))

    def by_rank(self, times: np.ndarray) -> dict[int, float]:
        sums: dict[int, float] = defaultdict(float)
        for rank, time in zip(self.rank.tolist(), times.tolist(), strict=True):
            if rank >= 0:
                sums[rank] += time
        return sums

    def layer(self) -> dict[str, Any]:
        own = self.by_rank(self.times())
        unique = max(own.values(), default=0.0)
        shared = self.column("F_SLOWEST_RANK_TIME")[self.rank == -1].sum().item()
        moved = self.sum("BYTES_READ", "BYTES_WRITTEN")
        reads, writes = self.reads(), self.writes()
        expected = {
            "records": len(self.id),
            "files": len(set(self.id.tolist())),
            "bytes_read": self.sum("BYTES_READ"),
            "bytes_written": self.sum("BYTES_WRITTEN"),
            "bytes": moved,
            "reads": reads,
            "writes": writes,
            "read_time": self.sum("F_READ_TIME"),
            "write_time": self.sum("F_WRITE_TIME"),
            "meta_time": self.sum("F_META_TIME"),
            "read_time_mean": self.sum("F_READ_TIME") / self.nprocs,
            "meta_time_mean": self.sum("F_META_TIME") / self.nprocs,
            "io_time_mean": self.times().sum() / self.nprocs,
            "unique_time_by_slowest": unique,
            "shared_time_by_slowest": shared,
            "time_by_slowest": unique + shared,
            "rate": moved / (unique + shared) if unique + shared > 0 else None,
        }
        if unique > 0:
            expected["slowest_rank"] = min(rank for rank, time in own.items() if time == unique)
        if -1 not in self.rank and expected["io_time_mean"] > 0:
            expected["io_time_max"] = unique
            expected["io_time_max_rank"] = expected["slowest_rank"]
            expected["io_time_imbalance"] = unique / expected["io_time_mean"]
        if self.module == "POSIX":
            both = reads + writes
            expected |= {
                "opens": self.sum("OPENS"),
                "seq_read_share": self.sum("SEQ_READS") / reads if reads else None,
                "consec_write_share": self.sum("CONSEC_WRITES") / writes if writes else None,
                "mem_unaligned_share": self.sum("MEM_NOT_ALIGNED") / both if both else None,
                "file_unaligned_share": self.sum("FILE_NOT_ALIGNED") / both if both else None,
            }
        return expected

    def sizes(self, op: str) -> list[int]:
        agg = "" if self.module == "POSIX" else "AGG_"
        return [self.sum(f"SIZE_{op.upper()}_{agg}{bucket}") for bucket in BUCKETS]

    def common(self) -> Counter[int]:
        found: Counter[int] = Counter()
        for slot in "1234":
            pairs = zip(self.column(f"ACCESS{slot}_ACCESS"), self.column(f"ACCESS{slot}_COUNT"), strict=True)
            for size, count in pairs:
                if count > 0:
                    found[int(size)] += int(count)
        return found


def stored_modules(log: PlainLog) -> list[Stored]:
    return [Stored(log, module) for module in log.modules if module in PREFIX and log.modules[module].length]


@pytest.mark.parametrize("name", CHOSEN)
def test_layers(name: str):
    (told,) = logs_of("summary", DATA / f"{name}.darshan")
    layers = {row["module"]: row for row in told["modules"]}
    stored = stored_modules(read_plain(DATA / f"{name}.darshan"))
    assert stored
    for module in stored:
        for metric, value in module.layer().items():
            got = layers[module.module][metric]
            assert got == (pytest.approx(value, rel=1e-12) if isinstance(value, float) else value), metric


@pytest.mark.parametrize("name", CHOSEN)
def test_access_sizes_and_common_accesses(name: str):
    (told,) = logs_of("summary", DATA / f"{name}.darshan")
    for module in stored_modules(read_plain(DATA / f"{name}.darshan")):
        if module.module == "STDIO":
            assert all(row["module"] != "STDIO" for row in told["access_sizes"] + told["common_accesses"])
            continue
        for op in ("read", "write"):
            rows = [row for row in told["access_sizes"] if (row["module"], row["op"]) == (module.module, op)]
            assert [row["count"] for row in rows] == module.sizes(op)
            assert rows[0]["above"] is None
            assert [row["up_to"] for row in rows[:-1]] == [row["above"] for row in rows[1:]]
            assert rows[-1]["up_to"] is None
        if module.module != "H5D":  # its common values have several keys
            common, calls = module.common(), module.reads() + module.writes()
            most = sorted(common.items(), key=lambda pair: (-pair[1], -pair[0]))[:4]
            rows = [row for row in told["common_accesses"] if row["module"] == module.module]
            assert [(row["size"], row["count"]) for row in rows[:-1]] == most
            others = calls - sum(count for _, count in most)
            assert (rows[-1]["size"], rows[-1]["count"]) == (None, others if others >= 0 else None)
            assert [row["share"] for row in rows[:-1]] == [count / calls for _, count in most]


@pytest.mark.parametrize("name", CHOSEN)
def test_mounts(name: str):
    log = read_plain(DATA / f"{name}.darshan")
    mounts = [(line.split(b"\t")[1].decode(), line.split(b"\t")[0].decode()) for line in log.mount_lines if line]
    files: dict[Any, set[int]] = defaultdict(set)
    sums: Counter[Any] = Counter()
    for module in stored_modules(log):
        if module.module not in ("POSIX", "STDIO"):
            continue
        for number, read in zip(module.id.tolist(), module.column("BYTES_READ").tolist(), strict=True):
            path = log.names.get(number, b"").decode()
            place = ("<STD…>", None) if path.startswith("<STD") else mount_of(path, mounts)
            files[place].add(number)
            sums[place] += read
    (told,) = logs_of("summary", DATA / f"{name}.darshan")
    assert {(row["mount"], row["fs_type"]): row["bytes_read"] for row in told["mounts"]} == {p: sums[p] for p in files}
    assert {(row["mount"], row["fs_type"]): row["files"] for row in told["mounts"]} == {
        place: len(ids) for place, ids in files.items()
    }


def test_categories_against_what_the_program_counted():
    facts = json.loads((DATA / "file-categories.facts.json").read_text())
    expected: dict[str, Counter[str]] = defaultdict(Counter)
    for file in facts["files"]:
        read, written = (file["counters"].get(f"POSIX_BYTES_{way}", 0) for way in ("READ", "WRITTEN"))
        use = {(True, False): "read_only", (False, True): "write_only", (True, True): "read_write"}
        ranks = {1: "unique", facts["job"]["nprocs"]: "shared"}
        kinds = ["all", use.get((read > 0, written > 0), "no_io"), ranks.get(len(file["ranks"]), "partially_shared")]
        for kind in kinds:
            expected[kind] += Counter(files=1, bytes_read=read, bytes_written=written)
    (told,) = logs_of("summary", "--metric", "categories", DATA / "file-categories.darshan")
    rows = {row["category"]: row for row in told["categories"] if row["module"] == "POSIX"}
    assert len(rows) == 8
    for kind, row in rows.items():
        assert {key: row[key] for key in ("files", "bytes_read", "bytes_written")} == {
            key: expected[kind][key] for key in ("files", "bytes_read", "bytes_written")
        }, kind


def test_bottom_layer_is_the_sum_of_its_modules():
    (told,) = logs_of("summary", "--layer", "bottom", DATA / "example.darshan")
    log = read_plain(DATA / "example.darshan")
    parts = [Stored(log, module) for module in ("POSIX", "STDIO")]
    (layer,) = told["modules"]
    assert layer["module"] == "bottom"
    assert layer["bytes_written"] == sum(part.sum("BYTES_WRITTEN") for part in parts)
    assert layer["files"] == len({number for part in parts for number in part.id.tolist()})
    assert sorted(told["records"]) == ["POSIX", "STDIO"]


def test_records_are_the_aggregated_counters():
    (told,) = logs_of("summary", DATA / "file-categories.darshan")
    stored = Stored(read_plain(DATA / "file-categories.darshan"), "POSIX")
    record = told["records"]["POSIX"]
    assert record["records"] == len(stored.id)
    assert record["id"] is None
    assert record["POSIX_BYTES_READ"] == stored.sum("BYTES_READ")
    assert record["POSIX_MAX_BYTE_WRITTEN"] == stored.column("MAX_BYTE_WRITTEN").max()
    (told,) = logs_of("summary", DATA / "fx_H5D_v2_be_3.41.darshan")
    numbers = read_plain(DATA / "fx_H5D_v2_be_3.41.darshan")
    if len(Stored(numbers, "H5D").id) == 1:
        assert told["records"]["H5D"]["id"] == str(Stored(numbers, "H5D").id[0])


# JSON and CSV ---------------------------------------------------------------------------------------------------------


def written(value: Any) -> str:
    return {None: "", True: "true", False: "false"}[value] if value is None or isinstance(value, bool) else str(value)


@pytest.mark.parametrize("table", TABLES)
def test_csv_of_a_table_is_its_json(table: str):
    logs = logs_of("summary", "--metric", table, *LOGS)
    header, *rows = rows_of("summary", "--metric", table, *LOGS)
    assert header[:8] == ["log", *JOB_COLUMNS]
    key = "modules" if table == "layers" else table
    expected = []
    for log in logs:
        told = log.get(key, [])
        assert set(log) == ({"file", "error"} if "error" in log else {"file", "job", key, "problems"})
        for row in told:
            assert list(row) == header[8:-1]
            expected.append([log["file"], *(written(value) for value in row.values()), "read"])
        if not told:
            expected.append([log["file"], *[""] * len(header[8:-1])])
    assert len(rows) == len(expected)
    for row, want in zip(rows, expected, strict=True):
        cells = [row[0], *row[8:]]
        assert len(row) == len(header)
        if want[-1] != "read":
            assert cells[:-1] == want
            continue
        for cell, value in zip(cells, want, strict=True):
            assert cell == value or float(cell) == float(value)


def test_chosen_metrics_only():
    (log,) = logs_of("summary", "--metric", "rate,bytes", "--metric", "mounts", DATA / "example.darshan")
    assert list(log) == ["file", "job", "modules", "mounts", "problems"]
    assert all(list(row) == ["module", "bytes", "rate", "partial", "damaged"] for row in log["modules"])
    header, *rows = rows_of("summary", "--metric", "rate", "--module", "mpiio", DATA / "example.darshan")
    assert header == ["log", *JOB_COLUMNS, "module", "rate", "partial", "damaged", "status"]
    assert [row[8] for row in rows] == ["MPI-IO"]


def test_csv_of_a_log_without_rows(tmp_path: Path):
    path = tmp_path / 'odd, "name".darshan'
    path.write_bytes(w.Log(job=w.job(text=b'/bin/a,b "c"\nx\next4\t/\0'), modules={}).build())
    for table, status in [("layers", "no_modules"), ("mounts", "no_modules")]:
        (row,) = rows_of("summary", "--metric", table, path)[1:]
        assert (row[0], row[-1]) == (str(path), status)
        assert set(row[8:-1]) == {""}
    (row,) = rows_of("summary", "--metric", "mounts", DATA / "fx_H5D_v2_be_3.41.darshan")[1:]
    assert row[-1] == "no_rows"


def test_mixed_tables_are_no_csv():
    run = darrow("summary", "--metric", "rate,categories", "--format", "csv", DATA / "example.darshan")
    assert (run.returncode, run.stdout) == (USAGE, b"")
    assert "layers and categories" in complaints(run)[0]


# Choosing modules -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [["mpiio"], ["MPI-IO"], ["mpi-io"], ["MPI_IO", "mpiio"], ["MpIiO"]])
def test_modules_by_any_name(given: list[str]):
    options = [part for name in given for part in ("--module", name)]
    (log,) = logs_of("summary", *options, DATA / "example.darshan")
    assert [row["module"] for row in log["modules"]] == ["MPI-IO"]


def test_several_modules():
    for options in (["--module", "posix,stdio"], ["--module", "stdio", "--module", "posix"], ["--module=posix,stdio"]):
        (log,) = logs_of("summary", *options, DATA / "example.darshan")
        assert [row["module"] for row in log["modules"]] == ["POSIX", "STDIO"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--module", "poxis"], "POSIX, MPI-IO"),
        (["--module", ""], '""'),
        (["--module", "lustre"], "LUSTRE do not combine into one"),
        (["--module", "mpiio", "--layer", "bottom"], "POSIX, STDIO, DFS"),
        (["--layer", "top"], "top"),
        (["--metric", "rats"], "near it: rate;"),
        (["--metric", "rates"], "near it: rate;"),
        (["--metric", "byte_read"], "near it: bytes_read"),
        (["--metric", "nonsense"], "darrow modules --metrics"),
        (["--metric", "mean_size"], "--metric categories"),
        (["--metric", "x" * 5000], "xxx"),
    ],
)
def test_wrong_choices(options: list[str], told: str):
    run = darrow("summary", *options, DATA / "example.darshan")
    assert (run.returncode, run.stdout) == (USAGE, b"")
    assert told in complaints(run)[0]


def test_the_example_module_is_not_offered():
    run = darrow("summary", "--module", "poxis", DATA / "example.darshan")
    assert "NULL" not in complaints(run)[0]


def test_modules_that_a_log_lacks(tmp_path: Path):
    log, other = DATA / "posix-ops.darshan", DATA / "example.darshan"
    run = darrow("summary", "--module", "mpiio", log)
    assert (run.returncode, run.stdout) == (NOTHING, b"")
    assert complaints(run) == [f"darrow: {log}: no module MPI-IO in this log; it has: POSIX"]
    run = darrow("summary", "--module", "mpiio,posix", log)
    assert run.returncode == SOME_LOST
    assert "no module MPI-IO" in complaints(run)[0]
    assert "\n  POSIX " in run.stdout.decode()
    logs = logs_of("summary", "--module", "mpiio", log, other)
    assert [log.get("error", {}).get("code") for log in logs] == ["not_found", None]
    assert rows_of("summary", "--module", "mpiio", log)[1][-1] == "not_found"
    path = tmp_path / "future.darshan"
    path.write_bytes(w.Log(job=w.job(), modules={"POSIX": (77, w.posix(1))}).build())
    assert "version 77 of module POSIX is not known" in complaints(darrow("summary", "--module", "posix", path))[0]


# The dictionary -------------------------------------------------------------------------------------------------------


def dictionary(*names: str) -> dict[str, Any]:
    return json.loads(darrow("modules", "--metrics", *names, "--format", "json").stdout)


def test_every_column_is_in_the_dictionary():
    told = dictionary()
    (log,) = logs_of("summary", DATA / "example.darshan")
    for table, labels in [
        ("layers", {"module", "partial", "damaged"}),
        ("categories", {"module", "category"}),
        ("access_sizes", {"module"}),
        ("common_accesses", {"module"}),
    ]:
        names = [metric["name"] for metric in told["metrics"] if metric["table"] == table]
        assert [n for n in log["modules" if table == "layers" else table][0] if n not in labels] == names
    assert all(metric["formula"] and metric["meaning"] for metric in told["metrics"])
    assert {role for metric in told["metrics"] for role in metric["inputs"]} == set(told["roles"])


def test_counters_of_roles_exist():
    for of in dictionary()["roles"].values():
        for module, names in of.items():
            known = {row[1] for row in rows_of("modules", module)[1:]}
            assert set(names) <= known
            assert names


def test_metrics_of_a_module():
    told = dictionary("stdio")
    assert {tuple(metric["modules"]) for metric in told["metrics"]} == {("STDIO",)}
    assert not any(metric["table"] == "access_sizes" for metric in told["metrics"])
    assert told["roles"]["reads"] == {"STDIO": ["STDIO_READS"]}
    header, *rows = rows_of("modules", "mpiio", "--metrics")
    assert header == ["metric", "table", "type", "unit", "module", "inputs", "formula", "meaning"]
    (reads,) = (row for row in rows if row[:2] == ["reads", "layers"])
    assert json.loads(reads[5]) == {"reads": [f"MPIIO_{name}" for name in READS["MPI-IO"]]}
    text = darrow("modules", "posix", "--metrics").stdout.decode()
    assert "unique_time_by_slowest + shared_time_by_slowest" in text
    assert "POSIX_F_SLOWEST_RANK_TIME" in text
    assert "no metrics" in darrow("modules", "--metrics", "lustre").stdout.decode()
    assert darrow("modules", "--metrics", "poxis").returncode == USAGE


def test_the_page_of_metrics_is_up_to_date():
    page = subprocess.run(
        [sys.executable, ROOT / "tools" / "metrics_page.py", *command()], capture_output=True, check=True
    )
    assert page.stdout.decode() == (ROOT / "docs" / "metrics.md").read_text(), "run make docs"
