"""Writes Darshan logs for tests, byte by byte and right or wrong as asked. Knows nothing of the library under test.

A `Log` holds the inflated regions; `build()` lays them out and compresses them, `Log.parse()` takes a whole log apart.
A region given as `Stored` goes into the file as it is, so any damage can be made. `read_header()` tells where all is.
"""

from __future__ import annotations

import bz2
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

MAGIC = 6567223
ZLIB, BZIP2, NONE = 0, 1, 2

# By module id.
MODULES = (
    *("NULL", "POSIX", "MPI-IO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR", "BG/Q", "LUSTRE", "STDIO"),
    *("DXT_POSIX", "DXT_MPIIO", "MDHIM", "APXC", "APMPI", "HEATMAP", "DFS", "DAOS"),
)


class Stored(bytes):
    """The bytes of a region as they shall stand in the file, not to be compressed."""


def module_name(module_id: int) -> str:
    return MODULES[module_id] if module_id < len(MODULES) else f"module {module_id}"


def module_id(name: str) -> int:
    return int(name.removeprefix("module ")) if name.startswith("module ") else MODULES.index(name)


def id_of_slot(slot: int, version: str) -> int:
    """Module ids are those of format 3.41; in older formats later modules stood lower."""
    if version.startswith(("3.00", "3.10")):
        return slot if slot < 4 else 5 if slot == 4 else slot + 2
    if version.startswith(("3.20", "3.21")):
        return slot if slot < 6 else slot + 1
    return slot


# Header ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layout:
    """Where the fields of a header stand."""

    slots: int
    size: int
    partial: int
    partial_type: str
    names: int
    map: int
    versions: int

    def entry(self, slot: int) -> int:
        """Of offset and length of a slot."""
        return self.map + 16 * slot

    def version(self, slot: int) -> int:
        return self.versions + 4 * slot


OLD = Layout(slots=16, size=360, partial=20, partial_type="I", names=24, map=40, versions=296)
NEW = Layout(slots=64, size=1328, partial=24, partial_type="Q", names=32, map=48, versions=1072)


def layout_of(version: str) -> Layout:
    return NEW if version.startswith("3.41") else OLD


@dataclass(frozen=True)
class Region:
    """A region as the header tells it. `slot` is −1 for the name region."""

    name: str
    slot: int
    offset: int
    length: int
    version: int = 0


@dataclass(frozen=True)
class Header:
    version: str
    order: str  # "<" or ">"
    compression: int
    partial: int
    layout: Layout
    names: Region
    modules: dict[str, Region]  # those with a length

    @property
    def regions(self) -> list[Region]:
        """All regions with data, the job's bounds being implied."""
        job = Region("job", -1, self.layout.size, self.names.offset - self.layout.size)
        return [job, *([self.names] if self.names.length else []), *self.modules.values()]


def read_header(log: bytes) -> Header:
    """Of an intact log whose name region stands behind the job."""
    version = log[:8].split(b"\0")[0].decode()
    order = "<" if struct.unpack_from("<q", log, 8)[0] == MAGIC else ">"
    layout = layout_of(version)
    names = Region("names", -1, *struct.unpack_from(order + "QQ", log, layout.names))
    modules = {}
    for slot in range(layout.slots):
        offset, length = struct.unpack_from(order + "QQ", log, layout.entry(slot))
        (number,) = struct.unpack_from(order + "I", log, layout.version(slot))
        if length:
            name = module_name(id_of_slot(slot, version))
            modules[name] = Region(name, slot, offset, length, number)
    (partial,) = struct.unpack_from(order + layout.partial_type, log, layout.partial)
    return Header(version, order, log[16], partial, layout, names, modules)


# Compression ----------------------------------------------------------------------------------------------------------


def compress(data: bytes, compression: int) -> bytes:
    return {ZLIB: zlib.compress, BZIP2: bz2.compress, NONE: bytes}[compression](data)


def inflate(data: bytes, compression: int) -> bytes:
    """Of one or more intact streams back to back."""
    if compression == NONE:
        return data
    out = []
    while data:
        stream = zlib.decompressobj() if compression == ZLIB else bz2.BZ2Decompressor()
        out.append(stream.decompress(data))
        data = stream.unused_data
    return b"".join(out)


# The whole log --------------------------------------------------------------------------------------------------------


@dataclass
class Log:
    """A log to write. Regions are inflated bytes, or `Stored`."""

    job: bytes = b""
    names: bytes | None = None
    modules: dict[str, tuple[int, bytes]] = field(default_factory=dict)  # name: (version, records)
    version: str = "3.41"
    order: str = "<"
    compression: int = ZLIB
    partial: tuple[str, ...] = ()

    @staticmethod
    def parse(log: bytes) -> Log:
        """The parts of an intact log."""
        h = read_header(log)

        def data(r: Region) -> bytes:
            return inflate(log[r.offset : r.offset + r.length], h.compression)

        regions = {r.name: data(r) for r in h.regions}
        flags = (module_name(id_of_slot(s, h.version)) for s in range(h.layout.slots) if h.partial >> s & 1)
        return Log(
            job=regions["job"],
            names=regions.get("names"),
            modules={name: (r.version, regions[name]) for name, r in h.modules.items()},
            version=h.version,
            order=h.order,
            compression=h.compression,
            partial=tuple(flags),
        )

    def build(self) -> bytes:
        layout = layout_of(self.version)
        slots = {module_name(id_of_slot(s, self.version)): s for s in range(layout.slots)}
        header = bytearray(layout.size)
        header[:8] = self.version.encode().ljust(8, b"\0")
        struct.pack_into(self.order + "q", header, 8, MAGIC)
        header[16] = self.compression
        flags = sum(1 << slots[name] for name in self.partial)
        struct.pack_into(self.order + layout.partial_type, header, layout.partial, flags)

        body = bytearray(self._stored(self.job))
        if self.names is None:
            struct.pack_into(self.order + "QQ", header, layout.names, layout.size + len(body), 0)
        else:
            region = self._stored(self.names)
            struct.pack_into(self.order + "QQ", header, layout.names, layout.size + len(body), len(region))
            body += region
        for name, (number, records) in sorted(self.modules.items(), key=lambda m: slots[m[0]]):
            region = self._stored(records)
            struct.pack_into(self.order + "QQ", header, layout.entry(slots[name]), layout.size + len(body), len(region))
            struct.pack_into(self.order + "I", header, layout.version(slots[name]), number)
            body += region
        return bytes(header + body)

    def _stored(self, data: bytes) -> bytes:
        return data if isinstance(data, Stored) else compress(data, self.compression)


# Regions and records --------------------------------------------------------------------------------------------------


def job(
    *,
    version: str = "3.41",
    order: str = "<",
    uid: int = 1000,
    start: int = 1_700_000_000,
    end: int = 1_700_000_010,
    nprocs: int = 4,
    jobid: int = 4242,
    metadata: bytes = b"lib_ver=3.5.0\n",
    text: bytes = b"/bin/app -x\next4\t/\nlustre\t/scratch\0",
) -> bytes:
    """`text`: command line and mounts with everything that shall stand behind them."""
    times = (start, 250_000_000, end, 750_000_000) if version.startswith("3.41") else (start, end)
    numbers = (uid, *times, nprocs, jobid)
    return struct.pack(f"{order}{len(numbers)}q", *numbers) + metadata.ljust(1024, b"\0") + text


def names(pairs: Iterable[tuple[int, bytes]], *, version: str = "3.41", order: str = "<") -> bytes:
    if version.startswith("3.00"):
        return b"".join(struct.pack(order + "QI", i, len(name)) + name for i, name in pairs)
    return b"".join(struct.pack(order + "Q", i) + name + b"\0" for i, name in pairs)


def posix(record_id: int, rank: int = 0, *, opens: int = 1, order: str = "<") -> bytes:
    """A version 4 record: 69 integers and 17 doubles, all 0 but POSIX_OPENS."""
    return struct.pack(order + "Qq69q17d", record_id, rank, opens, *[0] * 68, *[0.0] * 17)


def stdio(record_id: int, rank: int = 0, *, opens: int = 1, order: str = "<") -> bytes:
    """A version 2 record: 14 integers and 15 doubles."""
    return struct.pack(order + "Qq14q15d", record_id, rank, opens, *[0] * 13, *[0.0] * 15)


def heatmap(
    record_id: int, rank: int, write: Sequence[int], read: Sequence[int], *, nbins: int | None = None, order: str = "<"
) -> bytes:
    """`nbins`: the count to store, true if not given."""
    bins = [*write, *read]
    count = len(write) if nbins is None else nbins
    return struct.pack(f"{order}Qqdqqq{len(bins)}q", record_id, rank, 0.1, count, 0, 0, *bins)


def lustre(
    record_id: int,
    rank: int,
    stripe_counts: Sequence[int],
    osts: Sequence[int],
    *,
    counts: tuple[int, int] | None = None,
    order: str = "<",
) -> bytes:
    """Version 2 with a component for each stripe count. `counts`: numbers of components and stripes to store."""
    comps, stripes = counts or (len(stripe_counts), len(osts))
    out = struct.pack(order + "Qqqq", record_id, rank, comps, stripes)
    for n in stripe_counts:
        out += struct.pack(order + "7q16s", 1 << 20, n, 0, 0, 0, -1, 0, b"pool")
    return out + struct.pack(f"{order}{len(osts)}q", *osts)


def dxt(
    record_id: int, rank: int, writes: int, reads: int, *, counts: tuple[int, int] | None = None, order: str = "<"
) -> bytes:
    """DXT_POSIX version 1 with 32-byte segments. `counts`: numbers of writes and reads to store."""
    w, r = counts or (writes, reads)
    out = struct.pack(order + "Qqq64sqq", record_id, rank, 0, b"node1", w, r)
    for i in range(writes + reads):
        out += struct.pack(order + "qqdd", i * 4096, 4096, i * 0.5, i * 0.5 + 0.25)
    return out


def mdhim(
    record_id: int, rank: int, histogram: Sequence[int], *, servers: int | None = None, order: str = "<"
) -> bytes:
    """`servers`: the count to store, true if not given."""
    n = len(histogram) if servers is None else servers
    return struct.pack(f"{order}Qq5q4d{len(histogram)}q", record_id, rank, 1, 2, 3, 4, n, *[0.0] * 4, *histogram)
