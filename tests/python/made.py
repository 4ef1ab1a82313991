"""Small logs of made-up records: counters by name, all others 0."""

from __future__ import annotations

import struct
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import darrow
import logwriter
from corpus import SPEC
from plain_rules import PREFIX, Row, as_rows, columns_of

FORMATS = {"u64": "Q", "i64": "q", "f64": "d", "u32": "I", "i32": "i"}


def row(module: str, record_id: int = 1, rank: int = 0, **counters: Any) -> Row:
    """A record. Counters go by their names without the module: READS=3 is POSIX_READS."""
    prefix = PREFIX.get(module, module)
    plain = ("file_rec_id", "servers", "pool_uuid", "cont_uuid", "oid_hi", "oid_lo")
    return {"id": record_id, "rank": rank} | {
        name if name in plain or name.startswith("PNETCDF_") else f"{prefix}_{name}": value
        for name, value in counters.items()
    }


def pack(module: str, values: Row, version: int | None = None) -> bytes:
    """The bytes of a record. Raises if there is no such counter."""
    layout = SPEC.modules[module]
    old = layout["versions"][str(version or layout["current_version"])]
    rest = dict(values)
    servers = rest.pop("servers", None) if module == "MDHIM" else None
    fields = old["fixed_fields"][:-1] if module == "MDHIM" else old["fields"]
    out = b""
    for field in fields:
        value = rest.pop(field["name"], 0)
        if field["type"] in FORMATS:
            out += struct.pack("<" + FORMATS[field["type"]], value)
        else:
            out += bytes(value or field["bytes"])
    assert not rest, f"{module} version {version} has no {', '.join(rest)}"
    if module == "MDHIM":
        out += struct.pack(f"<{len(servers or [0])}q", *(servers or [0]))
    return out


def log_bytes(
    modules: Mapping[str, Sequence[Row]],
    *,
    nprocs: int = 4,
    jobid: int = 4242,
    versions: Mapping[str, int] | None = None,
    names: Iterable[tuple[int, bytes]] = (),
    partial: tuple[str, ...] = (),
) -> bytes:
    numbers = {name: (versions or {}).get(name, SPEC.modules[name]["current_version"]) for name in modules}
    return logwriter.Log(
        job=logwriter.job(nprocs=nprocs, jobid=jobid),
        names=logwriter.names(names) or None,
        modules={
            name: (numbers[name], b"".join(pack(name, values, numbers[name]) for values in rows))
            for name, rows in modules.items()
        },
        compression=logwriter.NONE,
        partial=partial,
    ).build()


def log_of(modules: Mapping[str, Sequence[Row]], *, strict: bool = True, **options: Any) -> darrow.Log:
    return darrow.open(log_bytes(modules, **options), strict=strict)


def records_of(module: str, rows: Sequence[Row], **options: Any) -> darrow.Records:
    """The records of a log of one module."""
    return log_of({module: rows}, **options)[module]


def combined_rows(module: str, rows: Sequence[Row], version: int | None = None) -> list[Row]:
    """The same rows as `plain_rules.Combined` takes them: with all counters, missing values as None."""
    current = SPEC.modules[module]["current_version"]
    names = [*columns_of(module), *(["servers"] if module == "MDHIM" else [])]
    columns: dict[str, list[Any]] = {name: [values.get(name, _empty(name)) for values in rows] for name in names}
    return as_rows(module, version or current, columns)


def _empty(name: str) -> Any:
    if name == "servers":
        return [0]
    return str(uuid.UUID(int=0)) if name.endswith("_uuid") else 0.0 if "_F_" in name else 0


def heatmap(record_id: int, rank: int, width: float, write: Sequence[int], read: Sequence[int]) -> bytes:
    """A HEATMAP record; `write` and `read` are of one length."""
    return struct.pack(f"<Qqdqqq{2 * len(write)}q", record_id, rank, width, len(write), 0, 0, *write, *read)


def heatmaps(records: Iterable[bytes], **options: Any) -> darrow.Log:
    built = logwriter.Log(job=logwriter.job(), modules={"HEATMAP": (1, b"".join(records))}).build()
    return darrow.open(built, **options)
