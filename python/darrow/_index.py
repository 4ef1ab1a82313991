"""What the logs of a data set hold: the index, which may be kept in a file."""

from __future__ import annotations

import os
from collections import Counter

from darrow import _core
from darrow._extras import load
from darrow._parquet import TableFile, damaged, open_file
from darrow._paths import shown
from darrow._scan_batches import Batches, Filters
from darrow._source import plain_name
from darrow.errors import DarrowError
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    from darrow.dataset import Dataset

_TABLE = "index"
# Of the table `modules`: all but the data of unknown modules.
_COLUMNS = (
    *("log", "jobid", "id", "module", "version", "partial", "status", "offset", "length"),
    *("inflated", "records", "damaged"),
)
_FAILURE = ("code", "message", "region", "byte")


def index_of(dataset: Dataset) -> pa.Table:
    """The index of a data set, from its file where that knows a log as it is now; the file is renewed.

    Returns
    -------
    pyarrow.Table
        A row for each module of a log (or one for a log without any, and for one that cannot be read): `log`, `size`
        (bytes), `mtime_ns` (Unix time), `jobid`, the columns of `modules` with `inflated` (bytes), `records` and
        `damaged`, and why a log cannot be read: `code`, `message`, `region`, `byte`.
    """
    arrow = load("pyarrow", "the index of a data set")
    stats = _stats(arrow, dataset)
    path = dataset._index_path
    kept = _read(arrow, path) if path is not None and os.path.exists(path) else None
    known = None if kept is None else _still_true(kept, stats)
    new = stats if known is None else stats.join(known.select(["log"]), "log", join_type="left anti")
    parts = [] if known is None else [known]
    if len(new):
        parts.append(_made(arrow, dataset, new))
    index = arrow.concat_tables(parts, promote_options="default") if parts else _made(arrow, dataset, new)
    index = index.sort_by([("log", "ascending"), ("id", "ascending")])
    if path is not None and (len(new) or kept is None or len(index) != len(kept)):
        _write(path, index)
    return index


def rows_of(dataset: Dataset, index: pa.Table, table: str) -> int | None:
    """The rows of a table whose rows are records; None if the index does not tell."""
    import pyarrow.compute as compute  # type: ignore[import-untyped, unused-ignore]

    wanted = plain_name(table)
    names = [module for module in index["module"].unique().to_pylist() if module and plain_name(module) == wanted]
    if "segment" in _core.scan_schema(table, []).columns or not names:
        return None
    rows = index.filter(compute.equal(index["module"], names[0])).select(["log", "records"])
    times = Counter(map(shown, dataset._paths))  # a log may be given more than once
    return sum(times[log] * (records or 0) for log, records in zip(*rows.to_pydict().values(), strict=True))


def _stats(arrow: Any, dataset: Dataset) -> pa.Table:
    """Size and time of each log, once; null where it cannot be looked at."""
    rows: dict[str, tuple[int | None, int | None]] = {}
    for log in dataset._paths:
        name = shown(log)
        try:
            stat = os.stat(log)
            rows[name] = stat.st_size, stat.st_mtime_ns
        except OSError:
            rows[name] = None, None
    sizes, times = zip(*rows.values(), strict=True) if rows else ((), ())
    return arrow.table(
        {
            "log": arrow.array(list(rows), arrow.string()),
            "size": arrow.array(sizes, arrow.uint64()),
            "mtime_ns": arrow.array(times, arrow.int64()),
        }
    )


def _still_true(kept: pa.Table, stats: pa.Table) -> pa.Table:
    """The rows of logs that are as they were."""
    return stats.drop_null().join(kept, ["log", "size", "mtime_ns"], join_type="inner").select(kept.column_names)


def _made(arrow: Any, dataset: Dataset, stats: pa.Table) -> pa.Table:
    """The index of these logs, which are read for it."""
    wanted = set(stats["log"].to_pylist())
    logs = list(dict.fromkeys(log for log in dataset._paths if shown(log) in wanted))
    batches = Batches(logs, ["modules"], Filters(_COLUMNS), 0, dataset._threads, False, dataset._max_region_bytes)
    schema = arrow.schema(Table(Held(_core.scan_schema("modules", list(_COLUMNS)))))
    modules = arrow.Table.from_batches(
        [part for batch in batches for part in arrow.table(Table(Held(batch))).to_batches()], schema
    ).unify_dictionaries()
    modules = modules.set_column(0, "log", modules["log"].cast(arrow.string()))
    failed = [(shown(logs[position]), *rest) for position, *rest in batches.failures()]
    failures = arrow.table(
        {
            name: arrow.array([row[i] for row in failed], kind)
            for i, (name, kind) in enumerate(
                [("log", arrow.string()), *((name, arrow.string()) for name in _FAILURE[:3]), ("byte", arrow.uint64())]
            )
        }
    )
    all_of = stats.join(modules, "log", join_type="left outer").join(failures, "log", join_type="left outer")
    return all_of.replace_schema_metadata(None)


def _read(arrow: Any, path: str | os.PathLike[str]) -> pa.Table:
    """The kept index; DarrowError if the file holds something else."""
    file = open_file(path, _TABLE)
    name = os.fspath(path)
    for column in (*_COLUMNS, *_FAILURE, "size", "mtime_ns"):
        if column not in file.schema_arrow.names:
            raise DarrowError(f"{name}: no index of logs: it has no column {column}", code="foreign", file=name)
    try:
        return file.read()
    except (arrow.ArrowInvalid, OSError) as error:
        raise damaged(name, error) from error


def _write(path: str | os.PathLike[str], index: pa.Table) -> None:
    with TableFile(path, index.schema, _TABLE) as file:
        file.write(index)
