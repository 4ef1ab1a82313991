"""A plain computation of the main metrics, from the rows that `plain_rules` takes: slow, and independent of Darrow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from plain_rules import PREFIX, SHORTEST, Row, columns_of, exact, fits, is_count, is_time

USES = ("read_only", "write_only", "read_write", "no_io")
SHARINGS = ("unique", "partially_shared", "shared")


def ticks(row: Row, name: str) -> int:
    """A time in units of `SHORTEST`; 0 if there is none."""
    value = row.get(name)
    return int(Fraction(value) // SHORTEST) if is_time(value) else 0


def seconds(of: int) -> float:
    return float(of * SHORTEST)


def has(module: str, name: str) -> bool:
    return name in columns_of(module)


def layer(module: str, rows: list[Row], nprocs: int) -> dict[str, Any]:
    """Metrics of a module with records: files, bytes, times along the slowest ranks."""
    prefix = PREFIX.get(module, module)
    out: dict[str, Any] = {"records": len(rows), "files": len({row["id"] for row in rows})}
    for name, counter in (("bytes_read", f"{prefix}_BYTES_READ"), ("bytes_written", f"{prefix}_BYTES_WRITTEN")):
        there = [row[counter] for row in rows if is_count(row.get(counter))]
        out[name] = fits(sum(there)) if there else None
    both = out["bytes_read"], out["bytes_written"]
    out["bytes"] = fits(sum(both)) if None not in both else None
    names = [f"{prefix}_F_{what}_TIME" for what in ("READ", "WRITE", "META")]
    slowest = f"{prefix}_F_SLOWEST_RANK_TIME"
    for name in names:
        if has(module, name):
            key = name.removeprefix(f"{prefix}_F_").lower()
            there = [row[name] for row in rows if is_time(row[name]) and row["rank"] >= -1]
            out[key] = exact(there) if there else None
            hidden = any(_hides(row, name) for row in rows)
            out |= _most(key, (0 if row["rank"] < 0 else ticks(row, name) for row in rows), rows, bool(there), hidden)
            if nprocs == 1 and there:  # all was done by the only process
                out |= {f"{key}_max": out[key], f"{key}_max_rank": 0 if out[key] > 0 else None}
    if has(module, slowest):
        out |= _slowest(rows, names, slowest)
        total = _and(out["unique_time_by_slowest"], out["shared_time_by_slowest"])
        out["time_by_slowest"] = total
        out["rate"] = out["bytes"] / total if out["bytes"] is not None and total else None
        keys = [name.removeprefix(f"{prefix}_F_").lower() for name in names]
        io = None
        if out["unique_time_by_slowest"] is not None and any(out[key] is not None for key in keys):
            if nprocs == 1:
                io = exact(row[name] for row in rows for name in names if row["rank"] >= -1 and is_time(row[name]))
            elif not any(_hides(row, name) for row in rows for name in names):
                io = out["unique_time_by_slowest"]
        out["io_time_max"] = io
        out["io_time_max_rank"] = (0 if nprocs == 1 else out["slowest_rank"]) if io else None
    return out


def _and(*parts: Any) -> Any:
    """The sum if all of it is known."""
    return None if None in parts else sum(parts)


def _hides(row: Row, name: str) -> bool:
    """Whether a record of all ranks has some of this time, of nobody knows which rank."""
    return row["rank"] == -1 and ticks(row, name) > 0


def _slowest(rows: list[Row], names: list[str], slowest: str) -> dict[str, Any]:
    """Times along the slowest ranks: 0 without records of the kind, None if there are but none has a time."""
    single, shared = [row for row in rows if row["rank"] >= 0], [row for row in rows if row["rank"] == -1]
    nobody = bool(rows) and not single and not shared
    io: defaultdict[int, int] = defaultdict(int)
    rw: defaultdict[int, int] = defaultdict(int)
    for row in single:
        io[row["rank"]] += sum(ticks(row, name) for name in names)
        rw[row["rank"]] += sum(ticks(row, name) for name in names[:2])
    rank = min(io, key=lambda r: (-io[r], r), default=None)
    both, of_rw = (io[rank], rw[rank]) if rank is not None else (0, 0)
    known = not nobody and (not single or any(is_time(row[name]) for row in single for name in names))
    there = [row[slowest] for row in shared if is_time(row[slowest])]
    return {
        "slowest_rank": rank if seconds(both) > 0 else None,
        "unique_time_by_slowest": seconds(both) if known else None,
        "unique_rw_time_by_slowest": seconds(of_rw) if known else None,
        "unique_meta_time_by_slowest": seconds(both - of_rw) if known else None,
        "shared_time_by_slowest": exact(there) if not nobody and (there or not shared) else None,
    }


def _most(key: str, times: Iterable[int], rows: list[Row], known: bool, hidden: bool) -> dict[str, Any]:
    """The longest time of one rank, and whose it was."""
    of_rank: defaultdict[int, int] = defaultdict(int)
    for row, time in zip(rows, times, strict=True):
        of_rank[row["rank"]] += time
    if hidden or not known:
        return {f"{key}_max": None, f"{key}_max_rank": None}
    rank = min((r for r in of_rank if r >= 0), key=lambda r: (-of_rank[r], r), default=None)
    longest = seconds(of_rank[rank]) if rank is not None else 0.0
    return {f"{key}_max": longest, f"{key}_max_rank": rank if longest > 0 else None}


class File:
    def __init__(self) -> None:
        self.read: int | None = None
        self.written: int | None = None
        self.offset = -1
        self.ranks: set[int] = set()
        self.of_all = False

    def use(self) -> str | None:
        """None: not recorded."""
        if self.read is None or self.written is None:
            return None
        return USES[{(1, 0): 0, (0, 1): 1, (1, 1): 2, (0, 0): 3}[self.read > 0, self.written > 0]]

    def sharing(self, nprocs: int) -> str:
        if nprocs == 1 or (len(self.ranks) <= 1 and not self.of_all):
            return "unique"
        return "shared" if self.of_all or len(self.ranks) >= nprocs > 1 else "partially_shared"

    def size(self) -> int:
        """What the offsets tell; 0 if there was no I/O."""
        return self.offset + 1 if self.read or self.written else 0


def _known(numbers: Iterable[int | None]) -> int | None:
    """The sum of what is known, if it fits; None if nothing is. 0 of no numbers at all."""
    listed = list(numbers)
    there = [number for number in listed if number is not None]
    return fits(sum(there)) if there or not listed else None


def categories(module: str, rows: list[Row], nprocs: int) -> dict[str, dict[str, Any]]:
    """Files, bytes, offsets and processes by category."""
    prefix = PREFIX.get(module, module)
    files: defaultdict[int, File] = defaultdict(File)
    for row in rows:
        file = files[row["id"]]
        read, written = (row.get(f"{prefix}_BYTES_{what}") for what in ("READ", "WRITTEN"))
        if is_count(read):
            file.read = (file.read or 0) + read
        if is_count(written):
            file.written = (file.written or 0) + written
        offsets = (row.get(f"{prefix}_MAX_BYTE_{what}") for what in ("READ", "WRITTEN"))
        file.offset = max(file.offset, *(-1 if offset is None else offset for offset in offsets))
        file.of_all |= row["rank"] == -1
        if row["rank"] >= 0:
            file.ranks.add(row["rank"])
    has_bytes = has(module, f"{prefix}_BYTES_READ")
    out: dict[str, dict[str, Any]] = {}
    for category in ("all", *USES, *SHARINGS):
        own = [file for file in files.values() if category in ("all", file.use(), file.sharing(nprocs))]
        if category in USES and (not has_bytes or any(file.use() is None for file in files.values())):
            columns = ("files", "bytes_read", "bytes_written", "bytes", "max_offset", "mean_size", "processes")
            out[category] = dict.fromkeys(columns)
            continue
        sizes = [file.size() for file in own if file.size()]
        size = fits(sum(sizes))
        of_all = any(file.of_all for file in own)
        read, written = (_known(getattr(file, what) for file in own) for what in ("read", "written"))
        out[category] = {
            "files": len(own),
            "bytes_read": read if has_bytes else None,
            "bytes_written": written if has_bytes else None,
            "bytes": fits(read + written) if has_bytes and read is not None and written is not None else None,
            "max_offset": max(file.offset for file in own) if sizes else None,
            "mean_size": size / len(own) if sizes and size is not None else None,
            "processes": (nprocs if nprocs >= 1 else None) if of_all else len(set().union(*(f.ranks for f in own))),
        }
    return out


def pairs(ours: Any, module: str, rows: list[Row], nprocs: int) -> list[tuple[str, Any, Any]]:
    """Each number of `darrow.metrics()` that is computed here: its name, theirs, and what it is."""
    found = [(key, ours[key], value) for key, value in layer(module, rows, nprocs).items()]
    for category, values in categories(module, rows, nprocs).items():
        found += [(f"{category} {key}", ours.categories[category][key], value) for key, value in values.items()]
    return found
