"""The logs the tests read, what is known of them, and how two sets of records are compared.

`tests/data` holds a small choice of our own logs, so that a clone tests the essentials. The full corpus is a folder
`shared` beside the repository: `shared/logs` (ours), `shared/spec`, `shared/upstream` (logs of the Darshan project and
the output of its tools; read in place, never copied).

Records of a module are compared as `Columns`: the column names of `docs/tables.md`, numbers as numpy arrays, anything
else as a list. Every source (Darrow, an expectation, another tool) is brought into that form by a function of its own.
"""

from __future__ import annotations

import gzip
import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DATA = HERE.parent / "data"
SHARED = ROOT.parent / "shared"
LOGS = SHARED / "logs"
UPSTREAM = SHARED / "upstream"

NO_LOGS = f"needs the full corpus ({LOGS.relative_to(ROOT.parent)} beside the repository)"
NO_UPSTREAM = f"needs the logs of the Darshan project ({UPSTREAM.relative_to(ROOT.parent)} beside the repository)"

Values = np.ndarray | list[Any]
Columns = dict[str, Values]

# The specification ----------------------------------------------------------------------------------------------------


def load(path: Path) -> Any:
    """A JSON file, compressed or not."""
    return json.loads(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())


class Spec:
    """Record layouts and counters, as data."""

    @cached_property
    def _layout(self) -> dict[str, Any]:
        return load(DATA / "modules.json.gz")

    @cached_property
    def modules(self) -> dict[str, dict[str, Any]]:
        """Layouts by module name."""
        return {module["name"]: module for module in self._layout["modules"]}

    @cached_property
    def formats(self) -> dict[str, dict[str, Any]]:
        """Layouts of the header by format version."""
        return self._layout["format_versions"]

    @cached_property
    def job_fields(self) -> dict[str, list[dict[str, Any]]]:
        """Layouts of the job record."""
        return self._layout["job_fields"]

    @cached_property
    def minus_one_is_null(self) -> set[tuple[str, str]]:
        """Module and counter, where a stored −1 says "not recorded"."""
        counters = load(DATA / "counters.json.gz")
        return {(c["module"], c["name"]) for c in counters if c["minus_one_means_missing"]}

    def columns(self, module: str) -> dict[str, str]:
        """Columns of a module of fixed size in the current layout: name and type, in order."""
        layout = self.modules[module]
        columns = {"id": "u64", "rank": "i64"}
        columns |= {f["name"]: f["type"] for f in layout["pre_counter_fields"]}
        columns |= dict.fromkeys(layout["int_counters"], "i64") | dict.fromkeys(layout["float_counters"], "f64")
        columns |= {f["name"]: f["type"] for f in layout["tail_fields"]}
        return columns

    def lacking(self, module: str, version: int) -> set[str]:
        """Columns that a version does not have and that are therefore null (aggregation.md, section 11)."""
        old = self.modules[module]["versions"][str(version)]
        lacking = {
            name for name, value in (old.get("default_int", {}) | old.get("default_float", {})).items() if value == -1
        }
        if module.startswith("DXT_"):
            if "pthread_id" not in {f["name"] for f in old["segment_fields"]}:
                lacking.add("thread_id")
            if (module, version) == ("DXT_MPIIO", 1):
                lacking.add("offset")
        return lacking


SPEC = Spec()

# The logs -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Expected:
    """What is known of one log: a line of `expected.jsonl.gz`."""

    name: str
    path: Path
    entry: dict[str, Any] = field(repr=False, compare=False)

    @property
    def readable(self) -> bool:
        """Whether the decoder that wrote the expectations could read it."""
        return "error" not in self.entry


@cache
def expectations(folder: Path) -> dict[str, Expected]:
    """The lines of `expected.jsonl.gz` of a folder by log name; empty without such a file."""
    file = folder / "expected.jsonl.gz"
    if not file.exists():
        return {}
    lines = map(json.loads, gzip.decompress(file.read_bytes()).splitlines())
    return {line["log"]: Expected(line["log"], folder / f"{line['log']}.darshan", line) for line in lines}


def facts(folder: Path) -> dict[str, Path]:
    """Logs of a folder with a file of facts beside them."""
    return {file.name.removesuffix(".facts.json"): file for file in sorted(folder.glob("*.facts.json"))}


def text(value: str | Mapping[str, str]) -> str:
    """Text of the expectations: `{"hex": …}` stands for bytes that are not UTF-8."""
    return value if isinstance(value, str) else bytes.fromhex(value["hex"]).decode("utf-8", "surrogateescape")


def raw(value: str | Mapping[str, str]) -> bytes:
    """The bytes of such text."""
    return text(value).encode("utf-8", "surrogateescape")


def is_utf8(value: bytes) -> bool:
    """Whether bytes are valid UTF-8."""
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


def shown(value: str) -> str:
    """Text as it stands in a column: bytes that are not UTF-8 as \\xNN."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def numbers(values: Iterable[Any], kind: str) -> np.ndarray:
    """Numbers of the expectations; integers of any sign or size by their 64 bits."""
    if kind == "f64":
        return np.array([float(value) for value in values], "f8")  # NaN and infinities stand as text
    return np.array([value & 0xFFFFFFFFFFFFFFFF for value in values], "u8")


# Expectations as columns ----------------------------------------------------------------------------------------------


def expected_columns(module: str, rows: list[dict[str, Any]]) -> Columns:
    """Records of an expectation as columns."""
    layout = SPEC.modules[module]
    columns: Columns = {
        name: numbers((row[name] for row in rows), "i64") for name in ("id", "rank") if layout["kind"] != "dxt"
    }
    match layout["kind"]:
        case "fixed" | "mdhim":
            for names, key, kind in (
                (layout["int_counters"], "counters", "i64"),
                (layout["float_counters"], "fcounters", "f64"),
            ):
                for i, name in enumerate(names):
                    columns[name] = numbers((row[key][i] for row in rows), kind)
            for tail in layout.get("pre_counter_fields", []) + layout.get("tail_fields", []):
                name = tail["name"]
                if tail["type"] == "uuid":
                    columns[name] = [str(uuid.UUID(bytes=raw(row[name]))) for row in rows]
                else:
                    columns[name] = numbers((row[name] for row in rows), tail["type"])
            if layout["kind"] == "mdhim":
                columns["servers"] = [row["hist"] for row in rows]
        case "lustre":
            columns["components"] = [_components(row["comps"], row["osts"]) for row in rows]
        case "heatmap":
            columns["bin_width"] = numbers((row["width"] for row in rows), "f64")
            columns["nbins"] = numbers((row["nbins"] for row in rows), "i64")
            columns["write"] = [row["w"] for row in rows]
            columns["read"] = [row["r"] for row in rows]
        case "dxt":
            columns = _segments(rows)
        case "header+perf":
            rows = [row for row in rows if not row["header"]]
            columns = {}
            for perf in layout["perf_fields"]:
                if perf["type"] == "char":
                    columns["node"] = [shown(text(row["v"][perf["name"]])) for row in rows]
                else:
                    columns[perf["name"]] = numbers((row["v"][perf["name"]] for row in rows), perf["type"])
    return columns


COMPONENT = ("stripe_size", "stripe_count", "stripe_pattern", "flags", "ext_start", "ext_end", "mirror_id")


def _components(components: list[Any], osts: list[int]) -> list[dict[str, Any]]:
    out, at = [], 0
    for values, pool in components:
        count = values[1]
        entry = dict(zip(COMPONENT, values, strict=True)) | {"pool": shown(text(pool)), "osts": osts[at : at + count]}
        out.append(entry)
        at += count
    return out


SEGMENT = ("id", "rank", "host", "op", "segment", "offset", "length", "start", "end", "thread_id")


def _segments(rows: list[dict[str, Any]]) -> Columns:
    flat = []
    for row in rows:
        for i, segment in enumerate(row["segs"]):
            op, number = ("write", i) if i < row["wc"] else ("read", i - row["wc"])
            flat.append((row["id"], row["rank"], shown(text(row["hostname"])), op, number, *segment))
    if not flat:
        return {key: [] for key in SEGMENT}
    key, rank, host, op, number, offset, length, start, end, thread = map(list, zip(*flat, strict=True))
    return {
        "id": numbers(key, "u64"),
        "rank": numbers(rank, "i64"),
        "host": host,
        "op": op,
        "segment": numbers(number, "i64"),
        "offset": numbers(offset, "i64"),
        "length": numbers(length, "i64"),
        "start": numbers(start, "f64"),
        "end": numbers(end, "f64"),
        "thread_id": thread if None in thread else numbers(thread, "u64"),
    }


def expected_dxt_records(rows: list[dict[str, Any]]) -> Columns:
    """The records of a DXT module without their segments."""
    columns: Columns = {
        ours: numbers((row[theirs] for row in rows), "i64")
        for ours, theirs in (
            ("id", "id"),
            ("rank", "rank"),
            ("shared_record", "shared_record"),
            ("write_count", "wc"),
            ("read_count", "rc"),
        )
    }
    return columns | {"host": [shown(text(row["hostname"])) for row in rows]}


# Darrow as columns ----------------------------------------------------------------------------------------------------


def darrow_columns(records: Any, only: Iterable[str] | None = None) -> Columns:
    """Records of Darrow (anything with `to_arrow`) as columns; nulls are None in a list."""
    table = records.to_arrow().combine_chunks().unify_dictionaries()
    return {name: _column(table.column(name)) for name in (table.column_names if only is None else only)}


def _column(values: Any) -> Values:
    kind = str(values.type)
    if values.null_count == 0 and kind in ("int64", "uint64", "double", "int32", "uint32"):
        return values.to_numpy()
    if kind.startswith("dictionary") and values.num_chunks == 1:
        chunk = values.chunk(0)
        known = np.array([*chunk.dictionary.to_pylist(), None], object)
        return known[chunk.indices.fill_null(len(known) - 1).to_numpy()].tolist()
    return values.to_pylist()


# Comparing ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """A cell in which two sources do not agree; row −1 stands for the whole column."""

    column: str
    row: int
    ours: Any
    theirs: Any

    def __str__(self) -> str:
        return f"{self.column}[{self.row}]: ours {self.ours!r}, theirs {self.theirs!r}"


def bits(values: np.ndarray) -> np.ndarray:
    """Numbers as 64-bit patterns, all NaN alike."""
    if values.dtype.kind == "f":
        values = np.where(np.isnan(values), np.nan, values.astype("f8"))
        return values.view("u8")
    return values.astype("i8").view("u8") if values.dtype.kind == "i" else values.astype("u8")


def same(ours: Any, theirs: Any) -> bool:
    """Whether two single values are equal: floats by their bits, NaN like NaN."""
    if isinstance(ours, float) and isinstance(theirs, float):
        return bool(bits(np.array([ours]))[0] == bits(np.array([theirs]))[0])
    return type(ours) is type(theirs) and ours == theirs


def different_rows(ours: Values, theirs: Values) -> list[int]:
    """Rows of a column in which two sources of equal length differ."""
    if isinstance(ours, np.ndarray) and isinstance(theirs, np.ndarray):
        if (ours.dtype.kind == "f") != (theirs.dtype.kind == "f"):
            return list(range(len(ours)))
        return np.flatnonzero(bits(ours) != bits(theirs)).tolist()
    a, b = _plain(ours), _plain(theirs)
    if a == b and not any(isinstance(value, float) for value in a):  # 0.0 equals -0.0
        return []
    return [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if not same(x, y)]


def _plain(values: Values) -> list[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else values


def differences(ours: Columns, theirs: Columns) -> Iterator[Difference]:
    """Cells of `theirs` that `ours` does not show alike. Columns that only `ours` has do not matter here."""
    for name, values in theirs.items():
        if name not in ours:
            yield Difference(name, -1, "no such column", f"{len(values)} values")
        elif len(ours[name]) != len(values):
            yield Difference(name, -1, f"{len(ours[name])} rows", f"{len(values)} rows")
        else:
            for row in different_rows(ours[name], values):
                yield Difference(name, row, ours[name][row], values[row])


def cells(columns: Columns) -> int:
    """How many values columns hold, those inside lists counted one by one."""
    return sum(
        _count(value)
        for values in columns.values()
        for value in ([values] if isinstance(values, np.ndarray) else values)
    )


def _count(value: Any) -> int:
    if isinstance(value, np.ndarray):
        return value.size
    if isinstance(value, list):
        return sum(map(_count, value))
    return sum(map(_count, value.values())) if isinstance(value, dict) else 1


def few(items: Iterable[Any], most: int = 12) -> str:
    """The first items of a list, one a line, for a message."""
    lines = [str(item) for item in items]
    return "\n".join(lines[:most] + [f"… {len(lines) - most} more"] * (len(lines) > most))


# Names and mounts -----------------------------------------------------------------------------------------------------


def mount_of(name: str, mounts: Iterable[tuple[str, str]]) -> tuple[str, str] | tuple[None, None]:
    """Mount and type of the file system a name lies on: the longest path by whole components, first among equals."""
    best: tuple[str, str] | tuple[None, None] = (None, None)
    for path, kind in mounts:
        inside = name == path or name.startswith(path if path.endswith("/") else path + "/")
        if inside and (best[0] is None or len(path.encode("utf-8", "surrogateescape")) > len(_bytes(best[0]))):
            best = (path, kind)
    return best


def _bytes(value: str) -> bytes:
    return value.encode("utf-8", "surrogateescape")


def sorted_mounts(mounts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Mounts in the order of Darshan's tools: longest path first, else in the order of the file."""
    return sorted(mounts, key=lambda mount: -len(_bytes(mount[0])))
