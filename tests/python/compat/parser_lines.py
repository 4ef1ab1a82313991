"""The lines that darshan-parser prints of records, made of the tables of Darrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from corpus import SPEC, Columns, shown

PATTERNS = {0: "raid0", 2: "mdt", 4: "raid0,overstriped", 8: "foreign"}
FLAGS = ("stale", "prefrd", "prefwr", "offline", "init", "nosync", "extension", "parity", "compress", "partial")
FLAGS += ("nocompr", "neg")

Mounts = list[tuple[str, str]]


def prefix_mount(name: str, mounts: Mounts) -> tuple[str, str]:
    """A15: the first mount that the name begins with, whole components or not."""
    return next((mount for mount in mounts if name.startswith(mount[0])), ("UNKNOWN", "UNKNOWN"))


Find = Callable[[str, Mounts], tuple[str, str]]


def data_lines(
    module: str, columns: Columns, header: Any, names: Any, mounts: Mounts, find: Find = prefix_mount
) -> Iterator[str]:
    """The lines of all records of a module. `mounts`: in the order in which `find` tries them for a name."""
    kind = SPEC.modules[module]["kind"]
    tables: dict[str, Callable[..., Iterator[list[tuple[str, str]]]]] = {
        "fixed": _fixed,
        "mdhim": _mdhim,
        "lustre": _lustre,
        "heatmap": _heatmap,
        "header+perf": _opening,
    }
    if kind == "header+perf" and not header.get("sync_flag"):
        columns = {name: values for name, values in columns.items() if not name.endswith("_SYNC_TIME")}
    rows = tables[kind](module, columns)
    if kind == "header+perf":
        yield from (
            f"{module}\t{header['rank']}\t{header['id']}\t{counter}\t{value}\t\t\t"
            for counter, value in _head(module, header)
        )
    for row, values in enumerate(rows):
        key, rank = int(columns["id"][row]), int(columns["rank"][row])
        if kind == "header+perf":
            place = "\t\t\t"
        else:
            place = "\t" + "\t".join(_place(module, columns, row, key, names, mounts, find))
        yield from (f"{module}\t{rank}\t{key}\t{counter}\t{value}{place}" for counter, value in values)


def _place(
    module: str, columns: Columns, row: int, key: int, names: Any, mounts: Mounts, find: Find
) -> tuple[str, str, str]:
    """File, mount and type of the file system."""
    missing = SPEC.modules[module].get("missing_name", "(null)")
    name = shown(names[key]) if key in names else missing
    if module in ("DFS", "DAOS"):
        pool = f"{columns['pool_uuid'][row]}:{columns['cont_uuid'][row]}"
        return (name if module == "DFS" else f"{columns['oid_hi'][row]}.{columns['oid_lo'][row]}", pool, "N/A")
    return (name, *(find(name, mounts) if key in names else ("UNKNOWN", "UNKNOWN")))


def texts(values: Any) -> list[str]:
    """Numbers as they are printed."""
    if isinstance(values, np.ndarray):
        values = values.tolist()
    return [f"{value:f}" if isinstance(value, float) else str(value) for value in values]


def _fixed(module: str, columns: Columns) -> Iterator[list[tuple[str, str]]]:
    layout = SPEC.modules[module]
    extra = {part["name"]: part["field"] for part in layout.get("print_extra", [])}
    order = [*layout["int_counters"], *layout["float_counters"], *extra]
    printed = [texts(columns[extra.get(counter, counter)]) for counter in order]
    for row in zip(*printed, strict=True):
        yield list(zip(order, row, strict=True))


def _mdhim(module: str, columns: Columns) -> Iterator[list[tuple[str, str]]]:
    for line, servers, count in zip(_fixed(module, columns), columns["servers"], columns["MDHIM_SERVERS"], strict=True):
        yield line + [(f"MDHIM_SERVER_{i}", str(value)) for i, value in enumerate(servers[: int(count)])]


def _lustre(_module: str, columns: Columns) -> Iterator[list[tuple[str, str]]]:
    for components in columns["components"]:
        lines = [
            ("LUSTRE_NUM_COMPONENTS", len(components)),
            ("LUSTRE_NUM_STRIPES", sum(len(c["osts"]) for c in components)),
        ]
        for k, c in enumerate(components, 1):
            flags = [name for bit, name in enumerate(FLAGS) if c["flags"] >> bit & 1]
            values = {
                "STRIPE_SIZE": c["stripe_size"],
                "STRIPE_COUNT": c["stripe_count"],
                "STRIPE_PATTERN": PATTERNS.get(c["stripe_pattern"], "N/A"),
                "FLAGS": "N/A" if c["flags"] == -1 else ",".join(flags) or "0",
                "EXT_START": c["ext_start"],
                "EXT_END": c["ext_end"],
                "MIRROR_ID": c["mirror_id"],
                "POOL_NAME": c["pool"] or "N/A",
            } | {f"OST_ID_{i}": ost for i, ost in enumerate(c["osts"])}
            lines += [(f"LUSTRE_COMP{k}_{name}", value) for name, value in values.items()]
        yield [(name, str(value)) for name, value in lines]


def _heatmap(_module: str, columns: Columns) -> Iterator[list[tuple[str, str]]]:
    for width, read, write in zip(columns["bin_width"], columns["read"], columns["write"], strict=True):
        yield [
            ("HEATMAP_F_BIN_WIDTH_SECONDS", f"{width:f}"),
            *((f"HEATMAP_READ_BIN_{i}", str(value)) for i, value in enumerate(read)),
            *((f"HEATMAP_WRITE_BIN_{i}", str(value)) for i, value in enumerate(write)),
        ]


def _head(module: str, header: Any) -> list[tuple[str, str]]:
    """The record that opens the region."""
    if module == "APMPI":
        lines = [("MPI_TOTAL_COMM_TIME_VARIANCE", f"{header['variance_total_mpitime']:f}")]
        if header["sync_flag"]:
            lines.append(("MPI_TOTAL_COMM_SYNC_TIME_VARIANCE", f"{header['variance_total_mpisynctime']:f}"))
        return lines
    lines = [(f"APXC_{key}", str(header[f"n{key.lower()}"])) for key in ("GROUPS", "CHASSIS", "BLADES")]
    for kind in ("memory", "cluster"):
        mode = header[f"{kind}_mode"]
        lines.append((f"APXC_{kind.upper()}_MODE", SPEC.modules[module][f"{kind}_modes"][mode & 0x7FFFFFFF]))
        lines.append((f"APXC_{kind.upper()}_MODE_CONSISTENT", str(int(not mode >> 31 & 1))))
    return [*lines, ("APXC_APPLICATION_ID", str(header["appid"]))]


def _opening(module: str, columns: Columns) -> Iterator[list[tuple[str, str]]]:
    if module == "APMPI":
        names = {"MPI_PROCESSOR_NAME": "node"} | {name: name for name in columns if name.startswith("MPI_")}
    else:
        names = {f"APXC_{key}": key.lower() for key in ("GROUP", "CHASSIS", "BLADE", "NODE")}
        names |= {name: name for name in columns if name.startswith("APXC_")}
    printed = [texts(columns[name]) for name in names.values()]
    for row in zip(*printed, strict=True):
        yield list(zip(names, row, strict=True))
