"""HEATMAP: bytes over time."""

from __future__ import annotations

from array import array

from darrow._extras import load
from darrow._unfold import unfold
from darrow._value import Value
from darrow.errors import AggregationError
from darrow.records import Records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    from darrow._aggregate import Aggregate, By

_OPS = ("write", "read")
_MAX_CELLS = 1 << 27


class HeatmapMatrix(Value):
    """Bytes of one layer by rank and time.

    Attributes
    ----------
    layer : str
        "POSIX", "MPIIO", "STDIO", ...
    op : str or None
        "read", "write", or None for both together.
    bin_width : float
        Seconds; bin b covers b * bin_width to (b + 1) * bin_width since the start of the job.
    ranks : sequence of int
        The rank of each row.
    values : memoryview
        Bytes, int64, ranks x bins: `values[row, bin]`, `values.tolist()`, `numpy.asarray(values)`.
    """

    layer: str
    op: str | None
    bin_width: float
    ranks: Sequence[int]
    values: memoryview

    @property
    def nbins(self) -> int:
        """Number of bins, the columns of `values`."""
        return (self.values.shape or (0, 0))[1]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """The values as a numpy array."""
        numpy = load("numpy", "numpy.asarray()")
        return numpy.array(self.values, dtype=dtype) if copy else numpy.asarray(self.values, dtype=dtype)

    def __repr__(self) -> str:
        op = self.op or "read and write"
        return f"<HeatmapMatrix {self.layer} {op}: {len(self.ranks)} ranks x {self.nbins} bins of {self.bin_width:g} s>"

    def __reduce__(self) -> tuple[object, ...]:
        return _matrix, (self.layer, self.op, self.bin_width, self.ranks, self.values.tobytes())


def _matrix(
    layer: str, op: str | None, bin_width: float, ranks: Sequence[int], cells: bytes | bytearray
) -> HeatmapMatrix:
    """From all cells as int64, row by row; there is at least one."""
    values = memoryview(cells).cast("q", (len(ranks), len(cells) // (8 * len(ranks))))
    return HeatmapMatrix(layer, op, bin_width, ranks, values)


class HeatmapRecords(Records):
    """A row for each rank and layer, with the bins in lists as stored."""

    __slots__ = ()

    def aggregate(self, by: By = None) -> Aggregate:
        """The heat maps of each layer, added over ranks: a row for each layer.

        Columns: `layer`, `records` (how many), `bin_width` (seconds), `nbins`, `write` and `read` (bytes by bin).
        Shorter ones are padded with 0. Where widths differ, bins go to those of the widest that hold their middle.
        Negative bins are left out and reported as a problem; a sum that does not fit is null.
        """
        from darrow._aggregate import aggregate_heatmaps

        if by is not None:
            raise AggregationError("heat maps are added up by layer, and by nothing else")
        return aggregate_heatmaps(self._reader.select(("id", "layer", "bin_width", *_OPS)))

    def long(self) -> pa.Table:
        """A row for each bin and operation, writes first. Needs pyarrow.

        Columns: `id`, `rank`, `layer`, `bin`, `start` and `end` (seconds since the start of the job), `op`
        ("write", "read"), `bytes` (as stored, also if negative).
        """
        arrow, compute = load("pyarrow", "long()"), load("pyarrow.compute", "long()")
        table = self.select(["id", "rank", "layer", "bin_width", *_OPS]).to_arrow()
        parts = []
        for code, op in enumerate(_OPS):
            rows, bins, values = unfold(table[op].combine_chunks(), "long()")
            part = table.select(["id", "rank", "layer", "bin_width"]).take(rows)
            width = part["bin_width"]
            codes = arrow.repeat(arrow.scalar(code, arrow.int32()), len(rows))
            columns = {
                "bin": bins,
                "start": compute.multiply(bins, width),
                "end": compute.multiply(compute.add(bins, 1), width),
                "op": arrow.DictionaryArray.from_arrays(codes, list(_OPS)),
                "bytes": values,
            }
            part = part.drop_columns(["bin_width"])
            for name, column in columns.items():
                part = part.append_column(name, column)
            parts.append(part)
        return arrow.concat_tables(parts)

    def matrix(self, layer: str, op: str | None = None) -> HeatmapMatrix:
        """Bytes by rank and time. Needs no package.

        Rows are all ranks of the job, idle ones too, and behind them recorded ranks that the job does not have.
        Shorter records are padded with zeros; where bin widths differ, all are rebinned to the widest: a bin is
        added to the one that holds its middle, so that no byte is lost.

        Parameters
        ----------
        layer : str
            As in the column `layer`: "POSIX", "MPIIO", "STDIO", ...
        op : {"read", "write"}, optional
            Both added up if not given.

        Raises
        ------
        KeyError
            If there is no record of that layer.
        ValueError
            If the matrix would have more than 2^27 cells; use `long()`.
        """
        if op is not None and op not in _OPS:
            raise ValueError(f'op is "read", "write" or None, not {op!r}')
        table = self.select(["rank", "layer", "bin_width", *_OPS])
        layers = table.column("layer")
        picked = [i for i, name in enumerate(layers) if name == layer]
        if not picked:
            known = sorted({name for name in layers if name})
            raise KeyError(f"no heat map of layer {layer!r}; there are: {', '.join(known) or 'none'}")
        ranks, widths = table.column("rank"), table.column("bin_width")
        usual = [widths[i] for i in picked if 0 < widths[i] < float("inf")]
        widest = max(usual, default=0.0)
        rows: dict[int, list[int]] = {}
        for name in _OPS if op is None else (op,):
            bins = table.column(name)
            for i in picked:
                _add(rows.setdefault(ranks[i], []), bins[i], widths[i], widest)
        nprocs = max(self._reader.source.nprocs, 0)
        nbins = max(1, *map(len, rows.values()))
        beyond = sorted(rank for rank in rows if not 0 <= rank < nprocs)
        if (nprocs + len(beyond)) * nbins > _MAX_CELLS:
            raise ValueError(f"{nprocs + len(beyond)} ranks x {nbins} bins are too many for a matrix: use long()")
        labels = [*range(nprocs), *beyond]
        cells = bytearray(8 * len(labels) * nbins)
        for row, rank in enumerate(labels):
            values = array("q", rows.get(rank, [])).tobytes()
            cells[8 * nbins * row : 8 * nbins * row + len(values)] = values
        return _matrix(layer, op, widest, labels, cells)


def _add(row: list[int], bins: list[int], width: float, widest: float) -> None:
    """Adds bins of one width to a row of the widest."""
    scale = width / widest if 0 < width < widest else 1.0
    count = int((len(bins) - 0.5) * scale) + 1 if bins else 0
    row.extend([0] * (count - len(row)))
    if scale == 1.0:
        row[: len(bins)] = map(int.__add__, row, bins)
    else:
        for i, value in enumerate(bins):
            row[int((i + 0.5) * scale)] += value
