"""Logs that Darrow writes anew from others: which, how, and what is known of them without it.

A copy is written in some byte order and compression and read back. What must be in it comes from the independent
decoder (`expected.jsonl.gz`), from the plain reader, or from the facts worked out by hand of damaged logs.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import darrow
import logwriter
import numpy as np
import pyarrow as pa
from corpus import DATA, LOGS, SPEC, UPSTREAM, Columns, Expected, expectations
from malformed_table import FLEET_BAD, MALFORMED, REFUSED, UNKNOWN, Opens, Refused
from plain import PlainLog, read_plain, records

ORDERS = ("little", "big")
COMPRESSIONS = ("zlib", "bzip2", "none")
KINDS = [(order, compression) for order in ORDERS for compression in COMPRESSIONS]
MOST_BYTES = 3 << 20  # of a log in the folder of large ones

FOLDERS = {
    "data": DATA,
    "small": LOGS / "small",
    "synthetic": LOGS / "synthetic",
    "malformed": LOGS / "malformed",
    "large": LOGS / "large",
    "fleet": LOGS / "fleet",
    "fleet-bad": LOGS / "fleet-bad",
    "upstream": UPSTREAM / "logs",
}

BY_HAND = FLEET_BAD | MALFORMED
"""What is known of damaged logs."""

CLOSED = {"incomplete-no-header", *(name for name, known in BY_HAND.items() if isinstance(known, Refused))}
"""Files that cannot be opened."""

JOBLESS = {name for name, known in BY_HAND.items() if isinstance(known, Opens) and known.job is None}
"""Logs without a job: none can be written."""

TOO_LONG = {"bigname"}
"""Logs with a name of 2 MiB or more: Darshan's own reader would never end with it (B1)."""

OPAQUE = {
    name: sorted(module for module, rows in known.modules.items() if rows in (UNKNOWN, REFUSED))
    for name, known in BY_HAND.items()
    if isinstance(known, Opens) and {UNKNOWN, REFUSED} & set(known.modules.values())
}
"""Logs with modules of which only the bytes are known. All are little-endian, and so are their copies."""


def number_of(name: str) -> int:
    """A number that a name has for ever."""
    return zlib.crc32(name.encode())


@cache
def paths(folder: str) -> tuple[Path, ...]:
    """The logs of a folder that can be written anew: some of the fleet, and of the repository what is not elsewhere."""
    found = sorted(FOLDERS[folder].rglob("*.darshan"))
    if folder == "data" and LOGS.exists():
        elsewhere = {path.stem for other in ("small", "synthetic", "malformed") for path in paths(other)}
        found = [path for path in found if path.stem not in elsewhere]
    if folder == "fleet":
        found = found[::8]
    if folder == "large":
        found = [path for path in found if path.stat().st_size <= MOST_BYTES]
    return tuple(path for path in found if path.stem not in CLOSED | JOBLESS | TOO_LONG)


def can_be(path: Path, order: str) -> bool:
    """Whether a log can be written in a byte order."""
    return order == "little" or path.stem not in OPAQUE


@dataclass(frozen=True)
class Copy:
    """A log, and how it is written anew."""

    path: Path
    order: str
    compression: str

    def write(self, **options: Any) -> bytes:
        """The copy, by way of a file object."""
        out = io.BytesIO()
        darrow.write(out, self.source, byte_order=self.order, compression=self.compression, strict=False, **options)
        return out.getvalue()

    @cached_property
    def source(self) -> darrow.Log:
        return darrow.open(self.path, strict=False)

    @cached_property
    def data(self) -> bytes:
        return self.write()

    @cached_property
    def log(self) -> darrow.Log:
        """The copy read back."""
        return darrow.open(self.data)

    @cached_property
    def plain(self) -> PlainLog:
        """The copy as the plain reader sees it."""
        return read_plain(self.data)

    @cached_property
    def original(self) -> PlainLog | None:
        """The source as the plain reader sees it, unless it is damaged."""
        return None if self.path.stem in BY_HAND else read_plain(self.path)

    @property
    def expected(self) -> Expected | None:
        """What the independent decoder says of the source."""
        known = expectations(self.path.parent).get(self.path.stem)
        return known if known and known.readable else None

    @property
    def known(self) -> Opens | None:
        """What is known of a damaged source."""
        known = BY_HAND.get(self.path.stem)
        return known if isinstance(known, Opens) else None


# Comparing ------------------------------------------------------------------------------------------------------------


def same_bits(ours: pa.Table, theirs: pa.Table) -> bool:
    """Whether tables are equal in every bit, nulls and what lies below them included."""
    if ours.schema != theirs.schema:
        return False
    if not any(pa.types.is_dictionary(kind) for kind in ours.schema.types):
        a, b = ([batch.serialize() for batch in table.to_batches()] for table in (ours, theirs))
        if len(a) == len(b) and all(x.equals(y) for x, y in zip(a, b, strict=True)):
            return True
    return exact(ours).equals(exact(theirs))


def exact(table: pa.Table) -> pa.Table:
    """A table that can be compared in every bit: doubles as integers, dictionaries as text, in one piece."""
    columns = {}
    for field in table.schema:
        column = table.column(field.name).combine_chunks()
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        if pa.types.is_floating(column.type):
            column = column.view(pa.int64())
        columns[field.name] = column
    return pa.table(columns)


def bits_of(columns: Columns) -> dict[str, Any]:
    """Columns that can be compared in every bit, for those of two plain readings."""
    return {
        name: values.view(f"u{values.itemsize}").tolist() if isinstance(values, np.ndarray) else values
        for name, values in columns.items()
    }


def damaged(known: Opens) -> set[str]:
    """Modules of which something is lost or untrusted; a region that is told too long has lost nothing by that."""
    lost = {p.region for p in known.problems if p.severity == "error" and p.kind != "region_outside_file"}
    return {module for module, rows in known.modules.items() if module in lost and isinstance(rows, int)}


def readable(log: PlainLog) -> Iterator[tuple[str, Columns]]:
    """Modules with data, and their records."""
    for name, module in log.modules.items():
        if module.length and name in SPEC.modules and str(module.version) in SPEC.modules[name]["versions"]:
            yield name, records(log, name)


# Taking copies apart --------------------------------------------------------------------------------------------------


def one_stream(data: bytes, compression: int) -> bool:
    """Whether a stored region is one stream from its first byte to its last."""
    if compression == logwriter.NONE:
        return True
    stream = zlib.decompressobj() if compression == logwriter.ZLIB else logwriter.bz2.BZ2Decompressor()
    stream.decompress(data)
    return stream.eof and not stream.unused_data


def rebuilt(data: bytes, versions: dict[str, int]) -> bytes:
    """The log put together again from its stored regions. `versions`: of modules without data."""
    header, parts = logwriter.read_header(data), logwriter.Log.parse(data)

    def stored(region: logwriter.Region) -> bytes:
        return logwriter.Stored(data[region.offset : region.offset + region.length])

    regions = {region.name: stored(region) for region in header.regions}
    parts.job, parts.names = regions["job"], regions.get("names")
    parts.modules = {name: (region.version, regions[name]) for name, region in header.modules.items()}
    out = bytearray(parts.build())
    for name, version in versions.items():
        struct.pack_into(header.order + "I", out, header.layout.version(logwriter.module_id(name)), version)
    return bytes(out)


def paddings(parts: logwriter.Log) -> Iterator[tuple[str, bytes]]:
    """What stands in a log where no value is: behind texts, between fields, in place of pointers."""
    yield "job", parts.job[56:1080].partition(b"\0")[2]
    yield "job", parts.job[1080:].partition(b"\0")[2]
    for name, (version, data) in parts.modules.items():
        at = 0
        match SPEC.modules.get(name, {}).get("kind"):
            case "heatmap":
                while at < len(data):
                    yield name, data[at + 32 : at + 48]
                    at += 48 + 16 * struct.unpack_from(parts.order + "q", data, at + 24)[0]
            case "dxt":
                size = SPEC.modules[name]["versions"][str(version)]["segment_size"]
                while at < len(data):
                    yield name, data[at + 24 : at + 88].partition(b"\0")[2]
                    at += 104 + size * sum(struct.unpack_from(parts.order + "2q", data, at + 88))
            case "lustre":
                while at < len(data):
                    components, stripes = struct.unpack_from(parts.order + "2q", data, at + 16)
                    for i in range(components):
                        yield name, data[at + 32 + 72 * i + 56 : at + 32 + 72 * i + 72].partition(b"\0")[2]
                    at += 32 + 72 * components + 8 * stripes
            case "header+perf" if name == "APMPI":
                yield name, data[28:32]
                for end in range(48 + 5232, len(data) + 1, 5232):
                    yield name, data[end - 128 : end].partition(b"\0")[2]
