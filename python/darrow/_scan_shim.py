"""Stand-in for _core.Scan while it is being written: same interface, slow. To be deleted."""

from __future__ import annotations

import os
import re
from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc

import darrow

_SQL = {
    "POSIX": "posix",
    "MPI-IO": "mpiio",
    "STDIO": "stdio",
    "H5F": "h5f",
    "H5D": "h5d",
    "PNETCDF_FILE": "pnetcdf_file",
    "PNETCDF_VAR": "pnetcdf_var",
    "BG/Q": "bgq",
    "LUSTRE": "lustre",
    "DXT_POSIX": "dxt_posix",
    "DXT_MPIIO": "dxt_mpiio",
    "HEATMAP": "heatmap",
    "MDHIM": "mdhim",
    "DFS": "dfs",
    "DAOS": "daos",
    "APMPI": "apmpi",
    "APXC": "apxc",
    "NULL": "null",
}
_NAME = {v: k for k, v in _SQL.items()}
_META = ["jobs", "modules", "names", "mounts", "metadata", "problems", "metrics"]
TABLES = [*_NAME, "dxt_posix_records", "dxt_mpiio_records", "apmpi_header", "apxc_header", *_META]


def scan_tables():
    return list(TABLES)


class Batch:
    def __init__(self, name, table):
        self.name, self.table, self.rows = name, table, table.num_rows

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__()


def _bytes(text):
    return text.encode("utf-8", "surrogateescape")


def _shown(text):
    return _bytes(text).decode("utf-8", "backslashreplace")


def _odd(text):
    return None if _shown(text) == text else _bytes(text)


class Scan:
    def __init__(
        self,
        logs,
        tables=(),
        columns=(),
        ids=None,
        ranks=None,
        pattern=None,
        names=None,
        start=None,
        end=None,
        batch_rows=0,
        batch_bytes=0,
        max_region_bytes=1 << 32,
        strict=False,
    ):
        self._a = (list(logs), list(tables) or TABLES, list(columns), ids, ranks, pattern, names, start, end)
        self._failures, self._gen, self._count = [], None, Counter()

    def counters(self):
        return {"bytes_inflated": 0, "columns_decoded": 0, "records_copied": 0, "logs_opened": self._count["opened"]}

    def failures(self):
        return self._failures

    def next(self):
        if self._gen is None:
            self._gen = self._run()
        return next(self._gen, None)

    def _run(self):
        logs, tables, columns, *_ = self._a
        for i, path in enumerate(logs):
            try:
                log = darrow.open(os.fsdecode(path), strict=False)
            except darrow.DarrowError as e:
                self._failures.append((i, e.code, str(e), e.region or "", e.offset))
                continue
            except OSError as e:
                self._failures.append((i, "io", str(e), "", None))
                continue
            self._count["opened"] += 1
            for name in tables:
                t = self._table(log, name)
                if t is not None and t.num_rows:
                    n = t.num_rows
                    t = t.add_column(0, "jobid", pa.array([log.job.jobid if log.job else None] * n, pa.int64()))
                    label = pa.DictionaryArray.from_arrays(pa.array([0] * n, pa.int32()), [_shown(os.fsdecode(path))])
                    t = t.add_column(0, "log", label)
                    yield Batch(name, t.select(columns) if columns else t)

    def _table(self, log, name):
        _, _, _, ids, ranks, pattern, names, start, end = self._a
        if name in _META:
            return getattr(self, "_" + name)(log)
        part = None
        if name.endswith("_records"):
            name, part = name[:-8], "records"
        elif name.endswith("_header"):
            name, part = name[:-7], "header"
        module = _NAME[name]
        if module not in log:
            return None
        if part:
            from darrow.records import Reader, Records

            t = pa.table(Records(Reader(log._source, module, part)))
        else:
            t = pa.table(log[module])
        if part != "header":
            if ids is not None:
                t = t.filter(pc.is_in(t["id"], pa.array(list(ids), pa.uint64())))
            if ranks is not None:
                t = t.filter(pc.is_in(t["rank"], pa.array(list(ranks), pa.int64())))
            if pattern is not None:
                t = t.filter(pa.array([bool(x and re.search(pattern, x)) for x in t["name"].to_pylist()]))
            if names is not None:
                t = t.filter(pc.is_in(t["name"].cast(pa.string()), pa.array(list(names))))
            if "start" in t.column_names and (start is not None or end is not None):
                lo, hi = start if start is not None else -1e300, end if end is not None else 1e300
                t = t.filter(
                    pc.and_(pc.less(t["start"], hi), pc.or_(pc.greater(t["end"], lo), pc.greater_equal(t["start"], lo)))
                )
        return t

    def _jobs(self, log):
        t = pa.table(log.table("job"))
        if not t.num_rows:
            return t
        t = t.drop_columns(["jobid"])
        path = log.path
        return (
            t.append_column("exe_bytes", pa.array([_odd(log.job.exe)], pa.binary()))
            .append_column("log_bytes", pa.array([_odd(path)], pa.binary()))
            .append_column("size", pa.array([log.size], pa.uint64()))
        )

    def _modules(self, log):
        t = pa.table(log.table("modules"))
        problems = log.verify()
        bad = {p.module for p in problems if p.severity == "error"}
        infos = list(log.modules.values())
        return (
            t.append_column("inflated", pa.array([len(m.bytes()) for m in infos], pa.uint64()))
            .append_column(
                "records",
                pa.array(
                    [
                        log._source.core.table(m.name, "records", ["id"], None, None).rows
                        if m.status == "readable" and m.length
                        else None
                        for m in infos
                    ],
                    pa.int64(),
                ),
            )
            .append_column("damaged", pa.array([m.name in bad for m in infos]))
            .append_column(
                "data", pa.array([None if m.status == "readable" else m.bytes() for m in infos], pa.binary())
            )
        )

    def _names(self, log):
        names = log.names
        return pa.table(log.table("names")).append_column(
            "name_bytes", pa.array([_odd(names[i]) for i in names], pa.binary())
        )

    def _mounts(self, log):
        m = log.mounts
        return pa.table(
            {
                "path": pa.array([_shown(x.path) for x in m], pa.string()),
                "fs_type": pa.array([_shown(x.fs_type) for x in m], pa.string()),
                "path_bytes": pa.array([_odd(x.path) for x in m], pa.binary()),
                "fs_type_bytes": pa.array([_odd(x.fs_type) for x in m], pa.binary()),
            }
        )

    def _metadata(self, log):
        m = list(log.job.metadata.items()) if log.job else []
        return pa.table(
            {
                "key": pa.array([_shown(k) for k, v in m], pa.string()),
                "value": pa.array([_shown(v) for k, v in m], pa.string()),
                "key_bytes": pa.array([_odd(k) for k, v in m], pa.binary()),
                "value_bytes": pa.array([_odd(v) for k, v in m], pa.binary()),
            }
        )

    def _problems(self, log):
        log.verify()
        return pa.table(log.table("problems"))

    def _metrics(self, log):
        try:
            return pa.table(log.summary().layers)
        except (darrow.DarrowError, KeyError, ValueError):
            return None
