"""A plain implementation of the rules by which records combine: slow, and independent of Darrow.

It follows the description of the rules and takes rows as dicts (None: missing), from `plain.records` or made by hand.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from corpus import SPEC, Columns
from plain import PlainLog, records

Row = dict[str, Any]

PREFIX = {"MPI-IO": "MPIIO", "BG/Q": "BGQ"}
COMBINING = (
    *("NULL", "POSIX", "MPI-IO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR", "BG/Q", "STDIO", "MDHIM", "DFS", "DAOS"),
)
TIMED = ("POSIX", "MPI-IO", "H5D", "PNETCDF_VAR", "STDIO", "DFS", "DAOS")  # those with fastest and slowest ranks

# One value for all, else nothing.
SAME = re.compile(
    r"file_rec_id|BGQ_.*|POSIX_(RENAMED_FROM|MODE|MEM_ALIGNMENT|FILE_ALIGNMENT)|MPIIO_MODE|DFS_CHUNK_SIZE"
    r"|DAOS_(OBJ_OTYPE|ARRAY_CELL_SIZE|ARRAY_CHUNK_SIZE)|MDHIM_SERVERS"
    r"|H5D_(DATASPACE_NDIMS|DATASPACE_NPOINTS|DATATYPE_SIZE|CHUNK_SIZE_D\d)|PNETCDF_VAR_(NDIMS|NPOINTS|DATATYPE_SIZE)"
)
FLAG = re.compile(r"H5F_USE_MPIIO|H5D_USE_MPIIO_COLLECTIVE|H5D_USE_DEPRECATED|PNETCDF_VAR_IS_RECORD_VAR")
MAXIMUM = re.compile(r".*_MAX_BYTE_(READ|WRITTEN)")
START = re.compile(r".*_F_\w+_START_TIMESTAMP|MDHIM_F_(PUT|GET)_TIMESTAMP|NULL_F_FOO_TIMESTAMP")
END = re.compile(r".*_F_\w+_END_TIMESTAMP")
# The counter that decides, and the one that comes with it.
PAIRS = [
    (re.compile(r"(.*)_F_MAX_(READ|WRITE)_TIME"), r"\1_MAX_\2_TIME_SIZE"),
    (re.compile(r"MDHIM_(PUT|GET)_MAX_SIZE"), r"MDHIM_F_\1_MAX_DURATION"),
    (re.compile(r"NULL_FOO_MAX_DAT"), r"NULL_F_FOO_MAX_DURATION"),
]
NOT_ALONE = re.compile(
    r".*_(FASTEST|SLOWEST)_RANK(_TIME|_BYTES)?|.*_F_VARIANCE_RANK_(TIME|BYTES)|.*_(ACCESS|STRIDE)[1-4]_\w+"
    r"|.*_MAX_(READ|WRITE)_TIME_SIZE|MDHIM_F_\w+_MAX_DURATION|NULL_F_FOO_MAX_DURATION|pool_uuid|cont_uuid|oid_\w+"
)
LONGEST = 1e12  # seconds: what is longer is no time
SHORTEST = Fraction(1, 2**176)  # of sums: what is below this unit is cut off each time


def columns_of(module: str) -> list[str]:
    """Id, rank, and the counters of a module in the current layout."""
    if module != "MDHIM":
        return [*SPEC.columns(module)]
    layout = SPEC.modules[module]
    return ["id", "rank", *layout["int_counters"], *layout["float_counters"]]


def rows_of(log: PlainLog, module: str) -> list[Row]:
    """The records of a module, missing values as None."""
    if not log.modules[module].length:
        return []
    return as_rows(module, log.modules[module].version, records(log, module))


def as_rows(module: str, version: int, columns: Columns) -> list[Row]:
    lacking = SPEC.lacking(module, version) if str(version) in SPEC.modules[module]["versions"] else set()
    out: list[Row] = [{} for _ in range(len(columns["id"]))]
    for name, values in columns.items():
        listed = values if isinstance(values, list) else values.tolist()
        nullable = (module, name) in SPEC.minus_one_is_null
        for row, value in zip(out, listed, strict=True):
            value = value % 2**64 if name == "POSIX_RENAMED_FROM" else value
            row[name] = None if name in lacking or (nullable and value == -1) else value
    return out


def is_count(value: Any) -> bool:
    return value is not None and value >= 0


def is_time(value: Any) -> bool:
    return value is not None and 0 <= value <= LONGEST  # NaN is not


def fits(total: int) -> int | None:
    return total if total < 2**63 else None


def exact(times: Iterable[float]) -> float:
    """The double next to the exact sum."""
    return float(sum((Fraction(time) // SHORTEST for time in times), 0) * SHORTEST)


class Combined:
    """Records as one: `values`, `missing` (of counters that combine alone, and of pairs), `accesses`, `strides`."""

    def __init__(self, module: str, rows: list[Row]) -> None:
        self.module, self.rows = module, rows
        self.prefix = PREFIX.get(module, module)
        self.values: Row = {"records": len(rows)}
        self.missing: dict[str, int] = {}
        self.lists: dict[str, list[Row]] = {}
        self.rough: set[str] = set()  # variances that rounding may spoil: of large numbers close to each other
        self.one_file = len({row["id"] for row in rows}) == 1
        self._identity()
        for name in columns_of(module):
            if name not in ("id", "rank") and not NOT_ALONE.fullmatch(name):
                self._alone(name)
        if module in TIMED:
            self._fastest_and_slowest()
            self._variance()
        for kind in ("ACCESS", "STRIDE"):
            if f"{self.prefix}_{kind}1_{kind}" in columns_of(module):
                self._common(kind)
        if module == "MDHIM":
            self._servers()

    def _identity(self) -> None:
        ranks = {row["rank"] for row in self.rows}
        self.values["id"] = self.rows[0]["id"] if self.one_file else None
        self.values["rank"] = (min(ranks) if len(ranks) == 1 else -1) if self.one_file else None

    def _alone(self, name: str) -> None:
        time = "_F_" in name
        known: Callable[[Any], bool] = is_time if time else is_count
        if re.fullmatch("file_rec_id|POSIX_RENAMED_FROM|BGQ_CSJOBID|DAOS_OBJ_OTYPE", name):  # ids: any number
            known = lambda value: True  # noqa: E731
        there = [row[name] for row in self.rows if known(row[name])]
        self.missing[name] = len(self.rows) - len(there)
        pair = next((pattern.sub(follow, name) for pattern, follow in PAIRS if pattern.fullmatch(name)), None)
        if pair:
            self._pair(name, pair, known)
            self.missing[pair] = self.missing[name]
        elif not there:
            self.values[name] = None
        elif SAME.fullmatch(name):
            self.values[name] = there[0] if len(set(there)) == 1 else None
        elif FLAG.fullmatch(name):
            self.values[name] = int(any(value > 0 for value in there))
        elif MAXIMUM.fullmatch(name) or END.fullmatch(name):
            self.values[name] = max(there)
        elif START.fullmatch(name):
            self.values[name] = min((value for value in there if value > 0), default=0.0)
        elif time:
            self.values[name] = exact(there)
        else:
            self.values[name] = fits(sum(there))

    def _pair(self, lead: str, follow: str, known: Callable[[Any], bool]) -> None:
        known_too: Callable[[Any], bool] = is_time if "_F_" in follow else is_count
        best = None
        for row in self.rows:
            if known(row[lead]) and (best is None or row[lead] > best[lead]):
                best = row
        self.values[lead] = best[lead] if best else None
        self.values[follow] = best[follow] if best and known_too(best[follow]) else None

    def _of_rank(self, row: Row) -> tuple[float | None, int | None]:
        """Time and bytes of a record of one rank."""
        read, write, meta = (row[f"{self.prefix}_F_{what}_TIME"] for what in ("READ", "WRITE", "META"))
        time = read + write + meta if all(map(is_time, (read, write, meta))) else None
        moved = [row[f"{self.prefix}_BYTES_{what}"] for what in ("READ", "WRITTEN")]
        return time, fits(sum(moved)) if all(map(is_count, moved)) else None

    def _fastest_and_slowest(self) -> None:
        for which, sign in (("FASTEST", 1), ("SLOWEST", -1)):
            names = [f"{self.prefix}_F_{which}_RANK_TIME", *(f"{self.prefix}_{which}_RANK{x}" for x in ("", "_BYTES"))]
            found = []
            for row in self.rows:
                time, rank, moved = row[names[0]], row[names[1]], row[names[2]]
                time = time if is_time(time) else None
                if row["rank"] >= 0:
                    rank = row["rank"]
                    time, moved = self._of_rank(row)
                if row["rank"] >= -1 and time is not None and rank is not None and rank >= 0:
                    found.append((sign * time, rank, time, moved if is_count(moved) else None))
            best = min(found, key=lambda entry: entry[:2], default=None) if self.one_file else None
            self.values |= dict(zip(names, (best[2], best[1], best[3]) if best else (None,) * 3, strict=True))

    def _variance(self) -> None:
        for k, what in enumerate(("TIME", "BYTES")):
            name = f"{self.prefix}_F_VARIANCE_RANK_{what}"
            if name not in columns_of(self.module):
                continue
            self.values[name] = None
            if not self.one_file:
                continue
            terms = [self._of_rank(row)[k] for row in self.rows if row["rank"] >= 0]
            if len(terms) == len(self.rows) and None not in terms:
                exact_terms = [Fraction(term) for term in terms]
                mean = sum(exact_terms) / len(terms)
                self.values[name] = float(sum((term - mean) ** 2 for term in exact_terms) / len(terms))
                if math.sqrt(self.values[name]) < max(exact_terms) / 10**6:
                    self.rough.add(name)
            elif len(self.rows) == 1 and self.rows[0]["rank"] == -1:
                stored = self.rows[0][name]
                usable = stored is not None and stored >= 0 and math.isfinite(stored)
                self.values[name] = stored if usable else None

    def _common(self, kind: str) -> None:
        prefix = f"{self.prefix}_{kind}"
        keys = [name for name in columns_of(self.module) if name.startswith(f"{prefix}1_") and "COUNT" not in name]
        members = [name.removeprefix(f"{prefix}1_") for name in keys]
        counts: Counter[tuple[int, ...]] = Counter()
        for row in self.rows:
            for slot in "1234":
                value = tuple(-1 if (v := row[f"{prefix}{slot}_{m}"]) is None else v for m in members)
                if value[0] > 0 and row[f"{prefix}{slot}_COUNT"] > 0:
                    counts[value] += row[f"{prefix}{slot}_COUNT"]
        listed = sorted(counts.items(), key=lambda item: (min(item[1], 2**63), item[0]), reverse=True)

        def shown(member: str, value: int) -> int | None:
            return None if value == -1 and (self.module, f"{prefix}1_{member}") in SPEC.minus_one_is_null else value

        self.lists["accesses" if kind == "ACCESS" else "strides"] = [
            {m.lower(): shown(m, v) for m, v in zip(members, value, strict=True)} | {"count": fits(count)}
            for value, count in listed
        ]
        for k, slot in enumerate("1234"):
            value, count = listed[k] if k < len(listed) else ((0,) * len(members), 0)
            for member, part in zip(members, value, strict=True):
                self.values[f"{prefix}{slot}_{member}"] = shown(member, part)
            self.values[f"{prefix}{slot}_COUNT"] = fits(count)

    def _servers(self) -> None:
        longest = max((len(row["servers"]) for row in self.rows), default=0)
        self.lists["servers"] = [
            fits(sum(there))
            if (there := [row["servers"][i] for row in self.rows if i < len(row["servers"]) and row["servers"][i] >= 0])
            else None
            for i in range(longest)
        ]


def differs(name: str, ours: Any, theirs: Any) -> bool:
    """Whether a value of an aggregate is another one; variances up to rounding."""
    if "_VARIANCE_" in name and ours is not None and theirs is not None:
        return not math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-30)
    return bool(ours != theirs) or type(ours) is not type(theirs)
