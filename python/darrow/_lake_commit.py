"""What changes of a lake until the next commit, and the commit: new parts, merged ones, what is known of logs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
import pyarrow.compute as pc  # type: ignore[import-untyped, unused-ignore]

from darrow._lake_arrays import of_numbers, of_texts
from darrow._lake_parts import PART_BYTES, Changes, Writer, conform, give_back, rewrite, schemas, tail_to_merge, union
from darrow._lake_state import DAMAGED, LOGS, NEEDED, Entry, State
from darrow._lake_store import Part, Store, Version
from darrow._parquet import check_columns, damaged, open_file
from darrow._paths import shown
from darrow._tables import ALWAYS, FAILURES, failures_table, table_schema
from darrow.dataset import Failure

_OWN = ("logs", FAILURES)
# What a row of the table `logs` takes in a part, about, and how many are written at a time.
_LOG_BYTES = 32
_LOGS_AT_A_TIME = 1 << 16


class Commit:
    """Collects what is new, then makes it part of the lake.

    Attributes
    ----------
    state : State
        The logs as they are in the lake.
    writer : Writer
        Takes rows of tables.
    entries : list of Entry
        Logs whose rows are complete.
    count : int
        How many commits there were.
    """

    def __init__(self, store: Store, part_bytes: int = PART_BYTES) -> None:
        self._store = store
        self._part_bytes = part_bytes
        self.version = store.version()
        store.check(self.version)
        self.state = State.of_table(_read(store, self.version, "logs", LOGS))
        self._failures = _read(store, self.version, FAILURES, table_schema(FAILURES))
        give_back()
        self._numbers = dict(self.version.numbers)
        self.writer = self._new_writer()
        self.count = 0
        self._clear()

    def _new_writer(self) -> Writer:
        return Writer(self._store, self._numbers, self._part_bytes)

    def _clear(self) -> None:
        self.entries: list[Entry] = []
        self._new_failures: list[Failure] = []
        self._good_again: list[str] = []
        self._forgotten = np.zeros(0, np.int64)
        self._dirty = self.version.number == 0

    # What is new

    def enter(self, entry: Entry) -> None:
        """The rows of a log are complete, or there are none of it."""
        self.entries.append(entry)

    def fail(self, failure: Failure) -> None:
        """A log could not be read."""
        self._new_failures.append(failure)

    def note(self, rows: Any, size: Any, mtime: Any) -> None:
        """Logs whose content is as it was."""
        if np.size(rows):
            self.state.note(rows, size, mtime)
            self._dirty = True

    def good_again(self, log: str) -> None:
        """A log that could not be read for a while, and is as it was before."""
        self._good_again.append(log)

    def miss(self, rows: Any) -> None:
        """Logs that have vanished."""
        if len(rows):
            self.state.miss(rows, _now())
            self._dirty = True

    def forget(self, rows: Any) -> None:
        """Logs that leave the lake with the next commit, which is the last one."""
        self._forgotten = rows

    # The commit

    def run(self) -> None:
        """Makes what is new part of the lake, if there is anything."""
        new = self.writer.close()
        if not (self._dirty or self.entries or self._new_failures or len(self._forgotten)):
            return
        give_back()
        changes = self._changes()
        parts = {}
        merged = self._new_writer()
        try:
            for table in sorted({*self.version.parts, *new, *self._always()} - set(_OWN)):
                parts[table] = self._table(merged, table, new.get(table, []), changes)
            parts["logs"] = self._logs(merged)
            self._failures = self._failures_now()
            merged.add(FAILURES, self._failures)
            for table, some in merged.close().items():
                parts[table] = [*parts.get(table, []), *some]
        except BaseException:
            merged.discard()
            raise
        self.version = self._store.commit(self.version, parts, dict(self._numbers))
        self.count += 1
        self.writer = self._new_writer()
        self._clear()
        give_back()

    def _always(self) -> tuple[str, ...]:
        """Tables that have to be there from the first commit on."""
        return ALWAYS if self.version.number == 0 else ()

    def _changes(self) -> Changes:
        """The state as it will be, and what that means for rows that are in the lake."""
        state = self.state
        leaving = [entry.row for entry in self.entries if entry.row >= 0] + self._forgotten.tolist()
        held = [(row, int(state.status[row]), state.digest(row)) for row in leaving if state.status[row] <= DAMAGED]
        state.take(self.entries, _now())
        dropped, renamed = [], {}
        leave = set(self._forgotten.tolist())
        digests = [digest for _, _, digest in held]
        duplicates, holders = state.duplicates(digests), state.holders(digests)
        for (row, status, digest), holder in zip(held, holders, strict=True):
            name = shown(state.keys[row].as_py())
            others = [other for other in duplicates.get(digest, ()) if other not in leave]
            if holder >= 0 and holder not in leave:  # another log brings these rows along
                dropped.append(name)
            elif others:  # the rows go over to another log of the same content
                renamed[name] = state.keys[others[0]].as_py()
                state.hold(others[0], status)
            else:
                dropped.append(name)
        if len(self._forgotten):
            names = [shown(key.as_py()) for key in state.keys.take(of_numbers(self._forgotten))]
            gone = pc.is_in(self._failures.column("log"), value_set=of_texts(names))
            self._failures = self._failures.filter(pc.invert(gone))
            self.state = state.without(self._forgotten)
        return Changes(dropped, renamed)

    def _failures_now(self) -> pa.Table:
        """Failures of logs that were looked at again are replaced."""
        again = [shown(entry.key) for entry in self.entries] + [failure.log for failure in self._new_failures]
        again += self._good_again
        kept = pc.invert(pc.is_in(self._failures.column("log"), value_set=of_texts(again)))
        return pa.concat_tables([self._failures.filter(kept), failures_table(self._new_failures)])

    def _logs(self, merged: Writer) -> list[Part]:
        """The parts of the table `logs` that stay: all before the first log that has changed, but for small ones."""
        state, parts = self.state, self.version.parts.get("logs", [])
        if any(schema.names != LOGS.names for _, schema in schemas(self._store, self.version, "logs")):
            parts = []  # of an older lake
        begins = np.cumsum([0, *(part.rows for part in parts)])
        kept = int(np.searchsorted(begins[1:], state.changed_from, "right"))
        if kept < len(parts) or begins[-1] < len(state) or not parts:
            new = (len(state) - int(begins[kept])) * _LOG_BYTES
            kept -= tail_to_merge([part.bytes for part in parts[:kept]], new, self._part_bytes)
            for begin in range(int(begins[kept]), max(len(state), 1), _LOGS_AT_A_TIME):
                merged.add("logs", state.table(begin, begin + _LOGS_AT_A_TIME))
        state.changed_from = len(state)
        return parts[:kept]

    def _table(self, merged: Writer, table: str, new: list[Part], changes: Changes) -> list[Part]:
        """The parts of a table that stay as they are; what has to be merged or changed goes to `merged`."""
        store, version = self._store, self.version
        old = sorted(version.parts.get(table, []), key=lambda part: (-part.bytes, part.number))
        if not old and not new:
            merged.add(table, table_schema(table).empty_table())
            return []
        hit = {part for part in old if changes and changes.concern(store.path(version, part), table)}
        if new and old and self._differ(table, new[0]):
            together = old
        else:
            rest = [part for part in old if part not in hit]
            size = sum(part.bytes for part in [*new, *hit])
            count = tail_to_merge([part.bytes for part in rest], size, self._part_bytes) if size else 0
            together = [*hit, *rest[len(rest) - count :]]
        if not together:
            return [*sorted(old, key=lambda part: part.number), *new]
        together = sorted(together, key=lambda part: part.number)
        paths = [(store.path(version, part), changes if part in hit else None) for part in together]
        paths += [(self._staged(part), None) for part in new]
        rewrite(merged, table, paths)
        return sorted(set(old) - set(together), key=lambda part: part.number)

    def _staged(self, part: Part) -> Path:
        return self._store.staging / part.table / part.name

    def _differ(self, table: str, new: Part) -> bool:
        """Whether the parts of a table have other columns than the new ones. DarrowError if they do not go together."""
        ours = open_file(self._staged(new), table).schema_arrow
        theirs = list(schemas(self._store, self.version, table))
        union([("", ours), *theirs])
        return any(one.names != ours.names for _, one in theirs)

    # Merging everything

    def compact(self, table: str) -> bool:
        """Merges the parts of a table that are not full into as few as possible. False if there was nothing to do."""
        parts = self.version.parts.get(table, [])
        small = [part for part in parts if part.bytes < self._part_bytes * 3 // 4]
        if len(small) < 2:
            return False
        merged = self._new_writer()
        try:
            rewrite(merged, table, [(self._store.path(self.version, part), None) for part in small])
            made = merged.close()[table]
        except BaseException:
            merged.discard()
            raise
        kept = [part for part in parts if part not in small]
        self.version = self._store.commit(
            self.version, {**self.version.parts, table: [*kept, *made]}, dict(self._numbers)
        )
        self.count += 1
        return True


def own_table(store: Store, table: str) -> pa.Table:
    """The table `logs` or `failures` as it is now."""
    return _read(store, store.version(), table, LOGS if table == "logs" else table_schema(FAILURES))


def _now() -> int:
    """Microseconds."""
    return time.time_ns() // 1000


def _read(store: Store, version: Version, table: str, wanted: pa.Schema) -> pa.Table:
    """All rows of one of the lake's own tables."""
    tables = []
    for part in version.parts.get(table, ()):
        path = store.path(version, part)
        file = open_file(path, table)
        shown_path = str(store.directory / table / part.name)
        there = [field for field in wanted if field.name in file.schema_arrow.names or field.name in NEEDED]
        check_columns(file.schema_arrow, pa.schema(there), shown_path)
        try:
            tables.append(conform(file.read(), wanted).cast(wanted))
        except Exception as error:
            raise damaged(shown_path, error) from error
    return pa.concat_tables(tables) if tables else wanted.empty_table()
