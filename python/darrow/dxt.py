"""DXT_POSIX and DXT_MPIIO: traces of single reads and writes."""

from __future__ import annotations

from darrow._extras import load
from darrow.records import Reader, Records
from darrow.striping import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]


class DxtRecords(Records):
    """A row for each segment (a read or write)."""

    __slots__ = ()

    @property
    def records(self) -> Records:
        """A row for each record: with `write_count` and `read_count`, also those without segments."""
        reader = self._reader
        records = Reader(reader.source, self.name, "records", ids=reader.ids, ranks=reader.ranks)
        return Records(records, self._info, raw=self._raw)

    def with_osts(self) -> pa.Table:
        """The segments with a column `osts`: the OSTs that each one touched, in order, each once. Needs pyarrow.

        Null where the log has no Lustre layout of the file, or the offset is not known; empty where the data lie on
        no OST (length 0, data on the metadata server, parts of a layout that have no OSTs yet). Where components
        overlap, as mirrors do, the first one counts. Stripes are counted from the start of the file.
        """
        arrow = load("pyarrow", "with_osts()")
        layouts = self._layouts()
        osts: list[list[int] | None] = []
        for id, offset, length in zip(*(self.column(name) for name in ("id", "offset", "length")), strict=True):
            layout = layouts.get(id)
            osts.append(None if layout is None or offset is None else layout.osts(offset, length))
        return self.to_arrow().append_column("osts", arrow.array(osts, arrow.list_(arrow.int64())))

    def _layouts(self) -> dict[int, Layout]:
        """The layout of each file, from the first LUSTRE record of its id."""
        layouts: dict[int, Layout] = {}
        source = self._reader.source
        if "LUSTRE" in source.readable:
            lustre = Records(Reader(source, "LUSTRE", columns=("id", "components")))
            for id, components in zip(lustre.column("id"), lustre.column("components"), strict=True):
                if id not in layouts:
                    layouts[id] = Layout(components)
        return layouts
