"""LUSTRE: how files are striped."""

from __future__ import annotations

from darrow._extras import load
from darrow._unfold import unfold
from darrow.records import Records

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]


class LustreRecords(Records):
    """A row for each record: a file's layout, with its components in a list."""

    __slots__ = ()

    def long(self) -> pa.Table:
        """A row for each component: the columns of the record, `component` (from 0), and those of the component.

        Records without components have no row. Needs pyarrow.
        """
        arrow = load("pyarrow", "long()")
        table = self.to_arrow()
        rows, numbers, components = unfold(table["components"].combine_chunks(), "long()")
        long = table.drop_columns(["components"]).take(rows)
        long = long.append_column("component", numbers)
        for field, values in zip(components.type, components.flatten(), strict=True):
            long = long.append_column(arrow.field(field.name, field.type, metadata=field.metadata), values)
        return long
