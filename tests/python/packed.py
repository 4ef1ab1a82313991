"""Regions as bytes, packed by `struct` from the layouts of modules.json: what a written log has to hold.

Rows are dicts with the columns of `docs/tables.md`; None and what is left out are missing.
"""

from __future__ import annotations

import struct
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from corpus import COMPONENT, SPEC

Row = Mapping[str, Any]

CODES = {"u64": "Q", "i64": "q", "f64": "d", "u32": "I", "i32": "i"}
# What stands in a record where nobody tells, if it is not −1.
ABSENT = {"POSIX_RENAMED_FROM": 0, "file_rec_id": 0, "flags": -1, "ext_start": 0}
HEADERS = {
    "APMPI": {"id": 7, "rank": 0, "sync_flag": 1, "variance_total_mpitime": 0.5, "variance_total_mpisynctime": -0.0},
    "APXC": {"id": 8, "rank": 0, "nblades": 1, "nchassis": 2, "ngroups": 3, "memory_mode": 4, "cluster_mode": 2**31,
             "appid": 2**64 - 1},
}  # fmt: skip


def number(order: str, kind: str, value: Any, name: str = "") -> bytes:
    if value is None:
        value = ABSENT.get(name, -1)
    kind = "u64" if name == "POSIX_RENAMED_FROM" else kind
    return struct.pack(order + CODES[kind], value)


def text(value: str | None, width: int) -> bytes:
    return (value or "").encode().ljust(width, b"\0")


def fields(order: str, layout: Sequence[Mapping[str, Any]], row: Row) -> bytes:
    """A record, or its fixed part, by its fields."""
    out = b""
    for field in layout:
        name, kind = field["name"], field["type"]
        if kind in CODES:
            out += number(order, kind, row.get(name), name)
        elif kind == "uuid":
            out += uuid.UUID(row.get(name) or "0" * 32).bytes
        elif kind == "char":
            out += text(row.get("node"), field["bytes"])
        else:
            out += bytes(field["bytes"])
    return out


def heatmap(order: str, row: Row) -> bytes:
    write, read = row["write"] or [], row["read"] or []
    head = struct.pack(order + "Qqdqqq", row["id"], row["rank"], row["bin_width"], len(write), 0, 0)
    return head + struct.pack(f"{order}{2 * len(write)}q", *write, *read)


def lustre(order: str, row: Row) -> bytes:
    components = row["components"] or []
    targets = [target for component in components for target in component["osts"]]
    out = struct.pack(order + "Qqqq", row["id"], row["rank"], len(components), len(targets))
    for component in components:
        out += b"".join(number(order, "i64", component.get(name), name) for name in COMPONENT)
        out += text(component.get("pool"), 16)
    return out + struct.pack(f"{order}{len(targets)}q", *targets)


def mdhim(order: str, row: Row) -> bytes:
    layout, servers = SPEC.modules["MDHIM"], row["servers"]
    out = struct.pack(order + "Qq", row["id"], row["rank"])
    for name in layout["int_counters"]:
        out += number(order, "i64", len(servers) if name == "MDHIM_SERVERS" else row.get(name))
    out += b"".join(number(order, "f64", row.get(name)) for name in layout["float_counters"])
    return out + struct.pack(f"{order}{len(servers)}q", *servers)


def dxt(order: str, segments: Sequence[Row], threads: bool) -> bytes:
    """A record of segments that stand in the order of the log, the writes first."""
    first, writes = segments[0], [row["op"] for row in segments].count("write")
    out = struct.pack(order + "Qqq", first["id"], first["rank"], 0) + text(first.get("host"), 64)
    out += struct.pack(order + "qq", writes, len(segments) - writes)
    for row in segments:
        out += struct.pack(order + "qqdd", row["offset"], row["length"], row["start"], row["end"])
        out += number(order, "u64", row["thread_id"]) if threads else b""
    return out


def dxt_region(order: str, rows: Sequence[Row]) -> tuple[int, bytes]:
    """Version and bytes of segments in any order: records by the first of their segments."""
    threads = any(row.get("thread_id") is not None for row in rows)
    records: dict[Any, list[Row]] = {}
    for row in rows:
        records.setdefault((row["id"], row["rank"], row.get("host") or ""), []).append(row)
    for segments in records.values():
        segments.sort(key=lambda row: (row["op"] == "read", row.get("segment") or 0))
    return threads, b"".join(dxt(order, segments, threads) for segments in records.values())


def region(module: str, rows: Sequence[Row], order: str = "<") -> tuple[int, bytes]:
    """Version and inflated bytes of a module's region, as they have to be written by default."""
    layout = SPEC.modules[module]
    current = max(map(int, layout["versions"]))
    match layout["kind"]:
        case "fixed":
            stored = layout["versions"][str(current)]["fields"]
            return current, b"".join(fields(order, stored, row) for row in rows)
        case "header+perf":
            head = fields(order, layout["header_fields"], HEADERS[module] | {"magic": layout["magic"]})
            return current, head + b"".join(fields(order, layout["perf_fields"], row) for row in rows)
        case "dxt":
            threads, data = dxt_region(order, rows)
            return current if threads else current - 1, data
    pack = {"heatmap": heatmap, "lustre": lustre, "mdhim": mdhim}[layout["kind"]]
    return current, b"".join(pack(order, row) for row in rows)
