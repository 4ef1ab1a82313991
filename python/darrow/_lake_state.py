"""What a lake knows of its logs: columns, because there may be millions of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
import pyarrow.compute as pc  # type: ignore[import-untyped, unused-ignore]

from darrow._lake_arrays import Numbers, filled, fixed, numbers, of_bools, of_bytes, of_numbers, of_texts
from darrow._paths import shown

STATUS = ("ok", "damaged", "failed", "duplicate")
OK, DAMAGED, FAILED, DUPLICATE = range(4)

LOGS = pa.schema(
    [
        pa.field("log", pa.string(), metadata={"meaning": "path of the log, as all tables name it"}),
        pa.field("log_bytes", pa.binary(), metadata={"meaning": "the path, if it is not UTF-8"}),
        pa.field("digest", pa.binary(16), metadata={"meaning": "BLAKE2b of the bytes; null: never read"}),
        pa.field("size", pa.uint64(), metadata={"unit": "bytes"}),
        pa.field("mtime_ns", pa.int64(), metadata={"unit": "ns", "meaning": "when the file was changed"}),
        pa.field("status", pa.dictionary(pa.int8(), pa.string()), metadata={"meaning": ", ".join(STATUS)}),
        pa.field("added", pa.timestamp("us", "UTC"), metadata={"meaning": "when its content was taken"}),
        pa.field("vanished", pa.timestamp("us", "UTC"), metadata={"meaning": "when it was missed; null: it is there"}),
    ]
)
# An older lake may lack the others.
NEEDED = {"log", "digest", "size", "mtime_ns", "status", "message"}

_COLUMNS = ("digests", "size", "mtime", "status", "added", "vanished")

_UNREAD = pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), 1, [None, pa.py_buffer(bytes(16))])[0]


class Entry(NamedTuple):
    """What is new of a log. `digest` is empty if the file could not be read. `row`: where the log stands; -1: new."""

    row: int
    key: bytes
    digest: bytes
    size: int
    mtime_ns: int
    status: int


class State:
    """The table `logs` in memory: some 65 bytes a log, and its path. `keys` are the paths as bytes.

    `changed_from` is the first row that is not as the table on the disk has it; all behind it are written again.
    """

    def __init__(
        self,
        keys: Any,
        digests: Numbers,
        size: Numbers,
        mtime: Numbers,
        status: Numbers,
        added: Numbers,
        vanished: Numbers,
    ) -> None:
        self.keys = keys
        self.digests = digests  # uint64, two a log; 0, 0: never read
        self.size = size
        self.mtime = mtime
        self.status = status
        self.added = added  # µs
        self.vanished = vanished  # µs; 0: it is there
        self.changed_from = len(size)
        self._runs: list[tuple[Numbers, Numbers]] = []
        self._hold(np.arange(len(size)))

    def __len__(self) -> int:
        return len(self.size)

    @classmethod
    def of_table(cls, table: pa.Table) -> State:
        """From the rows of the table `logs`."""
        keys, odd = table.column("log").cast(pa.large_binary()), table.column("log_bytes")
        if odd.null_count < len(odd):
            keys = pc.coalesce(odd.cast(pa.large_binary()), keys)
        digests = pc.coalesce(table.column("digest"), _UNREAD)
        status = table.column("status").cast(pa.string())
        codes = pc.index_in(status, value_set=of_texts(STATUS))
        return cls(
            _one(keys),
            np.frombuffer(fixed(digests), np.uint64).reshape(-1, 2),
            numbers(table.column("size").cast(pa.int64()), "i8"),
            numbers(table.column("mtime_ns"), "i8"),
            numbers(codes.cast(pa.int8()), "i1"),
            numbers(filled(table.column("added").cast(pa.int64()), 0), "i8"),
            numbers(filled(table.column("vanished").cast(pa.int64()), 0), "i8"),
        )

    def table(self, begin: int, end: int) -> pa.Table:
        """Some logs as rows of the table `logs`."""
        keys, digests, status = self.keys[begin:end], self.digests[begin:end], self.status[begin:end]
        try:
            logs, odd = keys.cast(pa.large_string()).cast(pa.string()), pa.nulls(len(keys), pa.binary())
        except pa.ArrowInvalid:  # some path is not UTF-8
            names = keys.to_pylist()
            texts = [shown(key) for key in names]
            logs = of_texts(texts)
            odd = pa.array([k if s.encode() != k else None for k, s in zip(names, texts, strict=True)], pa.binary())
        raw = pa.py_buffer(np.ascontiguousarray(digests))
        known = pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), len(keys), [None, raw])
        columns = [
            logs,
            odd,
            pc.if_else(of_bools(digests.any(axis=1)), known, pa.nulls(1, pa.binary(16))[0]),
            of_numbers(self.size[begin:end]).cast(pa.uint64()),
            of_numbers(self.mtime[begin:end]),
            pa.DictionaryArray.from_arrays(of_numbers(status), of_texts(STATUS)),
            _time(self.added[begin:end]),
            _time(self.vanished[begin:end]),
        ]
        return pa.table(columns, schema=LOGS)

    # Asking

    def find(self, keys: Any) -> Numbers:
        """Where each of some paths stands; -1: unknown."""
        at = pc.index_in(keys, value_set=self.keys)
        return numbers(filled(at.cast(pa.int64()), -1), "i8")

    def holders(self, digests: Sequence[bytes]) -> list[int]:
        """The logs whose rows are those of some contents; -1: none."""
        wanted = np.frombuffer(b"".join(digests), np.uint64).reshape(-1, 2)
        found = np.full(len(wanted), -1)
        for firsts, rows in self._runs:
            left = np.flatnonzero(found < 0)
            at = np.searchsorted(firsts, wanted[left, 0])
            while len(left):  # of those that begin alike, the one that still holds it
                alike = firsts[np.minimum(at, len(firsts) - 1)] == wanted[left, 0]
                alike &= at < len(firsts)
                left, at = left[alike], at[alike]
                is_it = (self.digests[rows[at]] == wanted[left]).all(axis=1) & (self.status[rows[at]] <= DAMAGED)
                found[left[is_it]] = rows[at[is_it]]
                left, at = left[~is_it], at[~is_it] + 1
        return found.tolist()

    def digest(self, row: int) -> bytes:
        return bytes(self.digests[row].tobytes())

    def duplicates(self, digests: Sequence[bytes]) -> dict[bytes, list[int]]:
        """Other logs of these contents, those that are there first."""
        found: dict[bytes, list[int]] = {}
        rows = np.flatnonzero(self.status == DUPLICATE)
        if len(rows) and digests:
            wanted = np.frombuffer(b"".join(digests), np.uint64).reshape(-1, 2)[:, 0]
            rows = rows[np.isin(self.digests[rows, 0], wanted)]
            for row in rows[np.argsort(self.vanished[rows] > 0, kind="stable")].tolist():
                found.setdefault(self.digest(row), []).append(row)
        return found

    # Changing. Logs keep their places, but for `without`.

    def note(self, rows: Any, size: Any, mtime: Any) -> None:
        """Logs whose content is as it was."""
        self.size[rows], self.mtime[rows], self.vanished[rows] = size, mtime, 0
        self._change(rows)

    def miss(self, rows: Numbers, now: int) -> None:
        """Logs that have vanished."""
        self.vanished[rows] = now
        self._change(rows)

    def hold(self, row: int, status: int) -> None:
        """A duplicate gets the rows of its content."""
        self.status[row] = status
        self._change(row)
        self._hold(np.array([row]))

    def take(self, entries: Sequence[Entry], now: int) -> None:
        """Puts new logs behind the others, and new content in place of the old."""
        if not entries:
            return
        new = [entry for entry in entries if entry.row < 0]
        rows = np.array([entry.row for entry in entries], np.int64)
        rows[rows < 0] = np.arange(len(self), len(self) + len(new))
        self.keys = pa.concat_arrays([self.keys, of_bytes([entry.key for entry in new])])
        for name in _COLUMNS:
            old = getattr(self, name)
            setattr(self, name, np.concatenate([old, np.zeros((len(new), *old.shape[1:]), old.dtype)]))
        self.digests[rows] = np.frombuffer(b"".join(e.digest or bytes(16) for e in entries), np.uint64).reshape(-1, 2)
        self.size[rows] = [entry.size for entry in entries]
        self.mtime[rows] = [entry.mtime_ns for entry in entries]
        self.status[rows] = [entry.status for entry in entries]
        self.added[rows], self.vanished[rows] = now, 0
        self._change(rows)
        self._hold(rows)

    def without(self, rows: Numbers) -> State:
        """Without the logs that stand there."""
        keep = np.ones(len(self), bool)
        keep[rows] = False
        columns = (getattr(self, name)[keep] for name in _COLUMNS)
        state = State(self.keys.filter(of_bools(keep)), *columns)
        state.changed_from = min(self.changed_from, int(np.min(rows)))
        return state

    def _change(self, rows: Any) -> None:
        self.changed_from = min(self.changed_from, int(np.min(rows)))

    def _hold(self, rows: Numbers) -> None:
        """Adds logs to those that `holders` looks through: runs in the order of digests, each longer than the next.

        So not all are sorted again when some come. What a log held before stays in a run, and is passed over.
        """
        rows = rows[(self.status[rows] <= DAMAGED) & self.digests[rows].any(axis=1)]
        while self._runs and len(self._runs[-1][1]) < 2 * len(rows):
            rows = np.concatenate([self._runs.pop()[1], rows])
        if len(rows):
            rows = rows[np.argsort(self.digests[rows, 0], kind="stable")]
            self._runs.append((self.digests[rows, 0], rows))


def _one(column: Any) -> Any:
    """A column as one array."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) and column.num_chunks != 1 else _only(column)


def _only(column: Any) -> Any:
    return column.chunk(0) if isinstance(column, pa.ChunkedArray) else column


def _time(values: Numbers) -> Any:
    times = of_numbers(values).cast(pa.timestamp("us", "UTC"))
    return pc.if_else(of_bools(values == 0), pa.nulls(1, times.type)[0], times)
