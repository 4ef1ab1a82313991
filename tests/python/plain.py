"""A plain reader of Darshan logs for the tests: slow, small, and independent of Darrow.

It follows the description of the format and `modules.json` (the record layouts as data), checks nothing, and raises on
damage. The tests use it where they need to know what the bytes of a log say.
"""

from __future__ import annotations

import bz2
import re
import struct
import uuid
import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from corpus import SPEC, Columns

MAGIC = 6567223
NUMPY = {"u64": "u8", "i64": "i8", "f64": "f8", "u32": "u4", "i32": "i4"}


@dataclass
class PlainModule:
    """A module as the header tells it."""

    id: int
    name: str
    version: int
    offset: int
    length: int
    partial: bool


@dataclass
class PlainLog:
    """Header, job, mounts and names of a log; `records` decodes a module."""

    data: bytes
    format_version: str = ""
    order: str = "<"
    compression: str = "zlib"
    modules: dict[str, PlainModule] = field(default_factory=dict)
    job: dict[str, int] = field(default_factory=dict)
    metadata: bytes = b""
    exe: bytes = b""
    mount_lines: list[bytes] = field(default_factory=list)
    names: dict[int, bytes] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)  # how often odd things occurred, by kind of problem

    def inflate(self, offset: int, length: int) -> bytes:
        """All streams of a region, one after the other."""
        region = self.data[offset : offset + length]
        if self.compression == "none":
            return region
        out = []
        while region:
            stream = zlib.decompressobj() if self.compression == "zlib" else bz2.BZ2Decompressor()
            out.append(stream.decompress(region))
            if not stream.eof:
                raise ValueError("the stream ends early")
            region = stream.unused_data
        return b"".join(out)

    def region(self, module: str) -> bytes:
        """The inflated bytes of a module."""
        entry = self.modules[module]
        return self.inflate(entry.offset, entry.length)

    def stored(self, module: str) -> np.ndarray:
        """The records of a module of fixed size as they lie in the file, a numpy field for each field of the format."""
        layout = SPEC.modules[module]["versions"][str(self.modules[module].version)]
        kinds = _dtype(layout["fields"], self.order)
        data = self.region(module)
        return np.frombuffer(data, kinds, count=len(data) // kinds.itemsize)


def _dtype(fields: list[dict[str, Any]], order: str) -> np.dtype:
    return np.dtype([(f["name"], order + NUMPY[f["type"]] if f["type"] in NUMPY else f"V{f['bytes']}") for f in fields])


def read_plain(source: Path | bytes) -> PlainLog:
    """Reads a log that is intact."""
    data = source if isinstance(source, bytes) else source.read_bytes()
    log = PlainLog(data)
    number = re.match(rb"\s*(\d+)\.(\d+)", data[:8])
    if not number:
        raise ValueError("not a log")
    log.format_version = f"{int(number[1])}.{int(number[2]):02d}"
    layout = SPEC.formats[log.format_version]
    log.order = "<" if struct.unpack_from("<q", data, 8)[0] == MAGIC else ">"
    if struct.unpack_from(log.order + "q", data, 8)[0] != MAGIC:
        raise ValueError("not a log")
    log.compression = ("zlib", "bzip2", "none")[data[16]]
    slots = layout["slots"]
    flag = layout["partial_flag"]
    partial = struct.unpack_from(log.order + {"u32": "I", "u64": "Q"}[flag["type"]], data, flag["offset"])[0]
    name_offset, name_length = struct.unpack_from(log.order + "2Q", data, layout["name_map"])
    maps = struct.unpack_from(f"{log.order}{2 * slots}Q", data, layout["mod_map"])
    versions = struct.unpack_from(f"{log.order}{slots}I", data, layout["mod_ver"])
    known = layout["slot_to_module"]
    for slot in range(slots):
        offset, length = maps[2 * slot : 2 * slot + 2]
        bit = bool(partial >> slot & 1)
        if length or bit:
            name = known[slot] if slot < len(known) else f"module {slot}"
            number = SPEC.modules[name]["id"] if name in SPEC.modules else slot
            log.modules[name] = PlainModule(number, name, versions[slot], offset, length, bit)

    first = layout["header_size"]
    behind = name_offset or next((maps[2 * slot] for slot in range(slots) if maps[2 * slot]), len(data))
    _read_job(log, log.inflate(first, behind - first))
    if name_length:
        _read_names(log, log.inflate(name_offset, name_length))
    return log


def _read_job(log: PlainLog, text: bytes) -> None:
    fields = SPEC.job_fields["ge_3.41" if log.format_version == "3.41" else "lt_3.41"]
    numbers = [f["name"] for f in fields if f["type"] == "i64"]
    log.job = {"start_time_nsec": 0, "end_time_nsec": 0}
    log.job |= dict(zip(numbers, struct.unpack_from(f"{log.order}{len(numbers)}q", text), strict=True))
    size = 8 * len(numbers)
    log.metadata = text[size : size + 1024].split(b"\0")[0]
    log.exe, *log.mount_lines = text[size + 1024 :].split(b"\0")[0].split(b"\n")


def _read_names(log: PlainLog, text: bytes) -> None:
    at = 0
    while at < len(text):
        number = struct.unpack_from(log.order + "Q", text, at)[0]
        if log.format_version == "3.00":
            size = struct.unpack_from(log.order + "I", text, at + 8)[0]
            name = text[at + 12 : at + 12 + size]
            at += 12 + size
        else:
            end = text.index(b"\0", at + 8)
            name = text[at + 8 : end]
            at = end + 1
        if number in log.names:
            log.seen["name_duplicate" if log.names[number] == name else "name_conflict"] += 1
        if not log.names.get(number):
            log.names[number] = name


def records(log: PlainLog, module: str) -> Columns:
    """The records of a module in the current layout, by column (see `corpus.Columns`); "absent" values as −1."""
    layout = SPEC.modules[module]
    version = str(log.modules[module].version)
    kind = layout["kind"]
    if kind == "fixed":
        return _fixed(log, module, version)
    data = log.region(module)
    if kind == "header+perf":
        return _perf(log, module, data)
    return {"dxt": _dxt, "heatmap": _heatmap, "lustre": _lustre, "mdhim": _mdhim}[kind](log, layout, version, data)


def _fixed(log: PlainLog, module: str, version: str) -> Columns:
    layout = SPEC.modules[module]
    old = layout["versions"][version]
    rows = log.stored(module)
    if "skip_record_if" in old:
        keep = rows[old["skip_record_if"].split(" > ")[0]] <= 0
        log.seen["records_dropped"] += int((~keep).sum())
        rows = rows[keep]
    missing = old.get("default_int", {}) | old.get("default_float", {}) | old.get("default_pre", {})
    columns: Columns = {}
    for name, kind in SPEC.columns(module).items():
        if name in missing:
            columns[name] = np.full(len(rows), missing[name], {"f64": "f8"}.get(kind, "i8"))
        elif name in old.get("derived_int", {}):
            columns[name] = sum(rows[part].astype("i8") for part in old["derived_int"][name])
        elif kind == "uuid":
            columns[name] = [str(uuid.UUID(bytes=bytes(value))) for value in rows[name]]
        else:
            columns[name] = rows[name].astype(rows.dtype[name].newbyteorder("="))
    return columns


def _perf(log: PlainLog, module: str, data: bytes) -> Columns:
    layout = SPEC.modules[module]
    kinds = _dtype(layout["perf_fields"], log.order)
    rows = np.frombuffer(data, kinds, offset=layout["header_size"])
    columns: Columns = {
        name: rows[name].astype(kinds[name].newbyteorder("=")) for name in kinds.names if kinds[name].kind != "V"
    }
    if "node_name" in kinds.names:
        columns["node"] = [
            bytes(value).split(b"\0")[0].decode("utf-8", "backslashreplace") for value in rows["node_name"]
        ]
    return columns


def perf_header(log: PlainLog, module: str) -> dict[str, Any]:
    """The record that opens the region of APMPI and APXC."""
    kinds = _dtype(SPEC.modules[module]["header_fields"], log.order)
    row = np.frombuffer(log.region(module), kinds, count=1)[0]
    return {name: row[name].item() for name in kinds.names if kinds[name].kind != "V"}


def _dxt(log: PlainLog, layout: dict[str, Any], version: str, data: bytes) -> Columns:
    segment = _dtype(layout["versions"][version]["segment_fields"], log.order)
    head = struct.Struct(log.order + "Qqq64sqq")
    parts: dict[str, list[Any]] = {name: [] for name in ("id", "rank", "host", "op", "segment")}
    rows = []
    at = 0
    while at < len(data):
        number, rank, _shared, host, writes, reads = head.unpack_from(data, at)
        count = writes + reads
        rows.append(np.frombuffer(data, segment, count=count, offset=at + head.size))
        at += head.size + count * segment.itemsize
        parts["id"] += [number] * count
        parts["rank"] += [rank] * count
        parts["host"] += [host.split(b"\0")[0].decode("utf-8", "backslashreplace")] * count
        parts["op"] += ["write"] * writes + ["read"] * reads
        parts["segment"] += [*range(writes), *range(reads)]
    table = np.concatenate(rows) if rows else np.empty(0, segment)
    columns: Columns = {**parts, "id": np.array(parts["id"], "u8"), "rank": np.array(parts["rank"], "i8")}
    columns["segment"] = np.array(parts["segment"], "i8")
    for ours, theirs in (("offset", "offset"), ("length", "length"), ("start", "start_time"), ("end", "end_time")):
        columns[ours] = table[theirs].astype(segment[theirs].newbyteorder("="))
    if layout["name"] == "DXT_MPIIO" and version == "1":
        columns["offset"] = np.full(len(table), -1)
    if "pthread_id" in segment.names:
        columns["thread_id"] = table["pthread_id"].astype("u8")
    else:
        columns["thread_id"] = [None] * len(table)
    return columns


def dxt_records(log: PlainLog, module: str) -> Columns:
    """The records of a DXT module without their segments."""
    layout = SPEC.modules[module]
    size = layout["versions"][str(log.modules[module].version)]["segment_size"]
    head = struct.Struct(log.order + "Qqq64sqq")
    rows = []
    data = log.region(module)
    at = 0
    while at < len(data):
        rows.append(head.unpack_from(data, at))
        at += head.size + size * (rows[-1][4] + rows[-1][5])
    number, rank, shared, host, writes, reads = zip(*rows, strict=True) if rows else ((),) * 6
    return {
        "id": np.array(number, "u8"),
        "rank": np.array(rank, "i8"),
        "shared_record": np.array(shared, "i8"),
        "host": [text.split(b"\0")[0].decode("utf-8", "backslashreplace") for text in host],
        "write_count": np.array(writes, "i8"),
        "read_count": np.array(reads, "i8"),
    }


def _heatmap(log: PlainLog, _layout: dict[str, Any], _version: str, data: bytes) -> Columns:
    head = struct.Struct(log.order + "Qqdq16x")
    rows = []
    at = 0
    while at < len(data):
        number, rank, width, bins = head.unpack_from(data, at)
        both = np.frombuffer(data, log.order + "i8", count=2 * bins, offset=at + head.size).tolist()
        at += head.size + 16 * bins
        rows.append((number, rank, width, bins, both[:bins], both[bins:]))
    number, rank, width, bins, write, read = zip(*rows, strict=True) if rows else ((),) * 6
    return {
        "id": np.array(number, "u8"),
        "rank": np.array(rank, "i8"),
        "bin_width": np.array(width, "f8"),
        "nbins": np.array(bins, "i8"),
        "write": list(write),
        "read": list(read),
    }


COMPONENT = ("stripe_size", "stripe_count", "stripe_pattern", "flags", "ext_start", "ext_end", "mirror_id")


def _lustre(log: PlainLog, _layout: dict[str, Any], version: str, data: bytes) -> Columns:
    number, rank, components = [], [], []
    at = 0
    while at < len(data):
        if version == "1":
            key, who, _osts, _mdts, _offset, size, width = struct.unpack_from(log.order + "Q6q", data, at)
            parts = [((size, width, -1, -1, 0, -1, -1), b"")]
            at, stripes = at + 56, width
        else:
            key, who, count, stripes = struct.unpack_from(log.order + "Q3q", data, at)
            at += 32
            both = [struct.unpack_from(log.order + "7q16s", data, at + 72 * i) for i in range(count)]
            parts = [(row[:7], row[7].split(b"\0")[0]) for row in both]
            at += 72 * count
        osts = list(struct.unpack_from(f"{log.order}{stripes}q", data, at))
        at += 8 * stripes
        used = next((i for i, (values, _) in enumerate(parts) if values[0] == -1), len(parts))
        log.seen["layout_cut"] += len(parts) - used
        here = []
        for values, pool in parts[:used]:
            own, osts = osts[: values[1]], osts[values[1] :]
            text = pool.decode("utf-8", "backslashreplace")
            here.append(dict(zip(COMPONENT, values, strict=True)) | {"pool": text, "osts": own})
        number.append(key)
        rank.append(who)
        components.append(here)
    return {"id": np.array(number, "u8"), "rank": np.array(rank, "i8"), "components": components}


def _mdhim(log: PlainLog, layout: dict[str, Any], _version: str, data: bytes) -> Columns:
    fields = layout["versions"]["1"]["fixed_fields"][:-1]
    kinds = _dtype(fields, log.order)
    rows, servers = [], []
    at = 0
    while at < len(data):
        rows.append(np.frombuffer(data, kinds, count=1, offset=at))
        count = max(1, int(rows[-1]["MDHIM_SERVERS"][0]))
        servers.append(list(struct.unpack_from(f"{log.order}{count}q", data, at + kinds.itemsize)))
        at += kinds.itemsize + 8 * count
    table = np.concatenate(rows) if rows else np.empty(0, kinds)
    columns: Columns = {name: table[name].astype(kinds[name].newbyteorder("=")) for name in kinds.names}
    return columns | {"servers": servers}
