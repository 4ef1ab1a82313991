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
            hidden = any(row["rank"] == -1 and is_time(row[name]) and row[name] > 0 for row in rows)
            out |= _most(key, (0 if row["rank"] < 0 else ticks(row, name) for row in rows), rows, bool(there), hidden)
            if nprocs == 1 and there:  # all was done by the only process
                out |= {f"{key}_max": out[key], f"{key}_max_rank": 0 if out[key] > 0 else None}
    if has(module, slowest):
        io: defaultdict[int, int] = defaultdict(int)
        rw: defaultdict[int, int] = defaultdict(int)
        for row in rows:
            if row["rank"] >= 0:
                io[row["rank"]] += sum(ticks(row, name) for name in names)
                rw[row["rank"]] += sum(ticks(row, name) for name in names[:2])
        rank = min(io, key=lambda r: (-io[r], r), default=None)
        time = io[rank] if rank is not None else 0
        out["slowest_rank"] = rank if seconds(time) > 0 else None
        out["unique_time_by_slowest"] = seconds(time)
        out["unique_rw_time_by_slowest"] = seconds(rw[rank] if rank is not None else 0)
        out["unique_meta_time_by_slowest"] = seconds(time - (rw[rank] if rank is not None else 0))
        out["shared_time_by_slowest"] = exact(
            row[slowest] for row in rows if row["rank"] == -1 and is_time(row[slowest])
        )
        total = out["unique_time_by_slowest"] + out["shared_time_by_slowest"]
        out["time_by_slowest"] = total
        out["rate"] = out["bytes"] / total if out["bytes"] is not None and total > 0 else None
    return out


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
        self.read = self.written = 0
        self.offset = -1
        self.ranks: set[int] = set()
        self.of_all = False

    def use(self) -> str:
        return USES[{(1, 0): 0, (0, 1): 1, (1, 1): 2, (0, 0): 3}[self.read > 0, self.written > 0]]

    def sharing(self, nprocs: int) -> str:
        if self.of_all:
            return "shared"
        if len(self.ranks) <= 1:
            return "unique"
        return "shared" if len(self.ranks) >= nprocs > 1 else "partially_shared"


def categories(module: str, rows: list[Row], nprocs: int) -> dict[str, dict[str, Any]]:
    """Files, bytes, offsets and processes by category."""
    prefix = PREFIX.get(module, module)
    files: defaultdict[int, File] = defaultdict(File)
    for row in rows:
        file = files[row["id"]]
        file.read += max(row.get(f"{prefix}_BYTES_READ") or 0, 0)
        file.written += max(row.get(f"{prefix}_BYTES_WRITTEN") or 0, 0)
        offsets = (row.get(f"{prefix}_MAX_BYTE_{what}") for what in ("READ", "WRITTEN"))
        file.offset = max(file.offset, *(-1 if offset is None else offset for offset in offsets))
        file.of_all |= row["rank"] == -1
        if row["rank"] >= 0:
            file.ranks.add(row["rank"])
    has_bytes = has(module, f"{prefix}_BYTES_READ")
    out = {}
    for category in ("all", *USES, *SHARINGS):
        own = [file for file in files.values() if category in ("all", file.use(), file.sharing(nprocs))]
        if category in USES and not has_bytes:
            out[category] = dict.fromkeys(("files", "bytes_read", "bytes_written", "max_offset", "processes"))
            continue
        used = [file for file in own if file.use() != "no_io" and file.offset >= 0]
        of_all = any(file.of_all for file in own)
        overflow = any(file.read >= 2**63 or file.written >= 2**63 for file in own)
        read, written = (sum(getattr(file, what) for file in own) for what in ("read", "written"))
        known = has_bytes and not overflow and max(read, written) < 2**63
        out[category] = {
            "files": len(own),
            "bytes_read": read if known else None,
            "bytes_written": written if known else None,
            "max_offset": max(file.offset for file in own) if used else None,
            "processes": (nprocs if nprocs >= 1 else None) if of_all else len(set().union(*(f.ranks for f in own))),
        }
    return out
